// Compaction of the log: the same keys in fewer bytes, while commands go on, whatever happens to the disk meanwhile.
#include "core/store/embedded/append_log.h"
#include "core/store/embedded/command_error.h"

#include "tests/support/random_commands.h"
#include "tests/support/redis_server.h"
#include "tests/support/workspace.h"

#include <QProcess>
#include <QTest>

#include <sys/stat.h>

using namespace ym;
using namespace ym::test;

namespace {

constexpr auto isRewriting = "aof_rewrite_in_progress";

QString newPathOf(const Workspace &w)
{
    return w.logPath() + QStringLiteral(".new");
}

void runRandom(EmbeddedStore &store, RandomCommands *random, int count)
{
    for (int i = 0; i < count; ++i) {
        for (const auto &words : random->next())
            await(store.pipeline({Command{words}}));
    }
}

Workspace::Options eager(qint64 minSize)
{
    Workspace::Options options;
    options.rewriteMinSize = minSize;
    return options;
}

} // namespace

class TestEmbeddedCompaction : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCompactedLogHoldsTheKeysAndNothingElse()
    {
        Workspace w;
        for (int i = 0; i < 1000; ++i)
            w.run(cmd("SET", "a", i));
        w.run(cmd("RPUSH", "l", "1", "2"));
        w.run(cmd("EXPIRE", "l", 100));
        const qint64 until = w.clock.now().time_since_epoch().count() + 100'000;
        QCOMPARE(w.run(cmd("BGREWRITEAOF")), Reply::status("Background append only file rewriting started"));
        QCOMPARE(failureOf(w.store().command(cmd("BGREWRITEAOF"))), ErrorKind::Server);
        QTRY_COMPARE(w.fact(isRewriting), "0");
        QCOMPARE(w.fact("aof_last_bgrewrite_status"), "ok");
        QCOMPARE(w.fact("aof_rewrites"), "1");
        const QByteArray base = w.fact("aof_base_size");
        w.run(cmd("SET", "b", "2"));
        QByteArray log = w.closedLog();
        const QByteArray behind = wire({{"SELECT", "0"}, {"SELECT", "0"}, {"SET", "b", "2"}});
        QVERIFY2(log.endsWith(behind), log.constData());
        QCOMPARE(log.size() - wire({{"SET", "b", "2"}}).size(), base.toLongLong());
        const QByteArray string = wire({{"SET", "a", "999"}});
        const QByteArray list = wire({{"RPUSH", "l", "1", "2"}, {"PEXPIREAT", "l", QByteArray::number(until)}});
        QVERIFY(log.contains(string) && log.contains(list));
        QCOMPARE(log.size(), wire({{"SELECT", "0"}}).size() + string.size() + list.size() + behind.size());
        QVERIFY(!QFile::exists(newPathOf(w)));
        w.reopen();
        QCOMPARE(w.fact("aof_base_size"), base);
    }

    void commandsGoOnMeanwhileAndAreInIt()
    {
        Workspace w;
        RandomCommands random(11);
        for (int round = 0; round < 10; ++round) {
            runRandom(w.store(), &random, 300);
            w.run(cmd("BGREWRITEAOF"));
            while (w.fact(isRewriting) == "1") {
                runRandom(w.store(), &random, 5);
                QCoreApplication::processEvents();
            }
            QCOMPARE(w.fact("aof_last_bgrewrite_status"), "ok");
            runRandom(w.store(), &random, 5);
            const KeyspaceText before = describeAll(w.store());
            QVERIFY(before.size() > 10);
            w.reopen();
            QCOMPARE(describeAll(w.store()), before);
        }
    }

    void itBeginsByItselfWhenTheLogHasDoubled()
    {
        Workspace w(eager(4000));
        const QByteArray text(100, 'x');
        for (int i = 0; i < 25; ++i)
            w.run(cmd("SET", "a", text));
        QCOMPARE(w.fact("aof_rewrites"), "0");
        for (int i = 0; i < 20; ++i)
            w.run(cmd("SET", "a", text));
        QTRY_COMPARE(w.fact("aof_rewrites"), "1");
        QVERIFY(w.fact("aof_current_size").toLongLong() < 500);
        for (int i = 0; i < 30; ++i) // live data this time
            w.run(cmd("SET", i, text));
        QTRY_COMPARE(w.fact("aof_rewrites"), "2");
        const qint64 base = w.fact("aof_base_size").toLongLong();
        QVERIFY(base > 4000);
        w.reopen(); // the size after the last compaction is known again: nothing to do yet
        QCOMPARE(w.fact("aof_base_size").toLongLong(), base);
        while (w.fact("aof_current_size").toLongLong() < 2 * base) {
            QCOMPARE(w.fact("aof_rewrites"), "0");
            w.run(cmd("SET", "a", text));
        }
        QTRY_COMPARE(w.fact("aof_rewrites"), "1");
    }

    void aLogThatIsLongAlreadyIsCompactedWhenItIsOpened()
    {
        Workspace w(eager(4000));
        QByteArray bytes = wire({{"SELECT", "0"}});
        for (int i = 0; i < 1000; ++i)
            bytes += wire({{"INCR", "n"}});
        w.reopenWith(bytes);
        QTRY_COMPARE(w.fact("aof_rewrites"), "1");
        QCOMPARE(w.run(cmd("GET", "n")), Reply::bulk("1000"));
        QVERIFY(w.closedLog().size() < 200);
    }

    void noPercentageMeansNever()
    {
        Workspace::Options options = eager(0);
        options.rewritePercentage = 0;
        Workspace w(options);
        for (int i = 0; i < 1000; ++i)
            w.run(cmd("SET", "a", i));
        QCOMPARE(w.fact("aof_rewrites"), "0");
        QCOMPARE(w.fact(isRewriting), "0");
        QVERIFY(w.closedLog().contains(wire({{"SET", "a", "0"}})));
    }

    void largeKeysAreWrittenInBatches()
    {
        Workspace w;
        const QByteArray huge(3'000'000, 'h');
        w.run(cmd("SET", "huge", huge));
        for (const char *verb : {"RPUSH", "SADD"}) {
            QList<QByteArray> words{verb, verb};
            for (int i = 0; i < 10'000; ++i)
                words.append(QByteArray::number(i));
            await(w.store().command(Command{words}));
        }
        for (const char *verb : {"HSET", "ZADD"}) {
            QList<QByteArray> words{verb, verb};
            for (int i = 0; i < 10'000; ++i)
                words << QByteArray::number(i) << QByteArray::number(-i);
            await(w.store().command(Command{words}));
        }
        const KeyspaceText before = describeAll(w.store());
        w.run(cmd("BGREWRITEAOF"));
        QTRY_COMPARE(w.fact("aof_rewrites"), "1");
        const QByteArray log = w.closedLog();
        for (qsizetype at = 0; at < log.size();) {
            const auto command = embedded::readCommand(log, at);
            QCOMPARE(command.outcome, embedded::ReadCommand::Outcome::Complete);
            QVERIFY(command.args.size() <= 2 + 2 * 64);
            at = command.next;
        }
        w.reopen();
        QCOMPARE(describeAll(w.store()), before);
    }

    void aRealServerLoadsACompactedLogToTheSameKeyspace()
    {
        QTemporaryDir folder;
        KeyspaceText dumped;
        {
            EmbeddedStore store({folder.path()}, &Clock::system());
            await(store.open());
            RandomCommands random(5);
            runRandom(store, &random, 4000);
            await(store.command(cmd("ZADD", "scores", "0.1", "a", "-inf", "b", "1e300", "c", "3", "d")));
            await(store.command(cmd("SET", QByteArray("\0\r\n\xff", 4), QByteArray("\0\r\n$3", 5))));
            await(store.command(cmd("SET", "volatile", "x", "EX", 1000)));
            await(store.command(cmd("BGREWRITEAOF")));
            runRandom(store, &random, 200);
            QTRY_VERIFY(await(store.command(cmd("INFO"))).string.contains("aof_rewrites:1\r\n"));
            runRandom(store, &random, 200);
            dumped = describeAll(store);
        }
        QVERIFY(dumped.size() > 15);
        QProcess check;
        check.start(QStringLiteral("redis-check-aof"), {logPathIn(folder.path())});
        QVERIFY(check.waitForFinished());
        const QByteArray verdict = check.readAll();
        QVERIFY2(check.exitCode() == 0 && verdict.contains("is valid"), verdict.constData());
        QFile::remove(QDir(folder.path()).filePath(QStringLiteral("lock")));
        RedisServer server({.appendOnly = true, .extra = {QStringLiteral("--dir"), folder.path()}});
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        RespConnection connection(server.socketPath());
        QCOMPARE(describeAll(connection), dumped);
    }

    void closingInTheMiddleLosesNothing()
    {
        for (int turns = 0; turns < 12; ++turns) {
            Workspace w(turns % 2 ? EmbeddedStore::Fsync::Always : EmbeddedStore::Fsync::EverySecond);
            await(w.store().pipeline(std::vector(300, cmd("RPUSH", "l", "x"))));
            w.run(cmd("BGREWRITEAOF"));
            w.run(cmd("RPUSH", "l", "last"));
            for (int i = 0; i < turns / 2 && w.fact(isRewriting) == "1"; ++i)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            w.reopen();
            QVERIFY(!QFile::exists(newPathOf(w)));
            QCOMPARE(w.run(cmd("LLEN", "l")), Reply::number(301));
            QCOMPARE(w.run(cmd("LINDEX", "l", -1)), Reply::bulk("last"));
        }
    }

    void whatADeadProcessLeftIsRemoved()
    {
        Workspace w;
        w.run(cmd("SET", "a", "1"));
        w.close();
        writeFile(newPathOf(w), wire({{"SELECT", "0"}, {"SET", "a", "half"}}));
        w.reopen();
        QCOMPARE(w.run(cmd("GET", "a")), Reply::bulk("1"));
        QVERIFY(!QFile::exists(newPathOf(w)));
    }

    void aFailureIsToldAndTriedAgainLater()
    {
        Workspace w(eager(2000));
        QVERIFY(QDir().mkdir(newPathOf(w)));
        for (int i = 0; i < 100; ++i)
            w.run(cmd("SET", "a", QByteArray(50, 'x')));
        QTRY_COMPARE(w.fact("aof_last_bgrewrite_status"), "err");
        QCOMPARE(w.store().status().warnings.size(), 1);
        const qint64 size = w.fact("aof_current_size").toLongLong();
        w.run(cmd("SET", "a", "1")); // the old log goes on
        QCOMPARE(w.fact("aof_current_size").toLongLong(), size + wire({{"SET", "a", "1"}}).size());
        QVERIFY(QDir().rmdir(newPathOf(w)));
        w.clock.advance(Milliseconds{59'000});
        w.run(cmd("SET", "a", "2"));
        QTest::qWait(0);
        QCOMPARE(w.fact(isRewriting), "0");
        w.clock.advance(Milliseconds{1000});
        w.run(cmd("SET", "a", "3"));
        QTRY_COMPARE(w.fact("aof_last_bgrewrite_status"), "ok");
        QCOMPARE(w.fact("aof_rewrites"), "1");
        QVERIFY(w.store().status().warnings.isEmpty());
        w.reopen();
        QCOMPARE(w.run(cmd("GET", "a")), Reply::bulk("3"));
    }

    void aLogThatWasDamagedUnderneathIsWrittenAnewFromMemory()
    {
        Workspace w;
        for (int i = 0; i < 100; ++i)
            w.run(cmd("RPUSH", "l", i));
        QTRY_VERIFY(contentOf(w.logPath()).size() > 1000);
        QFile file(w.logPath());
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.seek(500);
        file.write(QByteArray(40, '\0'));
        file.close();
        w.run(cmd("BGREWRITEAOF"));
        QTRY_COMPARE(w.fact("aof_rewrites"), "1");
        w.run(cmd("RPUSH", "l", "last"));
        w.reopen();
        QCOMPARE(w.run(cmd("LLEN", "l")), Reply::number(101));
    }

    /// fsync of a pipe fails, and so a pipe stands here for a disk that could not write.
    void aFailedFsyncStopsWritesUntilTheLogIsWrittenAnew()
    {
        QTemporaryDir folder;
        const QString path = logPathIn(folder.path());
        QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
        ManualClock clock;
        embedded::AppendLog log(embedded::AppendLog::Fsync::Always, {}, &clock);
        log.setSnapshot([](embedded::KeyspaceWriter writer) { return writer.finish(0); });
        QVERIFY(log.open(path, 0));
        log.append({{"SET", "a", "1"}});
        const QString blocker = path + QStringLiteral(".new");
        QVERIFY(QDir().mkdir(blocker));
        auto acknowledged = log.acknowledgeable(log.end());
        log.flush();
        QCOMPARE(failureOf(std::move(acknowledged)), ErrorKind::NotWritable);
        QVERIFY(log.refusal().startsWith("MISCONF "));
        QTRY_COMPARE(log.troubles().size(), 2); // the log itself, and the new one that cannot be made
        log.flush();
        QVERIFY(!log.refusal().isEmpty()); // a later success proves nothing

        QVERIFY(QDir().rmdir(blocker));
        clock.advance(embedded::AppendLog::renewInterval);
        QTRY_VERIFY(log.refusal().isEmpty());
        QVERIFY(log.troubles().isEmpty());
        log.append({{"SET", "b", "2"}});
        auto again = log.acknowledgeable(log.end());
        log.flush();
        QCOMPARE(failureOf(std::move(again)), std::nullopt);
        QCOMPARE(contentOf(path), wire({{"SELECT", "0"}, {"SELECT", "0"}, {"SET", "b", "2"}}));
    }

    void savingIsAboutTheLog()
    {
        Workspace w;
        w.run(cmd("SET", "a", "1"));
        w.clock.advance(Milliseconds{5000});
        QCOMPARE(w.run(cmd("SAVE")), Reply::status("OK"));
        QVERIFY(contentOf(w.logPath()).endsWith(wire({{"SET", "a", "1"}})));
        QCOMPARE(w.run(cmd("LASTSAVE")), Reply::number(w.clock.now().time_since_epoch().count() / 1000));
        QCOMPARE(w.run(cmd("BGSAVE")), Reply::status("Background saving started"));
        QCOMPARE(failureOf(w.store().command(cmd("BGSAVE", "NOW"))), ErrorKind::Server);
        EmbeddedStore memory({}, &w.clock);
        await(memory.open());
        QCOMPARE(failureOf(memory.command(cmd("BGREWRITEAOF"))), ErrorKind::Server);
        QCOMPARE(failureOf(memory.command(cmd("SAVE"))), ErrorKind::Server);
        QVERIFY(await(memory.command(cmd("LASTSAVE"))).integer > 0);
    }
};

QTEST_GUILESS_MAIN(TestEmbeddedCompaction)
#include "tst_embedded_compaction.moc"
