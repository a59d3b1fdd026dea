// What a job writes is in the detail pane a moment later.
#include "models/text_lines.h"
#include "tests/support/redis_server.h"
#include "tests/support/stamped_lines.h"
#include "tests/ui/real_window.h"
#include "ui/widgets/line_view.h"

using namespace ym;
using namespace ym::test;

class TestOutputLatency : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesAreInThePaneAtOnce_data();
    void linesAreInThePaneAtOnce();
};

void TestOutputLatency::linesAreInThePaneAtOnce_data()
{
    QTest::addColumn<bool>("isEmbedded");
    QTest::addColumn<int>("tab");
    QTest::newRow("output, the embedded store") << true << 2;
    QTest::newRow("output, a Redis") << false << 2;
    QTest::newRow("log") << true << 3;
}

/// The goal is 100 ms; the bounds leave room for a machine that does a lot besides.
void TestOutputLatency::linesAreInThePaneAtOnce()
{
    QFETCH(bool, isEmbedded);
    QFETCH(int, tab);
    constexpr int count = 100;
    const RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    RealWindow real;
    if (isEmbedded)
        real.openLocal();
    else
        real.openRedis(server.url());
    real.startPythonWorker(1);
    Job job;
    job.target.type = "python";
    job.script = stampedLines(count);
    const auto receipt = real.session()->submit(job);
    QTRY_VERIFY(receipt.isFinished());
    const QByteArray id = receipt.result()->id;
    QTRY_VERIFY(real.jobs()->rowOf(id) >= 0);
    real.window.workspace()->openJob(id);
    real.window.showDetailTab(tab);
    const auto *const view = real.window.findChild<LineView *>(tab == 2 ? QStringLiteral("outputView") : QStringLiteral("logView"));
    QVERIFY(view);
    QTRY_VERIFY(view->isVisible()); // a log is there with its first line
    StampedAges ages;
    const TextLines *const lines = view->lines();
    QVERIFY(lines);
    connect(lines, &TextLines::linesAppended, this, [&](qint64 first, qint64 added) {
        for (qint64 line = first; line < first + added; ++line)
            ages.readLine(lines->styledLine(line).text.toUtf8());
    });
    QTRY_VERIFY_WITH_TIMEOUT(isTerminal(real.stateOf(id)), 60'000);
    qInfo("%s", qPrintable(ages.report()));
    QVERIFY2(ages.count() > count / 2, qPrintable(ages.report())); // some may have been written before the pane was open
    QVERIFY2(ages.percentile(0.5) < 100, qPrintable(ages.report()));
    QVERIFY2(ages.percentile(0.9) < 400, qPrintable(ages.report()));
}

QTEST_MAIN(TestOutputLatency)
#include "tst_output_latency.moc"
