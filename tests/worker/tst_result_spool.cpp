// Results that could not reach the store: kept, delivered, adopted by the next start, dropped when the job is somebody else's.
#include "core/worker/result_spool.h"
#include "core/worker/spool_entry.h"
#include "tests/support/await.h"
#include "tests/support/fake_consumer.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace ym;
using namespace ym::test;

namespace {

Claim claimOf(const QByteArray &id)
{
    Claim claim;
    claim.job.id = id;
    claim.job.target = {"python", "g", "1", 2, "legacy"};
    claim.job.script = "print('private')";
    claim.job.env = {{"TOKEN", "hunter2"}};
    claim.job.timeout = std::chrono::seconds{77};
    claim.job.retries = 3;
    claim.job.attempt = 2;
    claim.job.dependents = {"d1", "d2"};
    claim.job.createdAt = Timestamp{Milliseconds{12345}};
    claim.token = "token-of-" + id;
    claim.queue = "queue";
    claim.worker = {"python", "g", "1", 1, {}};
    return claim;
}

Execution executionOf(const QByteArray &output)
{
    Execution execution;
    execution.fate = Execution::Fate::Failed;
    execution.exitCode = 7;
    execution.signal = 0;
    execution.output = output;
    execution.error = QByteArray("binary \0\xff", 9);
    execution.outputBytes = 1LL << 40;
    execution.duration = Milliseconds{99};
    return execution;
}

QStringList filesIn(const QString &folder, const QString &pattern = QStringLiteral("*.result"))
{
    QStringList files;
    QDirIterator found(folder, {pattern}, QDir::Files, QDirIterator::Subdirectories);
    while (found.hasNext())
        files.append(found.next());
    return files;
}

struct Bench {
    QTemporaryDir folder;
    ManualClock clock;
    FakeConsumer consumer;
    std::unique_ptr<ResultSpool> spool;

    Bench() { open(); }
    ~Bench() { await(spool->close()); }
    void open() { spool = std::make_unique<ResultSpool>(folder.path(), &consumer, &clock); }
    /// As after an end of the application: closed and made anew.
    void restart()
    {
        await(spool->close());
        open();
    }
    Timestamp in(Milliseconds time) const { return clock.now() + time; }
};

} // namespace

class TestResultSpool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deliversAsSoonAsTheStoreIsBack()
    {
        Bench bench;
        QSignalSpy delivered(bench.spool.get(), &ResultSpool::delivered);
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        QCOMPARE(filesIn(bench.folder.path()).size(), 1);
        bench.clock.advance(Milliseconds{10'000});
        QCOMPARE(delivered.size(), 0);
        QCOMPARE(bench.spool->count(), 1);
        bench.consumer.failFinish.reset();
        bench.clock.advance(Milliseconds{5'000});
        QCOMPARE(delivered.size(), 1);
        QCOMPARE(bench.consumer.results.value("a"), executionOf("out"));
        QCOMPARE(bench.spool->count(), 0);
        QVERIFY(filesIn(bench.folder.path()).isEmpty());
    }

    void triesWithBackoff()
    {
        Bench bench;
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{60'000}));
        bench.clock.advance(Milliseconds{59'000});
        const auto tries = bench.consumer.calls.size();
        QVERIFY2(tries > 8 && tries < 80, qPrintable(QString::number(tries)));
    }

    void keepsFilesPrivateAndWithoutSecrets()
    {
        Bench bench;
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        const QString path = filesIn(bench.folder.path()).constFirst();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(!bytes.contains("hunter2") && !bytes.contains("private"));
        struct stat about { };
        QCOMPARE(stat(QFile::encodeName(path).constData(), &about), 0);
        QCOMPARE(about.st_mode & 0777, mode_t(0600));
    }

    void theNextStartAdoptsAndDelivers()
    {
        Bench bench;
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.spool->keep(claimOf("b"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.restart();
        QCOMPARE(bench.spool->adopt(), 2);
        bench.consumer.failFinish.reset();
        bench.clock.advance(Milliseconds{10'000});
        QCOMPARE(bench.consumer.results.size(), 2);
        QVERIFY(filesIn(bench.folder.path()).isEmpty());
        bench.restart();
        QVERIFY(QDir(bench.folder.path()).isEmpty()); // no empty folders pile up
    }

    void doesNotTouchWhatALivingSpoolHas()
    {
        Bench bench;
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        FakeConsumer other;
        ResultSpool second(bench.folder.path(), &other, &bench.clock);
        QCOMPARE(second.adopt(), 0);
        QCOMPARE(filesIn(bench.folder.path()).size(), 1);
    }

    void dropsAndReportsWhatIsStale()
    {
        Bench bench;
        QSignalSpy late(bench.spool.get(), &ResultSpool::lateResult);
        bench.consumer.outcome = Consumer::FinishOutcome::Stale;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.clock.advance(Milliseconds{1'000});
        QCOMPARE(late.size(), 1);
        QCOMPARE(late.first().last().value<Execution>(), executionOf("out"));
        QVERIFY(filesIn(bench.folder.path()).isEmpty());
    }

    void givesUpWhatIsRefusedWhenTheLeaseIsOver()
    {
        Bench bench;
        QSignalSpy late(bench.spool.get(), &ResultSpool::lateResult);
        bench.consumer.failFinish = ErrorKind::Permission;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.clock.advance(Milliseconds{29'000});
        QCOMPARE(late.size(), 0);
        bench.clock.advance(Milliseconds{11'000});
        QCOMPARE(late.size(), 1);
        QCOMPARE(bench.spool->count(), 0);
        QVERIFY(filesIn(bench.folder.path()).isEmpty());
    }

    void outlastsAStoreThatIsAwayForLongerThanTheLease()
    {
        Bench bench;
        QSignalSpy late(bench.spool.get(), &ResultSpool::lateResult);
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.clock.advance(std::chrono::hours{2});
        bench.consumer.failFinish.reset();
        bench.clock.advance(Milliseconds{5'000});
        QCOMPARE(bench.consumer.results.value("a"), executionOf("out"));
        QCOMPARE(late.size(), 0);
    }

    void deliversWhatItAdoptsAfterTheLease()
    {
        Bench bench;
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        await(bench.spool->close());
        bench.clock.advance(std::chrono::hours{2}); // nobody was there to rescue the job
        bench.consumer.failFinish.reset();
        bench.open();
        QCOMPARE(bench.spool->adopt(), 1);
        bench.clock.advance(Milliseconds{1'000});
        QCOMPARE(bench.consumer.results.value("a"), executionOf("out"));
    }

    void givesUpAfterAWeek()
    {
        Bench bench;
        QSignalSpy late(bench.spool.get(), &ResultSpool::lateResult);
        bench.consumer.failFinish = ErrorKind::Unavailable;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.clock.advance(std::chrono::hours{8 * 24});
        QCOMPARE(late.size(), 1);
        QVERIFY(filesIn(bench.folder.path()).isEmpty());
    }

    void keepsItsFileWhenTheStoreIsClosed()
    {
        Bench bench;
        bench.consumer.failFinish = ErrorKind::Cancelled;
        bench.spool->keep(claimOf("a"), executionOf("out"), bench.in(Milliseconds{30'000}));
        bench.clock.advance(Milliseconds{5'000});
        QCOMPARE(filesIn(bench.folder.path()).size(), 1);
    }

    void setsDamagedFilesAside_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray good = toBytes({claimOf("a"), executionOf("out"), Timestamp{Milliseconds{1}}});
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("garbage") << QByteArray(5000, 'x');
        QTest::newRow("torn") << good.left(good.size() - 1);
        QTest::newRow("too long") << QByteArray(good + "x");
        QByteArray flipped = good;
        flipped[good.size() / 2] = char(flipped[good.size() / 2] ^ 1);
        QTest::newRow("one bit") << flipped;
    }
    void setsDamagedFilesAside()
    {
        QFETCH(QByteArray, bytes);
        Bench bench;
        const QString dead = bench.folder.filePath(QStringLiteral("dead"));
        QVERIFY(QDir().mkpath(dead));
        QFile file(dead + QStringLiteral("/x.result"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QCOMPARE(bench.spool->adopt(), 0);
        QVERIFY(filesIn(bench.folder.path()).isEmpty());
        QCOMPARE(filesIn(bench.folder.path(), QStringLiteral("*.corrupt")).size(), 1);
    }

    void anEntryComesBackAsItWas()
    {
        const SpoolEntry entry{claimOf("a"), executionOf("out"), Timestamp{Milliseconds{1'700'000'000'000}}};
        const auto read = spoolEntryFrom(toBytes(entry));
        QVERIFY(read);
        Claim expected = entry.claim;
        expected.job.script.clear();
        expected.job.env.clear();
        expected.job.state = JobState::Running;
        QCOMPARE(read->claim.job, expected.job);
        QCOMPARE(read->claim.token, expected.token);
        QCOMPARE(read->claim.queue, expected.queue);
        QCOMPARE(read->claim.worker, expected.worker);
        QCOMPARE(read->execution, entry.execution);
        QCOMPARE(read->until, entry.until);
    }

    void worksInMemoryWithoutAFolder()
    {
        ManualClock clock;
        FakeConsumer consumer;
        ResultSpool spool({}, &consumer, &clock);
        QCOMPARE(spool.adopt(), 0);
        spool.keep(claimOf("a"), executionOf("out"), clock.now() + Milliseconds{1'000});
        clock.advance(Milliseconds{500});
        QCOMPARE(consumer.results.size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestResultSpool)
#include "tst_result_spool.moc"
