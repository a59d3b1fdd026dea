// Jobs that a server acknowledged and then has no more, as the window sees them: a failover to a replica that had not
// received them, a server that was started again without them, a database that was emptied, keys that were evicted or
// expired. Nothing of it is made again, and nothing that somebody removed is called lost.
#include "core/engine/engine_connections.h"
#include "core/protocol/hero/keys.h"
#include "models/job_table_model.h"
#include "tests/support/await.h"
#include "tests/support/memory_secrets.h"
#include "tests/support/redis_server.h"

#include <QFile>
#include <QSignalSpy>

#include <unistd.h>

using namespace ym;
using namespace ym::test;

namespace {

QByteArray infoOf(const RedisServer &server, const char *name)
{
    for (const QByteArray &line : server.cli({"info"}).split('\n')) {
        if (line.startsWith(QByteArray(name) + ':'))
            return line.mid(line.indexOf(':') + 1).trimmed();
    }
    return {};
}

bool hasRunFor(const RedisServer &server, int seconds)
{
    return infoOf(server, "uptime_in_seconds").toInt() >= seconds;
}

QString keyOf(const QByteArray &id)
{
    return QString::fromLatin1(hero::keys::job(id));
}

} // namespace

class TestLostJobs : public QObject {
    Q_OBJECT

    QTemporaryDir m_home;
    MemorySecrets m_secrets;
    std::unique_ptr<EngineConnections> m_connections;
    std::unique_ptr<JobTableModel> m_table;
    Session *m_session = nullptr;

    /// The one address that everybody uses, as behind a proxy: a link to the socket of the present master.
    QString door() const { return m_home.filePath(QStringLiteral("door.sock")); }
    void pointTo(const RedisServer &server)
    {
        QFile::remove(door());
        QVERIFY(QFile::link(server.socketPath(), door()));
    }
    void openWindow();
    QByteArray submit();
    JobState stateOf(const QByteArray &id) const
    {
        const auto job = m_table->summary(id);
        return job ? job->state : JobState::Unknown;
    }
    QByteArray reasonOf(const QByteArray &id) const
    {
        const auto job = m_table->summary(id);
        return job ? job->statusText : QByteArray();
    }
    bool warns(const char *words) const { return m_session->state().warnings.join(u'\n').contains(QLatin1String(words)); }

private Q_SLOTS:
    void init() { m_connections.reset(); }
    void cleanup();
    void aFailoverThatLosesJobsIsToldForEach();
    void aRestartWithoutThemIsTold();
    void anEmptiedDatabaseIsTold();
    void evictedAndExpiredJobsAreTold();
    void whatSomebodyRemovedIsNotLost();
};

void TestLostJobs::openWindow()
{
    m_table = std::make_unique<JobTableModel>(CapabilityFlags{}, &Clock::system());
    m_connections = std::make_unique<EngineConnections>(
        EngineConfig{{m_home.filePath("config"), m_home.filePath("data")}, Milliseconds{500}}, &m_secrets);
    Profile profile;
    profile.url = QStringLiteral("unix:") + door();
    m_session = m_connections->open(m_connections->save(profile, std::nullopt));
    connect(m_session, &Session::changed, m_table.get(), &JobTableModel::apply);
    QTRY_COMPARE_WITH_TIMEOUT(m_session->state().phase, ConnectionState::Phase::Ready, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_table->listing().complete, 20'000);
}

void TestLostJobs::cleanup()
{
    m_connections.reset();
    m_table.reset();
}

QByteArray TestLostJobs::submit()
{
    Job job;
    job.id = newJobId();
    job.target.type = "python";
    job.script = "print(1)";
    const auto submitted = m_session->submit(job);
    if (!QTest::qWaitFor([&] { return submitted.isFinished(); }, 20'000) || !submitted.result())
        return {};
    const bool isListed = QTest::qWaitFor([&] { return m_table->summary(job.id).has_value(); }, 20'000);
    return isListed ? job.id : QByteArray();
}

void TestLostJobs::aFailoverThatLosesJobsIsToldForEach()
{
    RedisServer master({false, true, {}});
    RedisServer replica;
    QVERIFY(master.isRunning() && replica.isRunning());
    replica.cli({"replicaof", "127.0.0.1", QString::number(master.port())});
    QTRY_COMPARE_WITH_TIMEOUT(infoOf(replica, "master_link_status"), QByteArray("up"), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(hasRunFor(replica, 3), 20'000);
    pointTo(master);
    openWindow();
    const QByteArray kept = submit();
    QTRY_COMPARE_WITH_TIMEOUT(replica.cli({"exists", keyOf(kept)}), QByteArray("1"), 20'000);
    replica.cli({"replicaof", "no", "one"}); // from now on nothing arrives there
    QList<QByteArray> lost;
    for (int i = 0; i < 5; ++i)
        lost.append(submit());
    QSignalSpy ended(m_session, &Session::watchedJobEnded);
    m_session->watchJob(lost.first(), true);

    pointTo(replica);
    master.killHard();
    QTRY_VERIFY_WITH_TIMEOUT(stateOf(lost.last()) == JobState::Lost, 30'000);
    for (const QByteArray &id : lost) {
        QTRY_COMPARE_WITH_TIMEOUT(int(stateOf(id)), int(JobState::Lost), 20'000);
        QVERIFY2(reasonOf(id).contains("failover"), reasonOf(id).constData());
        QCOMPARE(replica.cli({"exists", keyOf(id)}), QByteArray("0"));
    }
    QCOMPARE(int(stateOf(kept)), int(JobState::Queued));
    QTRY_VERIFY_WITH_TIMEOUT(warns("failover"), 20'000);
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(int(ended.first().first().value<JobSummary>().state), int(JobState::Lost));
    QCOMPARE(m_table->stateCounts()[size_t(JobState::Lost)], 5);

    // They stay through further listings, and go when somebody takes them out.
    m_session->refresh();
    QTRY_VERIFY(m_table->listing().complete);
    QCOMPARE(m_table->stateCounts()[size_t(JobState::Lost)], 5);
    m_session->removeJobs({lost.first()});
    QTRY_VERIFY(!m_table->summary(lost.first()));
    QCOMPARE(m_table->totalCount(), 5);
}

void TestLostJobs::aRestartWithoutThemIsTold()
{
    RedisServer server; // keeps nothing
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    pointTo(server);
    openWindow();
    const QByteArray id = submit();
    server.killHard();
    QVERIFY(server.startAgain());
    QTRY_COMPARE_WITH_TIMEOUT(int(stateOf(id)), int(JobState::Lost), 30'000);
    QVERIFY2(reasonOf(id).contains("started again"), reasonOf(id).constData());
    QTRY_VERIFY(warns("started again"));
    // The same job again is a job as every other.
    server.cli({"hset", keyOf(id), "status", "finished", "script_type", "python"});
    m_session->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(int(stateOf(id)), int(JobState::Finished), 20'000);
    QCOMPARE(m_table->stateCounts()[size_t(JobState::Lost)], 0);
}

void TestLostJobs::anEmptiedDatabaseIsTold()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    pointTo(server);
    openWindow();
    const QByteArray first = submit();
    const QByteArray second = submit();
    server.cli({"flushall"});
    m_session->refresh();
    for (const QByteArray &id : {first, second}) {
        QTRY_COMPARE_WITH_TIMEOUT(int(stateOf(id)), int(JobState::Lost), 20'000);
        QVERIFY2(reasonOf(id).contains("FLUSHALL"), reasonOf(id).constData());
    }
    QTRY_VERIFY(warns("emptied"));
}

void TestLostJobs::evictedAndExpiredJobsAreTold()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    pointTo(server);
    openWindow();
    const QByteArray expiring = submit();
    server.cli({"pexpire", keyOf(expiring), "1"});
    QTRY_COMPARE(server.cli({"exists", keyOf(expiring)}), QByteArray("0"));
    m_session->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(int(stateOf(expiring)), int(JobState::Lost), 20'000);
    QVERIFY2(reasonOf(expiring).contains("time to live"), reasonOf(expiring).constData());

    const QByteArray evicted = submit();
    server.cli({"config", "set", "maxmemory-policy", "allkeys-random"});
    server.cli({"config", "set", "maxmemory", "1"});
    QTRY_COMPARE_WITH_TIMEOUT(server.cli({"dbsize"}), QByteArray("0"), 20'000);
    server.cli({"config", "set", "maxmemory", "0"});
    m_session->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(int(stateOf(evicted)), int(JobState::Lost), 20'000);
    QVERIFY2(reasonOf(evicted).contains("eviction"), reasonOf(evicted).constData());
    QTRY_VERIFY(warns("noeviction"));
}

void TestLostJobs::whatSomebodyRemovedIsNotLost()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    pointTo(server);
    openWindow();
    const QByteArray ours = submit();
    const QByteArray theirs = submit();
    const QByteArray left = submit();
    m_session->removeJobs({ours});
    server.cli({"del", keyOf(theirs)});
    m_session->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(!m_table->summary(ours) && !m_table->summary(theirs), 20'000);
    QCOMPARE(int(stateOf(left)), int(JobState::Queued));
    QCOMPARE(m_table->stateCounts()[size_t(JobState::Lost)], 0);
}

QTEST_GUILESS_MAIN(TestLostJobs)
#include "tst_lost_jobs.moc"
