// A client's script that runs for too long: what the other clients get meanwhile, and how it ends.
#include "tests/support/endpoint_server.h"
#include "tests/support/raw_socket.h"
#include "tests/support/workspace.h"

#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

using Words = QList<QByteArray>;

const QByteArray busy = "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
const QByteArray endless = "while true do end";

/// The next line that comes, without its end; empty when the endpoint closes.
QByteArray lineOf(RawSocket &client)
{
    QByteArray line;
    while (!line.endsWith("\r\n")) {
        const QByteArray letter = client.read(1);
        if (letter.isEmpty())
            return {};
        line += letter;
    }
    return line.chopped(2);
}

QByteArray ask(RawSocket &client, const Words &words)
{
    client.send(respRequest(words));
    return lineOf(client);
}

/// Begins a script and returns when the store is busy with it.
void beginScript(RawSocket &client, const QByteArray &text, const EndpointServer &server)
{
    RawSocket other(server.socketPath());
    QCOMPARE(ask(other, {"CONFIG", "SET", "lua-time-limit", "10"}), QByteArray("+OK"));
    client.send(respRequest({"EVAL", text, "0"}));
    QTRY_COMPARE(ask(other, {"PING"}), busy); // it may come before the script
}

} // namespace

class TestEndpointBusy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void othersAreToldAndMayKill_data();
    void othersAreToldAndMayKill();
    void whatWasPipelinedBehindTheScriptIsAnsweredInOrder();
    void aTransactionIsRefused();
    void whoHasWrittenCannotBeKilled();
    void shutdownLeavesNothingOfIt();
    void theTimeLimitIsASetting();
};

void TestEndpointBusy::othersAreToldAndMayKill_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a loop") << endless;
    QTest::newRow("a loop that catches errors")
        << QByteArray("local function f() while true do redis.call('GET', 'a') end end while true do pcall(f) end");
}

void TestEndpointBusy::othersAreToldAndMayKill()
{
    QFETCH(QByteArray, text);
    EndpointServer server;
    RawSocket early(server.socketPath());
    RawSocket waiter(server.socketPath());
    QCOMPARE(ask(early, {"SET", "a", "1"}), QByteArray("+OK"));
    waiter.send(respRequest({"BLPOP", "list", "0"}));
    RawSocket client(server.socketPath());
    beginScript(client, text, server);
    QCOMPARE(ask(early, {"GET", "a"}), busy);
    QCOMPARE(ask(early, {"NOSUCH"}), QByteArray("-ERR unknown command 'NOSUCH', with args beginning with: "));
    RawSocket late(server.socketPath()); // comes in while nobody gets to the event loop
    QCOMPARE(ask(late, {"LPUSH", "list", "x"}), busy);
    QCOMPARE(ask(late, {"SCRIPT", "KILL"}), QByteArray("+OK"));
    const QByteArray end = lineOf(client);
    QVERIFY2(end.startsWith("-ERR Script killed by user with SCRIPT KILL."), end.constData());
    QCOMPARE(ask(late, {"SCRIPT", "KILL"}), QByteArray("-NOTBUSY No scripts in execution right now."));
    QCOMPARE(ask(early, {"LPUSH", "list", "x"}), QByteArray(":1"));
    QCOMPARE(lineOf(waiter), QByteArray("*2"));
    QCOMPARE(ask(client, {"EVAL", "return 7", "0"}), QByteArray(":7"));
}

void TestEndpointBusy::whatWasPipelinedBehindTheScriptIsAnsweredInOrder()
{
    EndpointServer server;
    RawSocket other(server.socketPath());
    QCOMPARE(ask(other, {"CONFIG", "SET", "busy-reply-threshold", "10"}), QByteArray("+OK"));
    RawSocket client(server.socketPath());
    const QByteArray word(3000, 'w');
    client.send(respRequest({"SET", "a", "1"}) + respRequest({"EVAL", endless, "0"}) + respRequest({"ECHO", word})
                + respRequest({"GET", "a"}));
    QTRY_COMPARE(ask(other, {"EXISTS", QByteArray(2000, 'o')}), busy); // what was read for the client stays as it is
    client.send(respRequest({"INCR", "a"}));
    QCOMPARE(ask(other, {"GET", "a"}), busy);
    QCOMPARE(ask(other, {"SCRIPT", "KILL"}), QByteArray("+OK"));
    QCOMPARE(lineOf(client), QByteArray("+OK"));
    QVERIFY(lineOf(client).startsWith("-ERR Script killed"));
    QCOMPARE(lineOf(client), QByteArray("$3000"));
    QCOMPARE(lineOf(client), word);
    QCOMPARE(lineOf(client), QByteArray("$1"));
    QCOMPARE(lineOf(client), QByteArray("1"));
    QCOMPARE(lineOf(client), QByteArray(":2"));
}

void TestEndpointBusy::aTransactionIsRefused()
{
    EndpointServer server;
    RawSocket other(server.socketPath());
    RawSocket client(server.socketPath());
    QCOMPARE(ask(other, {"MULTI"}), QByteArray("+OK"));
    QCOMPARE(ask(other, {"INCR", "a"}), QByteArray("+QUEUED"));
    beginScript(client, endless, server);
    const QByteArray aborted = "-EXECABORT Transaction discarded because of: " + busy.mid(1);
    QCOMPARE(ask(other, {"EXEC"}), aborted);
    QCOMPARE(ask(other, {"MULTI"}), QByteArray("+OK"));
    QCOMPARE(ask(other, {"INCR", "a"}), busy);
    QCOMPARE(ask(other, {"SCRIPT", "KILL"}), QByteArray("+QUEUED"));
    RawSocket killer(server.socketPath());
    QCOMPARE(ask(killer, {"SCRIPT", "KILL"}), QByteArray("+OK"));
    QVERIFY(lineOf(client).startsWith("-ERR Script killed"));
    QCOMPARE(ask(other, {"EXEC"}), QByteArray("-EXECABORT Transaction discarded because of previous errors."));
    QCOMPARE(ask(other, {"EXISTS", "a"}), QByteArray(":0"));
}

void TestEndpointBusy::whoHasWrittenCannotBeKilled()
{
    EndpointServer server;
    RawSocket client(server.socketPath());
    beginScript(
        client,
        "redis.call('SET', 'a', 1) local i = 0 while i < 60000000 do i = i + 1 end return redis.call('GET', 'a')",
        server);
    RawSocket other(server.socketPath());
    QVERIFY(ask(other, {"SCRIPT", "KILL"}).startsWith("-UNKILLABLE Sorry the script already executed write commands"));
    QCOMPARE(ask(other, {"SHUTDOWN"}), busy);
    QVERIFY(ask(other, {"SHUTDOWN", "NOSAVE"}).startsWith("-ERR this store belongs to a running application"));
    QCOMPARE(lineOf(client), QByteArray("$1"));
    QCOMPARE(ask(other, {"GET", "a"}), QByteArray("$1"));
}

/// A server that is ended in the middle of a script keeps nothing of it, and everything before it.
void TestEndpointBusy::shutdownLeavesNothingOfIt()
{
    const QTemporaryDir folder;
    {
        EndpointServer::Options options;
        options.store.folder = folder.path();
        options.mayShutDown = true;
        EndpointServer server(options);
        bool wasAsked = false;
        server.inThread([&](EmbeddedStore &, Endpoint &endpoint) {
            QObject::connect(&endpoint, &Endpoint::shutdownRequested, &endpoint, [&] { wasAsked = true; });
        });
        RawSocket other(server.socketPath());
        QCOMPARE(ask(other, {"SET", "kept", "1"}), QByteArray("+OK"));
        RawSocket client(server.socketPath());
        beginScript(client, "redis.call('SELECT', 3) redis.call('SET', 'half', 1) while true do end", server);
        RawSocket last(server.socketPath());
        last.send(respRequest({"SHUTDOWN", "NOSAVE"}));
        QCOMPARE(lineOf(last), QByteArray());
        server.inThread([](EmbeddedStore &, Endpoint &) {}); // what was queued has happened
        QVERIFY(wasAsked);
    }
    EmbeddedStore again({folder.path()}, &Clock::system());
    await(again.open());
    const KeyspaceText text = describeAll(again);
    QCOMPARE(text.keys(), QList<QByteArray>{"0:kept"});
}

void TestEndpointBusy::theTimeLimitIsASetting()
{
    EndpointServer server;
    RawSocket client(server.socketPath());
    QCOMPARE(
        ask(client, {"CONFIG", "SET", "lua-time-limit", "-1"}),
        QByteArray("-ERR CONFIG SET failed (possibly related to argument 'lua-time-limit') - argument must be between "
                   "0 and 9223372036854775807 inclusive"));
    QCOMPARE(ask(client, {"CONFIG", "SET", "lua-time-limit", "77"}), QByteArray("+OK"));
    client.send(respRequest({"CONFIG", "GET", "busy-reply-threshold"}));
    QCOMPARE(client.read(40), QByteArray("*2\r\n$20\r\nbusy-reply-threshold\r\n$2\r\n77\r\n"));
    // One of the process itself has nobody who could kill it: it ends at the limit.
    server.inThread([](EmbeddedStore &store, Endpoint &) {
        const std::vector<Reply> replies = await(store.pipeline({cmd("EVAL", endless, 0)}));
        QVERIFY2(replies[0].string.contains("exceeded its time limit"), replies[0].string.constData());
    });
}

QTEST_GUILESS_MAIN(TestEndpointBusy)
#include "tst_endpoint_busy.moc"
