// The log: what it holds, how it is loaded, what happens when it is torn, damaged, full or taken.
#include "tests/support/random_commands.h"
#include "tests/support/redis_server.h"
#include "tests/support/workspace.h"

#include <QProcess>
#include <QTest>

using namespace ym;
using namespace ym::test;

class TestEmbeddedLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLogIsRedisOwnFormat()
    {
        Workspace w;
        w.run(cmd("SET", "a", "1"));
        w.run(cmd("GET", "a"));
        w.run(cmd("DEL", "nosuch"));
        QCOMPARE(w.closedLog(), wire({{"SELECT", "0"}, {"SET", "a", "1"}}));
    }

    void onlyEffectsAreLogged()
    {
        Workspace w;
        w.run(cmd("SET", "a", "1", "EX", 100));
        w.run(cmd("EXPIRE", "a", 50));
        w.run(cmd("INCRBYFLOAT", "f", "1.5"));
        w.run(cmd("SADD", "s", "x"));
        w.run(cmd("SPOP", "s"));
        w.run(cmd("RPUSH", "l", "1"));
        await(w.store().blocking(cmd("BLPOP", "l", 1), Milliseconds{1000}, {}));
        const qint64 now = w.clock.now().time_since_epoch().count();
        QCOMPARE(w.closedLog(),
                 wire({{"SELECT", "0"},
                       {"SET", "a", "1", "PXAT", QByteArray::number(now + 100'000)},
                       {"PEXPIREAT", "a", QByteArray::number(now + 50'000)},
                       {"SET", "f", "1.5", "KEEPTTL"},
                       {"SADD", "s", "x"},
                       {"SREM", "s", "x"},
                       {"RPUSH", "l", "1"},
                       {"LPOP", "l"}}));
    }

    void whatBelongsTogetherIsATransaction()
    {
        Workspace w;
        w.run(cmd("EVAL", "redis.call('SET', 'a', 1) redis.call('TIME') redis.call('INCR', 'a')", 0));
        await(w.store().transaction({cmd("SET", "b", "1"), cmd("SET", "c", "1")}));
        w.run(cmd("EVAL", "redis.call('SET', 'd', 1)", 0));
        QCOMPARE(w.closedLog(),
                 wire({{"SELECT", "0"},
                       {"MULTI"},
                       {"SET", "a", "1"},
                       {"INCR", "a"},
                       {"EXEC"},
                       {"MULTI"},
                       {"SET", "b", "1"},
                       {"SET", "c", "1"},
                       {"EXEC"},
                       {"SET", "d", "1"}}));
    }

    void aWaiterOfAPushIsLoggedBehindIt()
    {
        Workspace w;
        auto waiter = w.store().blocking(cmd("BLMOVE", "q", "q", "RIGHT", "RIGHT", 5), Milliseconds{5000}, {});
        w.run(cmd("LPUSH", "q", "x"));
        await(std::move(waiter));
        QCOMPARE(w.closedLog(), wire({{"SELECT", "0"}, {"LPUSH", "q", "x"}, {"LMOVE", "q", "q", "RIGHT", "RIGHT"}}));
    }

    void everythingIsThereAfterReopening()
    {
        Workspace w;
        w.run(cmd("SET", "s", QByteArray("a\0b\r\n", 5)));
        w.run(cmd("RPUSH", "l", "1", "2"));
        w.run(cmd("HSET", "h", "f", "v"));
        w.run(cmd("ZADD", "z", "1.5", "m"));
        w.run(cmd("SET", "e", "x", "PX", 1000));
        w.reopen();
        QCOMPARE(w.run(cmd("GET", "s")), Reply::bulk(QByteArray("a\0b\r\n", 5)));
        QCOMPARE(w.run(cmd("LRANGE", "l", 0, -1)).toList(), (QList<QByteArray>{"1", "2"}));
        QCOMPARE(w.run(cmd("HGET", "h", "f")), Reply::bulk("v"));
        QCOMPARE(w.run(cmd("ZSCORE", "z", "m")), Reply::bulk("1.5"));
        QCOMPARE(w.run(cmd("PTTL", "e")), Reply::number(1000));
        w.close();
        w.clock.advance(Milliseconds{1000});
        w.reopen();
        QVERIFY(w.run(cmd("GET", "e")).isNil());
        QVERIFY(w.store().status().warnings.isEmpty());
    }

    void aTornTailIsCutAtEveryByteOfTheLastRecord_data()
    {
        QTest::addColumn<QByteArray>("last");
        QTest::newRow("a command") << wire({{"SET", "b", "2"}});
        QTest::newRow("a transaction") << wire({{"MULTI"}, {"SET", "b", "2"}, {"SET", "c", "3"}, {"EXEC"}});
        QTest::newRow("a value that looks like commands") << wire({{"SET", "b", wire({{"SET", "x", "1"}}) + "tail"}});
    }

    void aTornTailIsCutAtEveryByteOfTheLastRecord()
    {
        QFETCH(QByteArray, last);
        const QByteArray whole = wire({{"SELECT", "0"}, {"SET", "a", "1"}});
        Workspace w;
        for (qsizetype cut = 1; cut < last.size(); ++cut) {
            const QByteArray torn = last.first(cut);
            w.reopenWith(whole + torn);
            QCOMPARE(w.run(cmd("GET", "a")), Reply::bulk("1"));
            QCOMPARE(w.run(cmd("DBSIZE")), Reply::number(1));
            QCOMPARE(w.store().status().warnings.size(), 1);
            QCOMPARE(contentOf(w.logPath() + QStringLiteral(".torn-1")), torn);
            w.run(cmd("SET", "d", "4"));
            w.reopen(); // what was written behind the cut is sound
            QCOMPARE(w.run(cmd("GET", "d")), Reply::bulk("4"));
            QVERIFY(w.store().status().warnings.isEmpty());
        }
    }

    void zerosAtTheEndAreATornTail()
    {
        Workspace w;
        w.reopenWith(wire({{"SELECT", "0"}, {"SET", "a", "1"}}) + QByteArray(4096, '\0'));
        QCOMPARE(w.run(cmd("GET", "a")), Reply::bulk("1"));
        QCOMPARE(w.store().status().warnings.size(), 1);
    }

    void damageWithCommandsBehindItIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray behind = wire({{"SET", "c", "3"}, {"SET", "d", "4"}});
        QTest::newRow("rubbish") << wire({{"SET", "a", "1"}}) + "rubbish" + behind;
        QTest::newRow("a wrong length") << QByteArray("*3\r\n$3\r\nSET\r\n$900\r\na\r\n$1\r\n1\r\n") + behind;
        QTest::newRow("an unknown command") << wire({{"NOSUCH", "a"}}) + behind;
        QTest::newRow("a command that fails") << wire({{"SET", "a", "x"}, {"LPUSH", "a", "1"}}) + behind;
        QTest::newRow("a transaction in a transaction") << wire({{"MULTI"}, {"SET", "a", "1"}, {"MULTI"}}) + behind;
        QTest::newRow("no such database") << wire({{"SELECT", "16"}, {"SET", "a", "1"}}) + behind;
    }

    void damageWithCommandsBehindItIsRefused()
    {
        QFETCH(QByteArray, bytes);
        Workspace w;
        QCOMPARE(w.failureOfOpening(bytes), ErrorKind::Io);
        QCOMPARE(w.store().status().phase, StoreStatus::Phase::Refused);
        QCOMPARE(contentOf(w.logPath()), bytes); // untouched
    }

    void aSecondProcessIsToldToStayOut()
    {
        Workspace w;
        EmbeddedStore second({w.folder()}, &w.clock);
        QCOMPARE(failureOf(second.open()), ErrorKind::Conflict);
        QVERIFY(!second.status().trouble.advice.isEmpty());
        w.close();
        EmbeddedStore third({w.folder()}, &w.clock);
        QCOMPARE(failureOf(third.open()), std::nullopt);
    }

    void alwaysAcknowledgesOnlyWhatIsInTheFile()
    {
        Workspace w(EmbeddedStore::Fsync::Always);
        auto task = w.store().command(cmd("SET", "a", "1"));
        QVERIFY(!task.isReady());
        await(std::move(task));
        QCOMPARE(contentOf(w.logPath()), wire({{"SELECT", "0"}, {"SET", "a", "1"}}));
        auto reading = w.store().command(cmd("GET", "a"));
        QVERIFY(reading.isReady()); // reads wait for nothing
    }

    void aTurnOfTheEventLoopIsOneWrite()
    {
        Workspace w;
        w.run(cmd("SET", "a", "1"));
        w.run(cmd("SET", "b", "2"));
        QTRY_COMPARE(contentOf(w.logPath()), wire({{"SELECT", "0"}, {"SET", "a", "1"}, {"SET", "b", "2"}}));
    }

    void aRealServerLoadsTheLogToTheSameKeyspace()
    {
        QTemporaryDir folder;
        KeyspaceText dumped;
        {
            EmbeddedStore store({folder.path()}, &Clock::system());
            await(store.open());
            RandomCommands random(7);
            for (int i = 0; i < 5000; ++i) {
                for (const auto &words : random.next())
                    await(store.pipeline({Command{words}}));
            }
            await(store.command(cmd("SET", "volatile", "x", "EX", 1000)));
            dumped = describeAll(store);
        }
        QVERIFY(dumped.size() > 15);
        const QString path = logPathIn(folder.path());
        QProcess check;
        check.start(QStringLiteral("redis-check-aof"), {path});
        QVERIFY(check.waitForFinished());
        const QByteArray verdict = check.readAll();
        QVERIFY2(check.exitCode() == 0 && verdict.contains("is valid"), verdict.constData());

        QFile::remove(QDir(folder.path()).filePath(QStringLiteral("lock")));
        RedisServer server({.appendOnly = true, .extra = {QStringLiteral("--dir"), folder.path()}});
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        RespConnection connection(server.socketPath());
        const KeyspaceText loaded = describeAll(connection);
        for (auto row = dumped.begin(); row != dumped.end(); ++row)
            QCOMPARE(loaded.value(row.key()), row.value());
        QCOMPARE(loaded.size(), dumped.size());
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedLog)
#include "tst_embedded_log.moc"
