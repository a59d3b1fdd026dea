// Other job libraries (tests/bench/peers) and ours, on the same redis-server in the same run, with jobs that do
// nothing: how many a worker runs, how fast they are queued, how soon an idle worker starts one, and what a job costs.
// And a C loop on hiredis that makes the same submits, claims and ends as ours and has nothing else to do: the floor.
#include "core/protocol/hero/hero_protocol.h"
#include "core/store/redis/redis_store.h"
#include "core/worker/worker_runner.h"
#include "tests/bench/hiredis_loop.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int latencySamples = 200;
constexpr int pauseBetween = 5; ///< ms; the worker is idle again

/// What one library reaches; 0 = not measured.
struct Figures {
    QString name;
    QString at; ///< the concurrency of its best
    double processed = 0; ///< jobs a second
    double single = 0; ///< enqueued a second, one after the other
    double bulk = 0;
    double p50 = 0; ///< µs from submit to start
    double p99 = 0;
    double workerCpu = 0; ///< µs a job
    double serverCpu = 0;
    double reads = 0; ///< of the server, a job
    bool keeps = false; ///< as Peer
};

struct Peer {
    const char *name;
    const char *installed; ///< a command that succeeds then
    const char *run;
    QList<int> concurrencies;
    int jobs; ///< to process; slow ones get fewer
    bool keeps = false; ///< the job stays when it is over and who queued it is told, as with ours
};

const QList<Peer> &peers()
{
    static const QList<Peer> list{
        {"BullMQ", "node -e 'require(`bullmq`)'", "node bullmq.js", {10, 50, 200}, 10'000},
        {"bee-queue", "node -e 'require(`bee-queue`)'", "node bee_queue.js", {10, 50, 200}, 20'000},
        {"bee-queue, keeps",
         "node -e 'require(`bee-queue`)'",
         "env YM_KEEPS=1 node bee_queue.js",
         {10, 50, 200},
         20'000,
         true},
        {"Sidekiq", "sidekiq --version", "ruby sidekiq.rb", {5, 10, 25}, 10'000},
        {"RQ", "/usr/bin/python3 -c 'import rq'", "/usr/bin/python3 rq_peer.py", {1}, 1'000},
        {"Celery", "/usr/bin/python3 -c 'import celery'", "/usr/bin/python3 celery_peer.py", {1, 10}, 2'000},
    };
    return list;
}

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

double percentile99(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, values.size() * 99 / 100)];
}

/// A figure of INFO.
double infoOf(const RedisServer &server, const char *section, const char *field)
{
    const QByteArray text = server.cli({QStringLiteral("info"), QString::fromLatin1(section)});
    const QByteArray mark = QByteArray(field) + ':';
    const qsizetype at = text.indexOf(mark) + mark.size();
    return text.mid(at, text.indexOf('\r', at) - at).toDouble();
}

/// Seconds of processor time that the server has used.
double serverCpu(const RedisServer &server)
{
    return infoOf(server, "cpu", "used_cpu_user") + infoOf(server, "cpu", "used_cpu_sys");
}

double ownCpu()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

// --- peers

std::optional<QJsonObject> runPeer(const Peer &peer, const RedisServer &server, const QString &arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("YM_SOCKET"), server.socketPath());
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QStringLiteral(YM_PEERS));
    process.start(QStringLiteral("/bin/sh"),
                  {QStringLiteral("-c"), QStringLiteral("exec %1 %2").arg(QString::fromLatin1(peer.run), arguments)});
    if (!process.waitForFinished(120'000) || process.exitCode() != 0) {
        QTextStream(stderr) << peer.name << ' ' << arguments << ": " << process.readAllStandardError() << Qt::endl;
        process.kill();
        process.waitForFinished();
        return std::nullopt;
    }
    return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

bool isInstalled(const Peer &peer)
{
    QProcess process;
    process.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromLatin1(peer.installed)});
    return process.waitForFinished(20'000) && process.exitCode() == 0;
}

double perSecond(const std::optional<QJsonObject> &result, int jobs)
{
    const double seconds = result ? (*result)[QStringLiteral("seconds")].toDouble() : 0;
    return seconds > 0 ? jobs / seconds : 0;
}

Figures measurePeer(const Peer &peer, const RedisServer &server)
{
    const auto clear = [&server] { server.cli({QStringLiteral("flushall")}); };
    const auto run = [&](const QString &arguments) { return runPeer(peer, server, arguments); };
    Figures figures;
    figures.name = QString::fromLatin1(peer.name);
    figures.keeps = peer.keeps;
    clear();
    figures.single = perSecond(run(QStringLiteral("single %1").arg(peer.jobs / 5)), peer.jobs / 5);
    for (const int concurrency : peer.concurrencies) {
        clear();
        const auto bulk = run(QStringLiteral("bulk %1").arg(peer.jobs));
        figures.bulk = std::max(figures.bulk, perSecond(bulk, peer.jobs));
        const double before = serverCpu(server);
        const double readsBefore = infoOf(server, "stats", "total_reads_processed");
        const auto processed = run(QStringLiteral("process %1 %2").arg(peer.jobs).arg(concurrency));
        if (perSecond(processed, peer.jobs) <= figures.processed)
            continue;
        figures.processed = perSecond(processed, peer.jobs);
        figures.at = QString::number(concurrency);
        figures.workerCpu = (*processed)[QStringLiteral("cpu")].toDouble() / peer.jobs * 1e6;
        figures.serverCpu = (serverCpu(server) - before) / peer.jobs * 1e6;
        figures.reads = (infoOf(server, "stats", "total_reads_processed") - readsBefore) / peer.jobs;
    }
    clear();
    std::vector<double> micros;
    if (const auto result = run(QStringLiteral("latency %1").arg(latencySamples))) {
        for (const QJsonValue &one : (*result)[QStringLiteral("micros")].toArray())
            micros.push_back(one.toDouble());
    }
    figures.p50 = medianOf(micros);
    figures.p99 = percentile99(micros);
    return figures;
}

// --- ours

/// Runs nothing, at once, and tells when.
class NullExecutor final : public Executor {
public:
    Result<void> canRun(const QByteArray &) const override { return {}; }
    QCoro::Task<Execution> run(ExecutionRequest, OutputSink, RunControl) override
    {
        if (const auto told = std::exchange(onStart, {}))
            told->resolve(true);
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        execution.exitCode = 0;
        execution.output = "ok";
        co_return execution;
    }
    std::optional<Completion<bool>> onStart;
};

Job plainJob()
{
    Job job;
    job.target.type = "python";
    job.script = "print(1)";
    job.concurrent = true;
    return job;
}

QCoro::Task<void> submitOneByOne(Producer *producer, int count)
{
    for (int i = 0; i < count; ++i)
        co_await producer->submit(plainJob());
}

/// A thousand at once, as peers do it.
QCoro::Task<void> submitInBulk(Producer *producer, int count)
{
    for (int done = 0; done < count; done += 1000) {
        std::vector<QCoro::Task<Producer::Receipt>> tasks;
        for (int i = 0; i < std::min(1000, count - done); ++i)
            tasks.push_back(producer->submit(plainJob()));
        for (auto &task : tasks)
            co_await task;
    }
}

template <typename Start> double rate(int count, Start start)
{
    QElapsedTimer time;
    time.start();
    await(start(), 300'000);
    return count / (double(time.nsecsElapsed()) / 1e9);
}

struct Ours {
    RedisStore *store;
    const RedisServer *server;
    HeroProtocol protocol;

    std::unique_ptr<Producer> producer() { return protocol.producer(store, {}, &Clock::system()); }
    std::unique_ptr<WorkerRunner> worker(int slotCount, NullExecutor *executor, bool drain)
    {
        WorkerRunner::Spec spec;
        spec.identity.types = {"python"};
        spec.identity.slotCount = slotCount;
        spec.drain = drain;
        auto consumer = protocol.consumer(store, {}, &Clock::system(), spec.identity);
        return std::make_unique<WorkerRunner>(store, std::move(consumer), executor, &Clock::system(), spec);
    }
};

void drain(Ours &ours, Figures &figures, int slotCount, int jobs)
{
    ours.server->cli({QStringLiteral("flushall")});
    const auto producer = ours.producer();
    figures.bulk = std::max(figures.bulk, rate(jobs, [&] { return submitInBulk(producer.get(), jobs); }));
    NullExecutor executor;
    const auto worker = ours.worker(slotCount, &executor, true);
    const double serverBefore = serverCpu(*ours.server);
    const double readsBefore = infoOf(*ours.server, "stats", "total_reads_processed");
    const double cpuBefore = ownCpu();
    const double processed = rate(jobs, [&]() -> QCoro::Task<void> {
        await(worker->start());
        return worker->finished();
    });
    if (processed <= figures.processed)
        return;
    figures.processed = processed;
    figures.at = QString::number(slotCount);
    figures.workerCpu = (ownCpu() - cpuBefore) / jobs * 1e6;
    figures.serverCpu = (serverCpu(*ours.server) - serverBefore) / jobs * 1e6;
    figures.reads = (infoOf(*ours.server, "stats", "total_reads_processed") - readsBefore) / jobs;
}

QCoro::Task<void> submitAndAwaitStart(Producer *producer, NullExecutor *executor, std::vector<double> *micros)
{
    for (int i = 0; i < latencySamples; ++i) {
        co_await Clock::system().sleep(Milliseconds{pauseBetween}, {});
        const Completion<bool> started;
        executor->onStart = started;
        QElapsedTimer time;
        time.start();
        QCoro::Task<Producer::Receipt> submitting = producer->submit(plainJob());
        co_await started;
        micros->push_back(double(time.nsecsElapsed()) / 1e3);
        co_await submitting;
    }
}

void measureLatency(Ours &ours, Figures &figures)
{
    ours.server->cli({QStringLiteral("flushall")});
    const auto producer = ours.producer();
    NullExecutor executor;
    const auto worker = ours.worker(1, &executor, false);
    await(worker->start());
    std::vector<double> micros;
    await(submitAndAwaitStart(producer.get(), &executor, &micros), 60'000);
    await(worker->stop(Milliseconds{0}));
    figures.p50 = medianOf(micros);
    figures.p99 = percentile99(micros);
}

// --- the table

/// The highest figure of all; 0 when there is none.
double best(const QList<Figures> &all, double Figures::*what)
{
    double highest = 0;
    for (const Figures &each : all)
        highest = std::max(highest, each.*what);
    return highest;
}

void printTable(const QList<Figures> &rows)
{
    QTextStream out(stdout);
    out << "no-op jobs on one redis-server; each worker at its best concurrency\n"
        << "                        at   jobs/s  single/s   bulk/s  idle p50  idle p99   µs/job: worker  server  "
           "reads/job\n";
    for (const Figures &f : rows) {
        const auto number = [](double value, int digits) {
            return value > 0 ? QString::number(value, 'f', digits) : QStringLiteral("–");
        };
        out << qSetFieldWidth(20) << Qt::left << f.name << Qt::right << qSetFieldWidth(6) << f.at << qSetFieldWidth(9)
            << number(f.processed, 0) << qSetFieldWidth(10) << number(f.single, 0) << qSetFieldWidth(9)
            << number(f.bulk, 0) << qSetFieldWidth(10) << number(f.p50, 0) << number(f.p99, 0) << qSetFieldWidth(17)
            << number(f.workerCpu, 1) << qSetFieldWidth(8) << number(f.serverCpu, 1) << qSetFieldWidth(11)
            << number(f.reads, 2) << qSetFieldWidth(0) << "\n";
    }
}

/// `reached` is not finite where the other side was not measured.
struct Goal {
    const char *text;
    double reached;
    double wanted;
    bool isUpper = false;
};

/// Whether all are met; one that cannot be judged is not.
bool printGoals(const QList<Goal> &goals)
{
    QTextStream out(stdout);
    bool good = true;
    for (const Goal &goal : goals) {
        const bool isKnown = std::isfinite(goal.reached);
        const bool isMet = isKnown && (goal.isUpper ? goal.reached <= goal.wanted : goal.reached >= goal.wanted);
        good = good && isMet;
        if (isKnown)
            out << (isMet ? "met     " : "MISSED  ") << QString::number(goal.reached, 'f', 2);
        else
            out << "UNKNOWN    –";
        out << "  " << goal.text << (isKnown ? "\n" : ": no peer to compare with\n");
    }
    return good;
}

/// A figure that is no goal: it says where the floor is.
void tell(const char *text, double reached)
{
    if (std::isfinite(reached))
        QTextStream(stdout) << "        " << QString::number(reached, 'f', 2) << "  " << text << "\n";
}

/// Of two figures; not finite when one of them was not measured.
double ratio(double ours, double other)
{
    return ours > 0 && other > 0 ? ours / other : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const RedisServer server;
    if (!server.isRunning()) {
        QTextStream(stderr) << server.error() << Qt::endl;
        return 1;
    }
    QList<Figures> others;
    const qsizetype only = application.arguments().indexOf(QStringLiteral("--only")); // NAME,NAME or -
    const QStringList wanted = application.arguments().value(only + 1).split(u',');
    for (const Peer &peer : peers()) {
        if (only > 0 && !wanted.contains(QString::fromLatin1(peer.name).section(u',', 0, 0)))
            continue;
        if (isInstalled(peer))
            others.append(measurePeer(peer, server));
        else
            QTextStream(stdout) << peer.name << " is not installed and skipped\n";
    }

    RedisStore store(*parseStoreAddress(server.url()), RedisStore::Options{}, &Clock::system());
    await(store.open());
    Ours ours{&store, &server, {}};
    Figures one;
    one.name = QStringLiteral("Yardmaster");
    Figures many = one;
    const auto producer = ours.producer();
    many.single = rate(4'000, [&] { return submitOneByOne(producer.get(), 4'000); });
    drain(ours, one, 1, 10'000);
    for (int round = 0; round < 3; ++round)
        drain(ours, many, 64, 20'000);
    measureLatency(ours, many);
    store.close();

    Figures loop;
    loop.name = QStringLiteral("C loop, same claims");
    loop.at = QStringLiteral("64");
    server.cli({QStringLiteral("flushall")});
    const std::vector<double> trips = HiredisLoop(server.socketPath()).trips(latencySamples, pauseBetween);
    loop.p50 = medianOf(trips);
    loop.p99 = percentile99(trips);
    Figures bare; // nothing is decided or safe there: what the server takes for the same reading and writing
    bare.name = QStringLiteral("C loop, no scripts");
    bare.at = loop.at;
    for (int round = 0; round < 3; ++round) {
        server.cli({QStringLiteral("flushall")});
        HiredisLoop blocking(server.socketPath());
        loop.bulk = std::max(loop.bulk, 20'000 / blocking.submit(20'000));
        loop.processed = std::max(loop.processed, 20'000 / blocking.drain(20'000, 64));
        server.cli({QStringLiteral("flushall")});
        blocking.submit(20'000);
        bare.processed = std::max(bare.processed, 20'000 / blocking.drainWithoutScripts(20'000, 64));
    }
    printTable(others + QList<Figures>{one, many, loop, bare});
    const auto isQuicker = [](const Figures &a, const Figures &b) {
        return b.p50 <= 0 || (a.p50 > 0 && a.p50 < b.p50);
    };
    const double fastest = best(others, &Figures::processed);
    const double quickest = others.isEmpty() ? 0 : std::min_element(others.begin(), others.end(), isQuicker)->p50;
    QList<Figures> keepers;
    std::copy_if(others.begin(), others.end(), std::back_inserter(keepers), [](const Figures &f) { return f.keeps; });
    const bool good =
        printGoals({{"processed ÷ the fastest peer (≥ 2)", ratio(many.processed, fastest), 2},
                    {"processed ÷ the C loop (≥ 0.8)", ratio(many.processed, loop.processed), 0.8},
                    {"bulk submit ÷ the fastest peer (≥ 1)", ratio(many.bulk, best(others, &Figures::bulk)), 1},
                    {"idle p50 ÷ the fastest peer (≤ 0.4)", ratio(many.p50, quickest), 0.4, true},
                    {"server reads a job with one slot (≤ 2.0)", one.reads, 2.0, true},
                    {"server reads a job with 64 slots (≤ 0.2)", many.reads, 0.2, true}});
    tell("processed ÷ the fastest peer that keeps jobs and tells of their end, as ours does",
         ratio(many.processed, best(keepers, &Figures::processed)));
    tell("processed ÷ C without scripts", ratio(many.processed, bare.processed));
    tell("C without scripts ÷ the fastest peer", ratio(bare.processed, fastest));
    tell("idle p50 of C ÷ the fastest peer", ratio(loop.p50, quickest));
    return application.arguments().contains(QStringLiteral("--check")) && !good ? 1 : 0;
}
