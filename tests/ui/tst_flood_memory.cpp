// What a flood of output leaves in memory: the result that the store keeps, and nothing else.
#include "core/base/memory.h"
#include "tests/support/memory.h"
#include "tests/support/redis_server.h"
#include "tests/ui/real_window.h"

#include <QTimer>

#include <algorithm>

using namespace ym;
using namespace ym::test;

namespace {

constexpr qint64 mib = 1 << 20;
constexpr qint64 keptOutput = 8 * mib; ///< of each result
constexpr qint64 slack = 16 * mib; ///< of 300 MB that went through, and of what the window has made by then
constexpr qint64 mostInFlight = 72 * mib; ///< what is being captured, recorded, sent and shown

/// Writes 300 MB as fast as somebody reads it, in lines of 80 bytes.
const QByteArray flood = "import os\n"
                         "block = (b'x' * 79 + b'\\n') * 800\n"
                         "sent = 0\n"
                         "while sent < 300_000_000:\n"
                         "    sent += os.write(1, block)\n";

QString sizes(qint64 measured, qint64 kept, qint64 before)
{
    return QStringLiteral("%1 MiB with %2 MiB of results; before %3 MiB").arg(measured / mib).arg(kept / mib).arg(before / mib);
}

} // namespace

class TestFloodMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void floodsLeaveNothingBehind_data();
    void floodsLeaveNothingBehind();

private:
    qint64 peakDuring(RealWindow &real, const QByteArray &script);
};

/// Submits the job with its output in view, waits for its end and for what is shown of it; the largest size on the way.
qint64 TestFloodMemory::peakDuring(RealWindow &real, const QByteArray &script)
{
    Job job;
    job.target.type = "python";
    job.script = script;
    const auto receipt = real.session()->submit(job);
    if (!QTest::qWaitFor([&] { return receipt.isFinished(); }, 20'000))
        return -1;
    const QByteArray id = receipt.result()->id;
    if (!QTest::qWaitFor([&] { return real.jobs()->rowOf(id) >= 0; }, 20'000))
        return -1;
    real.window.workspace()->openJob(id);
    real.window.showDetailTab(2);
    qint64 peak = residentBytes(); // a short job may be over before the first look
    QTimer sampler;
    QObject::connect(&sampler, &QTimer::timeout, this, [&peak] { peak = std::max(peak, residentBytes()); });
    sampler.start(5);
    const bool isOver = QTest::qWaitFor([&] { return isTerminal(real.stateOf(id)); }, 120'000);
    sampler.stop();
    const auto detail = real.session()->job(id);
    if (!isOver || !QTest::qWaitFor([&] { return detail.isFinished(); }, 20'000))
        return -1;
    return real.stateOf(id) == JobState::Finished ? peak : -1;
}

void TestFloodMemory::floodsLeaveNothingBehind_data()
{
    QTest::addColumn<bool>("isEmbedded");
    QTest::newRow("results in a Redis") << false;
    QTest::newRow("results in the embedded store") << true;
}

void TestFloodMemory::floodsLeaveNothingBehind()
{
    if constexpr (!isMemoryMeasurable)
        QSKIP("A sanitizer keeps what is freed.");
    QFETCH(bool, isEmbedded);
    const RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    RealWindow real;
    if (isEmbedded)
        real.openLocal();
    else
        real.openRedis(server.url());
    real.startPythonWorker(1);
    QVERIFY(peakDuring(real, "print(1)\n") > 0);
    const qint64 idle = residentBytes();
    qInfo("idle: %lld MiB", idle / mib);
    for (int number = 1; number <= 3; ++number) {
        const qint64 peak = peakDuring(real, flood);
        QVERIFY(peak > 0);
        // The embedded store has each result twice: in the job's record and in the reply to whoever waits for it. A
        // compaction of its log loads the store a second time, and may still be at work now.
        const qint64 kept = isEmbedded ? number * 2 * keptOutput : 0;
        QVERIFY2(peak < idle + 2 * kept + mostInFlight, qPrintable(sizes(peak, kept, idle)));
        QTRY_VERIFY2_WITH_TIMEOUT(residentBytes() < idle + kept + slack, qPrintable(sizes(residentBytes(), kept, idle)), 30'000);
        qInfo("flood %d: peak %lld, after %lld MiB", number, peak / mib, residentBytes() / mib);
    }
}

int main(int argc, char **argv)
{
    giveBackLargeBlocks(); // as the application does
    QApplication application(argc, argv);
    TestFloodMemory test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_flood_memory.moc"
