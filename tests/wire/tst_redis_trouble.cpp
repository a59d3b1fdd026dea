// RedisStore against a real redis-server in trouble: RELIABILITY 6.1 and the faults F4–F22, as far as one machine can
// make them.
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTcpServer>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

using Phase = StoreStatus::Phase;

RedisStore::Options quick()
{
    RedisStore::Options options;
    options.backoff = {Milliseconds{5}, Milliseconds{50}};
    return options;
}

std::unique_ptr<RedisStore> storeFor(const QString &url, RedisStore::Options options = quick())
{
    return std::make_unique<RedisStore>(*parseStoreAddress(url), options, &Clock::system());
}

template <typename T> Error errorOf(QCoro::Task<T> task)
{
    try {
        await(std::move(task));
    } catch (const StoreError &e) {
        return e.error();
    }
    return {ErrorKind::Internal, QStringLiteral("nothing was thrown"), {}, false};
}

qint64 infoNumber(const RedisServer &server, const QString &section, const QByteArray &name)
{
    for (const QByteArray &line : server.cli({QStringLiteral("INFO"), section}).split('\n')) {
        if (line.startsWith(name + ':'))
            return line.mid(name.size() + 1).trimmed().toLongLong();
    }
    return -1;
}

RedisServer::Options with(QStringList extra)
{
    RedisServer::Options options;
    options.extra = std::move(extra);
    return options;
}

} // namespace

class TestRedisTrouble : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsForAServerThatIsNotThere();
    void comesBackAfterAKill();
    void comesBackAfterARestart();
    void introducesItselfAgain();
    void logsInAsAnAclUser();
    void triesAWrongPasswordOnce();
    void noticesThatItsUserWasSwitchedOff();
    void livesWithFewRights();
    void givesUpOnAStoppedServer();
    void waitsOutLoading();
    void reportsOutOfMemory();
    void reportsAReadOnlyReplica();
    void leavesADemotedMaster();
    void reportsThatTheServerCannotSave();
    void waitsForAFreeConnection();
    void refusesAClusterNode();
    void warnsAboutWhatLosesJobs();
    void failsAWaitWhenTheServerDies();
    void reportsABusyScript();
};

void TestRedisTrouble::waitsForAServerThatIsNotThere()
{
    RedisServer server;
    server.killHard();
    const auto store = storeFor(server.url());
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY2(error.message.contains(u"Nothing listens on the socket"), qPrintable(error.message));
    QCOMPARE(errorOf(store->command(cmd("PING"))).kind, ErrorKind::Unavailable);
    QVERIFY(server.startAgain());
    QVERIFY(await(store->waitUntilReady({})));
    QCOMPARE(await(store->command(cmd("PING"))), Reply::status("PONG"));

    const auto nowhere = storeFor(QStringLiteral("unix:/nonexistent/redis.sock"));
    QVERIFY(errorOf(nowhere->open()).message.contains(u"There is no socket /nonexistent/redis.sock"));
    const auto closedPort = storeFor(QStringLiteral("redis://127.0.0.1:1"));
    QVERIFY(errorOf(closedPort->open()).message.contains(u"Nothing listens on 127.0.0.1, port 1"));
    const auto nobody = storeFor(QStringLiteral("redis://no-such-host.invalid"));
    QCOMPARE(errorOf(nobody->open()).kind, ErrorKind::Unavailable);
}

void TestRedisTrouble::comesBackAfterAKill()
{
    RedisServer server;
    const auto store = storeFor(server.url());
    await(store->open());
    for (int round = 1; round <= 5; ++round) {
        await(store->command(cmd("INCR", "n")));
        const QByteArray id = QByteArray::number(await(store->command(cmd("CLIENT", "ID"))).toInteger());
        server.cli(
            {QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("TYPE"), QStringLiteral("normal")});
        const QByteArray clients = server.cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")});
        QVERIFY2(!clients.contains("id=" + id + " "), clients.constData());
        QTRY_VERIFY(server.cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")}).contains("name=yardmaster "));
        QVERIFY(await(store->waitUntilReady({})));
    }
    QCOMPARE(await(store->command(cmd("GET", "n"))), Reply::bulk("5"));
}

void TestRedisTrouble::comesBackAfterARestart()
{
    RedisServer::Options options;
    options.appendOnly = true;
    RedisServer server(options);
    const auto store = storeFor(server.url());
    await(store->open());
    const Script script{"test", "return redis.call('INCR', KEYS[1])", "0000000000000000000000000000000000000000"};
    QCOMPARE(await(store->script(&script, {"n"}, {})).toInteger(), 1);
    server.killHard();
    QTRY_VERIFY(store->status().phase != Phase::Ready);
    QVERIFY(server.startAgain());
    QVERIFY(await(store->waitUntilReady({})));
    QCOMPARE(await(store->script(&script, {"n"}, {})).toInteger(), 2); // the server has forgotten the script
}

void TestRedisTrouble::introducesItselfAgain()
{
    RedisServer server;
    const auto store = storeFor(server.url() + QStringLiteral("?db=3"));
    await(store->open());
    for (int round = 0; round < 2; ++round) {
        await(store->command(cmd("SET", "here", round)));
        QCOMPARE(await(store->command(cmd("CLIENT", "GETNAME"))), Reply::bulk("yardmaster"));
        QCOMPARE(server.cli({QStringLiteral("-n"), QStringLiteral("3"), QStringLiteral("GET"), QStringLiteral("here")}),
                 QByteArray::number(round));
        const QByteArray id = QByteArray::number(await(store->command(cmd("CLIENT", "ID"))).toInteger());
        server.cli({QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("ID"), QString::fromLatin1(id)});
        QTRY_VERIFY(!server.cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")}).contains("id=" + id + " "));
        QTRY_VERIFY(server.cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")}).contains("name=yardmaster "));
        QVERIFY(await(store->waitUntilReady({})));
    }
    const auto outOfRange = storeFor(server.url() + QStringLiteral("?db=16"));
    const Error error = errorOf(outOfRange->open());
    QCOMPARE(error.kind, ErrorKind::Usage);
    QVERIFY2(error.message.contains(u"DB index is out of range"), qPrintable(error.message));
    QCOMPARE(outOfRange->status().phase, Phase::Refused);
}

void TestRedisTrouble::logsInAsAnAclUser()
{
    RedisServer server;
    server.cli({QStringLiteral("ACL"), QStringLiteral("SETUSER"), QStringLiteral("worker"), QStringLiteral("on"),
                QStringLiteral(">p@ss word"), QStringLiteral("~job:*"), QStringLiteral("&*"), QStringLiteral("+@all"),
                QStringLiteral("-flushall")});
    StoreAddress address = *parseStoreAddress(server.url());
    address.user = QStringLiteral("worker");
    address.password = QStringLiteral("p@ss word");
    RedisStore store(address, quick(), &Clock::system());
    await(store.open());
    QVERIFY(!store.displayName().contains(u"p@ss"));
    QCOMPARE(await(store.command(cmd("ACL", "WHOAMI"))), Reply::bulk("worker"));
    await(store.command(cmd("SET", "job:1", 1)));
    QCOMPARE(failureOf(store.command(cmd("SET", "other", 1))), ErrorKind::Permission);
    QCOMPARE(failureOf(store.command(cmd("FLUSHALL"))), ErrorKind::Permission);
    QCOMPARE(store.status().phase, Phase::Ready); // one right is missing, the rest works
    QVERIFY(await(store.blocking(cmd("BLPOP", "job:q", "0.01"), Milliseconds{10}, {})).isNil());
}

void TestRedisTrouble::triesAWrongPasswordOnce()
{
    RedisServer server(with({QStringLiteral("--requirepass"), QStringLiteral("right")}));
    StoreAddress address = *parseStoreAddress(server.url());
    RedisStore without(address, quick(), &Clock::system());
    const Error none = errorOf(without.open());
    QCOMPARE(none.kind, ErrorKind::Authentication);
    QVERIFY2(none.advice.contains(u"wants a password"), qPrintable(none.advice));
    address.password = QStringLiteral("wrong");
    RedisStore store(address, quick(), &Clock::system());
    QCOMPARE(errorOf(store.open()).kind, ErrorKind::Authentication);
    QCOMPARE(store.status().phase, Phase::Refused);
    const QByteArray log =
        server.cli({QStringLiteral("-a"), QStringLiteral("right"), QStringLiteral("--no-auth-warning"),
                    QStringLiteral("ACL"), QStringLiteral("LOG"), QStringLiteral("1")});
    QVERIFY2(log.startsWith("count\n1\n"), log.constData()); // one failed login, not a series
    address.password = QStringLiteral("right");
    RedisStore good(address, quick(), &Clock::system());
    await(good.open());

    RedisServer open;
    StoreAddress needless = *parseStoreAddress(open.url());
    needless.password = QStringLiteral("x");
    RedisStore store2(needless, quick(), &Clock::system());
    const Error error = errorOf(store2.open());
    QCOMPARE(error.kind, ErrorKind::Authentication);
    QVERIFY2(error.advice.contains(u"no password"), qPrintable(error.advice));
}

void TestRedisTrouble::noticesThatItsUserWasSwitchedOff()
{
    RedisServer server;
    const auto rule = [&](const QString &change) {
        server.cli({QStringLiteral("ACL"), QStringLiteral("SETUSER"), QStringLiteral("u"), QStringLiteral(">p"),
                    QStringLiteral("~*"), QStringLiteral("+@all"), change});
    };
    rule(QStringLiteral("on"));
    StoreAddress address = *parseStoreAddress(server.url());
    address.user = QStringLiteral("u");
    address.password = QStringLiteral("p");
    RedisStore store(address, quick(), &Clock::system());
    await(store.open());
    rule(QStringLiteral("off"));
    server.cli({QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("USER"), QStringLiteral("u")});
    QTRY_COMPARE(store.status().phase, Phase::Refused);
    QCOMPARE(store.status().trouble.kind, ErrorKind::Authentication);
    rule(QStringLiteral("on"));
    await(store.open()); // a person tries again
    QCOMPARE(store.status().phase, Phase::Ready);
}

void TestRedisTrouble::livesWithFewRights()
{
    RedisServer server;
    server.cli({QStringLiteral("ACL"), QStringLiteral("SETUSER"), QStringLiteral("poor"), QStringLiteral("on"),
                QStringLiteral("nopass"), QStringLiteral("~*"), QStringLiteral("-@all"), QStringLiteral("+get"),
                QStringLiteral("+auth")});
    StoreAddress address = *parseStoreAddress(server.url());
    address.user = QStringLiteral("poor");
    RedisStore store(address, quick(), &Clock::system());
    await(store.open());
    QVERIFY(await(store.command(cmd("GET", "x"))).isNil());
    QCOMPARE(store.status().server, QStringLiteral("redis"));
    address.database = 1;
    RedisStore other(address, quick(), &Clock::system());
    QCOMPARE(errorOf(other.open()).kind, ErrorKind::Permission); // it would read the wrong database
}

void TestRedisTrouble::givesUpOnAStoppedServer()
{
    RedisServer server;
    RedisStore::Options options = quick();
    options.commandDeadline = Milliseconds{300};
    const auto store = storeFor(server.url(), options);
    await(store->open());
    server.pause();
    const Error error = errorOf(store->command(cmd("LPUSH", "q", "x")));
    QCOMPARE(error.kind, ErrorKind::Timeout);
    QVERIFY(error.ambiguous);
    QVERIFY(store->status().phase != Phase::Ready);
    server.resume();
    QVERIFY(await(store->waitUntilReady({})));
    QCOMPARE(await(store->command(cmd("LLEN", "q"))).toInteger(),
             1); // it had been executed: hence ambiguous, and not sent again
}

void TestRedisTrouble::waitsOutLoading()
{
    RedisServer server(with({QStringLiteral("--enable-debug-command"), QStringLiteral("yes"),
                             QStringLiteral("--key-load-delay"), QStringLiteral("500"),
                             QStringLiteral("--loading-process-events-interval-bytes"), QStringLiteral("1024")}));
    server.cli({QStringLiteral("EVAL"),
                QStringLiteral("for i=1,2000 do redis.call('SET', 'k'..i, string.rep('x', 500)) end"),
                QStringLiteral("0")});
    const auto before = storeFor(server.url());
    await(before->open());
    QProcess reload;
    reload.start(QStringLiteral("redis-cli"),
                 {QStringLiteral("-s"), server.socketPath(), QStringLiteral("DEBUG"), QStringLiteral("RELOAD")});
    QTRY_COMPARE(infoNumber(server, QStringLiteral("persistence"), "loading"), 1);
    QCOMPARE(failureOf(before->command(cmd("GET", "k1"))), ErrorKind::Busy);
    QCOMPARE(before->status().phase, Phase::Ready);
    const auto store = storeFor(server.url());
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Busy);
    QVERIFY2(error.message.contains(u"% loaded"), qPrintable(error.message));
    QVERIFY(await(store->waitUntilReady({})));
    QCOMPARE(await(store->command(cmd("DBSIZE"))).toInteger(), 2000);
    reload.waitForFinished(10'000);
}

void TestRedisTrouble::reportsOutOfMemory()
{
    RedisServer server(with({QStringLiteral("--maxmemory"), QStringLiteral("3mb"), QStringLiteral("--maxmemory-policy"),
                             QStringLiteral("noeviction")}));
    const auto store = storeFor(server.url());
    await(store->open());
    std::optional<ErrorKind> failure;
    for (int i = 0; i < 100 && !failure; ++i)
        failure = failureOf(store->command(cmd("SET", "k" + QByteArray::number(i), QByteArray(100'000, 'x'))));
    QCOMPARE(failure, ErrorKind::OutOfMemory);
    QCOMPARE(store->status().phase, Phase::Ready);
    QCOMPARE(await(store->command(cmd("GET", "k0"))).string.size(), 100'000); // reading goes on
}

void TestRedisTrouble::reportsAReadOnlyReplica()
{
    RedisServer::Options options;
    options.tcp = true;
    RedisServer master(options);
    RedisServer replica(with({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1 %1").arg(master.port())}));
    const auto store = storeFor(replica.url());
    errorOf(store->open());
    QVERIFY(await(store->waitUntilReady({})));
    QVERIFY(store->status().warnings.join(u' ').contains(u"replica"));
    QCOMPARE(failureOf(store->command(cmd("SET", "a", 1))), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(store->blocking(cmd("BLPOP", "q", "0.1"), Milliseconds{100}, {})), ErrorKind::ReadOnly);
    QCOMPARE(store->status().phase, Phase::Ready); // reading a known replica goes on
    QVERIFY(await(store->command(cmd("GET", "a"))).isNil());
}

void TestRedisTrouble::leavesADemotedMaster()
{
    RedisServer server;
    const auto store = storeFor(server.url());
    await(store->open());
    const qint64 id = await(store->command(cmd("CLIENT", "ID"))).toInteger();
    server.cli({QStringLiteral("REPLICAOF"), QStringLiteral("127.0.0.1"), QStringLiteral("1")});
    QCOMPARE(failureOf(store->command(cmd("SET", "a", 1))), ErrorKind::ReadOnly);
    QVERIFY(store->status().phase != Phase::Ready);
    server.cli({QStringLiteral("REPLICAOF"), QStringLiteral("NO"), QStringLiteral("ONE")});
    QVERIFY(await(store->waitUntilReady({})));
    QVERIFY(await(store->command(cmd("CLIENT", "ID"))).toInteger() > id);
    await(store->command(cmd("SET", "a", 1)));
}

void TestRedisTrouble::reportsThatTheServerCannotSave()
{
    RedisServer server;
    const auto store = storeFor(server.url());
    await(store->open());
    const QString folder = QFileInfo(server.socketPath()).path();
    QVERIFY(QDir(folder).mkdir(QStringLiteral("dump.rdb"))); // a folder in the place of the file
    server.cli({QStringLiteral("CONFIG"), QStringLiteral("SET"), QStringLiteral("save"), QStringLiteral("3600 1")});
    server.cli({QStringLiteral("BGSAVE")});
    QTRY_VERIFY(
        server.cli({QStringLiteral("INFO"), QStringLiteral("persistence")}).contains("rdb_last_bgsave_status:err"));
    QCOMPARE(failureOf(store->command(cmd("SET", "a", 1))), ErrorKind::NotWritable);
    QVERIFY(await(store->command(cmd("GET", "a"))).isNil());
    QCOMPARE(store->status().phase, Phase::Ready);
}

void TestRedisTrouble::waitsForAFreeConnection()
{
    RedisServer server(with({QStringLiteral("--maxclients"), QStringLiteral("2")}));
    auto first = storeFor(server.url());
    auto second = storeFor(server.url());
    await(first->open());
    await(second->open());
    const auto third = storeFor(server.url());
    const Error error = errorOf(third->open());
    QCOMPARE(error.kind, ErrorKind::Busy);
    QVERIFY2(error.message.contains(u"max number of clients"), qPrintable(error.message));
    first.reset();
    QVERIFY(await(third->waitUntilReady({})));
}

void TestRedisTrouble::refusesAClusterNode()
{
    QTcpServer probe; // a free port for the cluster bus
    probe.listen(QHostAddress::LocalHost);
    const QString bus = QString::number(probe.serverPort());
    probe.close();
    RedisServer server(
        with({QStringLiteral("--cluster-enabled"), QStringLiteral("yes"), QStringLiteral("--cluster-port"), bus}));
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const auto store = storeFor(server.url());
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Cluster);
    QCOMPARE(store->status().phase, Phase::Refused);
}

void TestRedisTrouble::warnsAboutWhatLosesJobs()
{
    RedisServer server(with({QStringLiteral("--maxmemory"), QStringLiteral("100mb"),
                             QStringLiteral("--maxmemory-policy"), QStringLiteral("allkeys-lru")}));
    const auto store = storeFor(server.url());
    await(store->open());
    const QString warnings = store->status().warnings.join(u'\n');
    QVERIFY2(warnings.contains(u"append-only file (AOF) is off"), qPrintable(warnings));
    QVERIFY2(warnings.contains(u"allkeys-lru"), qPrintable(warnings));

    RedisServer::Options durable;
    durable.appendOnly = true;
    RedisServer safe(durable);
    const auto good = storeFor(safe.url());
    await(good->open());
    QCOMPARE(good->status().warnings, QStringList());
}

void TestRedisTrouble::failsAWaitWhenTheServerDies()
{
    RedisServer server;
    const auto store = storeFor(server.url());
    await(store->open());
    auto waiting = store->blocking(cmd("BLPOP", "q", 5), Milliseconds{5000}, {});
    QTRY_COMPARE(infoNumber(server, QStringLiteral("clients"), "blocked_clients"), 1);
    server.killHard();
    const Error error = errorOf(std::move(waiting));
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY(error.ambiguous);
    QVERIFY(server.startAgain());
    QVERIFY(await(store->waitUntilReady({})));
    await(store->command(cmd("RPUSH", "q", "a")));
    QCOMPARE(await(store->blocking(cmd("BLPOP", "q", 5), Milliseconds{5000}, {})).toList(),
             QList<QByteArray>({"q", "a"}));
}

void TestRedisTrouble::reportsABusyScript()
{
    RedisServer server(with({QStringLiteral("--lua-time-limit"), QStringLiteral("50")}));
    const auto store = storeFor(server.url());
    const auto other = storeFor(server.url());
    await(store->open());
    await(other->open());
    auto endless = other->command(cmd("EVAL", "while true do end", 0));
    std::optional<ErrorKind> failure;
    QTRY_VERIFY((failure = failureOf(store->command(cmd("GET", "x")))) == ErrorKind::Busy);
    server.cli({QStringLiteral("SCRIPT"), QStringLiteral("KILL")});
    QCOMPARE(failureOf(std::move(endless)), ErrorKind::Server);
    QTRY_VERIFY(!failureOf(store->command(cmd("GET", "x"))));
}

QTEST_GUILESS_MAIN(TestRedisTrouble)
#include "tst_redis_trouble.moc"
