// The life cycle of a job – submit, claim, run nothing, finish – on a redis-server of its own and on the embedded
// store. Printed as ratios against a plain blocking hiredis loop that does what the protocol text says, in the same
// run.
#include "core/protocol/hero/hero_protocol.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"
#include "core/worker/worker_runner.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTextStream>

#include <hiredis.h>

#include <algorithm>

using namespace ym;
using namespace ym::test;

namespace {

int jobCount = 4000; ///< --jobs
constexpr int rounds = 3;

/// Runs nothing, at once: what is measured is the dispatching.
class NullExecutor final : public Executor {
public:
    Result<void> canRun(const QByteArray &) const override { return {}; }
    QCoro::Task<Execution> run(ExecutionRequest, OutputSink, RunControl) override
    {
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        execution.exitCode = 0;
        execution.output = "ok";
        co_return execution;
    }
};

struct Measured {
    double jobsPerSecond = 0; ///< from the backlog to the end
    double livesPerSecond = 0; ///< with their submits, one after the other
    double readsPerJob = 0;
};

qint64 readsOf(const RedisServer &server)
{
    const QByteArray stats = server.cli({QStringLiteral("info"), QStringLiteral("stats")});
    const qsizetype at = stats.indexOf("total_reads_processed:");
    return stats.mid(at + 22, stats.indexOf('\r', at) - at - 22).toLongLong();
}

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

/// Submits first, then measures how long one worker needs for the backlog; and both together.
Measured drain(Store *store, int slotCount, const RedisServer *server)
{
    HeroProtocol protocol;
    NullExecutor executor;
    const auto producer = protocol.producer(store, {}, &Clock::system());
    QElapsedTimer life;
    life.start();
    await(submitMany(producer.get(), jobCount), 300'000);
    const double submitting = double(life.nsecsElapsed()) / 1e9;

    WorkerRunner::Spec spec;
    spec.identity.types = {"python"};
    spec.identity.slotCount = slotCount;
    spec.drain = true;
    WorkerRunner runner(store, protocol.consumer(store, {}, &Clock::system(), spec.identity), &executor,
                        &Clock::system(), spec);
    const qint64 before = server ? readsOf(*server) : 0;
    QElapsedTimer time;
    time.start();
    await(runner.start());
    await(runner.finished(), 300'000);
    const double seconds = double(time.nsecsElapsed()) / 1e9;
    const qint64 reads = server ? readsOf(*server) - before : 0;
    return {jobCount / seconds, jobCount / (submitting + seconds), double(reads) / jobCount};
}

void freeReply(void *reply)
{
    freeReplyObject(reply);
}

/// The worker loop of the protocol document, word for word, with blocking round trips.
double plainLoop(const RedisServer &server)
{
    redisContext *redis = redisConnectUnix(server.socketPath().toUtf8().constData());
    for (int i = 0; i < jobCount; ++i) {
        freeReply(redisCommand(redis, "HSET hero:job:plain-%d id plain-%d script print(1) status dispatched", i, i));
        freeReply(redisCommand(redis, "LPUSH hero:q:work:type:plain plain-%d", i));
    }
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < jobCount; ++i) {
        auto *popped = static_cast<redisReply *>(redisCommand(redis, "BRPOP hero:q:work:type:plain 1"));
        const QByteArray id(popped->element[1]->str, qsizetype(popped->element[1]->len));
        freeReplyObject(popped);
        const char *name = id.constData();
        freeReply(redisCommand(redis, "HGETALL hero:job:%s", name));
        freeReply(redisCommand(redis, "HSET hero:job:%s status started", name));
        freeReply(redisCommand(redis, "LLEN hero:stop_queue:plain"));
        freeReply(redisCommand(redis, "HSET hero:job:%s status finished output ok", name));
        freeReply(redisCommand(redis, "LPUSH hero:q:reply:%s ok", name));
    }
    const double seconds = double(time.nsecsElapsed()) / 1e9;
    redisFree(redis);
    return jobCount / seconds;
}

template <typename Run> Measured medianOf(Run run)
{
    std::vector<Measured> all;
    for (int i = 0; i < rounds; ++i)
        all.push_back(run());
    std::sort(all.begin(), all.end(),
              [](const Measured &a, const Measured &b) { return a.jobsPerSecond < b.jobsPerSecond; });
    return all[rounds / 2];
}

/// One slot on the embedded store in a folder of its own, brought to disk every second.
Measured embeddedRun()
{
    QTemporaryDir folder;
    EmbeddedStore store(EmbeddedStore::Options{folder.path(), EmbeddedStore::Fsync::EverySecond}, &Clock::system());
    await(store.open());
    const Measured measured = drain(&store, 1, nullptr);
    store.close();
    return measured;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    const qsizetype jobs = application.arguments().indexOf(QStringLiteral("--jobs"));
    if (jobs > 0)
        jobCount = application.arguments().value(jobs + 1).toInt();
    if (application.arguments().contains(QStringLiteral("--embedded"))) { // alone, for a profiler
        out << qint64(medianOf(embeddedRun).jobsPerSecond) << " jobs/s\n";
        return 0;
    }
    RedisServer server;
    RedisServer::Options durable;
    durable.appendOnly = true;
    RedisServer durableServer(durable);
    for (const RedisServer *each : {&server, &durableServer}) {
        if (each->isRunning())
            continue;
        QTextStream(stderr) << each->error() << Qt::endl;
        return 1;
    }
    RedisStore redis(*parseStoreAddress(server.url()), RedisStore::Options{}, &Clock::system());
    RedisStore durableRedis(*parseStoreAddress(durableServer.url()), RedisStore::Options{}, &Clock::system());
    await(redis.open());
    await(durableRedis.open());

    const Measured plain = medianOf([&] { return Measured{plainLoop(server), 0, 6}; });
    const Measured one = medianOf([&] { return drain(&redis, 1, &server); });
    const Measured many = medianOf([&] { return drain(&redis, 64, &server); });
    std::vector<double> gains; // each pair is measured side by side, so that a busy machine slows both
    Measured durableOne;
    Measured embedded;
    for (int i = 0; i < rounds; ++i) {
        durableOne = drain(&durableRedis, 1, &durableServer);
        embedded = embeddedRun();
        gains.push_back(embedded.livesPerSecond / durableOne.livesPerSecond);
    }
    std::sort(gains.begin(), gains.end());
    const double gain = gains[rounds / 2];
    redis.close();
    durableRedis.close();

    out << "job life cycle, " << jobCount << " no-op jobs in a backlog, median of " << rounds << "\n";
    const auto row = [&out, &plain](const char *name, const Measured &m) {
        out << qSetFieldWidth(44) << Qt::left << name << qSetFieldWidth(10) << Qt::right << qint64(m.jobsPerSecond)
            << QString::number(m.jobsPerSecond / plain.jobsPerSecond, 'f', 2) << QString::number(m.readsPerJob, 'f', 2)
            << qSetFieldWidth(0) << "\n";
    };
    out << qSetFieldWidth(44) << Qt::left << "" << qSetFieldWidth(10) << Qt::right << "jobs/s"
        << "ratio"
        << "reads/job" << qSetFieldWidth(0) << "\n";
    row("plain blocking loop, as the protocol says", plain);
    row("one slot on redis-server", one);
    row("64 slots on redis-server", many);
    row("one slot on redis-server, everysec", durableOne);
    row("one slot on the embedded store, everysec", embedded);
    const bool good = one.readsPerJob <= 2.0 && gain >= 3.0;
    out << "embedded ÷ redis-server, both everysec: whole lives with their submits " << QString::number(gain, 'f', 2)
        << " (" << qint64(embedded.livesPerSecond) << " ÷ " << qint64(durableOne.livesPerSecond)
        << " a second), from the backlog " << QString::number(embedded.jobsPerSecond / durableOne.jobsPerSecond, 'f', 2)
        << "\n";
    out << (good ? "goals met: " : "GOAL MISSED: ")
        << "one slot ≤ 2.0 server reads per job, embedded ≥ 3 × redis-server\n";
    return application.arguments().contains(QStringLiteral("--check")) && !good ? 1 : 0;
}
