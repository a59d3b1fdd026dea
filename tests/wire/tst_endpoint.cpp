// The endpoint under clients that wait, misbehave, are too many or too slow; and with the clients people use.
#include "tests/support/await.h"
#include "tests/support/endpoint_server.h"
#include "tests/support/raw_socket.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <thread>

using namespace ym;
using namespace ym::test;

namespace {

/// One command and `size` bytes of its reply.
QByteArray ask(RawSocket &socket, const QList<QByteArray> &words, qsizetype size)
{
    socket.send(respRequest(words));
    return socket.read(size);
}

QByteArray ask(RawSocket &socket, const QList<QByteArray> &words, const QByteArray &expected)
{
    return ask(socket, words, expected.size());
}

#define ANSWERS(socket, words, expected) QCOMPARE(ask(socket, QList<QByteArray> words, QByteArray(expected)), QByteArray(expected))

/// A bulk reply of any length.
QByteArray bulkOf(RawSocket &socket, const QList<QByteArray> &words)
{
    socket.send(respRequest(words));
    QByteArray head;
    while (!head.endsWith("\r\n")) {
        const QByteArray letter = socket.read(1);
        if (letter.isEmpty())
            return {};
        head += letter;
    }
    const qsizetype size = head.mid(1).trimmed().toLongLong();
    QByteArray body = socket.read(size + 2);
    body.chop(2);
    return body;
}

/// Asks until the answer holds `text` (or does not); the server notices others in its own time.
bool becomes(RawSocket &socket, const QList<QByteArray> &words, const QByteArray &text, bool isWanted = true)
{
    QElapsedTimer time;
    time.start();
    while (time.elapsed() < 20'000) {
        if (bulkOf(socket, words).contains(text) == isWanted)
            return true;
    }
    return false;
}

QByteArray idOf(RawSocket &socket)
{
    socket.send(respRequest({"CLIENT", "ID"}));
    QByteArray line;
    while (!line.endsWith("\r\n"))
        line += socket.read(1);
    return line.mid(1).trimmed();
}

EndpointServer::Options limited(const EndpointLimits &limits)
{
    EndpointServer::Options options;
    options.limits = limits;
    return options;
}

EndpointServer::Options secret()
{
    EndpointServer::Options options;
    options.password = "secret";
    return options;
}

struct Ran {
    int code;
    QByteArray out;
};

Ran runProgram(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return {process.exitCode(), process.readAll()};
}

constexpr auto pythonClient = R"py(
import sys, threading, redis
r = redis.Redis(unix_socket_path=sys.argv[1])
assert r.ping()
pipe = r.pipeline()
for i in range(1000):
    pipe.rpush('list', i)
assert pipe.execute()[-1] == 1000
assert r.lrange('list', 0, -1) == [str(i).encode() for i in range(1000)]
r.hset('hash', mapping={'a': 1, 'b': b'\x00\xff'})
assert r.hgetall('hash') == {b'a': b'1', b'b': b'\x00\xff'}
assert r.register_script("return redis.call('INCRBY', KEYS[1], ARGV[1])")(keys=['n'], args=[5]) == 5
assert r.info('clients')['connected_clients'] >= 1
assert r.client_setname('python') and r.client_getname() == 'python'
assert [c for c in r.client_list() if c['name'] == 'python']
assert r.config_get('maxclients')['maxclients']
sub = r.pubsub()
sub.subscribe('news')
assert sub.get_message(timeout=10)['type'] == 'subscribe'
assert r.publish('news', 'hello') == 1
assert sub.get_message(timeout=10)['data'] == b'hello'
got = []
waiter = threading.Thread(target=lambda: got.append(redis.Redis(unix_socket_path=sys.argv[1]).blpop('queue', 10)))
waiter.start()
while r.info('clients')['blocked_clients'] == 0:
    pass
r.lpush('queue', 'job')
waiter.join()
assert got == [(b'queue', b'job')], got
with r.pipeline() as p:
    p.watch('w')
    r.set('w', 1)
    p.multi()
    p.get('w')
    try:
        p.execute()
        raise SystemExit('a watched key was changed')
    except redis.WatchError:
        pass
try:
    r.execute_command('HGET', 'list', 'a')
    raise SystemExit('no WRONGTYPE')
except redis.ResponseError as e:
    assert str(e).startswith('WRONGTYPE'), e
print('done')
)py";

} // namespace

class TestEndpoint : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void laterCommandsWaitBehindABlockedOne();
    void whoIsKilledWhileWaitingTakesNothing();
    void whoLeavesWhileWaitingTakesNothing();
    void waitingIsEndedByOthers();
    void servesAWaiterFromTheProcessItself();
    void aSlowListenerIsCut();
    void aSlowReaderIsCut();
    void aTransactionHasTheLimitOfARequest();
    void oneClientTooManyIsTurnedAway();
    void thePortNeedsThePassword();
    void whoNeverAuthenticatesIsCut();
    void garbageEndsOneClientOnly();
    void writesWaitForTheEndOfAPause();
    void aFloodLeavesOthersTheirTurn();
    void answersAfterTheDiskHasIt();
    void monitorsSeeCommands();
    void shutdownIsTheOwnersDecision();
    void limitsAreSettings();
    void aSocketIsReplacedOnlyWhenNobodyListens();
    void closingThePortLeavesTheSocket();
    void closingTheStoreEndsEverything();
    void serves_data();
    void serves();
};

void TestEndpoint::laterCommandsWaitBehindABlockedOne()
{
    EndpointServer server;
    RawSocket waiter(server.socketPath());
    RawSocket other(server.socketPath());
    waiter.send(respRequest({"BLPOP", "q", "0"}) + respRequest({"PING"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    waiter.send(respRequest({"ECHO", "x"}));
    ANSWERS(other, ({"RPUSH", "q", "job"}), ":1\r\n");
    QCOMPARE(waiter.read(34), QByteArray("*2\r\n$1\r\nq\r\n$3\r\njob\r\n+PONG\r\n$1\r\nx\r\n"));
}

void TestEndpoint::whoIsKilledWhileWaitingTakesNothing()
{
    EndpointServer server;
    RawSocket waiter(server.socketPath());
    RawSocket other(server.socketPath());
    const QByteArray id = idOf(waiter);
    waiter.send(respRequest({"BLPOP", "q", "0"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    other.send(respRequest({"CLIENT", "KILL", "ID", id}) + respRequest({"RPUSH", "q", "job"})
               + respRequest({"LLEN", "q"}));
    QCOMPARE(other.read(12), QByteArray(":1\r\n:1\r\n:1\r\n"));
    bool wasClosed = false;
    QCOMPARE(waiter.readToEnd(&wasClosed), QByteArray());
    QVERIFY(wasClosed);
}

void TestEndpoint::whoLeavesWhileWaitingTakesNothing()
{
    EndpointServer server;
    RawSocket other(server.socketPath());
    {
        RawSocket waiter(server.socketPath());
        waiter.send(respRequest({"BLMOVE", "q", "r", "LEFT", "LEFT", "0"}));
        QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    }
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:0"));
    ANSWERS(other, ({"RPUSH", "q", "job"}), ":1\r\n");
    ANSWERS(other, ({"LLEN", "q"}), ":1\r\n");
    QVERIFY(becomes(other, {"INFO", "clients"}, "connected_clients:1"));
}

void TestEndpoint::waitingIsEndedByOthers()
{
    EndpointServer server;
    RawSocket waiter(server.socketPath());
    RawSocket other(server.socketPath());
    const QByteArray id = idOf(waiter);
    waiter.send(respRequest({"BLPOP", "q", "0"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    ANSWERS(other, ({"CLIENT", "UNBLOCK", id}), ":1\r\n");
    QCOMPARE(waiter.read(5), QByteArray("*-1\r\n"));
    waiter.send(respRequest({"BLPOP", "q", "0"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    ANSWERS(other, ({"CLIENT", "UNBLOCK", id, "ERROR"}), ":1\r\n");
    const QByteArray error("-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
    QCOMPARE(waiter.read(error.size()), error);
    ANSWERS(other, ({"CLIENT", "UNBLOCK", id}), ":0\r\n");
    ANSWERS(waiter, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::servesAWaiterFromTheProcessItself()
{
    EndpointServer server;
    RawSocket waiter(server.socketPath());
    RawSocket other(server.socketPath());
    waiter.send(respRequest({"BLPOP", "q", "0"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    server.inThread([](EmbeddedStore &store, Endpoint &) { await(store.command(cmd("RPUSH", "q", "job"))); });
    QCOMPARE(waiter.read(20), QByteArray("*2\r\n$1\r\nq\r\n$3\r\njob\r\n"));
    ANSWERS(waiter, ({"SUBSCRIBE", "news"}), "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n");
    server.inThread([](EmbeddedStore &store, Endpoint &) { await(store.command(cmd("PUBLISH", "news", "x"))); });
    const QByteArray message("*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$1\r\nx\r\n");
    QCOMPARE(waiter.read(message.size()), message);
}

void TestEndpoint::aSlowListenerIsCut()
{
    EndpointLimits limits;
    limits.messages.hard = 1'000'000;
    EndpointServer server(limited(limits));
    RawSocket listener(server.socketPath());
    RawSocket speaker(server.socketPath());
    ANSWERS(listener, ({"SUBSCRIBE", "news"}), "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n");
    const QByteArray message(100'000, 'x');
    QByteArray replies;
    for (int i = 0; i < 50; ++i)
        replies += ask(speaker, {"PUBLISH", "news", message}, 4);
    QVERIFY(replies.startsWith(":1\r\n:1\r\n"));
    QVERIFY(replies.endsWith(":0\r\n"));
    bool wasClosed = false;
    QVERIFY(listener.readToEnd(&wasClosed).size() < 3'000'000);
    QVERIFY(wasClosed);
    ANSWERS(speaker, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::aSlowReaderIsCut()
{
    EndpointLimits limits;
    limits.replies.hard = 2'000'000;
    EndpointServer server(limited(limits));
    RawSocket reader(server.socketPath());
    RawSocket other(server.socketPath());
    ANSWERS(other, ({"SET", "large", QByteArray(500'000, 'x')}), "+OK\r\n");
    for (int i = 0; i < 20; ++i)
        reader.send(respRequest({"GET", "large"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "connected_clients:1"));
    bool wasClosed = false;
    QVERIFY(reader.readToEnd(&wasClosed).size() < 10'000'000);
    QVERIFY(wasClosed);
}

void TestEndpoint::aTransactionHasTheLimitOfARequest()
{
    EndpointLimits limits;
    limits.request.request = 1'000'000;
    EndpointServer server(limited(limits));
    RawSocket client(server.socketPath());
    RawSocket other(server.socketPath());
    const QByteArray queued = "+QUEUED\r\n";
    const QByteArray word(100'000, 'x');
    for (int round = 0; round < 2; ++round) { // one that is over counts no more
        ANSWERS(client, ({"MULTI"}), "+OK\r\n");
        for (int i = 0; i < 9; ++i)
            ANSWERS(client, ({"ECHO", word}), queued);
        ANSWERS(client, ({"DISCARD"}), "+OK\r\n");
    }
    client.send(respRequest({"MULTI"}));
    for (int i = 0; i < 20'000; ++i) // small words cost their memory, too
        client.send(respRequest({"PING"}));
    bool wasClosed = false;
    QVERIFY(client.readToEnd(&wasClosed).size() < 20'000 * queued.size());
    QVERIFY(wasClosed);
    ANSWERS(other, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::oneClientTooManyIsTurnedAway()
{
    EndpointLimits limits;
    limits.clients = 2;
    EndpointServer server(limited(limits));
    RawSocket first(server.socketPath());
    auto second = std::make_unique<RawSocket>(server.socketPath());
    ANSWERS(first, ({"PING"}), "+PONG\r\n");
    ANSWERS(*second, ({"PING"}), "+PONG\r\n");
    RawSocket third(server.socketPath());
    bool wasClosed = false;
    QCOMPARE(third.readToEnd(&wasClosed), QByteArray("-ERR max number of clients reached\r\n"));
    QVERIFY(wasClosed);
    QVERIFY(bulkOf(first, {"INFO", "stats"}).contains("rejected_connections:1\r\n"));
    second.reset();
    QVERIFY(becomes(first, {"INFO", "clients"}, "connected_clients:1\r\n"));
    RawSocket fourth(server.socketPath());
    ANSWERS(fourth, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::thePortNeedsThePassword()
{
    EndpointServer server(secret());
    const QByteArray noAuth("-NOAUTH Authentication required.\r\n");
    const QByteArray wrong("-WRONGPASS invalid username-password pair or user is disabled.\r\n");
    RawSocket client(server.port());
    ANSWERS(client, ({"PING"}), noAuth);
    ANSWERS(client, ({"AUTH", "wrong"}), wrong);
    ANSWERS(client, ({"AUTH", "default", "secre"}), wrong);
    ANSWERS(client, ({"AUTH", "somebody", "secret"}), wrong);
    ANSWERS(client, ({"GET", "k"}), noAuth);
    ANSWERS(client, ({"AUTH", "secret"}), "+OK\r\n");
    ANSWERS(client, ({"PING"}), "+PONG\r\n");
    ANSWERS(client, ({"RESET"}), "+RESET\r\n");
    ANSWERS(client, ({"PING"}), noAuth);
    const QByteArray hello = bulkOf(client, {"HELLO", "2", "AUTH", "default", "secret", "SETNAME", "me"});
    QVERIFY(!hello.contains("WRONGPASS"));

    RawSocket large(server.port());
    large.send("*1\r\n$20000\r\n");
    QCOMPARE(large.readToEnd(), QByteArray("-ERR Protocol error: unauthenticated bulk length\r\n"));
    RawSocket local(server.socketPath());
    ANSWERS(local, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::whoNeverAuthenticatesIsCut()
{
    EndpointServer::Options options = secret();
    options.limits.timeToAuthenticate = Milliseconds{1};
    EndpointServer server(options);
    RawSocket silent(server.port());
    RawSocket local(server.socketPath());
    bool wasClosed = false;
    QCOMPARE(silent.readToEnd(&wasClosed), QByteArray());
    QVERIFY(wasClosed);
    ANSWERS(local, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::garbageEndsOneClientOnly()
{
    EndpointServer server;
    RawSocket good(server.socketPath());
    ANSWERS(good, ({"SET", "k", "v"}), "+OK\r\n");
    for (const QByteArray &garbage : {QByteArray("*1\r\n!x\r\n"), QByteArray("*9999999999\r\n"), QByteArray(100'000, 'z')}) {
        RawSocket bad(server.socketPath());
        bad.send(garbage);
        bool wasClosed = false;
        QVERIFY(bad.readToEnd(&wasClosed).startsWith("-ERR Protocol error: "));
        QVERIFY(wasClosed);
    }
    ANSWERS(good, ({"GET", "k"}), "$1\r\nv\r\n");
}

void TestEndpoint::writesWaitForTheEndOfAPause()
{
    EndpointServer server;
    RawSocket boss(server.socketPath());
    RawSocket writer(server.socketPath());
    ANSWERS(boss, ({"CLIENT", "PAUSE", "600000", "WRITE"}), "+OK\r\n");
    ANSWERS(writer, ({"GET", "k"}), "$-1\r\n");
    writer.send(respRequest({"SET", "k", "1"}) + respRequest({"GET", "k"}));
    ANSWERS(boss, ({"GET", "k"}), "$-1\r\n");
    ANSWERS(boss, ({"CLIENT", "UNPAUSE"}), "+OK\r\n");
    QCOMPARE(writer.read(12), QByteArray("+OK\r\n$1\r\n1\r\n"));
    ANSWERS(boss, ({"CLIENT", "PAUSE", "1", "ALL"}), "+OK\r\n");
    ANSWERS(writer, ({"PING"}), "+PONG\r\n");
}

/// A hundred thousand commands of one client are not one turn.
void TestEndpoint::aFloodLeavesOthersTheirTurn()
{
    EndpointServer server;
    constexpr int count = 300'000;
    QByteArray flood = respRequest({"CLIENT", "REPLY", "OFF"});
    for (int i = 0; i < count; ++i)
        flood += "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n";
    RawSocket busy(server.socketPath());
    RawSocket other(server.socketPath());
    ANSWERS(other, ({"SET", "n", "0"}), "+OK\r\n");
    std::thread sender([&] { busy.send(flood); });
    int looks = 0;
    qint64 seen = 0;
    while (seen < count) {
        const qint64 now = bulkOf(other, {"GET", "n"}).toLongLong();
        looks += now > 0 && now < count ? 1 : 0;
        seen = now;
    }
    sender.join();
    QVERIFY2(looks > 3, qPrintable(QString::number(looks)));
}

void TestEndpoint::answersAfterTheDiskHasIt()
{
    QTemporaryDir folder;
    EndpointServer::Options options;
    options.store.folder = folder.path();
    options.store.fsync = EmbeddedStore::Fsync::Always;
    EndpointServer server(options);
    RawSocket client(server.socketPath());
    QByteArray requests;
    for (int i = 0; i < 100; ++i)
        requests += respRequest({"RPUSH", "l", QByteArray::number(i)});
    client.send(requests);
    QVERIFY(client.read(9 * 4 + 90 * 5 + 6).endsWith(":99\r\n:100\r\n"));
    ANSWERS(client, ({"SET", "k", "kept"}), "+OK\r\n");
    QByteArray log;
    for (const QFileInfo &file : QDir(folder.path()).entryInfoList(QDir::Files)) {
        QFile each(file.filePath());
        if (each.open(QIODevice::ReadOnly))
            log += each.readAll();
    }
    QVERIFY(log.contains("kept"));
}

void TestEndpoint::monitorsSeeCommands()
{
    EndpointServer server(secret());
    RawSocket monitor(server.socketPath());
    RawSocket client(server.port());
    ANSWERS(monitor, ({"MONITOR"}), "+OK\r\n");
    ANSWERS(client, ({"AUTH", "secret"}), "+OK\r\n");
    ANSWERS(client, ({"SET", "k", "a\"b\r\n"}), "+OK\r\n");
    ANSWERS(client, ({"EVAL", "return redis.call('GET', KEYS[1])", "1", "none"}), "$-1\r\n");
    QByteArray seen;
    while (seen.count('\n') < 3)
        seen += monitor.read(1);
    QVERIFY(!seen.contains("secret"));
    QVERIFY2(seen.contains("] \"SET\" \"k\" \"a\\\"b\\r\\n\"\r\n"), seen.constData());
    QVERIFY2(seen.contains(" [0 127.0.0.1:"), seen.constData());
    QVERIFY2(seen.contains(" [0 lua] \"GET\" \"none\"\r\n"), seen.constData());
}

void TestEndpoint::shutdownIsTheOwnersDecision()
{
    EndpointServer server;
    RawSocket client(server.socketPath());
    client.send(respRequest({"SHUTDOWN", "NOSAVE"}));
    QVERIFY(client.read(5) == "-ERR ");
    EndpointServer::Options options;
    options.mayShutDown = true;
    EndpointServer willing(options);
    bool wasAsked = false;
    willing.inThread([&](EmbeddedStore &, Endpoint &endpoint) {
        QObject::connect(&endpoint, &Endpoint::shutdownRequested, &endpoint, [&] { wasAsked = true; });
    });
    RawSocket last(willing.socketPath());
    last.send(respRequest({"SHUTDOWN"}));
    bool wasClosed = false;
    QCOMPARE(last.readToEnd(&wasClosed), QByteArray());
    QVERIFY(wasClosed);
    willing.inThread([](EmbeddedStore &, Endpoint &) {}); // what was queued has happened
    QVERIFY(wasAsked);
}

void TestEndpoint::limitsAreSettings()
{
    EndpointServer server;
    RawSocket client(server.socketPath());
    ANSWERS(client, ({"CONFIG", "SET", "maxclients", "3", "timeout", "9"}), "+OK\r\n");
    ANSWERS(client, ({"CONFIG", "GET", "maxclients"}), "*2\r\n$10\r\nmaxclients\r\n$1\r\n3\r\n");
    ANSWERS(client, ({"CONFIG", "SET", "nope", "1"}),
            "-ERR Unknown option or number of arguments for CONFIG SET - 'nope'\r\n");
    ANSWERS(client, ({"CONFIG", "SET", "timeout", "5", "maxclients", "x"}),
            "-ERR CONFIG SET failed (possibly related to argument 'maxclients') - argument couldn't be parsed into an "
            "integer\r\n");
    ANSWERS(client, ({"CONFIG", "GET", "timeout"}), "*2\r\n$7\r\ntimeout\r\n$1\r\n9\r\n");
    ANSWERS(client, ({"CONFIG", "SET", "proto-max-bulk-len", "1mb"}), "+OK\r\n");
    client.send("*2\r\n$4\r\nECHO\r\n$1048577\r\n");
    QCOMPARE(client.readToEnd(), QByteArray("-ERR Protocol error: invalid bulk length\r\n"));
}

void TestEndpoint::aSocketIsReplacedOnlyWhenNobodyListens()
{
    EndpointServer server;
    QCOMPARE(QFileInfo(server.socketPath()).permissions() & QFile::Permissions(0x7777),
             QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser);
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("file"));
    const QString stale = folder.filePath(QStringLiteral("stale"));
    QFile plain(file);
    QVERIFY(plain.open(QIODevice::WriteOnly));
    QVERIFY(runProgram(QStringLiteral("/usr/bin/python3"),
                       {QStringLiteral("-c"),
                        QStringLiteral("import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"), stale})
                .code
            == 0);
    server.inThread([&](EmbeddedStore &store, Endpoint &) {
        Endpoint second(&store);
        const Result<void> taken = second.listenUnix(server.socketPath());
        QVERIFY(!taken);
        QCOMPARE(taken.error().kind, ErrorKind::Conflict);
        QVERIFY(!second.listenUnix(file));
        QVERIFY(!second.listenUnix(folder.filePath(QString(200, u'x'))));
        QVERIFY(!second.listenTcp(0, {}));
        QVERIFY(second.listenUnix(stale));
        QVERIFY(QFileInfo::exists(stale));
    });
    QVERIFY(!QFileInfo::exists(stale));
    QVERIFY(QFileInfo::exists(file));
    RawSocket client(server.socketPath());
    ANSWERS(client, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::closingThePortLeavesTheSocket()
{
    EndpointServer server(secret());
    RawSocket local(server.socketPath());
    RawSocket far(server.port());
    ANSWERS(far, ({"AUTH", "secret"}), "+OK\r\n");
    ANSWERS(local, ({"PING"}), "+PONG\r\n");
    server.inThread([](EmbeddedStore &, Endpoint &endpoint) {
        QCOMPARE(endpoint.clients().size(), 2);
        endpoint.closeTcp();
        QCOMPARE(endpoint.clients().size(), 1);
        QCOMPARE(endpoint.tcpPort(), 0);
    });
    bool wasClosed = false;
    far.readToEnd(&wasClosed);
    QVERIFY(wasClosed);
    QVERIFY(!RawSocket(server.port()).isConnected());
    ANSWERS(local, ({"PING"}), "+PONG\r\n");
}

void TestEndpoint::closingTheStoreEndsEverything()
{
    EndpointServer server;
    RawSocket waiter(server.socketPath());
    RawSocket other(server.socketPath());
    waiter.send(respRequest({"BLPOP", "q", "0"}));
    QVERIFY(becomes(other, {"INFO", "clients"}, "blocked_clients:1"));
    server.inThread([](EmbeddedStore &store, Endpoint &endpoint) {
        store.close();
        QVERIFY(!endpoint.isListening());
        QCOMPARE(endpoint.clientCount(), 0);
    });
    bool wasClosed = false;
    QCOMPARE(waiter.readToEnd(&wasClosed), QByteArray());
    QVERIFY(wasClosed);
    QVERIFY(!QFileInfo::exists(server.socketPath()));
}

void TestEndpoint::serves_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("redis-cli") << QStringLiteral("redis-cli")
                               << QStringList{QStringLiteral("-s"), QStringLiteral("SOCKET"), QStringLiteral("ping")}
                               << QByteArray("PONG\n");
    QTest::newRow("redis-cli with scan") << QStringLiteral("redis-cli")
                                         << QStringList{QStringLiteral("-s"), QStringLiteral("SOCKET"),
                                                        QStringLiteral("--scan")}
                                         << QByteArray("seed\n");
    QTest::newRow("redis-cli with a big keys report")
        << QStringLiteral("redis-cli")
        << QStringList{QStringLiteral("-s"), QStringLiteral("SOCKET"), QStringLiteral("--bigkeys")}
        << QByteArray("Sampled 1 keys in the keyspace!");
    QTest::newRow("redis-benchmark") << QStringLiteral("redis-benchmark")
                                     << QStringList{QStringLiteral("-s"), QStringLiteral("SOCKET"), QStringLiteral("-q"),
                                                    QStringLiteral("-n"), QStringLiteral("2000"), QStringLiteral("-P"),
                                                    QStringLiteral("16"), QStringLiteral("-t"),
                                                    QStringLiteral("set,get,incr,lpush,rpop,sadd,hset,spop,zadd,"
                                                                   "zpopmin,lrange_100,mset")}
                                     << QByteArray("requests per second");
    QTest::newRow("redis-py") << QStringLiteral("/usr/bin/python3")
                              << QStringList{QStringLiteral("-c"), QString::fromLatin1(pythonClient),
                                             QStringLiteral("SOCKET")}
                              << QByteArray("done\n");
}

void TestEndpoint::serves()
{
    QFETCH(QString, program);
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, expected);
    EndpointServer server;
    RawSocket seed(server.socketPath());
    ANSWERS(seed, ({"SET", "seed", "1"}), "+OK\r\n");
    arguments.replaceInStrings(QStringLiteral("SOCKET"), server.socketPath());
    const Ran ran = runProgram(program, arguments);
    QVERIFY2(ran.code == 0, ran.out.constData());
    QVERIFY2(ran.out.contains(expected), ran.out.constData());
    QVERIFY2(!ran.out.contains("rror"), ran.out.constData());
}

QTEST_GUILESS_MAIN(TestEndpoint)
#include "tst_endpoint.moc"
