// What the window does when a server forgets jobs that run in it.
#include "core/engine/connection.h"
#include "core/protocol/hero/keys.h"
#include "tests/support/await.h"
#include "tests/support/fake_executor.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

namespace {

/// Sleeps a twentieth of what it is asked to, so that nobody waits ten seconds for a beat.
class HastyClock final : public Clock {
public:
    Timestamp now() const override { return Clock::system().now(); }
    Monotonic monotonic() const override { return Clock::system().monotonic(); }
    QCoro::Task<bool> sleep(Milliseconds duration, std::stop_token stop) override
    {
        return Clock::system().sleep(duration / 20, stop);
    }
};

} // namespace

class TestLostJobs : public QObject {
    Q_OBJECT

    RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    HastyClock m_clock;
    FakeExecutor m_executor;
    std::unique_ptr<Connection> m_connection;
    int m_lost = 0;
    QString m_removal;

    QString dataFolder() const { return m_folder->filePath(QStringLiteral("data")); }
    /// A job that runs here until it is told to end.
    QByteArray runJob(const QByteArray &group = {}, int priority = 1)
    {
        WorkerRequest request;
        request.types = {"python"};
        await(m_connection->startWorker(request));
        QSignalSpy started(m_connection->workers(), &LocalWorkers::jobTouched);
        Job draft;
        draft.target.type = "python";
        draft.script = "print(1)";
        draft.env = {{"DAY", "7"}};
        draft.target.group = group;
        draft.target.priority = priority;
        draft.retries = 3;
        const QByteArray id = await(m_connection->submit(draft)).id;
        return started.isEmpty() && !started.wait(10'000) ? QByteArray() : id;
    }
    QByteArray cli(const QString &words) { return m_server.cli(words.split(u' ')); }

private Q_SLOTS:
    void init()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        m_server.cli({QStringLiteral("FLUSHALL")});
        m_folder = std::make_unique<QTemporaryDir>();
        m_lost = 0;
        m_removal.clear();
        Connection::Setup setup;
        setup.profile.url = m_server.url();
        setup.address = *parseStoreAddress(m_server.url());
        setup.paths = {m_folder->filePath(QStringLiteral("config")), dataFolder()};
        setup.executor = &m_executor;
        setup.clock = &m_clock;
        auto made = Connection::create(std::move(setup));
        QVERIFY(made.has_value());
        m_connection = std::move(*made);
        connect(m_connection->bulk(), &BulkActions::lost, this, [this](int count, const QString &removal) {
            m_lost = count;
            m_removal = removal;
        });
        QSignalSpy states(m_connection.get(), &Connection::stateChanged);
        m_connection->start();
        while (states.isEmpty()
               || states.last().first().value<ConnectionState>().phase != ConnectionState::Phase::Ready)
            QVERIFY(states.wait(10'000));
    }
    void cleanup()
    {
        await(m_connection->close(100ms));
        m_connection.reset();
    }

    void whatRanHereIsKeptAndComesBack();
    void itComesBackWhereItWasWithItsRetries_data();
    void itComesBackWhereItWasWithItsRetries();
    void whatCannotBeKeptIsToldAllTheSame();
    void aClaimThatOthersHaveIsNotLost();
};

void TestLostJobs::whatRanHereIsKeptAndComesBack()
{
    const QByteArray id = runJob();
    QVERIFY(!id.isEmpty());
    QSignalSpy lost(m_connection->bulk(), &BulkActions::lost);
    cli(QStringLiteral("FLUSHALL"));
    QVERIFY(lost.wait(10'000));
    QCOMPARE(m_lost, 1);
    QVERIFY(!m_removal.isEmpty());
    QCOMPARE(m_connection->bulk()->restorableCount(), 1);
    Job other; // is removed afterwards and stays so
    other.target.type = "other";
    other.script = "x";
    const QList<QByteArray> others{await(m_connection->submit(other)).id};
    QCOMPARE(await(m_connection->removeJobs(others)).done, 1);
    const BulkResult back = await(m_connection->restoreRemoved(m_removal));
    QCOMPARE(back.done, 1);
    QCOMPARE(cli(QStringLiteral("EXISTS hero:job:%1").arg(QString::fromLatin1(others.first()))), QByteArray("0"));
    QCOMPARE(await(m_connection->restoreRemoved()).done, 1);
    QCOMPARE(cli(QStringLiteral("HGET hero:job:%1 script").arg(QString::fromLatin1(id))), QByteArray("print(1)"));
    QCOMPARE(cli(QStringLiteral("HGET hero:job:%1 env_vars").arg(QString::fromLatin1(id))),
             QByteArray("{\"DAY\":\"7\"}"));
    QCOMPARE(m_connection->bulk()->restorableCount(), 0);
}

void TestLostJobs::itComesBackWhereItWasWithItsRetries_data()
{
    QTest::addColumn<QByteArray>("group");
    QTest::addColumn<int>("priority");
    QTest::addColumn<QByteArray>("queue");
    QTest::newRow("the usual queue") << QByteArray() << 1 << QByteArray("hero:q:work:type:python");
    QTest::newRow("urgent, for a group")
        << QByteArray("default") << 2 << QByteArray("hero:q:work:type:python:group:default:prio:2");
    QTest::newRow("not urgent") << QByteArray() << 0 << QByteArray("hero:q:work:type:python:prio:0");
}

void TestLostJobs::itComesBackWhereItWasWithItsRetries()
{
    QFETCH(QByteArray, group);
    QFETCH(int, priority);
    QFETCH(QByteArray, queue);
    const QByteArray id = runJob(group, priority);
    QVERIFY(!id.isEmpty());
    QSignalSpy lost(m_connection->bulk(), &BulkActions::lost);
    cli(QStringLiteral("FLUSHALL"));
    QVERIFY(lost.wait(10'000));
    const BulkResult back = await(m_connection->restoreRemoved());
    QCOMPARE(back.done, 1);
    const JobDetail detail = await(m_connection->job(id));
    QCOMPARE(detail.job.retries, 3);
    QCOMPARE(detail.job.target.group, group);
    QCOMPARE(detail.job.target.priority, priority);
    QCOMPARE(cli(QStringLiteral("HGET hero:job:%1 queues").arg(QString::fromLatin1(id))), "[\"" + queue + "\"]");
}

void TestLostJobs::whatCannotBeKeptIsToldAllTheSame()
{
    const QByteArray id = runJob();
    QVERIFY(!id.isEmpty());
    QFile inTheWay(dataFolder() + QStringLiteral("/removed"));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    QSignalSpy lost(m_connection->bulk(), &BulkActions::lost);
    cli(QStringLiteral("FLUSHALL"));
    QVERIFY(lost.wait(10'000));
    QCOMPARE(m_lost, 1);
    QVERIFY(m_removal.isEmpty());
    QCOMPARE(m_connection->bulk()->restorableCount(), 0);
}

/// Somebody rescued it: it is there and needs no second record.
void TestLostJobs::aClaimThatOthersHaveIsNotLost()
{
    const QByteArray id = runJob();
    QVERIFY(!id.isEmpty());
    QSignalSpy claimsLost(m_connection->workers(), &LocalWorkers::claimsLost);
    cli(QStringLiteral("HSET hero:q:claims:python %1 another|hero:q:work:type:python").arg(QString::fromLatin1(id)));
    QVERIFY(claimsLost.wait(10'000));
    await(m_connection->close(100ms)); // with everything that it still did
    QCOMPARE(m_lost, 0);
    QVERIFY(!QDir(dataFolder() + QStringLiteral("/removed")).exists());
}

QTEST_GUILESS_MAIN(TestLostJobs)
#include "tst_lost_jobs.moc"
