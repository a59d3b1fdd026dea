// A server that lies, stalls and hangs up (RELIABILITY 9, P1–P26): every command ends, nothing crashes, the words are
// plain.
#include "core/protocol/hero/hero_protocol.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/hostile_server.h"

#include <QSignalSpy>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

using Phase = StoreStatus::Phase;
using MaybeBytes = std::optional<QByteArray>;

/// What a task threw; an Internal error when it threw nothing.
template <typename T> Error errorOf(QCoro::Task<T> task)
{
    try {
        await(std::move(task));
    } catch (const StoreError &e) {
        return e.error();
    }
    return {ErrorKind::Internal, QStringLiteral("nothing was thrown"), {}, false};
}

RedisStore::Options quick()
{
    RedisStore::Options options;
    options.backoff = {Milliseconds{1}, Milliseconds{5}};
    return options;
}

std::unique_ptr<RedisStore> storeFor(const HostileServer &server, RedisStore::Options options = quick(),
                                     Clock *clock = &Clock::system())
{
    return std::make_unique<RedisStore>(*parseStoreAddress(server.url()), options, clock);
}

} // namespace

class TestHostileServer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesBrokenReplies_data();
    void refusesBrokenReplies();
    void readsOddButLegalReplies_data();
    void readsOddButLegalReplies();
    void readsByteByByte();
    void marksAnUnfinishedReplyAmbiguous();
    void givesUpOnSilence();
    void givesUpOnALineWithoutEnd();
    void tellsWhatElseSpeaksThere_data();
    void tellsWhatElseSpeaksThere();
    void cutsAHugeErrorText();
    void triesAWrongPasswordOnce();
    void keepsTryingWhileTheServerLoads();
    void triesAgainWhenTheServerIsFull();
    void refusesARequestForCluster_data();
    void refusesARequestForCluster();
    void comesBackAfterEachLoss();
    void survivesAnUnaskedReply();
    void toleratesAnOddInfo_data();
    void toleratesAnOddInfo();
    void returnsOneResultForEachElementOfATransaction();
    void tellsThatATransactionWasNotDone();
    void mayBeDeletedByThoseItResumes();
    void pingsAQuietServerAndNoticesItsDeath();
    void leavesNoBusyLoopWhenNotReady();
    void givesUpOnAScanWithoutAnEnd();
};

void TestHostileServer::refusesBrokenReplies_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("words");
    const QString broken = QStringLiteral("broke the Redis protocol");
    QTest::newRow("RESP3 map") << QByteArray("%1\r\n+a\r\n+b\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("RESP3 null") << QByteArray("_\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("RESP3 push") << QByteArray(">2\r\n+a\r\n+b\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("two thousand million elements") << QByteArray("*2147483647\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("a hundred million elements and silence")
        << QByteArray("*100000000\r\n") << ErrorKind::Protocol << QStringLiteral("a million elements");
    QTest::newRow("nested hundred million")
        << QByteArray("*1\r\n*100000000\r\n") << ErrorKind::Protocol << QStringLiteral("a million elements");
    QTest::newRow("the largest bulk there can be")
        << QByteArray("$9223372036854775807\r\n") << ErrorKind::TooLarge << QStringLiteral("64 MiB");
    QTest::newRow("a bulk just over the limit")
        << QByteArray("$67108865\r\n") << ErrorKind::TooLarge << QStringLiteral("64 MiB");
    QTest::newRow("a nested bulk over the limit")
        << QByteArray("*2\r\n+a\r\n$67108865\r\n") << ErrorKind::TooLarge << QStringLiteral("64 MiB");
    QTest::newRow("nesting of nine") << QByteArray("*1\r\n").repeated(9) + "+x\r\n" << ErrorKind::Protocol << broken;
    QTest::newRow("a number of twenty digits")
        << QByteArray(":99999999999999999999\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("a length below minus one") << QByteArray("$-2\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("a count below minus one") << QByteArray("*-2\r\n") << ErrorKind::Protocol << broken;
    QTest::newRow("a bulk with a wrong end")
        << QByteArray("$3\r\nabcXY") << ErrorKind::Protocol << QStringLiteral("line end");
    QTest::newRow("zero bytes") << QByteArray(64, '\0') << ErrorKind::Protocol << broken;
}

void TestHostileServer::refusesBrokenReplies()
{
    QFETCH(QByteArray, reply);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, words);
    HostileServer server([&](const auto &) { return MaybeBytes(reply); });
    const auto store = storeFor(server);
    await(store->open());
    const Error error = errorOf(store->command(cmd("GET", "x")));
    QCOMPARE(error.kind, kind);
    QVERIFY2(error.message.contains(words), qPrintable(error.message));
    QVERIFY(error.ambiguous);
    QVERIFY(await(store->waitUntilReady({}))); // on a new connection
    QCOMPARE(server.connectionCount(), 2);
}

void TestHostileServer::readsOddButLegalReplies_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Reply>("expected");
    QTest::newRow("empty bulk") << QByteArray("$0\r\n\r\n") << Reply::bulk("");
    QTest::newRow("null bulk") << QByteArray("$-1\r\n") << Reply::nil();
    QTest::newRow("null array") << QByteArray("*-1\r\n") << Reply::nil();
    QTest::newRow("empty array") << QByteArray("*0\r\n") << Reply::array({});
    QTest::newRow("empty status") << QByteArray("+\r\n") << Reply::status("");
    QTest::newRow("smallest number") << QByteArray(":-9223372036854775808\r\n")
                                     << Reply::number(std::numeric_limits<qint64>::min());
    QTest::newRow("line ends inside a bulk") << QByteArray("$4\r\n\r\n\r\n\r\n") << Reply::bulk("\r\n\r\n");
    QTest::newRow("seven levels") << QByteArray("*1\r\n").repeated(7) + ":1\r\n"
                                  << Reply::array({Reply::array({Reply::array({Reply::array(
                                         {Reply::array({Reply::array({Reply::array({Reply::number(1)})})})})})})});
    QTest::newRow("siblings after a nested list")
        << QByteArray("*3\r\n*2\r\n+a\r\n*1\r\n$1\r\nb\r\n*0\r\n:2\r\n")
        << Reply::array({Reply::array({Reply::status("a"), Reply::array({Reply::bulk("b")})}), Reply::array({}),
                         Reply::number(2)});
}

void TestHostileServer::readsOddButLegalReplies()
{
    QFETCH(QByteArray, bytes);
    QFETCH(Reply, expected);
    HostileServer server([&](const auto &) { return MaybeBytes(bytes); });
    const auto store = storeFor(server);
    await(store->open());
    const Reply reply = await(store->command(cmd("GET", "x")));
    QVERIFY(reply == expected);
}

void TestHostileServer::readsByteByByte()
{
    HostileServer server(
        [](const auto &command) { return MaybeBytes("*2\r\n$5\r\nhello\r\n:" + command.last() + "\r\n"); });
    server.sendByteByByte();
    const auto store = storeFor(server);
    await(store->open());
    std::vector<Command> commands{cmd("X", 1), cmd("X", 2), cmd("X", 3)};
    const std::vector<Reply> replies = await(store->pipeline(commands));
    for (size_t i = 0; i < 3; ++i)
        QVERIFY(replies[i] == Reply::array({Reply::bulk("hello"), Reply::number(qint64(i) + 1)}));
}

void TestHostileServer::marksAnUnfinishedReplyAmbiguous()
{
    HostileServer server([](const auto &) { return MaybeBytes("$10\r\nabc"); });
    server.closeAfterAnswer();
    const auto store = storeFor(server);
    await(store->open());
    const Error error = errorOf(store->command(cmd("LPUSH", "q", "x")));
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY(error.ambiguous);
    const Error unsent = errorOf(store->command(cmd("LPUSH", "q", "x")));
    QCOMPARE(unsent.kind, ErrorKind::Unavailable);
    QVERIFY(!unsent.ambiguous);
    QCOMPARE(server.commandCount("LPUSH"), 1); // never sent twice
}

void TestHostileServer::givesUpOnSilence()
{
    HostileServer server([](const auto &) { return MaybeBytes(); });
    ManualClock clock;
    const auto store = storeFor(server, quick(), &clock);
    await(store->open());
    auto silent = store->command(cmd("GET", "x"));
    QTRY_COMPARE(server.commandCount("GET"), 1);
    clock.advance(Milliseconds{9'900});
    QVERIFY(!silent.isReady());
    clock.advance(Milliseconds{300});
    const Error error = errorOf(std::move(silent));
    QCOMPARE(error.kind, ErrorKind::Timeout);
    QVERIFY(error.ambiguous);
    QVERIFY2(error.message.contains(u"10 s"), qPrintable(error.message));
}

void TestHostileServer::givesUpOnALineWithoutEnd()
{
    // "+OK" with a bare line feed is no end of a line: more is awaited until the deadline.
    HostileServer half([](const auto &) { return MaybeBytes("+OK\n"); });
    ManualClock clock;
    const auto waiting = storeFor(half, quick(), &clock);
    await(waiting->open());
    auto reply = waiting->command(cmd("GET", "x"));
    QTRY_COMPARE(half.commandCount("GET"), 1);
    clock.advance(Milliseconds{11'000});
    QCOMPARE(errorOf(std::move(reply)).kind, ErrorKind::Timeout);

    HostileServer endless([](const auto &) { return MaybeBytes("+" + QByteArray(8 << 20, 'a')); });
    const auto store = storeFor(endless);
    await(store->open());
    const Error error = errorOf(store->command(cmd("GET", "x")));
    QCOMPARE(error.kind, ErrorKind::TooLarge);
    QVERIFY2(error.message.contains(u"endless line"), qPrintable(error.message));
}

void TestHostileServer::tellsWhatElseSpeaksThere_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << QStringLiteral("speaks HTTP");
    QTest::newRow("TLS alert") << QByteArray("\x15\x03\x01\x00\x02\x02\x46", 7) << QStringLiteral("expects TLS");
    QTest::newRow("SSH") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n") << QStringLiteral("speaks SSH");
    QTest::newRow("RESP3") << QByteArray("%1\r\n+a\r\n+b\r\n") << QStringLiteral("RESP3");
    QTest::newRow("noise") << QByteArray("\x01\x02\x03\x04\x05") << QStringLiteral("broke the Redis protocol");
    QTest::newRow("a polite stranger") << QByteArray("+hello\r\n").repeated(10)
                                       << QStringLiteral("answers PING with something else");
}

void TestHostileServer::tellsWhatElseSpeaksThere()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    HostileServer server([&](const auto &) { return MaybeBytes(bytes); });
    server.doNotGreet();
    const auto store = storeFor(server);
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Protocol);
    QVERIFY2(error.text().contains(words), qPrintable(error.text()));
    QCOMPARE(store->status().phase, Phase::Refused);
    QCOMPARE(server.connectionCount(), 1);
}

void TestHostileServer::cutsAHugeErrorText()
{
    const QByteArray text = "-ERR <b>\x1b[31mred\x07 " + QByteArray(1 << 20, 'e') + "\r\n";
    HostileServer server([&](const auto &) { return MaybeBytes(text); });
    const auto store = storeFor(server);
    await(store->open());
    const Error error = errorOf(store->command(cmd("GET", "x")));
    QCOMPARE(error.kind, ErrorKind::Server);
    QVERIFY(error.message.size() <= 201);
    QVERIFY(!error.message.contains(QChar(0x1b)));
    QVERIFY(error.message.startsWith(u"ERR <b><U+001B>[31mred"));
    QCOMPARE(store->status().phase, Phase::Ready);
}

void TestHostileServer::triesAWrongPasswordOnce()
{
    HostileServer server([](const auto &command) {
        return MaybeBytes(command.first() == "AUTH"
                              ? "-WRONGPASS invalid username-password pair or user is disabled.\r\n"
                              : "-NOAUTH Authentication required.\r\n");
    });
    server.doNotGreet();
    StoreAddress address = *parseStoreAddress(server.url());
    address.password = QStringLiteral("hunter2");
    RedisStore store(address, quick(), &Clock::system());
    const auto subscription = store.subscribe({"x"}, Store::Match::Channels);
    const Error error = errorOf(store.open());
    QCOMPARE(error.kind, ErrorKind::Authentication);
    QVERIFY(!error.text().contains(u"hunter2"));
    QCOMPARE(store.status().phase, Phase::Refused);
    QVERIFY(!await(store.waitUntilReady({})));
    for (int turn = 0; turn < 50; ++turn)
        await(Clock::system().sleep(Milliseconds{1}, {}));
    QCOMPARE(server.commandCount("AUTH"), 1);
    // A person asks again: one more try.
    QCOMPARE(errorOf(store.open()).kind, ErrorKind::Authentication);
    QCOMPARE(server.commandCount("AUTH"), 2);
}

void TestHostileServer::keepsTryingWhileTheServerLoads()
{
    int pings = 0;
    HostileServer server([&](const auto &command) -> MaybeBytes {
        if (command.first() == "INFO")
            return "$38\r\nloading:1\r\nloading_loaded_perc:42.50\r\n\r\n";
        if (command.first() != "PING")
            return "+OK\r\n";
        return ++pings < 4 ? "-LOADING Redis is loading the dataset in memory\r\n" : "+PONG\r\n";
    });
    server.doNotGreet();
    const auto store = storeFor(server);
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Busy);
    QVERIFY2(error.message.contains(u"42.50 %"), qPrintable(error.message));
    QVERIFY(await(store->waitUntilReady({})));
    QCOMPARE(pings, 4);
}

void TestHostileServer::triesAgainWhenTheServerIsFull()
{
    HostileServer server([](const auto &) { return MaybeBytes(); });
    server.doNotGreet();
    server.sayFirst("-ERR max number of clients reached\r\n");
    const auto store = storeFor(server);
    const Error error = errorOf(store->open());
    QCOMPARE(error.kind, ErrorKind::Busy);
    QVERIFY2(error.message.contains(u"max number of clients"), qPrintable(error.message));
    QTRY_VERIFY(server.connectionCount() >= 3);
    QVERIFY(store->status().phase != Phase::Refused);
}

void TestHostileServer::refusesARequestForCluster_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::newRow("P23 MOVED") << QByteArray("-MOVED 3999 127.0.0.1:6381\r\n");
    QTest::newRow("P23 ASK") << QByteArray("-ASK 3999 127.0.0.1:6381\r\n");
    QTest::newRow("CROSSSLOT") << QByteArray("-CROSSSLOT Keys in request don't hash to the same slot\r\n");
    QTest::newRow("CLUSTERDOWN") << QByteArray("-CLUSTERDOWN Hash slot not served\r\n");
}

void TestHostileServer::refusesARequestForCluster()
{
    QFETCH(QByteArray, reply);
    HostileServer server([reply](const auto &) { return MaybeBytes(reply); });
    const auto store = storeFor(server);
    await(store->open());
    const Error error = errorOf(store->command(cmd("GET", "x")));
    QCOMPARE(error.kind, ErrorKind::Cluster);
    QVERIFY2(error.advice.contains(u"standalone"), qPrintable(error.advice));
}

void TestHostileServer::comesBackAfterEachLoss()
{
    HostileServer server([](const auto &) { return MaybeBytes("+yes\r\n"); });
    const auto store = storeFor(server);
    await(store->open());
    for (int round = 0; round < 20; ++round) {
        server.dropAll();
        QTRY_COMPARE(server.connectionCount(), round + 2);
        QVERIFY(await(store->waitUntilReady({})));
        QCOMPARE(await(store->command(cmd("GET", "x"))), Reply::status("yes"));
    }
}

void TestHostileServer::survivesAnUnaskedReply()
{
    HostileServer server([](const auto &) { return MaybeBytes("+first\r\n+second\r\n"); });
    const auto store = storeFor(server);
    await(store->open());
    QCOMPARE(await(store->command(cmd("GET", "x"))), Reply::status("first"));
    QTRY_COMPARE(server.connectionCount(), 2); // out of step: a reply must never meet another command
    QVERIFY(await(store->waitUntilReady({})));
    QCOMPARE(await(store->command(cmd("GET", "x"))), Reply::status("first"));
}

void TestHostileServer::toleratesAnOddInfo_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::newRow("no version") << QByteArray("$9\r\nuptime:12\r\n");
    QTest::newRow("a status") << QByteArray("+OK\r\n");
    QTest::newRow("no right") << QByteArray("-NOPERM this user has no permissions to run the 'info' command\r\n");
    QTest::newRow("nil") << QByteArray("$-1\r\n");
    QTest::newRow("a list") << QByteArray("*1\r\n+x\r\n");
    const QByteArray lines = QByteArray("some_key:") + QByteArray(90, 'v') + "\r\n";
    const QByteArray tenMegabytes = lines.repeated(10 * 1024 * 1024 / lines.size());
    QTest::newRow("ten megabytes") << "$" + QByteArray::number(tenMegabytes.size()) + "\r\n" + tenMegabytes + "\r\n";
}

void TestHostileServer::toleratesAnOddInfo()
{
    QFETCH(QByteArray, info);
    HostileServer server([&](const auto &command) -> MaybeBytes {
        return command.first() == "INFO" ? info
            : command.first() == "PING"  ? QByteArray("+PONG\r\n")
                                         : QByteArray("+OK\r\n");
    });
    server.doNotGreet();
    const auto store = storeFor(server);
    await(store->open());
    QCOMPARE(store->status().phase, Phase::Ready);
    QCOMPARE(store->status().server, QStringLiteral("redis"));
}

void TestHostileServer::returnsOneResultForEachElementOfATransaction()
{
    HostileServer server([](const auto &command) {
        return MaybeBytes(command.first() == "MULTI"      ? "+OK\r\n"
                              : command.first() == "EXEC" ? "*2\r\n+OK\r\n-WRONGTYPE no\r\n"
                                                          : "+QUEUED\r\n");
    });
    const auto store = storeFor(server);
    await(store->open());
    std::vector<Command> two{cmd("SET", "a", 1), cmd("LPUSH", "a", 1)};
    QCOMPARE(errorOf(store->transaction(two)).kind, ErrorKind::WrongType);
    std::vector<Command> three{cmd("SET", "a", 1), cmd("LPUSH", "a", 1), cmd("GET", "a")};
    QCOMPARE(errorOf(store->transaction(three)).kind, ErrorKind::Protocol);
}

/// P16: what was watched has changed, so nothing was done; whoever asked may try again.
void TestHostileServer::tellsThatATransactionWasNotDone()
{
    HostileServer server([](const auto &command) {
        return MaybeBytes(command.first() == "MULTI"      ? "+OK\r\n"
                              : command.first() == "EXEC" ? "*-1\r\n"
                                                          : "+QUEUED\r\n");
    });
    const auto store = storeFor(server);
    await(store->open());
    std::vector<Command> one{cmd("SET", "a", 1)};
    const Error error = errorOf(store->transaction(one));
    QCOMPARE(error.kind, ErrorKind::Conflict);
    QVERIFY2(error.advice.contains(u"again"), qPrintable(error.advice));
    QCOMPARE(store->status().phase, Phase::Ready);
}

namespace {

QCoro::Task<void> askAndDelete(std::unique_ptr<RedisStore> *store, int *ended)
{
    Command ask = cmd("GET", "x");
    try {
        co_await (*store)->command(std::move(ask));
    } catch (const StoreError &) {
    }
    store->reset();
    ++*ended;
}

} // namespace

void TestHostileServer::mayBeDeletedByThoseItResumes()
{
    for (const bool answers : {true, false}) {
        HostileServer server([&](const auto &) { return MaybeBytes(answers ? "+a\r\n" : "!"); });
        auto store = storeFor(server);
        await(store->open());
        int ended = 0;
        askAndDelete(&store, &ended);
        askAndDelete(&store, &ended);
        auto waiting = store->blocking(cmd("BLPOP", "x", 5), Milliseconds{5000}, {});
        QTRY_COMPARE(ended, 2);
        QVERIFY(!store);
        QVERIFY(waiting.isReady());
    }
}

void TestHostileServer::pingsAQuietServerAndNoticesItsDeath()
{
    bool silent = false;
    HostileServer server([&](const auto &command) -> MaybeBytes {
        if (silent)
            return std::nullopt;
        return command.first() == "PING" ? "+PONG\r\n" : "+OK\r\n";
    });
    server.doNotGreet();
    ManualClock clock;
    const auto store = storeFor(server, quick(), &clock);
    await(store->open());
    QCOMPARE(server.commandCount("PING"), 1);
    clock.advance(Milliseconds{10'000});
    QTRY_COMPARE(server.commandCount("PING"), 2);
    silent = true;
    QSignalSpy changed(store.get(), &Store::statusChanged);
    // The answer may still be on its way: only a PING that was sent into the silence counts.
    for (int i = 0; i < 5 && store->status().phase == Phase::Ready; ++i) {
        clock.advance(Milliseconds{10'200});
        await(Clock::system().sleep(Milliseconds{1}, {}));
    }
    QVERIFY(store->status().phase != Phase::Ready);
    QCOMPARE(store->status().trouble.kind, ErrorKind::Timeout);
    QTRY_VERIFY(changed.count() >= 1);
}

namespace {

QCoro::Task<void> stubborn(RedisStore *store, int *tries, std::stop_token stop)
{
    while (!stop.stop_requested()) {
        const bool ready = co_await store->waitUntilReady(stop);
        if (!ready)
            break;
        ++*tries;
        Command write = cmd("SET", "a", 1);
        try {
            co_await store->command(std::move(write));
        } catch (const StoreError &) {
        }
    }
}

} // namespace

void TestHostileServer::leavesNoBusyLoopWhenNotReady()
{
    // The server has been demoted: each write costs a new connection, and waitUntilReady() must wait for it.
    HostileServer server(
        [](const auto &) { return MaybeBytes("-READONLY You can't write against a read only replica.\r\n"); });
    const auto store = storeFor(server);
    await(store->open());
    std::stop_source stop;
    int tries = 0;
    auto loop = stubborn(store.get(), &tries, stop.get_token());
    QTRY_VERIFY(server.connectionCount() >= 4);
    stop.request_stop();
    store->close();
    await(std::move(loop));
    QVERIFY2(tries <= server.connectionCount(), qPrintable(QString::number(tries)));
}

/// P17: the cursor never comes back to 0.
void TestHostileServer::givesUpOnAScanWithoutAnEnd()
{
    int cursor = 0;
    HostileServer server([&](const auto &command) -> MaybeBytes {
        const QByteArray next = QByteArray::number(++cursor);
        if (command.first() == "SCAN")
            return "*2\r\n$" + QByteArray::number(next.size()) + "\r\n" + next + "\r\n*0\r\n";
        return command.first() == "DBSIZE" ? ":3\r\n" : "*0\r\n";
    });
    const auto store = storeFor(server);
    await(store->open());
    const auto inspector = HeroProtocol().inspector(store.get(), {}, &Clock::system());
    const auto walk = [](Inspector *of) -> QCoro::Task<void> {
        QByteArray at;
        do {
            const Inspector::JobPage page = co_await of->jobs(at);
            at = page.cursor;
        } while (!at.isEmpty());
    };
    const Error listing = errorOf(walk(inspector.get()));
    QCOMPARE(listing.kind, ErrorKind::Protocol);
    QVERIFY2(listing.message.contains(u"does not come to an end"), qPrintable(listing.message));
    const int pages = server.commandCount("SCAN");
    QVERIFY2(pages <= 10'001, qPrintable(QString::number(pages)));
    QCOMPARE(server.commandCount("DBSIZE"), 1);
    const auto rescuer = HeroProtocol().rescuer(store.get(), {}, &Clock::system());
    QCOMPARE(errorOf(rescuer->reconcile({})).kind, ErrorKind::Protocol);
    await(inspector->queues()); // looks at a few pages each time
    // A walk that is new has its pages again.
    QVERIFY(!await(inspector->jobs({})).cursor.isEmpty());
}

QTEST_GUILESS_MAIN(TestHostileServer)
#include "tst_hostile_server.moc"
