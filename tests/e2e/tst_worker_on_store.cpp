// A whole worker on real stores: real scripts, real claims, and the faults that must lose nothing.
#include "core/protocol/hero/hero_protocol.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"
#include "core/worker/process_executor.h"
#include "core/worker/worker_runner.h"
#include "tests/support/await.h"
#include "tests/support/die_with_test.h"
#include "tests/support/living_processes.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace ym;
using namespace ym::test;
using State = LocalWorkerInfo::State;

namespace {

StoreAddress unixAddress(const QString &path)
{
    StoreAddress address;
    address.kind = StoreAddress::Kind::Unix;
    address.path = path;
    return address;
}

std::unique_ptr<Store> redisStore(const QString &path)
{
    RedisStore::Options options;
    options.backoff = {Milliseconds{20}, Milliseconds{200}};
    return std::make_unique<RedisStore>(unixAddress(path), options, &Clock::system());
}

std::unique_ptr<Store> embeddedStore()
{
    return std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
}

Interpreter shell()
{
    return {"sh",
            {QStringLiteral("/bin/sh"), QStringLiteral("{file}")},
            Interpreter::Feed::File,
            Interpreter::Failure::ExitCode,
            QStringLiteral(".sh"),
            {}};
}

Job draft(const QByteArray &script, const QByteArray &type = "sh")
{
    Job job;
    job.id = newJobId();
    job.target.type = type;
    job.script = script;
    job.concurrent = true;
    job.timeout = std::chrono::seconds{60};
    return job;
}

/// Ends every run at once, for measuring what the worker itself costs.
class InstantExecutor final : public Executor {
public:
    Result<void> canRun(const QByteArray &) const override { return {}; }
    QCoro::Task<Execution> run(ExecutionRequest, OutputSink, RunControl) override
    {
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        // As a process would: not before the event loop has turned.
        const Completion<bool> turned;
        QTimer::singleShot(0, qApp, [turned] { turned.resolve(true); });
        co_await turned;
        co_return execution;
    }
};

/// Everything around one worker on one store.
struct Bench {
    RedisServer::Options serverOptions;
    std::unique_ptr<RedisServer> server;
    std::unique_ptr<Store> store;
    QTemporaryDir folder;
    InterpreterTable table;
    std::unique_ptr<ProcessExecutor> executor;
    ProtocolOptions options;
    HeroProtocol protocol;
    std::unique_ptr<Producer> producer;
    std::unique_ptr<Inspector> inspector;
    std::unique_ptr<WorkerRunner> runner;

    explicit Bench(const QString &kind = QStringLiteral("redis"), bool appendOnly = false)
    {
        if (kind == QLatin1String("redis")) {
            serverOptions.appendOnly = appendOnly;
            server = std::make_unique<RedisServer>(serverOptions);
            store = redisStore(server->socketPath());
        } else {
            store = embeddedStore();
        }
        await(store->open());
        if (const auto ok = table.setRow(shell()); !ok)
            qFatal("%s", qPrintable(ok.error().text()));
        ProcessExecutor::Options executorOptions;
        executorOptions.tempRoot = folder.filePath(QStringLiteral("jobs"));
        executor = std::make_unique<ProcessExecutor>(&table, executorOptions, &Clock::system());
        options.lease = Milliseconds{3'000};
        producer = protocol.producer(store.get(), options, &Clock::system());
        inspector = protocol.inspector(store.get(), options, &Clock::system());
    }
    ~Bench()
    {
        if (runner)
            await(runner->stop(Milliseconds{0}));
        runner.reset();
        store->close();
    }

    WorkerRunner::Spec spec(int places = 1) const
    {
        WorkerRunner::Spec spec;
        spec.identity.types = {"sh"};
        spec.identity.slotCount = places;
        spec.logFolder = folder.filePath(QStringLiteral("logs"));
        spec.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
        spec.spoolFolder = folder.filePath(QStringLiteral("spool"));
        spec.stopGrace = Milliseconds{200};
        return spec;
    }
    void startWorker(const WorkerRunner::Spec &chosen, Executor *by = nullptr)
    {
        auto consumer = protocol.consumer(store.get(), options, &Clock::system(), chosen.identity);
        runner = std::make_unique<WorkerRunner>(store.get(), std::move(consumer), by ? by : executor.get(),
                                                &Clock::system(), chosen);
        await(runner->start());
    }
    QByteArray submit(const Job &job) { return await(producer->submit(job)).id; }
    /// On a timeout it tells what the worker and the job say.
    Job untilOver(const QByteArray &id, int seconds = 30)
    {
        try {
            return await(producer->waitUntilOver(id, Milliseconds{seconds * 1000}, std::stop_token()),
                         seconds * 1000 + 5000);
        } catch (const StoreError &e) {
            const Job job = look(id);
            const QString trouble = runner ? runner->info().trouble : QString();
            qWarning("%s; status %s, attempt %d, worker: %s", e.what(), job.statusText.constData(), job.attempt,
                     qPrintable(trouble));
            return job;
        }
    }
    Job look(const QByteArray &id) { return await(inspector->job(id, Inspector::defaultPreview)).job; }
    qint64 serverReads() const
    {
        const QByteArray info = server->cli({QStringLiteral("INFO"), QStringLiteral("stats")});
        const qsizetype at = info.indexOf("total_reads_processed:");
        return info.mid(at + 22, info.indexOf('\r', at) - at - 22).toLongLong();
    }
};

} // namespace

class TestWorkerOnStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsAJobFromSubmitToReply_data() { stores(); }
    void runsAJobFromSubmitToReply()
    {
        QFETCH(QString, store);
        Bench bench(store);
        bench.startWorker(bench.spec());
        Job job = draft("echo \"hello $NAME from $CALLER_ID\"; echo note >&2");
        job.env = {{"NAME", "you"}, {"API_TOKEN", "hunter2"}};
        job.script += "; echo $API_TOKEN";
        job.callerId = "me";
        const QByteArray id = bench.submit(job);
        const Job over = bench.untilOver(id);
        QCOMPARE(over.state, JobState::Finished);
        QCOMPARE(over.output, QByteArray("hello you from me\nhunter2\n"));
        QCOMPARE(over.attempt, 1);
        QFile log(bench.folder.filePath(QStringLiteral("logs/%1.log").arg(QString::fromUtf8(id))));
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QByteArray logged = log.readAll();
        QVERIFY2(logged.contains("hello you from me\n") && logged.contains("note\n"), logged.constData());
        QVERIFY(logged.contains("********") && !logged.contains("hunter2"));
        QFile audit(bench.folder.filePath(QStringLiteral("audit.jsonl")));
        QVERIFY(audit.open(QIODevice::ReadOnly));
        QVERIFY(audit.readAll().contains("\"worker\":\"sh:default:"));
    }

    void showsItsPresenceAndTakesItAway_data() { stores(); }
    void showsItsPresenceAndTakesItAway()
    {
        QFETCH(QString, store);
        Bench bench(store);
        bench.startWorker(bench.spec(3));
        const QList<WorkerInfo> workers = await(bench.inspector->workers());
        QCOMPARE(workers.size(), 1);
        QCOMPARE(workers.first().slotCount, 3);
        QCOMPARE(workers.first().target.instance, bench.runner->info().instance);
        await(bench.runner->stop(Milliseconds{0}));
        QVERIFY(await(bench.inspector->workers()).isEmpty());
    }

    void stopsAJobThroughTheStore_data() { stores(); }
    void stopsAJobThroughTheStore()
    {
        QFETCH(QString, store);
        Bench bench(store);
        bench.startWorker(bench.spec());
        QSignalSpy output(bench.runner.get(), &WorkerRunner::jobOutput);
        const QByteArray id = bench.submit(draft("trap '' TERM; sleep 1000 & echo up; wait; sleep 1000"));
        QVERIFY(output.wait(10000));
        await(bench.producer->stop(id));
        const Job over = bench.untilOver(id);
        QCOMPARE(over.state, JobState::Failed);
        QCOMPARE(over.error, QByteArray("stopped_by_request"));
        QCOMPARE(livingProcessesOf(id), QList<int>());
    }

    void aStopBetweenClaimAndStartStartsNothing_data() { stores(); }
    void aStopBetweenClaimAndStartStartsNothing()
    {
        QFETCH(QString, store);
        Bench bench(store);
        bench.startWorker(bench.spec());
        WorkerRunner *const runner = bench.runner.get();
        connect(runner, &WorkerRunner::jobStarted, runner, [runner](const Job &job) { QVERIFY(runner->stopJob(job.id)); });
        QSignalSpy output(runner, &WorkerRunner::jobOutput);
        const Job over = bench.untilOver(bench.submit(draft("echo it ran")));
        QCOMPARE(over.state, JobState::Failed);
        QCOMPARE(over.error, QByteArray("stopped_by_request"));
        QCOMPARE(output.size(), 0);
    }

    void anInterpreterThatGoesBetweenClaimAndStartIsAnErrorOnce_data() { stores(); }
    void anInterpreterThatGoesBetweenClaimAndStartIsAnErrorOnce()
    {
        QFETCH(QString, store);
        Bench bench(store);
        const QString program = bench.folder.filePath(QStringLiteral("tool"));
        QVERIFY(QFile::link(QStringLiteral("/bin/sh"), program));
        Interpreter row = shell();
        row.command[0] = program;
        QVERIFY(bench.table.setRow(row));
        bench.startWorker(bench.spec());
        WorkerRunner *const runner = bench.runner.get();
        connect(runner, &WorkerRunner::jobStarted, runner, [&program] { QFile::remove(program); });
        QSignalSpy ends(runner, &WorkerRunner::jobEnded);
        const Job over = bench.untilOver(bench.submit(draft("echo it ran")));
        QCOMPARE(over.state, JobState::Failed);
        QVERIFY2(over.error.contains("tool was not found; set it in Settings"), over.error.constData());
        QCOMPARE(over.attempt, 1);
        QTRY_COMPARE(ends.size(), 1);
    }

    void endsAJobAtItsTimeout_data() { stores(); }
    void endsAJobAtItsTimeout()
    {
        QFETCH(QString, store);
        Bench bench(store);
        bench.startWorker(bench.spec());
        Job job = draft("sleep 1000 & sleep 1000");
        job.timeout = std::chrono::seconds{1};
        const QByteArray id = bench.submit(job);
        const Job over = bench.untilOver(id);
        QCOMPARE(over.error, QByteArray("timeout"));
        QCOMPARE(livingProcessesOf(id), QList<int>());
    }

    void givesAJobBackWhenItStops_data() { stores(); }
    void givesAJobBackWhenItStops()
    {
        QFETCH(QString, store);
        Bench bench(store);
        bench.startWorker(bench.spec());
        QSignalSpy output(bench.runner.get(), &WorkerRunner::jobOutput);
        const QByteArray id = bench.submit(draft("echo up; sleep 1000"));
        QVERIFY(output.wait(10000));
        await(bench.runner->stop(Milliseconds{0}));
        const Job job = bench.look(id);
        QCOMPARE(job.state, JobState::Queued);
        QCOMPARE(job.attempt, 0);
        QCOMPARE(livingProcessesOf(id), QList<int>());
    }

    void drainsItsQueues_data() { stores(); }
    void drainsItsQueues()
    {
        QFETCH(QString, store);
        Bench bench(store);
        QList<QByteArray> ids;
        for (int i = 0; i < 20; ++i) {
            Job job = draft("echo " + QByteArray::number(i));
            job.concurrent = i % 2 == 0;
            ids << bench.submit(job);
        }
        Job flaky = draft("[ $JOB_ATTEMPT = 2 ] || exit 1"); // fails once, then waits for its retry
        flaky.retries = 1;
        ids << bench.submit(flaky);
        WorkerRunner::Spec spec = bench.spec(4);
        spec.drain = true;
        bench.startWorker(spec);
        await(bench.runner->finished(), 60000);
        QCOMPARE(bench.runner->info().state, State::Stopped);
        for (const QByteArray &id : std::as_const(ids))
            QCOMPARE(bench.look(id).state, JobState::Finished);
    }

    void anInterpreterThatVanishesIsAFailureAndNoLoop()
    {
        Bench bench;
        const QString program = bench.folder.filePath(QStringLiteral("mysh"));
        QVERIFY(QFile::copy(QStringLiteral("/bin/sh"), program));
        Interpreter row = shell();
        row.command[0] = program;
        QVERIFY(bench.table.setRow(row));
        bench.startWorker(bench.spec());
        QVERIFY(QFile::remove(program));
        const QByteArray id = bench.submit(draft("echo never"));
        const Job over = bench.untilOver(id);
        QCOMPARE(over.state, JobState::Failed);
        QCOMPARE(QString::fromUtf8(over.error),
                 program + QStringLiteral(" was not found; set it in Settings › Interpreters"));
        QCOMPARE(over.attempt, 1);
    }

    void oneSlotNeedsOneServerReadAJob()
    {
        Bench bench;
        constexpr int jobCount = 500;
        InstantExecutor instant;
        QByteArray last;
        for (int i = 0; i < jobCount; ++i)
            last = bench.submit(draft("x"));
        WorkerRunner::Spec spec = bench.spec();
        spec.logFolder.clear();
        spec.auditFile.clear();
        auto consumer = bench.protocol.consumer(bench.store.get(), bench.options, &Clock::system(), spec.identity);
        bench.runner =
            std::make_unique<WorkerRunner>(bench.store.get(), std::move(consumer), &instant, &Clock::system(), spec);
        const qint64 before = bench.serverReads();
        await(bench.runner->start());
        QTRY_COMPARE_WITH_TIMEOUT(bench.runner->info().doneCount, quint64(jobCount), 30000);
        const double readsPerJob = double(bench.serverReads() - before) / jobCount;
        QVERIFY2(readsPerJob < 1.2, qPrintable(QString::number(readsPerJob)));
        await(bench.runner->stop(Milliseconds{0})); // before its executor goes
    }

    void losesNothingWhenTheServerIsKilled()
    {
        Bench bench(QStringLiteral("redis"), true);
        QList<QByteArray> ids;
        for (int i = 0; i < 200; ++i)
            ids << bench.submit(draft("echo " + QByteArray::number(i) + "; sleep 0.05"));
        bench.startWorker(bench.spec(8));
        QTRY_VERIFY_WITH_TIMEOUT(bench.runner->info().doneCount >= 40, 30000);
        bench.server->killHard();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.runner->info().trouble.isEmpty(), 10000);
        QVERIFY(bench.server->startAgain());
        QTRY_VERIFY_WITH_TIMEOUT(bench.runner->info().trouble.isEmpty(), 10000);
        for (int i = 0; i < ids.size(); ++i) {
            const Job over = bench.untilOver(ids[i], 60);
            QCOMPARE(over.state, JobState::Finished);
            QCOMPARE(over.output, QByteArray::number(i) + '\n');
        }
    }

    /// Nobody could renew a lease meanwhile: what ran goes on, what ended is told, and nothing runs again.
    void aServerThatIsAwayForLongerThanALeaseRunsNothingTwice()
    {
        Bench bench(QStringLiteral("redis"), true);
        bench.startWorker(bench.spec(2));
        const auto other = redisStore(bench.server->socketPath());
        await(other->open());
        const auto rescuer = bench.protocol.rescuer(other.get(), bench.options, &Clock::system());
        QSignalSpy starts(bench.runner.get(), &WorkerRunner::jobStarted);
        QSignalSpy ends(bench.runner.get(), &WorkerRunner::jobEnded);
        const QByteArray ended = bench.submit(draft("sleep 5; echo ended meanwhile"));
        const QByteArray running = bench.submit(draft("sleep 8; echo ended behind it"));
        QTRY_COMPARE_WITH_TIMEOUT(starts.size(), 2, 10'000);
        bench.server->killHard();
        QTRY_COMPARE_WITH_TIMEOUT(ends.size(), 1, 20'000); // the leases of 3 s are over by then
        QVERIFY(bench.server->startAgain());
        QVERIFY(await(other->waitUntilReady({}), 20'000));
        QCOMPARE(await(rescuer->recover()), 0);
        const Job first = bench.untilOver(ended);
        const Job second = bench.untilOver(running);
        QCOMPARE(first.output, QByteArray("ended meanwhile\n"));
        QCOMPARE(second.output, QByteArray("ended behind it\n"));
        QCOMPARE(first.attempt, 1);
        QCOMPARE(second.attempt, 1);
        QCOMPARE(starts.size(), 2);
        other->close();
    }

    void aKilledWorkersJobsAreRescuedByAnother()
    {
        Bench bench;
        QProcess victim;
        dieWithTest(&victim);
        victim.start(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("--worker"), bench.server->socketPath(), bench.folder.path()});
        // The first attempt hangs; whoever runs the second one finishes it.
        const QByteArray id = bench.submit(draft("[ $JOB_ATTEMPT != 1 ] || { echo up; sleep 1000; }; echo done"));
        QVERIFY(victim.waitForReadyRead(20000));
        QCOMPARE(::kill(pid_t(victim.processId()), SIGKILL), 0);
        QVERIFY(victim.waitForFinished());
        bench.startWorker(bench.spec());
        const Job over = bench.untilOver(id);
        QCOMPARE(over.state, JobState::Finished);
        QCOMPARE(over.output, QByteArray("done\n"));
        QCOMPARE(over.attempt, 2);
        QTRY_COMPARE(livingProcessesOf(id), QList<int>());
    }

private:
    static void stores()
    {
        QTest::addColumn<QString>("store");
        QTest::newRow("redis") << QStringLiteral("redis");
        QTest::newRow("embedded") << QStringLiteral("embedded");
    }
};

/// The victim of aKilledWorkersJobsAreRescuedByAnother(): a worker that tells when its job has begun to write.
static int workUntilKilled(const QString &socket, const QString &folder)
{
    const auto store = redisStore(socket);
    await(store->open());
    InterpreterTable table;
    if (!table.setRow(shell()))
        return 1;
    ProcessExecutor::Options executorOptions;
    executorOptions.tempRoot = folder + QStringLiteral("/victim");
    ProcessExecutor executor(&table, executorOptions, &Clock::system());
    ProtocolOptions options;
    options.lease = Milliseconds{3'000};
    WorkerRunner::Spec spec;
    spec.identity.types = {"sh"};
    const HeroProtocol protocol;
    WorkerRunner runner(store.get(), protocol.consumer(store.get(), options, &Clock::system(), spec.identity),
                        &executor, &Clock::system(), spec);
    QObject::connect(&runner, &WorkerRunner::jobOutput, &runner, [](const OutputChunk &chunk) {
        std::fwrite(chunk.bytes.constData(), 1, size_t(chunk.bytes.size()), stdout);
        std::fflush(stdout);
    });
    await(runner.start());
    return QCoreApplication::exec();
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == QLatin1String("--worker"))
        return workUntilKilled(arguments[2], arguments[3]);
    TestWorkerOnStore tests;
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_worker_on_store.moc"
