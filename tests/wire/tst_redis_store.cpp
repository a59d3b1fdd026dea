// RedisStore against a real redis-server: commands, scripts, waits, subscriptions.
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QCryptographicHash>
#include <QSignalSpy>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

Script scriptOf(const char *text)
{
    return {"test", text, QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex()};
}

QCoro::Task<void> countUp(Store *store, int times, int *done)
{
    for (int i = 0; i < times; ++i) {
        Command increment = cmd("INCR", "counter");
        co_await store->command(increment);
    }
    ++*done;
}

qint64 infoNumber(const RedisServer &server, const QString &section, const QByteArray &name)
{
    for (const QByteArray &line : server.cli({QStringLiteral("INFO"), section}).split('\n')) {
        if (line.startsWith(name + ':'))
            return line.mid(name.size() + 1).trimmed().toLongLong();
    }
    return -1;
}

} // namespace

class TestRedisStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void answersCommands();
    void throwsErrorReplies();
    void writesOneTurnOnce();
    void carriesBinaryAndBigValues();
    void runsScriptsAgainAfterFlush();
    void runsTransactionsAllOrNone();
    void waitsForAnElement();
    void stoppedWaitSwallowsNothing();
    void hearsMessages();
    void closeResumesEverything();

private:
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<RedisStore> m_store;
};

void TestRedisStore::init()
{
    m_server = std::make_unique<RedisServer>();
    QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
    m_store =
        std::make_unique<RedisStore>(*parseStoreAddress(m_server->url()), RedisStore::Options{}, &Clock::system());
    await(m_store->open());
}

void TestRedisStore::cleanup()
{
    m_store.reset();
    m_server.reset();
}

void TestRedisStore::answersCommands()
{
    QCOMPARE(m_store->status().phase, StoreStatus::Phase::Ready);
    QVERIFY(m_store->status().server.startsWith(u"redis 7."));
    QCOMPARE(await(m_store->command(cmd("SET", "k", "v"))), Reply::status("OK"));
    QCOMPARE(await(m_store->command(cmd("GET", "k"))), Reply::bulk("v"));
    QVERIFY(await(m_store->command(cmd("GET", "missing"))).isNil());
    QCOMPARE(await(m_store->command(cmd("RPUSH", "l", "a", "b", 3))).toInteger(), 3);
    QCOMPARE(await(m_store->command(cmd("LRANGE", "l", 0, -1))).toList(), QList<QByteArray>({"a", "b", "3"}));
}

void TestRedisStore::throwsErrorReplies()
{
    await(m_store->command(cmd("SET", "k", "v")));
    QCOMPARE(failureOf(m_store->command(cmd("LPUSH", "k", "x"))), ErrorKind::WrongType);
    std::vector<Command> commands{cmd("LPUSH", "k", "x"), cmd("GET", "k")};
    const std::vector<Reply> replies = await(m_store->pipeline(commands));
    QVERIFY(replies[0].isError());
    QCOMPARE(replies[1], Reply::bulk("v"));
    QCOMPARE(m_store->status().phase, StoreStatus::Phase::Ready);
}

void TestRedisStore::writesOneTurnOnce()
{
    const qint64 before = infoNumber(*m_server, QStringLiteral("stats"), "total_reads_processed");
    const qint64 idle = infoNumber(*m_server, QStringLiteral("stats"), "total_reads_processed") - before;
    const quint64 writes = m_store->cost().writes;
    int done = 0;
    for (int i = 0; i < 64; ++i)
        countUp(m_store.get(), 10, &done);
    QTRY_COMPARE(done, 64);
    QCOMPARE(m_store->cost().writes - writes, quint64(10));
    const qint64 after = infoNumber(*m_server, QStringLiteral("stats"), "total_reads_processed");
    QCOMPARE(after - before, 10 + 2 * idle); // 640 commands in ten reads
    QCOMPARE(await(m_store->command(cmd("GET", "counter"))), Reply::bulk("640"));
}

void TestRedisStore::carriesBinaryAndBigValues()
{
    QByteArray all;
    for (int i = 0; i < 256; ++i)
        all.append(char(i));
    const QByteArray big = all.repeated(32 * 1024); // 8 MiB
    await(m_store->command(cmd("SET", "big", big)));
    await(m_store->command(cmd("SET", all, all)));
    QCOMPARE(await(m_store->command(cmd("GET", "big"))).string, big);
    QCOMPARE(await(m_store->command(cmd("GET", all))).string, all);
    QCOMPARE(await(m_store->command(cmd("SET", "empty", QByteArray()))), Reply::status("OK"));
    QCOMPARE(await(m_store->command(cmd("GET", "empty"))), Reply::bulk(""));
}

void TestRedisStore::runsScriptsAgainAfterFlush()
{
    const Script script = scriptOf("return {KEYS[1], ARGV[1], redis.call('INCR', KEYS[1])}");
    for (const int round : {1, 2, 3}) {
        if (round == 3)
            await(m_store->command(cmd("SCRIPT", "FLUSH")));
        const Reply reply = await(m_store->script(&script, {"n"}, {"x"}));
        QCOMPARE(reply.toArray()[2].toInteger(), round);
    }
    const Script broken = scriptOf("return redis.call('LPUSH', KEYS[1], 1)");
    QCOMPARE(failureOf(m_store->script(&broken, {"n"}, {})), ErrorKind::WrongType);
}

void TestRedisStore::runsTransactionsAllOrNone()
{
    std::vector<Command> good{cmd("SET", "a", 1), cmd("INCR", "a")};
    QCOMPARE(await(m_store->transaction(good)).at(1).toInteger(), 2);
    std::vector<Command> unknown{cmd("SET", "a", 7), cmd("NOSUCH")};
    QCOMPARE(failureOf(m_store->transaction(unknown)), ErrorKind::Server);
    QCOMPARE(await(m_store->command(cmd("GET", "a"))), Reply::bulk("2"));
    await(m_store->command(cmd("WATCH", "a")));
    m_server->cli({QStringLiteral("SET"), QStringLiteral("a"), QStringLiteral("5")});
    QCOMPARE(failureOf(m_store->transaction(good)), ErrorKind::Conflict);
}

void TestRedisStore::waitsForAnElement()
{
    auto waiting = m_store->blocking(cmd("BLMOVE", "q", "q", "RIGHT", "RIGHT", 5), Milliseconds{5000}, {});
    QTRY_COMPARE(infoNumber(*m_server, QStringLiteral("clients"), "blocked_clients"), 1);
    await(m_store->command(cmd("LPUSH", "q", "job")));
    QCOMPARE(await(std::move(waiting)), Reply::bulk("job"));
    const qint64 connections = infoNumber(*m_server, QStringLiteral("clients"), "connected_clients");
    for (int i = 0; i < 5; ++i)
        await(m_store->blocking(cmd("BLMOVE", "q", "q", "RIGHT", "RIGHT", 5), Milliseconds{5000}, {}));
    QCOMPARE(infoNumber(*m_server, QStringLiteral("clients"), "connected_clients"), connections);
    QVERIFY(await(m_store->blocking(cmd("BLPOP", "none", "0.01"), Milliseconds{10}, {})).isNil());
}

void TestRedisStore::stoppedWaitSwallowsNothing()
{
    std::stop_source stop;
    auto waiting = m_store->blocking(cmd("BLPOP", "q", 5), Milliseconds{5000}, stop.get_token());
    QTRY_COMPARE(infoNumber(*m_server, QStringLiteral("clients"), "blocked_clients"), 1);
    stop.request_stop();
    QCOMPARE(failureOf(std::move(waiting)), ErrorKind::Cancelled);
    QTRY_COMPARE(infoNumber(*m_server, QStringLiteral("clients"), "blocked_clients"), 0);
    await(m_store->command(cmd("LPUSH", "q", "job")));
    QCOMPARE(await(m_store->command(cmd("LLEN", "q"))).toInteger(), 1);
}

void TestRedisStore::hearsMessages()
{
    const auto channel = m_store->subscribe({"news"}, Store::Match::Channels);
    const auto pattern = m_store->subscribe({"ne*"}, Store::Match::Patterns);
    QSignalSpy heard(channel.get(), &Subscription::message);
    QSignalSpy matched(pattern.get(), &Subscription::message);
    QSignalSpy resumed(channel.get(), &Subscription::resumed);
    QSignalSpy patternResumed(pattern.get(), &Subscription::resumed);
    QTRY_COMPARE(resumed.count(), 1);
    QTRY_COMPARE(patternResumed.count(), 1);
    await(m_store->command(cmd("PUBLISH", "news", "hello")));
    QTRY_COMPARE(heard.count(), 1);
    QTRY_COMPARE(matched.count(), 1);
    QCOMPARE(heard[0][1].toByteArray(), QByteArray("hello"));
    QCOMPARE(matched[0][0].toByteArray(), QByteArray("news"));
    m_server->cli({QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("TYPE"), QStringLiteral("pubsub")});
    QTRY_COMPARE(resumed.count(), 2);
    await(m_store->command(cmd("PUBLISH", "news", "again")));
    QTRY_COMPARE(heard.count(), 2);
}

void TestRedisStore::closeResumesEverything()
{
    auto waiting = m_store->blocking(cmd("BLPOP", "q", 5), Milliseconds{5000}, {});
    auto command = m_store->command(cmd("GET", "x"));
    m_store->close();
    QCOMPARE(failureOf(std::move(waiting)), ErrorKind::Cancelled);
    QCOMPARE(failureOf(std::move(command)), ErrorKind::Cancelled);
    QCOMPARE(failureOf(m_store->command(cmd("GET", "x"))), ErrorKind::Cancelled);
    QCOMPARE(m_store->status().phase, StoreStatus::Phase::Closed);
}

QTEST_GUILESS_MAIN(TestRedisStore)
#include "tst_redis_store.moc"
