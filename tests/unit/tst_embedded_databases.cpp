// The embedded store's databases: what stays apart, and what goes across.
#include "core/store/embedded/executor.h"

#include <QTest>

using namespace ym;
using namespace ym::embedded;

namespace {

using Words = QList<QByteArray>;

class RecordingSink final : public EffectSink {
public:
    void append(const QList<Words> &effects) override
    {
        for (const Words &words : effects)
            m_lines.append(words.join(' '));
    }
    QByteArray refusal() const override { return {}; }
    QList<QByteArray> take() { return std::exchange(m_lines, {}); }

private:
    QList<QByteArray> m_lines;
};

struct Client : ClientContext {
    explicit Client(Executor &theExecutor)
        : executor(theExecutor)
    {
        mayBlock = true;
        onServed = [this](const Reply &reply) { served.append(reply.toList().join(' ')); };
        onMessage = [this](const Reply &reply) { messages.append(reply.toList().join(' ')); };
        executor.introduce(*this);
    }
    ~Client() { executor.forget(*this); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;
    Reply ask(const QByteArray &line) { return executor.execute(*this, line.split(' ')).reply; }

    Executor &executor;
    QList<QByteArray> served;
    QList<QByteArray> messages;
};

} // namespace

class TestEmbeddedDatabases : public QObject {
    Q_OBJECT

    struct Fixture {
        ManualClock clock;
        RecordingSink log;
        Executor executor{&clock, &log};
        Client one{executor};
        Client other{executor};
        Fixture() { other.ask("SELECT 1"); }
    };

private Q_SLOTS:
    void keysOfOneDatabaseAreNotSeenInAnother()
    {
        Fixture f;
        f.one.ask("SET k zero");
        f.other.ask("SET k one");
        QCOMPARE(f.one.ask("GET k"), Reply::bulk("zero"));
        QCOMPARE(f.other.ask("GET k"), Reply::bulk("one"));
        QCOMPARE(f.other.ask("FLUSHDB"), Reply::status("OK"));
        QCOMPARE(f.one.ask("DBSIZE"), Reply::number(1));
        f.other.ask("SET k one");
        f.one.ask("FLUSHALL");
        QCOMPARE(f.other.ask("DBSIZE"), Reply::number(0));
    }

    void infoCountsEachDatabase()
    {
        Fixture f;
        f.one.ask("SET a 1");
        f.other.ask("SET a 1 EX 100");
        f.other.ask("SET b 1");
        const QByteArray text = f.one.ask("INFO keyspace").string;
        QVERIFY2(text.contains("db0:keys=1,expires=0,"), text.constData());
        QVERIFY2(text.contains("db1:keys=2,expires=1,"), text.constData());
        QVERIFY2(!text.contains("db2:"), text.constData());
    }

    void aWaiterIsServedFromItsOwnDatabaseOnly()
    {
        Fixture f;
        f.other.ask("BLPOP q 0");
        f.one.ask("RPUSH q wrong");
        QVERIFY(f.other.served.isEmpty());
        f.one.ask("SELECT 1");
        f.one.ask("RPUSH q right");
        QCOMPARE(f.other.served, QList<QByteArray>{"q right"});
    }

    void swappedKeysServeThoseWhoWait()
    {
        Fixture f;
        f.one.ask("RPUSH q job");
        f.other.ask("BLPOP q 0");
        f.one.ask("SWAPDB 0 1");
        QCOMPARE(f.other.served, QList<QByteArray>{"q job"});
    }

    void aMovedListServesThoseWhoWait()
    {
        Fixture f;
        f.one.ask("RPUSH q job");
        f.other.ask("BLPOP q 0");
        QCOMPARE(f.one.ask("MOVE q 1"), Reply::number(1));
        QCOMPARE(f.other.served, QList<QByteArray>{"q job"});
    }

    void aWatchSeesItsOwnDatabaseOnly_data()
    {
        QTest::addColumn<QByteArray>("change");
        QTest::addColumn<bool>("isSeen");
        QTest::newRow("the same name elsewhere") << QByteArray("SET k 2") << false;
        QTest::newRow("flushed elsewhere") << QByteArray("FLUSHDB") << false;
        QTest::newRow("all flushed") << QByteArray("FLUSHALL") << true;
        QTest::newRow("swapped") << QByteArray("SWAPDB 1 0") << true;
        QTest::newRow("others swapped") << QByteArray("SWAPDB 1 2") << false;
    }

    void aWatchSeesItsOwnDatabaseOnly()
    {
        QFETCH(QByteArray, change);
        QFETCH(bool, isSeen);
        Fixture f;
        f.one.ask("SET k 1");
        f.one.ask("WATCH k");
        f.other.ask(change);
        f.one.ask("MULTI");
        f.one.ask("PING");
        QCOMPARE(f.one.ask("EXEC").isNil(), isSeen);
    }

    void notificationsNameTheDatabase()
    {
        Fixture f;
        Client listener(f.executor);
        listener.ask("PSUBSCRIBE __key*__:*");
        f.one.ask("SET k v");
        f.one.ask("MOVE k 3");
        f.other.ask("SET k v");
        f.other.ask("COPY k k DB 4");
        QVERIFY(listener.messages.contains("pmessage __key*__:* __keyspace@0__:k set"));
        QVERIFY(listener.messages.contains("pmessage __key*__:* __keyspace@0__:k move_from"));
        QVERIFY(listener.messages.contains("pmessage __key*__:* __keyspace@3__:k move_to"));
        QVERIFY(listener.messages.contains("pmessage __key*__:* __keyevent@1__:set k"));
        QVERIFY(listener.messages.contains("pmessage __key*__:* __keyevent@4__:copy_to k"));
    }

    void scriptsBeginInTheDatabaseOfTheirCaller()
    {
        Fixture f;
        Client &c = f.other;
        c.executor.execute(
            c, {"EVAL", "redis.call('SET', 'a', 1) redis.call('SELECT', 2) redis.call('SET', 'b', 1)", "0"});
        QCOMPARE(c.ask("GET a"), Reply::bulk("1"));
        QVERIFY(c.ask("GET b").isNil()); // the script's choice ends with it
        c.ask("SELECT 2");
        QCOMPARE(c.ask("GET b"), Reply::bulk("1"));
    }

    void expiryGoesOverAllDatabases()
    {
        Fixture f;
        f.one.ask("SET a 1 PX 1000");
        f.other.ask("SET a 1 PX 500");
        QCOMPARE(f.executor.untilNextTick(), Milliseconds{500});
        f.log.take();
        f.clock.advance(Milliseconds{1000});
        QVERIFY(!f.executor.tick());
        QCOMPARE(f.executor.untilNextTick(), std::nullopt);
        QCOMPARE(f.log.take(), (QList<QByteArray>{"SELECT 0", "DEL a", "SELECT 1", "DEL a"}));
    }

    void theLogSelectsWhenTheDatabaseChanges()
    {
        Fixture f;
        f.one.ask("SET a 1");
        f.one.ask("SET b 1");
        QCOMPARE(f.log.take(), (QList<QByteArray>{"SET a 1", "SET b 1"}));
        f.other.ask("SET a 1");
        f.other.ask("GET a");
        f.other.ask("SET b 1");
        QCOMPARE(f.log.take(), (QList<QByteArray>{"SELECT 1", "SET a 1", "SET b 1"}));
        f.one.ask("GET a");
        f.other.ask("DEL b");
        QCOMPARE(f.log.take(), QList<QByteArray>{"DEL b"});
        QCOMPARE(f.executor.logDatabase(), 1);
    }

    void theLogIsToldIntoTheSameDatabases()
    {
        Fixture f;
        f.executor.replay({"SET", "a", "0"});
        f.executor.replay({"SELECT", "5"});
        f.executor.replay({"SET", "a", "5"});
        QCOMPARE(f.one.ask("GET a"), Reply::bulk("0"));
        f.one.ask("SELECT 5");
        QCOMPARE(f.one.ask("GET a"), Reply::bulk("5"));
        f.one.ask("SET b 5"); // the log's reader is there already
        QCOMPARE(f.log.take(), QList<QByteArray>{"SET b 5"});
        f.other.ask("SET b 1");
        QCOMPARE(f.log.take(), (QList<QByteArray>{"SELECT 1", "SET b 1"}));
    }

    void whatIsNoDatabaseIsRefused_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("too high") << QByteArray("SELECT 16") << QByteArray("ERR DB index is out of range");
        QTest::newRow("negative") << QByteArray("SELECT -1") << QByteArray("ERR DB index is out of range");
        QTest::newRow("beyond 32 bits") << QByteArray("SELECT 4294967296")
                                        << QByteArray("ERR value is out of range, value must between -2147483648 and "
                                                      "2147483647");
        QTest::newRow("second of a swap") << QByteArray("SWAPDB 0 x") << QByteArray("ERR invalid second DB index");
        QTest::newRow("to itself") << QByteArray("MOVE k 0")
                                   << QByteArray("ERR source and destination objects are the same");
    }

    void whatIsNoDatabaseIsRefused()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, error);
        Fixture f;
        QCOMPARE(f.one.ask(line), Reply::error(error));
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedDatabases)
#include "tst_embedded_databases.moc"
