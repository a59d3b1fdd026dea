// The embedded store behind the Store interface: commands, waiting, messages, closing.
#include "core/store/embedded/embedded_store.h"

#include "tests/support/await.h"

#include <QCryptographicHash>
#include <QSignalSpy>
#include <QTest>

using namespace ym;
using namespace ym::test;

class TestEmbeddedStore : public QObject {
    Q_OBJECT

    struct Fixture {
        ManualClock clock;
        EmbeddedStore store{{}, &clock};
        Fixture() { await(store.open()); }
        Reply run(Command command) { return await(store.command(std::move(command))); }
        QCoro::Task<Reply> wait(Command command, std::stop_token stop = {})
        {
            return store.blocking(std::move(command), Milliseconds{5000}, std::move(stop));
        }
    };

private Q_SLOTS:
    void commandsAnswer()
    {
        Fixture f;
        QCOMPARE(f.run(cmd("SET", "a", "1")), Reply::status("OK"));
        QCOMPARE(f.run(cmd("INCR", "a")), Reply::number(2));
        QCOMPARE(f.run(cmd("LPUSH", "l", "x", "y")), Reply::number(2));
        QCOMPARE(f.run(cmd("LRANGE", "l", 0, -1)).toList(), (QList<QByteArray>{"y", "x"}));
        QCOMPARE(f.store.cost().commands, 4u);
        QCOMPARE(f.store.status().phase, StoreStatus::Phase::Ready);
        QCOMPARE(f.store.status().server, QStringLiteral("embedded"));
    }

    void errorRepliesAreThrown()
    {
        Fixture f;
        f.run(cmd("SET", "a", "text"));
        QCOMPARE(failureOf(f.store.command(cmd("LPUSH", "a", "x"))), ErrorKind::WrongType);
        QCOMPARE(failureOf(f.store.command(cmd("NOSUCH"))), ErrorKind::Server);
    }

    void aPipelineKeepsErrorsInPlace()
    {
        Fixture f;
        const auto replies = await(f.store.pipeline({cmd("SET", "a", "x"), cmd("INCR", "a"), cmd("GET", "a")}));
        QCOMPARE(replies[1], Reply::error("ERR value is not an integer or out of range"));
        QCOMPARE(replies[2], Reply::bulk("x"));
    }

    void aTransactionIsRefusedAsAWholeWhenACommandIsUnknown()
    {
        Fixture f;
        QCOMPARE(failureOf(f.store.transaction({cmd("SET", "a", "1"), cmd("NOSUCH")})), ErrorKind::Server);
        QVERIFY(f.run(cmd("GET", "a")).isNil());
        const auto replies = await(f.store.transaction({cmd("SET", "a", "1"), cmd("INCR", "a")}));
        QCOMPARE(replies[1], Reply::number(2));
    }

    void scriptsRun()
    {
        Fixture f;
        const Script script{"test", "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])", {}};
        Script known = script;
        known.sha = QCryptographicHash::hash(script.text, QCryptographicHash::Sha1).toHex();
        QCOMPARE(await(f.store.script(&known, {"k"}, {"v"})), Reply::bulk("v"));
        QCOMPARE(await(f.store.script(&known, {"k"}, {"w"})), Reply::bulk("w"));
    }

    void aWaiterGetsWhatIsPushed()
    {
        Fixture f;
        auto first = f.wait(cmd("BLPOP", "q", 0));
        auto second = f.wait(cmd("BLPOP", "q", 0));
        f.run(cmd("RPUSH", "q", "a", "b"));
        QVERIFY(!first.isReady()); // resumed from the event loop only
        QCOMPARE(await(std::move(first)).toList(), (QList<QByteArray>{"q", "a"}));
        QCOMPARE(await(std::move(second)).toList(), (QList<QByteArray>{"q", "b"}));
    }

    void aBlockingPeekWakesEverybodyAndChangesNothing()
    {
        Fixture f;
        auto first = f.wait(cmd("BLMOVE", "q", "q", "RIGHT", "RIGHT", 0));
        auto second = f.wait(cmd("BLMOVE", "q", "q", "RIGHT", "RIGHT", 0));
        f.run(cmd("LPUSH", "q", "job"));
        QCOMPARE(await(std::move(first)), Reply::bulk("job"));
        QCOMPARE(await(std::move(second)), Reply::bulk("job"));
        QCOMPARE(f.run(cmd("LRANGE", "q", 0, -1)).toList(), QList<QByteArray>{"job"});
    }

    void aPushInAScriptServesWaiters()
    {
        Fixture f;
        auto waiter = f.wait(cmd("BRPOP", "q", 0));
        f.run(cmd("EVAL", "redis.call('LPUSH', 'q', 'a', 'b') return 1", 0));
        QCOMPARE(await(std::move(waiter)).toList(), (QList<QByteArray>{"q", "a"}));
        QCOMPARE(f.run(cmd("LLEN", "q")), Reply::number(1));
    }

    void aWaitEndsWithNilWhenItsTimeIsOver()
    {
        Fixture f;
        auto waiter = f.wait(cmd("BLPOP", "q", 1));
        f.clock.advance(Milliseconds{999});
        QCoreApplication::sendPostedEvents();
        QVERIFY(!waiter.isReady());
        f.clock.advance(Milliseconds{1});
        QCOMPARE(await(std::move(waiter)), Reply::nil());
    }

    void aWaitEndsWhenStopIsRequested()
    {
        Fixture f;
        std::stop_source stop;
        auto waiter = f.wait(cmd("BLPOP", "q", 0), stop.get_token());
        stop.request_stop();
        QCOMPARE(failureOf(std::move(waiter)), ErrorKind::Cancelled);
        f.run(cmd("RPUSH", "q", "a"));
        QCOMPARE(f.run(cmd("LLEN", "q")), Reply::number(1)); // nobody took it
    }

    void whatWasServedIsNotLostByAStop()
    {
        Fixture f;
        std::stop_source stop;
        auto waiter = f.wait(cmd("BLPOP", "q", 0), stop.get_token());
        f.run(cmd("RPUSH", "q", "a"));
        stop.request_stop();
        QCOMPARE(await(std::move(waiter)).toList(), (QList<QByteArray>{"q", "a"}));
    }

    void closingCancelsWaitersAndLaterCommands()
    {
        Fixture f;
        auto waiter = f.wait(cmd("BLPOP", "q", 0));
        f.store.close();
        QCOMPARE(failureOf(std::move(waiter)), ErrorKind::Cancelled);
        QCOMPARE(failureOf(f.store.command(cmd("PING"))), ErrorKind::Cancelled);
    }

    void keysExpireByTheClock()
    {
        Fixture f;
        f.run(cmd("SET", "a", "1", "PX", 500));
        auto subscription = f.store.subscribe({"__keyevent@0__:expired"}, Store::Match::Channels);
        QSignalSpy spy(subscription.get(), &Subscription::message);
        f.clock.advance(Milliseconds{499});
        QCOMPARE(f.run(cmd("PTTL", "a")), Reply::number(1));
        f.clock.advance(Milliseconds{1});
        QTRY_COMPARE(spy.size(), 1); // by itself, without anybody looking
        QCOMPARE(spy[0][1].toByteArray(), QByteArray("a"));
        QCOMPARE(f.run(cmd("DBSIZE")), Reply::number(0));
    }

    void messagesReachSubscribers()
    {
        Fixture f;
        auto exact = f.store.subscribe({"news"}, Store::Match::Channels);
        auto pattern = f.store.subscribe({"n*"}, Store::Match::Patterns);
        QSignalSpy exactSpy(exact.get(), &Subscription::message);
        QSignalSpy patternSpy(pattern.get(), &Subscription::message);
        QCOMPARE(f.run(cmd("PUBLISH", "news", "hello")), Reply::number(2));
        QTRY_COMPARE(patternSpy.size(), 1);
        QCOMPARE(exactSpy.size(), 1);
        QCOMPARE(patternSpy[0][0].toByteArray(), QByteArray("news"));
        exact.reset();
        QCOMPARE(f.run(cmd("PUBLISH", "news", "again")), Reply::number(1));
    }

    void keyspaceNotificationsAreAlwaysOn()
    {
        Fixture f;
        auto subscription = f.store.subscribe({"__keyspace@0__:job:*"}, Store::Match::Patterns);
        QSignalSpy spy(subscription.get(), &Subscription::message);
        f.run(cmd("HSET", "job:1", "status", "started"));
        f.run(cmd("DEL", "job:1"));
        QTRY_COMPARE(spy.size(), 2);
        QCOMPARE(spy[0][1].toByteArray(), QByteArray("hset"));
        QCOMPARE(spy[1][1].toByteArray(), QByteArray("del"));
    }

    void waitingUntilReadyEndsWithOpen()
    {
        ManualClock clock;
        EmbeddedStore store({}, &clock);
        QCOMPARE(failureOf(store.command(cmd("PING"))), ErrorKind::Unavailable);
        auto ready = store.waitUntilReady({});
        QVERIFY(!ready.isReady());
        await(store.open());
        QVERIFY(await(std::move(ready)));
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedStore)
#include "tst_embedded_store.moc"
