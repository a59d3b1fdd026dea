// Streams of the embedded store against a real redis-server, and through the log.
#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/resp.h"

#include "tests/support/await.h"
#include "tests/support/redis_server.h"
#include "tests/support/resp_connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace ym;
using namespace ym::test;

namespace {

using Words = QList<QByteArray>;

QByteArray bytesOf(const Reply &reply)
{
    QByteArray bytes;
    embedded::appendReply(bytes, reply);
    return bytes;
}

Reply askOne(Store *store, const Words &words)
{
    std::vector<Command> commands;
    commands.push_back(Command{words});
    return await(store->pipeline(commands)).at(0);
}

QList<Words> oddCommands()
{
    return {
        {"XADD", "s", "5-1", "a", "1"},
        {"XADD", "s", "5", "a", "1"},
        {"XADD", "s", "5-*", "a", "2"},
        {"XADD", "s", "6", "b", "3", "c", "4"},
        {"XADD", "s", "7-7", "", ""},
        {"XADD", "s", "0-0", "a", "1"},
        {"XADD", "t", "0-0", "a", "1"},
        {"XADD", "t", "0-*", "a", "1"},
        {"XADD", "s", "x", "a", "1"},
        {"XADD", "s", "1-x", "a", "1"},
        {"XADD", "s", "-", "a", "1"},
        {"XADD", "s", "8-1", "a"},
        {"XADD", "s", "8-1", "a", "b", "c"},
        {"XADD", "s", "8-1"},
        {"XADD", "none", "NOMKSTREAM", "1-1", "a", "1"},
        {"XADD", "s", "NOMKSTREAM", "8-1", "a", "1"},
        {"XADD", "s", "MAXLEN", "3", "9-1", "a", "1"},
        {"XADD", "s", "maxlen", "=", "2", "9-2", "a", "1"},
        {"XADD", "s", "MINID", "=", "9-2", "9-3", "a", "1"},
        {"XADD", "s", "MAXLEN", "-1", "9-4", "a", "1"},
        {"XADD", "s", "MAXLEN", "x", "9-4", "a", "1"},
        {"XADD", "s", "MAXLEN", "1", "LIMIT", "1", "9-4", "a", "1"},
        {"XADD", "s", "MAXLEN", "1", "MINID", "1", "9-4", "a", "1"},
        {"XADD", "s", "MAXLEN", "~", "100", "LIMIT", "5", "9-4", "a", "1"},
        {"XADD", "s", "18446744073709551615-18446744073709551615", "a", "1"},
        {"XADD", "s", "*", "a", "1"},
        {"XRANGE", "s", "-", "+"},
        {"XRANGE", "s", "(9-3", "(18446744073709551615-18446744073709551615"},
        {"XRANGE", "s", "(18446744073709551615-18446744073709551615", "+"},
        {"XRANGE", "s", "-", "(0-0"},
        {"XRANGE", "s", "9", "9"},
        {"XRANGE", "s", "-", "+", "COUNT", "1"},
        {"XRANGE", "s", "-", "+", "COUNT", "0"},
        {"XRANGE", "s", "-", "+", "COUNT", "-4"},
        {"XRANGE", "s", "-", "+", "COUNT"},
        {"XRANGE", "s", "-", "+", "COUNT", "x"},
        {"XRANGE", "s", "z", "+"},
        {"XRANGE", "none", "-", "+"},
        {"XREVRANGE", "s", "+", "-"},
        {"XREVRANGE", "s", "+", "-", "COUNT", "2"},
        {"XREVRANGE", "s", "-", "+"},
        {"XLEN", "s"},
        {"XLEN", "none"},
        {"XDEL", "s", "9-2", "9-3", "1-1", "9-3"},
        {"XDEL", "s", "x"},
        {"XDEL", "none", "1-1"},
        {"XTRIM", "s", "MAXLEN", "1"},
        {"XTRIM", "s", "MAXLEN", "0"},
        {"XTRIM", "s", "MINID", "0"},
        {"XTRIM", "s", "NONSENSE", "0"},
        {"XTRIM", "none", "MAXLEN", "0"},
        {"XLEN", "s"},
        {"EXISTS", "s"},
        {"TYPE", "s"},
        {"OBJECT", "ENCODING", "s"},
        {"XSETID", "s", "1-1"},
        {"XSETID", "none", "1-1"},
        {"XADD", "s", "1-2", "a", "1"},
        {"XSETID", "s", "0-1"},
        {"XADD", "s", "1-2", "a", "1"},
        {"XSETID", "s", "1-1"},
        {"XSETID", "s", "1-5", "ENTRIESADDED", "0"},
        {"XSETID", "s", "1-5", "ENTRIESADDED", "9", "MAXDELETEDID", "1-1"},
        {"XADD", "s", "1-4", "a", "1"},
        {"COPY", "s", "copy"},
        {"XADD", "copy", "1-5", "a", "1"},
        {"XRANGE", "copy", "-", "+"},
        {"RENAME", "copy", "renamed"},
        {"XLEN", "renamed"},
        {"SET", "text", "1"},
        {"XADD", "text", "1-1", "a", "1"},
        {"XLEN", "text"},
        {"XRANGE", "text", "-", "+"},
        {"XTRIM", "text", "MAXLEN", "0"},
        {"GET", "s"},
        {"RPUSH", "s", "x"},
    };
}

QList<Words> randomCommands(quint32 seed, int count)
{
    std::mt19937 random(seed);
    const auto below = [&random](int limit) { return int(random() % unsigned(limit)); };
    const auto id = [&] { return QByteArray::number(below(60)) + '-' + QByteArray::number(below(4)); };
    QList<Words> commands;
    for (int i = 0; i < count; ++i) {
        const QByteArray key = "k" + QByteArray::number(below(3));
        switch (below(8)) {
        case 0:
            commands.append({"XRANGE", key, id(), id(), "COUNT", QByteArray::number(below(5))});
            break;
        case 1:
            commands.append({"XREVRANGE", key, below(2) ? "+" : '(' + id(), id()});
            break;
        case 2:
            commands.append({"XDEL", key, id(), id()});
            break;
        case 3:
            commands.append({"XTRIM", key, below(2) ? "MAXLEN" : "MINID", QByteArray::number(below(50))});
            break;
        case 4:
            commands.append({"XADD", key, "MAXLEN", QByteArray::number(below(8)), id(), "f", QByteArray::number(i)});
            break;
        case 5:
            commands.append({"XLEN", key});
            break;
        case 6:
            if (below(10) == 0)
                commands.append({"DEL", key});
            break;
        default:
            commands.append(
                {"XADD", key, QByteArray::number(i / 4) + (below(2) ? "-*" : "-3"), "f", QByteArray::number(i)});
        }
    }
    return commands;
}

} // namespace

class TestStreams : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void repliesAreThoseOfRedis();
    void timesGiveRisingIds();
    void streamsSurviveTheLog();
    void realRedisLoadsTheLog();
};

void TestStreams::repliesAreThoseOfRedis()
{
    const RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    RespConnection real(server.socketPath());
    EmbeddedStore ours({}, &Clock::system());
    await(ours.open());
    QList<Words> commands = oddCommands();
    for (quint32 seed = 0; seed < 5; ++seed)
        commands += randomCommands(seed, 600);
    const std::vector<Reply> expected = real.ask(commands);
    for (qsizetype i = 0; i < commands.size(); ++i) {
        const QByteArray wanted = bytesOf(expected[size_t(i)]);
        const QByteArray got = bytesOf(askOne(&ours, commands[i]));
        const QByteArray message = commands[i].join(' ') + "\n  redis: " + wanted + "\n  ours:  " + got;
        QVERIFY2(got == wanted, message.constData());
    }
}

void TestStreams::timesGiveRisingIds()
{
    ManualClock clock;
    EmbeddedStore store({}, &clock);
    await(store.open());
    QList<QByteArray> ids;
    for (const int step : {0, 0, 1, 0}) {
        clock.advance(Milliseconds{step});
        ids.append(askOne(&store, {"XADD", "s", "*", "a", "1"}).string);
    }
    clock.jumpWallClock(Milliseconds{-5'000});
    ids.append(askOne(&store, {"XADD", "s", "*", "a", "1"}).string);
    QCOMPARE(ids,
             (QList<QByteArray>{"1700000000000-0", "1700000000000-1", "1700000000001-0", "1700000000001-1",
                                "1700000000001-2"}));
}

void TestStreams::streamsSurviveTheLog()
{
    const QTemporaryDir folder;
    QByteArray before;
    for (const bool isCompacted : {false, true, true}) {
        EmbeddedStore store({folder.path()}, &Clock::system());
        await(store.open());
        if (!isCompacted) {
            for (const Words &words : randomCommands(7, 400))
                askOne(&store, words);
            askOne(&store, {"XADD", "emptied", "5-5", "a", "1"});
            askOne(&store, {"XDEL", "emptied", "5-5"});
            // Counters that XSETID would not take in one go.
            askOne(&store, {"XADD", "odd", "5-5", "a", "1"});
            askOne(&store, {"XDEL", "odd", "5-5"});
            askOne(&store, {"XSETID", "odd", "1-1", "ENTRIESADDED", "9223372036854775807"});
            askOne(&store, {"XADD", "odd", "2-2", "a", "1"});
        }
        QByteArray now;
        for (const char *key : {"k0", "k1", "k2", "emptied", "odd"})
            now += bytesOf(askOne(&store, {"XRANGE", key, "-", "+"})) + bytesOf(askOne(&store, {"TYPE", key}));
        now += bytesOf(askOne(&store, {"XADD", "emptied", "5-5", "a", "1"})); // the last id is kept
        if (!isCompacted)
            before = now;
        QCOMPARE(now, before);
        askOne(&store, {"BGREWRITEAOF"});
        QTRY_VERIFY(askOne(&store, {"INFO", "persistence"}).string.contains("aof_rewrite_in_progress:0"));
    }
}

void TestStreams::realRedisLoadsTheLog()
{
    const QTemporaryDir folder;
    QByteArray ours;
    {
        EmbeddedStore store({folder.path()}, &Clock::system());
        await(store.open());
        for (const Words &words : randomCommands(11, 400))
            askOne(&store, words);
        for (const char *key : {"k0", "k1", "k2"})
            ours += bytesOf(askOne(&store, {"XRANGE", key, "-", "+"}));
        store.close();
    }
    QByteArray log;
    QFile file(folder.filePath(QStringLiteral("appendonly.aof")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    log = file.readAll();
    RedisServer server;
    RespConnection real(server.socketPath());
    QByteArray theirs;
    // The log is a conversation: said to a server it makes the same keys.
    QProcess pipe;
    pipe.start(QStringLiteral("redis-cli"), {QStringLiteral("-s"), server.socketPath(), QStringLiteral("--pipe")});
    pipe.write(log);
    pipe.closeWriteChannel();
    QVERIFY(pipe.waitForFinished());
    QVERIFY2(pipe.readAllStandardOutput().contains("errors: 0"), "the server refused a command of the log");
    for (const char *key : {"k0", "k1", "k2"})
        theirs += bytesOf(real.ask({{"XRANGE", key, "-", "+"}}).at(0));
    QCOMPARE(theirs, ours);
}

QTEST_GUILESS_MAIN(TestStreams)
#include "tst_streams.moc"
