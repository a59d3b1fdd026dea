// The server dies under full load and comes back: every job still finishes, by itself.
#include "core/engine/protocols.h"
#include "core/engine/store_factory.h"
#include "tests/support/await.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

namespace {

constexpr int jobCount = 200;

QCoro::Task<QList<QByteArray>> submitAll(ym::Store *store)
{
    const auto producer = ym::protocols().find("hero")->producer(store, {}, &ym::Clock::system());
    QList<QByteArray> ids;
    for (int i = 0; i < jobCount; ++i) {
        ym::Job draft;
        draft.target.type = "python";
        draft.script = "import time\ntime.sleep(0.05)\nprint(" + QByteArray::number(i) + ")\n";
        draft.concurrent = true;
        const ym::Producer::Receipt receipt = co_await producer->submit(draft);
        ids.append(receipt.id);
    }
    co_return ids;
}

QCoro::Task<int> countFinished(ym::Store *store, QList<QByteArray> ids)
{
    const auto inspector = ym::protocols().find("hero")->inspector(store, {}, &ym::Clock::system());
    int finished = 0;
    try {
        const std::vector<ym::JobSummary> jobs = co_await inspector->summaries(ids);
        for (const ym::JobSummary &job : jobs)
            finished += job.state == ym::JobState::Finished;
    } catch (const ym::StoreError &) {
        finished = 0; // the server is not back yet: looked at again
    }
    co_return finished;
}

int linesWith(const QByteArray &text, const QByteArray &word)
{
    int count = 0;
    for (const QByteArray &line : text.split('\n'))
        count += line.contains(word);
    return count;
}

} // namespace

class TestKillServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingFinishesByItself();
};

void TestKillServer::everythingFinishesByItself()
{
    RedisServer::Options options;
    options.appendOnly = true;
    RedisServer server(options);
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const auto address = ym::parseStoreAddress(server.url());
    QVERIFY(address.has_value());
    const auto store = ym::makeStore(*address, ym::Paths::standard(), &ym::Clock::system());
    ym::test::await(store->open());
    const QList<QByteArray> ids = ym::test::await(submitAll(store.get()));
    QCOMPARE(QSet<QByteArray>(ids.begin(), ids.end()).size(), jobCount);

    Program program;
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
    const auto worker = program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                                       QStringLiteral("--slots"), QStringLiteral("8")});
    QByteArray seen;
    for (const int before : {20, 60, 100}) {
        while (linesWith(seen, "finished") < before && worker->state() == QProcess::Running) {
            QVERIFY2(worker->waitForReadyRead(60'000), seen.constData());
            seen += worker->readAllStandardOutput();
        }
        server.killHard();
        QVERIFY2(server.startAgain(), qPrintable(server.error()));
    }

    ym::test::await(store->waitUntilReady({}));
    int finished = 0;
    const auto look = [&] {
        seen += worker->readAllStandardOutput();
        finished = ym::test::await(countFinished(store.get(), ids));
        return finished == jobCount || worker->state() != QProcess::Running;
    };
    QTRY_VERIFY2_WITH_TIMEOUT(look(), qPrintable(QStringLiteral("%1 of %2 finished").arg(finished).arg(jobCount)),
                              120'000);
    worker->terminate();
    const Ended ended = ym::test::collect(worker.get(), seen);
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(finished, jobCount);
    for (const char *key : {"hero:q:work:type:python", "hero:q:lease:python", "hero:q:claims:python"})
        QCOMPARE(server.cli({QStringLiteral("EXISTS"), QLatin1String(key)}), QByteArray("0"));
    store->close();
}

QTEST_GUILESS_MAIN(TestKillServer)
#include "tst_kill_server.moc"
