// Python jobs through the whole path – submit, claim, contained run, finish – on a redis-server of its own: forked from
// a warm interpreter, started cold under the same containment, and the same work in RQ's two workers, all in one run.
// Usage: bench_python_jobs [--check | --warm] [JOBS]; --warm measures only the first. Needs Debian's python3-rq for the comparison.
#include "core/protocol/hero/hero_protocol.h"
#include "core/store/redis/redis_store.h"
#include "core/worker/process_executor.h"
#include "core/worker/worker_runner.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTextStream>

#include <algorithm>
#include <functional>
#include <unistd.h>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int slotCount = 2;

QCoro::Task<void> submitMany(Producer *producer, int count)
{
    for (int i = 0; i < count; ++i) {
        Job job;
        job.target.type = "python";
        job.script = "print(1)";
        job.concurrent = true;
        co_await producer->submit(job);
    }
}

/// How we run them.
struct Manner {
    bool isWarm = false;
    ContainmentLevel best = ContainmentLevel::Bubblewrap;
};

/// Processor time in ms, by who used it.
struct CpuUse {
    double worker = 0; ///< this process
    double server = 0; ///< the redis-server
    double launchers = 0; ///< what stays between jobs: launchers, bubblewrap, warm interpreters
    double jobs = 0; ///< what warm interpreters have forked
};

struct Measured {
    double perSecond = 0;
    CpuUse cpu; ///< of one job
    int finished = 0;
    Containment containment;
    QList<qint64> idleKb; ///< of each process that waits for the next job
};

QList<int> childrenOf(int pid)
{
    QList<int> children;
    QFile list(QStringLiteral("/proc/%1/task/%1/children").arg(pid));
    if (list.open(QIODevice::ReadOnly)) {
        for (const QByteArray &word : list.readAll().simplified().split(' ')) {
            if (word.toInt() > 0)
                children << word.toInt() << childrenOf(word.toInt());
        }
    }
    return children;
}

/// Proportional size: what is shared with others counts for each in part.
qint64 ownKb(int pid)
{
    QFile file(QStringLiteral("/proc/%1/smaps_rollup").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf("\nPss:");
    return at < 0 ? 0 : text.mid(at + 5, text.indexOf("kB", at) - at - 5).trimmed().toLongLong();
}

struct ProcessTimes {
    double own = 0; ///< ms
    double ofChildren = 0; ///< ms, of those that it has waited for
};

ProcessTimes timesOf(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray text = file.readAll();
    const QList<QByteArray> words = text.mid(text.lastIndexOf(')') + 2).split(' ');
    const double msPerTick = 1000.0 / double(sysconf(_SC_CLK_TCK));
    return {(words[11].toDouble() + words[12].toDouble()) * msPerTick,
            (words[13].toDouble() + words[14].toDouble()) * msPerTick};
}

Measured drain(Store *store, qint64 server, int jobs, const Manner &manner, const QString &folder)
{
    HeroProtocol protocol;
    InterpreterTable table;
    Interpreter python = builtinInterpreters().constFirst();
    python.command[0] = QStringLiteral("/usr/bin/python3");
    if (!table.setRow(python))
        qFatal("row");
    ProcessExecutor::Options options;
    options.tempRoot = folder + QStringLiteral("/jobs");
    options.isWarm = manner.isWarm;
    options.niceness = 0; // as RQ's
    options.bestLevel = manner.best;
    ProcessExecutor executor(&table, options, &Clock::system());
    const auto producer = protocol.producer(store, {}, &Clock::system());
    await(submitMany(producer.get(), jobs), 300'000);

    WorkerRunner::Spec spec;
    spec.identity.types = {"python"};
    spec.identity.slotCount = slotCount;
    spec.logFolder = folder + QStringLiteral("/logs");
    spec.auditFile = folder + QStringLiteral("/audit.log");
    spec.grant.limitsOnly = true;
    spec.drain = true;
    WorkerRunner runner(store, protocol.consumer(store, {}, &Clock::system(), spec.identity), &executor,
                        &Clock::system(), spec);
    Measured measured;
    QObject::connect(&runner, &WorkerRunner::jobEnded, &runner, [&](const QByteArray &, const Execution &execution) {
        measured.finished += execution.fate == Execution::Fate::Finished && execution.output == "1\n" ? 1 : 0;
    });
    const qint64 self = QCoreApplication::applicationPid();
    const double workerBefore = timesOf(self).own, serverBefore = timesOf(server).own;
    QElapsedTimer time;
    time.start();
    await(runner.start(), 60'000);
    await(runner.finished(), 600'000);
    measured.perSecond = jobs / (double(time.nsecsElapsed()) / 1e9);
    measured.cpu.worker = (timesOf(self).own - workerBefore) / jobs;
    measured.cpu.server = (timesOf(server).own - serverBefore) / jobs;
    QList<int> own = childrenOf(int(self));
    own.removeOne(int(server));
    for (const int pid : std::as_const(own)) {
        measured.cpu.launchers += timesOf(pid).own / jobs;
        measured.cpu.jobs += timesOf(pid).ofChildren / jobs;
    }
    measured.containment = await(executor.containment());
    for (const int pid : std::as_const(own))
        measured.idleKb.append(ownKb(pid));
    return measured;
}

/// RQ with as many workers; the module that has the function is written for it.
double rq(const RedisServer &server, int jobs, const char *workerClass)
{
    QTemporaryDir folder;
    QFile module(folder.filePath(QStringLiteral("bench_rq.py")));
    if (!module.open(QIODevice::WriteOnly))
        return 0;
    module.write("import sys\n"
                 "from redis import Redis\n"
                 "def work():\n    exec('print(1)')\n"
                 "def fill(path, count):\n"
                 "    from rq import Queue\n"
                 "    queue = Queue(connection=Redis(unix_socket_path=path))\n"
                 "    for i in range(count): queue.enqueue('bench_rq.work')\n"
                 "def serve(path, kind):\n"
                 "    import rq\n"
                 "    connection = Redis(unix_socket_path=path)\n"
                 "    getattr(rq, kind)([rq.Queue(connection=connection)], connection=connection)"
                 ".work(burst=True, logging_level='ERROR')\n"
                 "if sys.argv[1] == 'fill': fill(sys.argv[2], int(sys.argv[3]))\n"
                 "elif sys.argv[1] == 'serve': serve(sys.argv[2], sys.argv[3])\n");
    module.close();
    const QString path = server.socketPath();
    const auto start = [&](const QStringList &arguments) {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(folder.path());
        process->setStandardOutputFile(QProcess::nullDevice());
        process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process->start(QStringLiteral("/usr/bin/python3"), QStringList{QStringLiteral("bench_rq.py")} + arguments);
        return process;
    };
    const auto filling = start({QStringLiteral("fill"), path, QString::number(jobs)});
    if (!filling->waitForFinished(300'000) || filling->exitCode() != 0)
        return 0;
    QElapsedTimer time;
    time.start();
    std::vector<std::unique_ptr<QProcess>> workers;
    for (int i = 0; i < slotCount; ++i)
        workers.push_back(start({QStringLiteral("serve"), path, QString::fromLatin1(workerClass)}));
    bool ok = true;
    for (const auto &worker : workers)
        ok = worker->waitForFinished(600'000) && worker->exitCode() == 0 && ok;
    return ok ? jobs / (double(time.nsecsElapsed()) / 1e9) : 0;
}

/// What no way of forking can undercut here: a bare interpreter forks a process that ends at once. In ms.
double forkFloor()
{
    QProcess python;
    python.start(QStringLiteral("/usr/bin/python3"),
                 {QStringLiteral("-c"), QStringLiteral("import gc, os, time\n"
                                                       "gc.collect(); gc.freeze()\n"
                                                       "start = time.perf_counter()\n"
                                                       "for i in range(500):\n"
                                                       "    pid = os.fork()\n"
                                                       "    if pid == 0: os._exit(0)\n"
                                                       "    os.waitpid(pid, 0)\n"
                                                       "print((time.perf_counter() - start) * 2)\n")});
    return python.waitForFinished(60'000) ? python.readAllStandardOutput().trimmed().toDouble() : 0;
}

/// To make a small file, in us; the median of many.
double fileCost(const QString &folder)
{
    QTemporaryDir own(folder + QStringLiteral("/files-XXXXXX"));
    std::vector<double> us;
    for (int i = 0; i < 201; ++i) {
        QFile file(own.filePath(QString::number(i)));
        QElapsedTimer time;
        time.start();
        if (!file.open(QIODevice::WriteOnly) || file.write("1\n") != 2)
            return 0;
        file.close();
        us.push_back(double(time.nsecsElapsed()) / 1e3);
    }
    std::nth_element(us.begin(), us.begin() + 100, us.end());
    return us[100];
}

/// A way to run jobs: one figure a round.
struct Way {
    const char *name;
    std::function<double()> perSecond;
    std::vector<double> rounds;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Of the rounds, in each of which both were measured one after the other: so what else the machine does matters less.
double ratio(const Way &one, const Way &other)
{
    std::vector<double> ratios;
    for (size_t i = 0; i < one.rounds.size(); ++i)
        ratios.push_back(other.rounds[i] > 0 ? one.rounds[i] / other.rounds[i] : 0);
    return median(std::move(ratios));
}

void show(QTextStream &out, const Way &way)
{
    const auto [least, most] = std::minmax_element(way.rounds.begin(), way.rounds.end());
    out << qSetFieldWidth(40) << Qt::left << way.name << qSetFieldWidth(8) << Qt::right
        << QString::number(median(way.rounds), 'f', 0) << qSetFieldWidth(0) << " jobs/s (" << QString::number(*least, 'f', 0)
        << " to " << QString::number(*most, 'f', 0) << ")\n";
}

void showUse(QTextStream &out, const CpuUse &cpu)
{
    out << "processor time of a warm job in ms: worker " << cpu.worker << ", server " << cpu.server
        << ", launchers and warm interpreters " << cpu.launchers << ", jobs " << cpu.jobs << "\n";
}

void showCosts(QTextStream &out, const Measured &warm, const QString &folder)
{
    showUse(out, warm.cpu);
    const double whole = warm.cpu.worker + warm.cpu.server + warm.cpu.launchers + warm.cpu.jobs;
    out << "floor: a bare interpreter forks and ends in " << QString::number(forkFloor(), 'f', 2)
        << " ms; with all that a warm job costs, two cores do at most " << QString::number(2000 / whole, 'f', 0)
        << " jobs/s\n";
    out << "a log file takes " << QString::number(fileCost(folder), 'f', 0) << " us in " << folder << ", "
        << QString::number(fileCost(QDir::tempPath()), 'f', 0) << " us in " << QDir::tempPath() << "\n";
    out << "processes that wait for the next job, proportional size in KiB:";
    for (const qint64 kb : warm.idleKb)
        out << ' ' << kb;
    out << "\n";
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int jobs = arguments.last().toInt() > 0 ? arguments.last().toInt() : 2000;
    // In memory where that can be had: ext4 without a journal, as small virtual machines have it, looks for each new file
    // through all that were deleted in the last minutes, so that a log would cost what other programs did before.
    const QString memory = QStringLiteral("/dev/shm");
    const QString root = QFileInfo(memory).isWritable() ? memory : QDir::tempPath();
    QTemporaryDir folder(root + QStringLiteral("/bench_python_jobs-XXXXXX"));
    RedisServer server;
    QTextStream out(stdout);
    if (!server.isRunning()) {
        out << server.error() << Qt::endl;
        return 1;
    }
    const auto address = parseStoreAddress(server.url());
    RedisStore store(*address, RedisStore::Options{}, &Clock::system());
    await(store.open());
    Measured measured;
    bool good = true;
    const auto ours = [&](int count, const Manner &manner) {
        const Measured now = drain(&store, server.pid(), count, manner, folder.path());
        good = good && now.finished == count;
        if (manner.isWarm)
            measured = now;
        return now.perSecond;
    };
    if (arguments.contains(QStringLiteral("--warm"))) {
        out << "warm " << ours(jobs, {true, ContainmentLevel::Bubblewrap}) << " jobs/s\n";
        showUse(out, measured.cpu);
        store.close();
        return good ? 0 : 1;
    }
    Way warm{"warm, contained", [&] { return ours(jobs, {true, ContainmentLevel::Bubblewrap}); }, {}};
    Way simple{"RQ, SimpleWorker (isolates nothing)", [&] { return rq(server, jobs, "SimpleWorker"); }, {}};
    Way forking{"RQ, Worker (forks)", [&] { return rq(server, jobs / 4, "Worker"); }, {}};
    Way cold{"cold, contained alike", [&] { return ours(jobs / 16, {false, ContainmentLevel::Bubblewrap}); }, {}};
    Way bare{"cold, limits only", [&] { return ours(jobs / 16, {false, ContainmentLevel::LimitsOnly}); }, {}};
    Way *const ways[] = {&warm, &simple, &forking, &cold, &bare};
    for (int round = 0; round < 3; ++round) {
        for (Way *const way : ways)
            way->rounds.push_back(way->perSecond());
    }
    store.close();

    out << jobs << " Python jobs print(1), " << slotCount << " slots, " << containmentText(measured.containment)
        << ", the median of three rounds\n";
    for (const Way *const way : ways)
        show(out, *way);
    showCosts(out, measured, folder.path());
    const auto msPerJob = [](const Way &way) { return slotCount * 1000.0 / median(way.rounds); };
    out << "containment costs a cold job " << QString::number(msPerJob(cold) - msPerJob(bare), 'f', 1)
        << " ms of a slot's time\n";
    const auto goal = [&](const char *name, const Way &other, double least) {
        const double times = ratio(warm, other);
        good = good && times >= least;
        out << (times >= least ? "goal met: " : "GOAL MISSED: ") << QString::number(times, 'f', 2) << " x " << name
            << " (at least " << least << ")\n";
    };
    goal("our own cold start", cold, 3);
    goal("RQ's forking worker", forking, 4);
    goal("RQ's SimpleWorker", simple, 1.1);
    return arguments.contains(QStringLiteral("--check")) && !good ? 1 : 0;
}
