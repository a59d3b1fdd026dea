// A redis-server whose disk is full: tool, worker and window say so, nothing that was acknowledged is lost, and all go on
// when there is space again. The disk is mounted in a name space of this process's own.
#include "core/engine/engine_connections.h"
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/memory_secrets.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/small_disk.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>

#include <csignal>

using namespace ym;
using namespace ym::test;

namespace {

QString noMount; ///< why no disk can be mounted; empty = it can

Job draft(const QByteArray &script = "print(1)")
{
    Job job;
    job.id = newJobId();
    job.target.type = "python";
    job.script = script;
    return job;
}

} // namespace

class TestRedisDisk : public QObject {
    Q_OBJECT

    std::unique_ptr<SmallDisk> m_disk;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<RedisStore> m_store;
    std::unique_ptr<Producer> m_producer;
    QList<QByteArray> m_acknowledged;
    bool m_isAof = true;

    void begin(bool isAof);
    /// Takes all space, and submits until the server refuses.
    Error fillUp();
    void makeSpace();
    QByteArray field(const QByteArray &id, const char *name) const
    {
        return m_server->cli({"hget", QString::fromLatin1(hero::keys::job(id)), QLatin1String(name)});
    }
    void allAcknowledgedAreThere() const;

private Q_SLOTS:
    void init();
    void cleanup();
    void itIsToldAndNothingIsLost_data();
    void itIsToldAndNothingIsLost();
    void aResultWaitsForSpace();
};

void TestRedisDisk::init()
{
    if (!noMount.isEmpty())
        QSKIP(qPrintable(noMount));
    m_disk = std::make_unique<SmallDisk>();
    if (!m_disk->isMounted())
        QSKIP("no tmpfs can be mounted");
    m_acknowledged.clear();
}

void TestRedisDisk::cleanup()
{
    if (m_store)
        m_store->close();
    m_producer.reset();
    m_store.reset();
    m_server.reset();
    m_disk.reset();
}

void TestRedisDisk::begin(bool isAof)
{
    m_isAof = isAof;
    RedisServer::Options options;
    options.appendOnly = isAof;
    options.extra = {QStringLiteral("--dir"), m_disk->path()};
    if (!isAof) // a snapshot is due as soon as anything has changed
        options.extra += {QStringLiteral("--save"), QStringLiteral("1 1")};
    m_server = std::make_unique<RedisServer>(options);
    QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
    m_store = std::make_unique<RedisStore>(*parseStoreAddress(m_server->url()), RedisStore::Options{}, &Clock::system());
    await(m_store->open());
    m_producer = HeroProtocol().producer(m_store.get(), {}, &Clock::system());
    m_acknowledged.append(await(m_producer->submit(draft())).id);
}

Error TestRedisDisk::fillUp()
{
    m_disk->fill(m_isAof ? 50'000 : 0);
    for (int i = 0; i < 20'000; ++i) {
        try {
            m_acknowledged.append(await(m_producer->submit(draft("#" + QByteArray(2'000, 'x')))).id);
        } catch (const StoreError &e) {
            return e.error();
        }
        await(Clock::system().sleep(Milliseconds{1}, {})); // the server saves in its own time
    }
    return {ErrorKind::Internal, QStringLiteral("nothing was refused"), {}, false};
}

void TestRedisDisk::makeSpace()
{
    m_disk->empty();
    if (!m_isAof)
        m_server->cli({"bgsave"});
    QTRY_VERIFY_WITH_TIMEOUT(!failureOf(m_producer->submit(draft())).has_value(), 30'000);
}

void TestRedisDisk::allAcknowledgedAreThere() const
{
    for (const QByteArray &id : m_acknowledged)
        QVERIFY2(!field(id, "status").isEmpty(), id.constData());
}

void TestRedisDisk::itIsToldAndNothingIsLost_data()
{
    QTest::addColumn<bool>("isAof");
    QTest::newRow("F16 the append-only file") << true;
    QTest::newRow("F17 the snapshot") << false;
}

void TestRedisDisk::itIsToldAndNothingIsLost()
{
    QFETCH(bool, isAof);
    begin(isAof);
    const QTemporaryDir home;
    MemorySecrets secrets;
    EngineConnections windows({{home.filePath("config"), home.filePath("data")}, Milliseconds{500}}, &secrets);
    Profile profile;
    profile.url = m_server->url();
    Session *const window = windows.open(windows.save(profile, std::nullopt));
    QTRY_COMPARE_WITH_TIMEOUT(window->state().phase, ConnectionState::Phase::Ready, 20'000);

    const Error refusal = fillUp();
    QCOMPARE(refusal.kind, ErrorKind::NotWritable);
    QVERIFY2(refusal.text().contains(u"disk"), qPrintable(refusal.text()));

    // The window says what is wrong, refuses in the same words, and shows the jobs all the same.
    const auto warns = [window] { return window->state().warnings.join(u'\n').contains(u"its disk may be full"); };
    QTRY_VERIFY_WITH_TIMEOUT(warns(), 20'000);
    QCOMPARE(window->state().phase, ConnectionState::Phase::Ready);
    const auto submitted = window->submit(draft());
    QTRY_VERIFY_WITH_TIMEOUT(submitted.isFinished(), 20'000);
    QVERIFY(!submitted.result());
    QCOMPARE(submitted.result().error().kind, ErrorKind::NotWritable);
    const auto looked = window->job(m_acknowledged.first());
    QTRY_VERIFY_WITH_TIMEOUT(looked.isFinished(), 20'000);
    QVERIFY(looked.result().has_value());

    // So does the tool: one line, and reading works.
    const Program program;
    const QStringList store{QStringLiteral("--store"), m_server->url()};
    const QString script = program.file(QStringLiteral("job.py"), "print(1)\n");
    const Ended refused = program.run(store + QStringList{QStringLiteral("submit"), script});
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("disk") && refused.err.trimmed().count('\n') == 0, refused.all().constData());
    const Ended removed = program.run(store + QStringList{QStringLiteral("remove"), QString::fromLatin1(m_acknowledged.first())});
    QCOMPARE(removed.code, 1);
    QVERIFY2(removed.err.contains("disk"), removed.all().constData());
    const Ended listed = program.run(store + QStringList{QStringLiteral("list"), QStringLiteral("--json"), QStringLiteral("-n"), QStringLiteral("0")});
    QVERIFY2(listed.code == 0, listed.all().left(1'000).constData());
    QCOMPARE(listed.json().array().size(), m_acknowledged.size());

    // A worker cannot announce itself, and says why.
    const QStringList work = store + QStringList{QStringLiteral("worker"), QStringLiteral("-t"), QStringLiteral("python"), QStringLiteral("--drain")};
    const Ended early = program.run(work);
    QCOMPARE(early.code, 1);
    QVERIFY2(early.err.contains("disk"), early.all().constData());
    allAcknowledgedAreThere();

    makeSpace();
    QTRY_VERIFY_WITH_TIMEOUT(!warns(), 30'000);
    const Ended worked = program.run(work);
    QVERIFY2(worked.code == 0, worked.all().left(1'000).constData());
    for (const QByteArray &id : m_acknowledged)
        QCOMPARE(field(id, "status"), QByteArray("finished"));
    // Killed and started again, it has them still.
    if (isAof)
        QTRY_VERIFY_WITH_TIMEOUT(m_server->cli({"info", "persistence"}).contains("aof_buffer_length:0"), 20'000);
    else
        QTRY_COMPARE_WITH_TIMEOUT(m_server->cli({"save"}), QByteArray("OK"), 20'000); // not while a snapshot is being written
    m_server->killHard();
    QVERIFY2(m_server->startAgain(), qPrintable(m_server->error()));
    allAcknowledgedAreThere();
}

/// A job ends while the server refuses every change: its result is kept and comes when it can.
void TestRedisDisk::aResultWaitsForSpace()
{
    begin(true);
    Program program;
    const QString go = program.homeFolder() + QStringLiteral("/go");
    program.runShellJobs({program.homeFolder()});
    Job job = draft("until [ -e " + go.toLocal8Bit() + " ]; do sleep 0.05; done; echo result\n");
    job.target.type = "sh";
    await(m_producer->submit(job));
    const auto worker = program.prepare({QStringLiteral("--store"), m_server->url(), QStringLiteral("--json"), QStringLiteral("worker"),
                                         QStringLiteral("-t"), QStringLiteral("sh"), QStringLiteral("--lease"), QStringLiteral("120")});
    QByteArray told;
    worker->start();
    QTRY_COMPARE_WITH_TIMEOUT(field(job.id, "status"), QByteArray("started"), 30'000);
    QCOMPARE(fillUp().kind, ErrorKind::NotWritable);
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QVERIFY(waitForOutput(worker.get(), "\"ended\"", &told));
    QCOMPARE(field(job.id, "status"), QByteArray("started")); // the server cannot know yet
    makeSpace();
    QTRY_COMPARE_WITH_TIMEOUT(field(job.id, "status"), QByteArray("finished"), 60'000);
    QCOMPARE(field(job.id, "output").trimmed(), QByteArray("result"));
    QCOMPARE(field(job.id, "attempt"), QByteArray("1"));
    QVERIFY(field(job.id, "rescues").isEmpty());
    ::kill(pid_t(worker->processId()), SIGTERM);
    QVERIFY(worker->waitForFinished(30'000));
    allAcknowledgedAreThere();
}

int main(int argc, char **argv)
{
    noMount = enterMountSpace();
    QCoreApplication app(argc, argv);
    TestRedisDisk test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_redis_disk.moc"
