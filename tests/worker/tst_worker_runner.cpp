// The life of a worker: claiming, slots, the serial lane, quiet and stop, lost stores and lost claims.
#include "core/worker/slot_plan.h"
#include "core/worker/worker_runner.h"
#include "tests/support/await.h"
#include "tests/support/fake_consumer.h"
#include "tests/support/fake_executor.h"
#include "tests/support/fake_store.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace ym;
using namespace ym::test;
using State = LocalWorkerInfo::State;

namespace {

Job job(const QByteArray &id, bool concurrent = true)
{
    Job job;
    job.id = id;
    job.target.type = "python";
    job.script = "x";
    job.concurrent = concurrent;
    return job;
}

/// One worker on fakes. Nothing in it waits for real: the clock moves only when a test says so.
struct Bench {
    ManualClock clock;
    FakeStore store;
    FakeExecutor executor;
    FakeConsumer *consumer = nullptr;
    std::unique_ptr<WorkerRunner> runner;

    explicit Bench(int places = 1, bool drain = false, const QString &spoolFolder = {})
    {
        WorkerRunner::Spec spec;
        spec.identity = {{"python"}, "default", "1", places, false};
        spec.drain = drain;
        spec.spoolFolder = spoolFolder;
        auto owned = std::make_unique<FakeConsumer>(spec.identity);
        consumer = owned.get();
        runner = std::make_unique<WorkerRunner>(&store, std::move(owned), &executor, &clock, spec);
    }
    void start() { await(runner->start()); }
    ~Bench()
    {
        executor.obeysStop = true;
        for (const QByteArray &id : QList<QByteArray>(executor.running))
            executor.end(id);
        await(runner->stop(Milliseconds{0}));
    }
    State state() const { return runner->info().state; }
    int count(const char *call) const { return int(consumer->calls.count(QString::fromLatin1(call))); }
};

} // namespace

class TestWorkerRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void claimsRunsAndFinishes()
    {
        Bench bench;
        QSignalSpy started(bench.runner.get(), &WorkerRunner::jobStarted);
        QSignalSpy ended(bench.runner.get(), &WorkerRunner::jobEnded);
        QSignalSpy output(bench.runner.get(), &WorkerRunner::jobOutput);
        bench.start();
        QCOMPARE(bench.state(), State::Running);
        QVERIFY(bench.consumer->isPresent);
        bench.consumer->push(job("a"));
        QCOMPARE(bench.executor.running, QList<QByteArray>{"a"});
        QCOMPARE(bench.runner->info().busy, QList<QByteArray>{"a"});
        QCOMPARE(started.size(), 1);
        QCOMPARE(output.size(), 1);
        bench.executor.end("a");
        QCOMPARE(bench.consumer->results.value("a").output, QByteArray("output of a"));
        QCOMPARE(ended.size(), 1);
        QCOMPARE(bench.runner->info().doneCount, 1u);
        QVERIFY(bench.runner->info().busy.isEmpty());
    }

    /// The store claimed for a process that stood still: what others have by now is not run once more.
    void whatWasClaimedLongAgoIsRenewedBeforeItRuns()
    {
        Bench bench(2);
        bench.start();
        bench.consumer->queue.push_back(job("a"));
        bench.consumer->queue.push_back(job("b"));
        bench.consumer->lostClaims = {"a"};
        bench.clock.advance(Milliseconds{25'000});
        bench.consumer->calls.clear();
        bench.consumer->notify();
        QCOMPARE(bench.consumer->calls.value(0), QStringLiteral("beat 2"));
        QCOMPARE(bench.executor.running, QList<QByteArray>{"b"});
    }

    void issuesTheFinishAndTheNextClaimInOneTurn()
    {
        Bench bench;
        bench.start();
        for (const char *id : {"a", "b", "c"})
            bench.consumer->push(job(id));
        bench.consumer->calls.clear();
        bench.executor.end("a");
        // No event loop ran between: both are in the same write.
        QCOMPARE(bench.consumer->calls, (QStringList{QStringLiteral("finish a"), QStringLiteral("claim 1")}));
        QCOMPARE(bench.executor.running, QList<QByteArray>{"b"});
    }

    void claimsAsManyAsItHasSlots()
    {
        Bench bench(4);
        for (int i = 0; i < 6; ++i)
            bench.consumer->queue.push_back(job("j" + QByteArray::number(i)));
        bench.start();
        QCOMPARE(bench.consumer->calls.last(), QStringLiteral("claim 4"));
        QCOMPARE(bench.executor.running, (QList<QByteArray>{"j0", "j1", "j2", "j3"}));
        bench.executor.end("j2");
        QCOMPARE(bench.executor.running, (QList<QByteArray>{"j0", "j1", "j3", "j4"}));
    }

    void claimsTheNextOfABacklogBeforeItStartsWhatCame()
    {
        Bench bench(32);
        QStringList before; // the calls before the first job ran
        QObject::connect(bench.runner.get(), &WorkerRunner::jobStarted, bench.runner.get(), [&] {
            if (before.isEmpty())
                before = bench.consumer->calls.filter(QStringLiteral("claim"));
        });
        for (int i = 0; i < 40; ++i)
            bench.consumer->queue.push_back(job("j" + QByteArray::number(i)));
        bench.start();
        QTRY_COMPARE(bench.executor.running.size(), 32);
        QCOMPARE(before, (QStringList{QStringLiteral("claim 16"), QStringLiteral("claim 16")}));
        QCOMPARE(bench.executor.running.first(), QByteArray("j0"));
        QCOMPARE(bench.executor.running.last(), QByteArray("j31"));
        QCOMPARE(bench.consumer->queue.size(), size_t(8));
    }

    void whatCameBeforeQuietIsGivenBackUnstarted()
    {
        Bench bench(32);
        for (int i = 0; i < 40; ++i)
            bench.consumer->queue.push_back(job("j" + QByteArray::number(i)));
        bench.start(); // the first half is claimed and starts in the next turn
        bench.runner->quiet();
        QTRY_COMPARE(bench.consumer->queue.size(), size_t(40));
        QVERIFY(bench.executor.running.isEmpty());
        QCOMPARE(bench.runner->info().state, State::Quiet);
        bench.runner->resume();
        QTRY_COMPARE(bench.executor.running.size(), 32);
    }

    void runsSerialJobsOneAtATimeAndGivesTheOthersBack()
    {
        Bench bench(4);
        for (const char *id : {"a", "b", "c"})
            bench.consumer->queue.push_back(job(id, false));
        bench.start();
        QCOMPARE(bench.executor.running, QList<QByteArray>{"a"});
        QCOMPARE(bench.consumer->queue.size(), size_t(2));
        QCOMPARE(bench.consumer->queue.front().id, QByteArray("b")); // order as before
        QCOMPARE(bench.consumer->queue.front().attempt, 0);
        bench.consumer->calls.clear();
        bench.executor.end("a");
        QCOMPARE(bench.executor.running, QList<QByteArray>{"b"});
        bench.executor.end("b");
        bench.executor.end("c");
        // A backlog of serial jobs costs one claim each and gives nothing back any more.
        QCOMPARE(bench.consumer->calls.filter(QStringLiteral("give back")), QStringList());
        QCOMPARE(bench.consumer->calls.filter(QStringLiteral("claim")).size(), 3);
    }

    void concurrentJobsPassASerialOne()
    {
        Bench bench(3);
        bench.consumer->queue = {job("s1", false), job("s2", false), job("s3", false), job("c1"), job("c2")};
        bench.start();
        QCOMPARE(bench.executor.running, QList<QByteArray>{"s1"});
        // The others were given back; another worker takes them. Within a second this one sees the concurrent ones.
        bench.consumer->queue.pop_front();
        bench.consumer->queue.pop_front();
        bench.clock.advance(SlotPlan::probeEvery);
        QCOMPARE(bench.executor.running, (QList<QByteArray>{"s1", "c1", "c2"}));
    }

    void aSerialJobWaitsForTheLaneWhateverTheSlots()
    {
        Bench bench(3);
        bench.consumer->queue = {job("s1", false), job("s2", false)};
        bench.start();
        for (int i = 0; i < 10; ++i)
            bench.clock.advance(SlotPlan::probeEvery);
        QCOMPARE(bench.executor.running, QList<QByteArray>{"s1"});
        QCOMPARE(bench.consumer->queue.size(), size_t(1));
        QVERIFY(bench.count("give back s2") <= 11); // looks about once a second, not in a hot loop
        bench.executor.end("s1");
        QCOMPARE(bench.executor.running, QList<QByteArray>{"s2"});
    }

    void quietTakesNothingNewAndResumeGoesOn()
    {
        Bench bench(2);
        bench.start();
        bench.consumer->push(job("a"));
        bench.runner->quiet();
        QCOMPARE(bench.state(), State::Quiet);
        QVERIFY(bench.consumer->lastQuiet);
        bench.consumer->push(job("b"));
        QCOMPARE(bench.executor.running, QList<QByteArray>{"a"});
        bench.executor.end("a");
        QVERIFY(bench.consumer->results.contains("a"));
        QVERIFY(bench.executor.running.isEmpty());
        bench.runner->resume();
        QCOMPARE(bench.state(), State::Running);
        QCOMPARE(bench.executor.running, QList<QByteArray>{"b"});
    }

    void stopWaitsForWhatRuns()
    {
        Bench bench;
        bench.start();
        bench.consumer->push(job("a"));
        bool over = false;
        const auto stopping = note(bench.runner->stop(Milliseconds{60'000}), &over);
        QCOMPARE(bench.state(), State::Stopping);
        QVERIFY(bench.consumer->lastQuiet); // everybody sees that it takes nothing more
        bench.clock.advance(Milliseconds{59'000});
        QVERIFY(!over);
        QVERIFY(bench.consumer->lastQuiet);
        QVERIFY(bench.count("beat 1") >= 5); // its lease holds meanwhile
        bench.executor.end("a");
        QVERIFY(over);
        QCOMPARE(bench.state(), State::Stopped);
        QVERIFY(bench.consumer->results.contains("a"));
        QVERIFY(!bench.consumer->isPresent);
        QCOMPARE(bench.consumer->calls.last(), QStringLiteral("withdraw"));
        QCOMPARE(bench.clock.sleeperCount(), 0);
    }

    void stopEndsWhatOutlastsItsPatienceAndGivesItBack()
    {
        Bench bench;
        bench.start();
        bench.consumer->push(job("a"));
        bool over = false;
        const auto stopping = note(bench.runner->stop(Milliseconds{5'000}), &over);
        bench.clock.advance(Milliseconds{4'999});
        QVERIFY(bench.executor.ended.isEmpty());
        bench.clock.advance(Milliseconds{1});
        QCOMPARE(bench.executor.ended.value("a"), StopReason::WorkerStops);
        QVERIFY(over);
        QVERIFY(bench.consumer->results.isEmpty());
        QCOMPARE(bench.consumer->queue.front().id, QByteArray("a"));
        QCOMPARE(bench.consumer->queue.front().attempt, 0);
    }

    void aSecondStopShortensThePatience()
    {
        Bench bench;
        bench.start();
        bench.consumer->push(job("a"));
        bool first = false;
        bool second = false;
        const auto stopping = note(bench.runner->stop(Milliseconds{60'000}), &first);
        const auto again = note(bench.runner->stop(Milliseconds{0}), &second);
        QVERIFY(first);
        QVERIFY(second);
        QCOMPARE(bench.executor.ended.value("a"), StopReason::WorkerStops);
    }

    void aSecondStopWithMorePatienceChangesNothing()
    {
        Bench bench;
        bench.start();
        bench.consumer->push(job("a"));
        bool first = false;
        bool second = false;
        const auto stopping = note(bench.runner->stop(Milliseconds{1'000}), &first);
        const auto again = note(bench.runner->stop(Milliseconds{60'000}), &second);
        bench.clock.advance(Milliseconds{1'000});
        QVERIFY(first);
        QVERIFY(second);
    }

    void theOwnerMayDeleteItAsSoonAsItHasStopped()
    {
        Bench bench;
        bench.start();
        auto doomed = std::make_unique<Bench>();
        doomed->start();
        QPointer<WorkerRunner> runner = doomed->runner.get();
        const auto waiting = deleteWhenFinished(&doomed->runner);
        const auto stopping = runner->stop(Milliseconds{0});
        QVERIFY(!runner);
        doomed->runner = std::make_unique<WorkerRunner>(&bench.store, std::make_unique<FakeConsumer>(), &bench.executor,
                                                        &bench.clock, WorkerRunner::Spec());
    }

    void drainingEndsWhenNothingIsLeft()
    {
        Bench bench(2, true);
        bench.consumer->queue = {job("a"), job("b"), job("c")};
        bool over = false;
        const auto waiting = note(bench.runner->finished(), &over);
        bench.start();
        bench.executor.end("a");
        bench.executor.end("b");
        QVERIFY(!over);
        bench.consumer->delayed = 1;
        bench.executor.end("c");
        QVERIFY(!over); // a retry is still to come
        bench.consumer->delayed = 0;
        bench.consumer->push(job("c"));
        bench.executor.end("c");
        QVERIFY(over);
        QCOMPARE(bench.state(), State::Stopped);
    }

    void refusesToStartWithoutItsInterpreter()
    {
        Bench bench;
        bench.executor.missingTypes = {"python"};
        QCOMPARE(failureOf(bench.runner->start()), ErrorKind::NotFound);
        QVERIFY(bench.consumer->calls.isEmpty());
    }

    void refusesToStartWhenItCannotAnnounce()
    {
        Bench bench;
        bench.consumer->failAnnounce = ErrorKind::Conflict;
        QCOMPARE(failureOf(bench.runner->start()), ErrorKind::Conflict);
        QCOMPARE(bench.state(), State::Starting);
    }

    void waitsForAConnectionThatIsLostWhileItAnnounces()
    {
        Bench bench;
        bench.consumer->failAnnounce = ErrorKind::Unavailable;
        TaskScope scope("starting");
        scope.spawn(bench.runner->start());
        QTRY_COMPARE(bench.count("announce"), 1);
        bench.clock.advance(Milliseconds{10'000});
        QTRY_VERIFY(bench.count("announce") > 1);
        bench.consumer->failAnnounce.reset();
        bench.clock.advance(Milliseconds{10'000});
        QTRY_COMPARE(bench.state(), State::Running);
        QTRY_COMPARE(scope.activeCount(), 0);
    }

    void givesUpWhenTheConnectionDoesNotComeBack()
    {
        Bench bench;
        bench.consumer->failAnnounce = ErrorKind::Unavailable;
        std::optional<ErrorKind> failure;
        TaskScope scope("starting");
        scope.spawn(startAndNote(bench.runner.get(), &failure));
        while (!failure && bench.consumer->calls.size() < 1'000) {
            bench.clock.advance(Milliseconds{10'000});
            QCoreApplication::processEvents();
        }
        QCOMPARE(failure, ErrorKind::Unavailable);
        QCOMPARE(bench.state(), State::Starting);
    }

    void stopsAJobOnRequest_data()
    {
        QTest::addColumn<bool>("throughTheStore");
        QTest::newRow("from the control list") << true;
        QTest::newRow("from the window") << false;
    }
    void stopsAJobOnRequest()
    {
        QFETCH(bool, throughTheStore);
        Bench bench(2);
        bench.start();
        bench.consumer->push(job("a"));
        bench.consumer->push(job("b"));
        if (throughTheStore) {
            bench.consumer->stopRequests = {"b"};
            bench.clock.advance(Milliseconds{1'000});
        } else {
            QVERIFY(bench.runner->stopJob("b"));
        }
        QCOMPARE(bench.executor.running, QList<QByteArray>{"a"});
        QCOMPARE(bench.consumer->results.value("b").fate, Execution::Fate::Stopped);
        QVERIFY(!bench.runner->stopJob("b"));
    }

    void watchesAndBeatsOnlyWhileJobsRun()
    {
        Bench bench;
        bench.start();
        bench.clock.advance(Milliseconds{60'000});
        QCOMPARE(bench.count("stops 0") + bench.count("beat 0"), 0);
        QCOMPARE(bench.count("presence"), 12);
        QVERIFY(bench.count("recover") >= 4 && bench.count("recover") <= 8);
        bench.consumer->push(job("a"));
        bench.consumer->calls.clear();
        bench.clock.advance(Milliseconds{60'000});
        QCOMPARE(bench.count("stops 1"), 60);
        QCOMPARE(bench.count("beat 1"), 6);
        QCOMPARE(bench.consumer->lastBusy, QList<QByteArray>{"a"});
    }

    void tellsTheNewestProgressOnceASecond()
    {
        Bench bench;
        bench.start();
        bench.consumer->push(job("a"));
        bench.clock.advance(Milliseconds{5'000});
        QVERIFY(bench.consumer->progress.isEmpty()); // nothing was said
        for (int i = 1; i <= 10'000; ++i)
            bench.executor.write("a", "::progress " + QByteArray::number(i) + " 10000 copying\n");
        QVERIFY(bench.consumer->progress.isEmpty());
        bench.clock.advance(Milliseconds{5'000});
        QCOMPARE(bench.consumer->progress, QList<QByteArray>{"a: 10000 10000 copying"});
        bench.executor.write("a", "::progress 1 0\n::progress -1 5\n::progress nan 5\n");
        bench.executor.write("a", "::progress 1 ", OutputChunk::Stream::Err);
        bench.clock.advance(Milliseconds{2'000});
        QCOMPARE(bench.consumer->progress.size(), 1);
        bench.executor.write("a", "4\n", OutputChunk::Stream::Err);
        bench.clock.advance(Milliseconds{2'000});
        QCOMPARE(bench.consumer->progress.last(), QByteArray("a: 1 4"));
    }

    void killsTheRunOfALostClaimAndCommitsNothing()
    {
        Bench bench(2);
        bench.start();
        bench.consumer->push(job("a"));
        bench.consumer->push(job("b"));
        bench.consumer->lostClaims = {"a"};
        bench.clock.advance(Milliseconds{10'000});
        QCOMPARE(bench.executor.ended.value("a"), StopReason::ClaimLost);
        QCOMPARE(bench.executor.running, QList<QByteArray>{"b"});
        QCOMPARE(bench.count("finish a") + bench.count("give back a"), 0);
    }

    void losingTheStoreEndsNothing()
    {
        Bench bench(2);
        bench.start();
        bench.consumer->push(job("a"));
        bench.store.setReady(false);
        bench.consumer->failClaim = ErrorKind::Unavailable;
        bench.consumer->failBeat = ErrorKind::Unavailable;
        bench.consumer->notify(); // the claim that waited comes back empty; the next one fails
        bench.clock.advance(Milliseconds{20'000});
        QCOMPARE(bench.executor.running, QList<QByteArray>{"a"});
        QCOMPARE(bench.runner->info().trouble, QStringLiteral("the store is away"));
        QCOMPARE(bench.count("beat 1"), 1); // no hammering while it is away
        bench.consumer->failClaim.reset();
        bench.consumer->failBeat.reset();
        bench.store.setReady(true);
        bench.clock.advance(Milliseconds{500});
        QCOMPARE(bench.count("beat 1"), 2); // at once, not at the next third of a lease
        bench.consumer->push(job("b"));
        QCOMPARE(bench.executor.running, (QList<QByteArray>{"a", "b"}));
        QCOMPARE(bench.runner->info().trouble, QString());
    }

    void aRefusedClaimIsTriedAgainWithoutAHotLoop()
    {
        Bench bench;
        bench.consumer->failClaim = ErrorKind::Permission;
        bench.start();
        bench.clock.advance(Milliseconds{60'000});
        QVERIFY2(bench.count("claim 1") > 2 && bench.count("claim 1") < 40,
                 qPrintable(QString::number(bench.count("claim 1"))));
        QCOMPARE(bench.state(), State::Running);
        bench.consumer->failClaim.reset();
        bench.clock.advance(Milliseconds{20'000});
        bench.consumer->push(job("a"));
        QCOMPARE(bench.executor.running, QList<QByteArray>{"a"});
    }

    void keepsAResultThatCannotBeDelivered()
    {
        const QTemporaryDir folder;
        Bench bench(1, false, folder.path());
        bench.start();
        bench.consumer->push(job("a"));
        bench.consumer->failFinish = ErrorKind::Unavailable;
        bench.executor.end("a");
        QVERIFY(!QDir(folder.path()).isEmpty());
        QVERIFY(!bench.consumer->results.contains("a"));
        bench.consumer->failFinish.reset();
        bench.clock.advance(Milliseconds{10'000});
        QCOMPARE(bench.consumer->results.value("a").output, QByteArray("output of a"));
    }

    void recordsALateResult()
    {
        Bench bench;
        QSignalSpy late(bench.runner.get(), &WorkerRunner::lateResult);
        bench.start();
        bench.consumer->push(job("a"));
        bench.consumer->outcome = Consumer::FinishOutcome::Stale;
        bench.executor.end("a");
        QCOMPARE(late.size(), 1);
        QCOMPARE(late.first().first().toByteArray(), QByteArray("a"));
    }

    void aJobThatComesBackHereEndsItsOlderRun()
    {
        Bench bench(2);
        bench.start();
        bench.consumer->push(job("a"));
        bench.executor.obeysStop = false;
        bench.consumer->push(job("a")); // rescued while we were away, and claimed by us again
        QCOMPARE(bench.executor.ended.value("a"), StopReason::ClaimLost);
    }

private:
    static QCoro::Task<void> startAndNote(WorkerRunner *runner, std::optional<ErrorKind> *failure)
    {
        try {
            co_await runner->start();
        } catch (const StoreError &e) {
            *failure = e.error().kind;
        }
    }
    static QCoro::Task<void> note(QCoro::Task<void> task, bool *over)
    {
        co_await task;
        *over = true;
    }
    static QCoro::Task<void> deleteWhenFinished(std::unique_ptr<WorkerRunner> *runner)
    {
        co_await (*runner)->finished();
        runner->reset();
    }
};

QTEST_GUILESS_MAIN(TestWorkerRunner)
#include "tst_worker_runner.moc"
