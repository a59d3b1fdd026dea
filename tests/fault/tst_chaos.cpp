// Everything at once: workers killed and stopped, clients thrown out, the server killed, sessions that all recover.
//
// Short in the test run; `tst_fault_chaos --long` is 3,000 jobs. Prints its figures.
#include "core/engine/engine_connections.h"
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/redis/redis_store.h"
#include "tests/fault/chaos_checks.h"
#include "tests/support/await.h"
#include "tests/support/memory_secrets.h"
#include "tests/support/redis_server.h"
#include "tests/support/worker_crew.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

namespace {

bool isLong = false;

constexpr int workers = 6;
constexpr int slotsOfEach = 4;
constexpr int leaseSeconds = 2;
constexpr int lanes = 8; ///< submits on their way at once

QByteArray workQueue()
{
    return hero::keys::work({"sh", {}, {}, 1, {}});
}

struct Figures {
    int kills = 0;
    int stops = 0;
    int clientKills = 0;
    int serverKills = 0;
    int looks = 0;
    int lostAnswers = 0; ///< submits whose answer did not come: asked again with the same id
    qint64 longestSubmitMs = 0; ///< of one that was answered or failed
    QStringList misplaced;
    QStringList refused; ///< submits that nothing but a lost job explains
};

/// A window without a worker, and what it shows.
struct Window {
    std::unique_ptr<EngineConnections> connections;
    QHash<QByteArray, JobState> picture;
    QStringList calledLost;

    void apply(const ChangeSet &changes)
    {
        for (const JobSummary &job : changes.jobs)
            picture.insert(job.id, job.state);
        for (const QByteArray &id : changes.removedJobs)
            picture.remove(id);
        for (const LostJob &job : changes.lostJobs) {
            picture.remove(job.id);
            if (!job.why.isEmpty())
                calledLost << QString::fromUtf8(job.id + ": " + job.why);
        }
    }
};

} // namespace

class TestChaos : public QObject {
    Q_OBJECT

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<RedisStore> m_store;
    std::unique_ptr<Producer> m_producer;
    Program m_program;
    HeroProtocol m_protocol;
    QRandomGenerator m_dice{20261121};
    Figures m_figures;
    int m_jobCount = 0;
    int m_next = 0;
    QHash<QByteArray, ChaosJob> m_acknowledged;
    QList<QByteArray> m_order; ///< of acknowledgement

    // Jobs
    Job draft(int number);
    QCoro::Task<void> submitLane();
    QCoro::Task<void> submitOne(Job job);
    void submitAll(TaskScope *scope);

    // Faults
    void killWorker(WorkerCrew *crew);
    void stopWorker(WorkerCrew *crew);
    void killServer();

    // Looks
    QCoro::Task<Reply> ask(const char *script, QList<QByteArray> keyList);
    QCoro::Task<void> lookAround();
    int countOver();
    void readRecords();
    void checkWindows(const std::vector<std::unique_ptr<Window>> &windows) const;
    void checkLeftovers();
    void report(const CrewDiary &diary, qint64 ms) const;

private Q_SLOTS:
    void initTestCase();
    void everyAcknowledgedJobEndsOnce();
};

void TestChaos::initTestCase()
{
    m_jobCount = isLong ? 3000 : 240;
    // A shell starts in a millisecond: the faults shall hit jobs, not interpreters.
    m_program.runShellJobs();

    RedisServer::Options options;
    options.appendOnly = true;
    // With `everysec` a server whose disk is slow answers before it has written (fault/slow_disk): what it acknowledged
    // then dies with it, and nobody could keep the promise that is tried here.
    options.extra = {QStringLiteral("--appendfsync"), QStringLiteral("always")};
    m_server = std::make_unique<RedisServer>(options);
    QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
    m_store = std::make_unique<RedisStore>(*parseStoreAddress(m_server->url()), RedisStore::Options{}, &Clock::system());
    await(m_store->open());
    m_producer = m_protocol.producer(m_store.get(), {}, &Clock::system());
}

// --- jobs

/// Most succeed; some fail at first, some for ever; many wait for up to two that were there before.
Job TestChaos::draft(int number)
{
    Job job;
    job.id = newJobId();
    job.callerId = QByteArray::number(number);
    job.target.type = "sh";
    job.concurrent = true;
    job.script = "sleep 0.0" + QByteArray::number(2 + m_dice.bounded(6)) + "\n";
    const int kind = m_dice.bounded(100);
    if (kind < 4) {
        job.retries = 1;
        job.script += "exit 1\n";
    } else if (kind < 16) {
        job.retries = 2;
        job.script += "[ \"$JOB_ATTEMPT\" -ge 2 ] || exit 1\n";
    }
    job.script += "echo done " + job.callerId + "\n";
    for (int i = m_dice.bounded(3); i > 0 && !m_order.isEmpty(); --i) {
        const QByteArray before = m_order.at(m_dice.bounded(int(m_order.size())));
        if (!job.prerequisites.contains(before))
            job.prerequisites.append(before);
    }
    return job;
}

/// The job is acknowledged or refused when this returns. A lost answer is asked for again with the same id.
QCoro::Task<void> TestChaos::submitOne(Job job)
{
    while (true) {
        std::optional<Error> trouble;
        QElapsedTimer time;
        time.start();
        try {
            co_await m_producer->submit(job);
        } catch (const StoreError &e) {
            trouble = e.error();
        }
        m_figures.longestSubmitMs = std::max(m_figures.longestSubmitMs, time.elapsed());
        if (!trouble)
            break;
        if (trouble->kind == ErrorKind::Conflict) { // a prerequisite has failed meanwhile
            job.prerequisites.clear();
            continue;
        }
        if (!isTransient(trouble->kind)) { // such as a prerequisite that was acknowledged and is gone: asking again cannot help
            m_figures.refused << trouble->text();
            co_return;
        }
        m_figures.lostAnswers += trouble->ambiguous ? 1 : 0;
        co_await m_store->waitUntilReady({});
        co_await Clock::system().sleep(20ms, {});
    }
    m_acknowledged.insert(job.id, {job, {}});
    m_order.append(job.id);
}

QCoro::Task<void> TestChaos::submitLane()
{
    while (m_next < m_jobCount) {
        const int number = m_next++;
        co_await submitOne(draft(number));
        co_await Clock::system().sleep(Milliseconds{m_dice.bounded(100)}, {}); // faults shall hit submits as well
    }
}

void TestChaos::submitAll(TaskScope *scope)
{
    for (int i = 0; i < lanes; ++i)
        scope->spawn(submitLane());
}

// --- faults

void TestChaos::killWorker(WorkerCrew *crew)
{
    crew->killHard(m_dice.bounded(crew->size()));
    ++m_figures.kills;
}

/// Longer than the lease, so that its jobs are somebody else's when it wakes up.
void TestChaos::stopWorker(WorkerCrew *crew)
{
    const int number = m_dice.bounded(crew->size());
    if (crew->isPaused(number))
        return;
    crew->pause(number);
    ++m_figures.stops;
    QTimer::singleShot(leaseSeconds * 1000 + 1500, this, [crew, number] { crew->resume(number); });
}

void TestChaos::killServer()
{
    m_server->killHard();
    if (!m_server->startAgain())
        qFatal("the server does not start again: %s", qPrintable(m_server->error()));
    ++m_figures.serverKills;
}

// --- looks

QCoro::Task<Reply> TestChaos::ask(const char *script, QList<QByteArray> keyList)
{
    Command eval = cmd("EVAL", script, keyList.size());
    eval.addAll(keyList).addAll(m_order);
    while (true) {
        try {
            co_return co_await m_store->command(eval);
        } catch (const StoreError &e) {
            if (!isTransient(e.kind()))
                throw;
        }
        co_await m_store->waitUntilReady({});
    }
}

QCoro::Task<void> TestChaos::lookAround()
{
    const QList<QByteArray> keyList{workQueue(), hero::keys::lease("sh")};
    const Reply found = co_await ask(placesScript, keyList);
    ++m_figures.looks;
    for (const QByteArray &line : found.toList())
        m_figures.misplaced << QString::fromUtf8(line);
}

int TestChaos::countOver()
{
    return int(await(ask(overScript, {})).toInteger());
}

void TestChaos::readRecords()
{
    for (ChaosJob &job : m_acknowledged) {
        const QList<QByteArray> flat = await(m_store->command(cmd("HGETALL", hero::keys::job(job.draft.id)))).toList();
        for (qsizetype i = 0; i + 1 < flat.size(); i += 2)
            job.record.insert(flat[i], flat[i + 1]);
    }
}

/// At rest every window shows what is there, and none has called a job lost (I12).
void TestChaos::checkWindows(const std::vector<std::unique_ptr<Window>> &windows) const
{
    for (const auto &window : windows) {
        const auto isRight = [&] {
            return window->picture.size() == m_acknowledged.size()
                && std::all_of(m_acknowledged.cbegin(), m_acknowledged.cend(), [&](const ChaosJob &job) {
                       const JobState shown = window->picture.value(job.draft.id);
                       const JobState failed = job.record.contains("dead_reason") ? JobState::Dead : JobState::Failed;
                       return shown == (job.isFinished() ? JobState::Finished : failed);
                   });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRight(), 60'000);
        QVERIFY2(window->calledLost.isEmpty(), qPrintable(window->calledLost.mid(0, 5).join(u'\n')));
    }
}

/// No reply stays for ever and no stop request is left (I11).
void TestChaos::checkLeftovers()
{
    int replies = 0;
    for (const ChaosJob &job : std::as_const(m_acknowledged)) {
        const qint64 ttl = await(m_store->command(cmd("PTTL", hero::keys::reply(job.draft.id)))).toInteger();
        QVERIFY2(ttl != -1, job.draft.id.constData());
        replies += ttl > 0 ? 1 : 0;
    }
    qInfo("replies that wait for whoever asked: %d, each with an end; the longest submit took %lld ms", replies,
          m_figures.longestSubmitMs);
    QVERIFY2(m_figures.longestSubmitMs < 45'000, "an operation went on beyond its deadlines"); // I16: four commands of 10 s
    QCOMPARE(await(m_store->command(cmd("EXISTS", hero::keys::control({"sh", {}, {}, 1, {}})))).toInteger(), 0);
}

void TestChaos::report(const CrewDiary &diary, qint64 ms) const
{
    int finished = 0;
    int rescues = 0;
    int rescued = 0;
    int starts = 0;
    int late = 0;
    QMap<QByteArray, int> errors;
    for (const ChaosJob &job : m_acknowledged) {
        finished += job.isFinished() ? 1 : 0;
        rescues += job.number("rescues");
        rescued += job.number("rescues") > 0 ? 1 : 0;
        const QByteArray error = job.record.value("error");
        if (!job.isFinished())
            ++errors[error.startsWith("prerequisite ") ? QByteArray("prerequisite … failed") : error.trimmed()];
    }
    for (const int count : diary.starts)
        starts += count;
    for (const int count : diary.late)
        late += count;
    qInfo("faults in %.1f s: %d kill -9 of a worker, %d SIGSTOP over the lease, %d CLIENT KILL, %d kill -9 of the server",
          double(ms) / 1000, m_figures.kills, m_figures.stops, m_figures.clientKills, m_figures.serverKills);
    qInfo("jobs: %d acknowledged (%d answers lost and asked for again), %d finished, %d failed", int(m_order.size()),
          m_figures.lostAnswers, finished, int(m_order.size()) - finished);
    for (auto error = errors.cbegin(); error != errors.cend(); ++error)
        qInfo("  failed with “%s”: %d", error.key().constData(), error.value());
    qInfo("executions: %d told by %d worker processes, %d rescues of %d jobs, %d late results refused", starts, diary.lives,
          rescues, rescued, late);
    qInfo("looks at every job at once: %d, jobs not in exactly one place: %d", m_figures.looks,
          int(m_figures.misplaced.size()));
}

// --- the test

void TestChaos::everyAcknowledgedJobEndsOnce()
{
    QElapsedTimer elapsed;
    elapsed.start();
    const QStringList work{QStringLiteral("--store"), m_server->url(),      QStringLiteral("--json"),
                           QStringLiteral("worker"),  QStringLiteral("-t"), QStringLiteral("sh"),
                           QStringLiteral("-n"),      QString::number(slotsOfEach), QStringLiteral("--lease"),
                           QString::number(leaseSeconds)};
    WorkerCrew crew(&m_program, work, workers);
    crew.start();

    // Three windows on the same store, none of which has a worker.
    MemorySecrets secrets;
    std::vector<std::unique_ptr<Window>> windows;
    for (int i = 0; i < 3; ++i) {
        const QString home = m_program.homeFolder() + QStringLiteral("/window-%1").arg(i);
        const EngineConfig config{{home + QStringLiteral("/config"), home + QStringLiteral("/data")}, Milliseconds{500}};
        Window *const window = windows.emplace_back(std::make_unique<Window>()).get();
        window->connections = std::make_unique<EngineConnections>(config, &secrets);
        Profile profile;
        profile.url = m_server->url();
        Session *const session = window->connections->open(window->connections->save(profile, std::nullopt));
        connect(session, &Session::changed, this, [window](const ChangeSet &changes) { window->apply(changes); });
    }

    TaskScope scope("submits");
    submitAll(&scope);
    TaskScope looks("looks");
    QTimer kill;
    QTimer stop;
    QTimer throwOut;
    QTimer look;
    connect(&kill, &QTimer::timeout, this, [&] { killWorker(&crew); });
    connect(&stop, &QTimer::timeout, this, [&] { stopWorker(&crew); });
    connect(&throwOut, &QTimer::timeout, this, [&] {
        m_server->cli({QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("TYPE"), QStringLiteral("normal")});
        ++m_figures.clientKills;
    });
    connect(&look, &QTimer::timeout, this, [&] {
        if (looks.activeCount() == 0)
            looks.spawn(lookAround());
    });
    kill.start(250ms);
    stop.start(2s);
    throwOut.start(700ms);
    look.start(300ms);

    int over = 0;
    for (int third = 1; third <= 3; ++third) {
        const int wanted = m_jobCount * third / 4;
        QTRY_VERIFY2_WITH_TIMEOUT((over = countOver()) >= wanted || !m_figures.refused.isEmpty(),
                                  qPrintable(QStringLiteral("%1 of %2 are over").arg(over).arg(wanted)), 600'000);
        QVERIFY2(m_figures.refused.isEmpty(), qPrintable(m_figures.refused.join(u'\n')));
        killServer();
    }
    for (QTimer *fault : {&kill, &stop, &throwOut})
        fault->stop();
    const qint64 faulty = elapsed.elapsed();
    for (int number = 0; number < crew.size(); ++number)
        crew.resume(number);

    QTRY_VERIFY_WITH_TIMEOUT(scope.activeCount() == 0, 60'000);
    QVERIFY2(m_figures.refused.isEmpty(), qPrintable(m_figures.refused.join(u'\n')));
    QCOMPARE(int(m_order.size()), m_jobCount);
    QTRY_VERIFY2_WITH_TIMEOUT((over = countOver()) == m_jobCount,
                              qPrintable(QStringLiteral("%1 of %2 are over").arg(over).arg(m_jobCount)), 120'000);
    look.stop();
    QTRY_VERIFY_WITH_TIMEOUT(looks.activeCount() == 0, 10'000);
    const bool leftWell = crew.dismiss();
    readRecords();
    checkWindows(windows);
    const CrewDiary diary = crew.diary();
    report(diary, faulty);

    QVERIFY(leftWell);
    QVERIFY(m_figures.looks > 5);
    QVERIFY2(m_figures.misplaced.isEmpty(), qPrintable(m_figures.misplaced.mid(0, 10).join(u'\n')));
    QStringList faults;
    int committed[2] = {0, 0};
    for (const ChaosJob &job : std::as_const(m_acknowledged)) {
        faults += faultsOf(job, m_acknowledged, diary.starts.value(job.draft.id));
        committed[job.isFinished() ? 1 : 0] += job.wasCommitted() ? 1 : 0;
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 10).join(u'\n')));
    for (auto started = diary.starts.cbegin(); started != diary.starts.cend(); ++started)
        QVERIFY2(m_acknowledged.contains(started.key()), started.key().constData()); // no phantom
    // The counters are raised in the very step of a commit: one step for each job, no more.
    const QByteArray stats = hero::keys::stats(workQueue());
    QCOMPARE(await(m_store->command(cmd("HGET", stats, "finished"))).toInteger(), committed[1]);
    QCOMPARE(await(m_store->command(cmd("HGET", stats, "error"))).toInteger(), committed[0]);
    for (const QByteArray &key : {workQueue(), hero::keys::lease("sh"), hero::keys::claims("sh"), hero::keys::delayed(),
                                  hero::keys::waiting()})
        QVERIFY2(await(m_store->command(cmd("EXISTS", key))).toInteger() == 0, key.constData());
    checkLeftovers();
    windows.clear();
    await(scope.drain());
    await(looks.drain());
    m_store->close();
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QStringList arguments = QCoreApplication::arguments();
    isLong = arguments.removeAll(QStringLiteral("--long")) > 0;
    if (isLong)
        qputenv("QTEST_FUNCTION_TIMEOUT", "3600000"); // ms; by itself Qt gives a test function five minutes
    TestChaos test;
    return QTest::qExec(&test, arguments);
}

#include "tst_chaos.moc"
