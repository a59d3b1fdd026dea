// Commands of the embedded store where a comparison with a real server cannot look: limits of our own, what is refused,
// what the store's own listeners hear, exact order.
#include "core/store/embedded/executor.h"
#include "core/store/embedded/lua_host.h"

#include <QTest>

using namespace ym;
using namespace ym::embedded;

namespace {

struct Client : ClientContext {
    explicit Client(Executor &theExecutor)
        : executor(theExecutor)
    {
        onMessage = [this](const Reply &reply) { messages.append(reply.toList().join(' ')); };
        executor.introduce(*this);
    }
    ~Client() { executor.forget(*this); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;
    Reply ask(const QByteArray &line) { return executor.execute(*this, line.split(' ')).reply; }

    Executor &executor;
    QList<QByteArray> messages;
};

} // namespace

class TestEmbeddedCommands : public QObject {
    Q_OBJECT

    struct Fixture {
        ManualClock clock;
        Executor executor{&clock};
        Client client{executor};
        Reply ask(const QByteArray &line) { return client.ask(line); }
    };

private Q_SLOTS:
    void drawsAreLimited_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("of a set") << QByteArray("SRANDMEMBER t -1000001");
        QTest::newRow("of a hash") << QByteArray("HRANDFIELD h -1000001");
        QTest::newRow("of a hash with values") << QByteArray("HRANDFIELD h -4611686018427387903 WITHVALUES");
        QTest::newRow("of a sorted set") << QByteArray("ZRANDMEMBER z -9223372036854775807");
    }

    void drawsAreLimited()
    {
        QFETCH(QByteArray, line);
        Fixture f;
        f.ask("SADD t a");
        f.ask("HSET h f v");
        f.ask("ZADD z 1 a");
        QCOMPARE(f.ask(line), Reply::error("ERR value is out of range"));
        QCOMPARE(f.ask("SRANDMEMBER t -1000").elements.size(), size_t(1000));
    }

    void drawsOfLargeMembersEndAtAReplyOfHalfAGigabyte()
    {
        Fixture f;
        f.executor.execute(f.client, {"SADD", "t", QByteArray(1024 * 1024, 'x')});
        QCOMPARE(f.ask("SRANDMEMBER t -600"), Reply::error("ERR the reply would be larger than 512 MB"));
        QCOMPARE(f.ask("SRANDMEMBER t -2").elements.size(), size_t(2));
    }

    void onlyChosenEventsAreSent_data()
    {
        QTest::addColumn<QByteArray>("letters");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QList<QByteArray>>("messages");
        QTest::newRow("none") << QByteArray("\"\"") << QByteArray() << QList<QByteArray>{};
        QTest::newRow("all on both") << QByteArray("EKA") << QByteArray("AKE")
                                     << QList<QByteArray>{
                                            "pmessage * __keyspace@0__:l lpush", "pmessage * __keyevent@0__:lpush l",
                                            "pmessage * __keyspace@0__:l del", "pmessage * __keyevent@0__:del l"};
        QTest::newRow("lists by key") << QByteArray("lK") << QByteArray("lK")
                                      << QList<QByteArray>{"pmessage * __keyspace@0__:l lpush"};
        QTest::newRow("generic by event")
            << QByteArray("Eg") << QByteArray("gE") << QList<QByteArray>{"pmessage * __keyevent@0__:del l"};
        QTest::newRow("new keys") << QByteArray("En") << QByteArray("nE")
                                  << QList<QByteArray>{"pmessage * __keyevent@0__:new l"};
        QTest::newRow("no channel") << QByteArray("A") << QByteArray("A") << QList<QByteArray>{};
    }

    void onlyChosenEventsAreSent()
    {
        QFETCH(QByteArray, letters);
        QFETCH(QByteArray, shown);
        QFETCH(QList<QByteArray>, messages);
        Fixture f;
        f.executor.execute(f.client, {"CONFIG", "SET", "notify-keyspace-events", letters == "\"\"" ? "" : letters});
        QCOMPARE(f.ask("CONFIG GET notify-keyspace-events").toList().last(), shown);
        Client listener(f.executor);
        listener.ask("PSUBSCRIBE *");
        f.ask("LPUSH l a");
        f.ask("DEL l");
        QCOMPARE(listener.messages, messages);
    }

    void theStoresOwnListenersHearEveryEvent()
    {
        Fixture f;
        f.executor.execute(f.client, {"CONFIG", "SET", "notify-keyspace-events", ""});
        Client own(f.executor);
        own.hearsEveryEvent = true;
        own.ask("SUBSCRIBE __keyspace@0__:k");
        f.ask("SET k v");
        QCOMPARE(own.messages, QList<QByteArray>{"message __keyspace@0__:k set"});
    }

    void configurationChangesAllOrNothing()
    {
        Fixture f;
        const QByteArray before = f.ask("CONFIG GET set-max-intset-entries").toList().last();
        QVERIFY(f.ask("CONFIG SET set-max-intset-entries 77 notify-keyspace-events Q").isError());
        QCOMPARE(f.ask("CONFIG GET set-max-intset-entries").toList().last(), before);
        QCOMPARE(f.ask("CONFIG SET maxmemory 0 zset-max-ziplist-value 64"), Reply::status("OK"));
        QCOMPARE(f.ask("CONFIG SET maxmemory 1"),
                 Reply::error("ERR CONFIG SET failed (possibly related to argument 'maxmemory') - can't set immutable "
                              "config"));
        QVERIFY(f.ask("CONFIG SET set-max-intset-entries 512 set-max-intset-entries 512").string.contains("duplicate parameter"));
    }

    void compactFormsHaveTheLimitsThatWereSet()
    {
        Fixture f;
        f.ask("CONFIG SET hash-max-listpack-entries 1 set-max-intset-entries 1 zset-max-ziplist-entries 1");
        for (const QByteArray line : {"HSET h a 1 b 2", "SADD t 1 2", "ZADD z 1 a 2 b"})
            f.ask(line);
        const Reply hash = f.ask("OBJECT ENCODING h");
        const Reply set = f.ask("OBJECT ENCODING t");
        const Reply sortedSet = f.ask("OBJECT ENCODING z");
        f.ask("CONFIG SET hash-max-listpack-entries 512 set-max-intset-entries 512 zset-max-ziplist-entries 128");
        QCOMPARE(hash, Reply::bulk("hashtable"));
        QCOMPARE(set, Reply::bulk("hashtable"));
        QCOMPARE(sortedSet, Reply::bulk("skiplist"));
    }

    void expiredKeysStayUntilTheyAreLookedAtWhenToldSo()
    {
        Fixture f;
        f.ask("SET k v PX 10");
        f.ask("DEBUG SET-ACTIVE-EXPIRE 0");
        f.clock.advance(Milliseconds{20});
        f.executor.tick();
        QCOMPARE(f.executor.untilNextTick(), std::nullopt);
        QCOMPARE(f.ask("DBSIZE"), Reply::number(1));
        f.ask("DEBUG SET-ACTIVE-EXPIRE 1");
        f.executor.tick();
        QCOMPARE(f.ask("DBSIZE"), Reply::number(0));
    }

    void aWatchedKeyThatWasOverAlreadyMayGo()
    {
        Fixture f;
        f.ask("DEBUG SET-ACTIVE-EXPIRE 0");
        f.ask("SET k v PX 10");
        f.clock.advance(Milliseconds{20});
        f.ask("WATCH k");
        QCOMPARE(f.ask("DBSIZE"), Reply::number(1));
        f.ask("EXISTS k");
        f.ask("MULTI");
        QVERIFY(f.ask("EXEC").isArray());
        f.ask("SET k v PX 10");
        f.clock.advance(Milliseconds{20});
        f.ask("WATCH k");
        f.ask("SET k again");
        f.ask("MULTI");
        QVERIFY(f.ask("EXEC").isNil());
    }

    void aListKeepsItsOrderWhereNothingIsSorted()
    {
        Fixture f;
        f.ask("RPUSH l c a b");
        f.ask("ZADD z 1 c 2 a 3 b");
        const QList<QByteArray> order{"c", "a", "b"};
        const QList<QByteArray> reversed{"b", "a", "c"};
        QCOMPARE(f.ask("SORT l BY nosort").toList(), order);
        QCOMPARE(f.ask("SORT z BY nosort DESC").toList(), reversed);
        QCOMPARE(f.ask("SORT l BY nosort DESC LIMIT 1 1").toList(), QList<QByteArray>{"a"});
        QCOMPARE(f.ask("SORT l BY nosort STORE sorted"), Reply::number(3));
        QCOMPARE(f.ask("LRANGE sorted 0 -1").toList(), order);
    }

    void functionsAreRefusedWithAWayOut()
    {
        Fixture f;
        QCOMPARE(f.ask("FUNCTION LIST"), Reply::array({}));
        QVERIFY(f.ask("FUNCTION LOAD code").string.contains("use EVAL"));
        QVERIFY(f.ask("FCALL f 0").string.startsWith("ERR Function not found"));
    }

    void largeArgumentsOfAScriptAreNeitherCopiedNorKept()
    {
        Fixture f;
        const auto used = [&f] {
            const QByteArray info = f.ask("INFO memory").string;
            const qsizetype at = info.indexOf("used_memory:") + 12;
            return info.mid(at, info.indexOf('\r', at) - at).toLongLong();
        };
        constexpr qint64 mib = 1 << 20;
        const QByteArray large(16 * mib, 'x');
        f.ask("EVAL return(1) 0");
        const qint64 before = used();
        const QByteArray script = "for i = 1, 3 do redis.call('HSET', 'h' .. i, 'f', ARGV[1]) end return #ARGV[1]";
        QCOMPARE(f.executor.execute(f.client, {"EVAL", script, "0", large}).reply.integer, large.size());
        QVERIFY2(used() - before < 8 * mib, qPrintable(QString::number((used() - before) / mib)));
        QCOMPARE(f.ask("HSTRLEN h3 f").integer, large.size());
    }

    void aScriptHasTheTimeThatWasSet()
    {
        Fixture f;
        f.executor.setScriptTimeLimit(Milliseconds{20});
        const Reply reply = f.executor.execute(f.client, {"EVAL", "while true do end", "0"}).reply;
        QVERIFY2(reply.string.contains("exceeded its time limit"), reply.string.constData());
        QCOMPARE(f.ask("PING"), Reply::status("PONG"));
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedCommands)
#include "tst_embedded_commands.moc"
