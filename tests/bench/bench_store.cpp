// What the Redis store costs, as ratios against a plain blocking hiredis loop in the same run.
//
// bench_store [--check] [--rounds N] [--tcp]
// Starts its own redis-server on a unix socket. Many short rounds measure one thing after the other; a ratio is taken
// within each round and the median of the rounds counts, so that a busy machine slows both sides alike. With --check
// the exit code is 1 when a goal is missed.
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstdio>
#include <latch>
#include <thread>

using namespace ym;

namespace {

constexpr int serialTrips = 3'000;
constexpr int coroutines = 64;
constexpr int tripsEach = 300;
constexpr int pipelineLength = 1'000;
constexpr int pipelines = 20;

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Rates {
    std::vector<double> perSecond;

    void add(qint64 operations, qint64 nanoseconds)
    {
        perSecond.push_back(double(operations) * 1e9 / double(nanoseconds));
    }
    double median() const { return medianOf(perSecond); }
    /// The median of the rounds' ratios to another rate.
    double over(const Rates &other) const
    {
        std::vector<double> ratios;
        for (size_t i = 0; i < perSecond.size(); ++i)
            ratios.push_back(perSecond[i] / other.perSecond[i]);
        return medianOf(std::move(ratios));
    }
};

/// The server in a thread of its own, so that its pipes are not in the event loop that is measured.
class ServerThread {
public:
    explicit ServerThread(bool tcp)
        : m_thread([this, tcp] { run(tcp); })
    {
        m_started.wait();
    }
    ~ServerThread()
    {
        m_finish.count_down();
        m_thread.join();
    }

    const ym::test::RedisServer &server() const { return *m_server; }

private:
    void run(bool tcp)
    {
        ym::test::RedisServer::Options options;
        options.tcp = tcp;
        m_server = std::make_unique<ym::test::RedisServer>(options);
        m_started.count_down();
        m_finish.wait();
        m_server.reset();
    }

    std::latch m_started{1};
    std::latch m_finish{1};
    std::unique_ptr<ym::test::RedisServer> m_server;
    std::thread m_thread;
};

/// The floor: hiredis, one command, wait, next.
class Hiredis {
public:
    explicit Hiredis(const ym::test::RedisServer &server, bool tcp)
        : m_context(tcp ? redisConnect("127.0.0.1", server.port())
                        : redisConnectUnix(server.socketPath().toLocal8Bit().constData()))
    {
    }
    ~Hiredis() { redisFree(m_context); }

    void serial()
    {
        for (int i = 0; i < serialTrips; ++i)
            freeReplyObject(redisCommand(m_context, "GET %s", "key"));
    }

    void pipelined()
    {
        for (int i = 0; i < pipelines; ++i) {
            for (int j = 0; j < pipelineLength; ++j)
                redisAppendCommand(m_context, "GET %s", "key");
            for (int j = 0; j < pipelineLength; ++j) {
                void *reply = nullptr;
                redisGetReply(m_context, &reply);
                freeReplyObject(reply);
            }
        }
    }

private:
    redisContext *m_context;
};

QCoro::Task<void> getInTurn(Store *store, int trips)
{
    for (int i = 0; i < trips; ++i) {
        Command get = cmd("GET", "key");
        co_await store->command(std::move(get));
    }
}

QCoro::Task<void> getSideBySide(Store *store)
{
    std::vector<QCoro::Task<void>> running;
    for (int i = 0; i < coroutines; ++i)
        running.push_back(getInTurn(store, tripsEach));
    for (auto &task : running)
        co_await task;
}

QCoro::Task<void> getInPipelines(Store *store)
{
    for (int i = 0; i < pipelines; ++i) {
        std::vector<Command> commands;
        commands.reserve(pipelineLength);
        for (int j = 0; j < pipelineLength; ++j)
            commands.push_back(cmd("GET", "key"));
        co_await store->pipeline(std::move(commands));
    }
}

template <typename Work> void measure(Rates &rates, qint64 operations, Work work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    rates.add(operations, timer.nsecsElapsed());
}

struct Goal {
    const char *name;
    double ratio;
    double least; ///< 0: no goal, for information
};

bool report(const std::vector<Goal> &goals)
{
    bool met = true;
    for (const Goal &goal : goals) {
        const bool ok = goal.ratio >= goal.least;
        met = met && ok;
        std::printf("  %-58s %6.2f", goal.name, goal.ratio);
        if (goal.least > 0)
            std::printf("   goal %5.2f  %s", goal.least, ok ? "met" : "MISSED");
        std::printf("\n");
    }
    return met;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const bool tcp = arguments.contains(QStringLiteral("--tcp"));
    const qsizetype roundsAt = arguments.indexOf(QStringLiteral("--rounds"));
    const int rounds = roundsAt > 0 ? std::max(1, arguments.value(roundsAt + 1).toInt()) : 41;

    const ServerThread thread(tcp);
    const ym::test::RedisServer &server = thread.server();
    if (!server.isRunning()) {
        std::fprintf(stderr, "%s\n", qPrintable(server.error()));
        return 2;
    }
    const QString url = tcp ? QStringLiteral("redis://127.0.0.1:%1").arg(server.port()) : server.url();
    RedisStore store(*parseStoreAddress(url), RedisStore::Options{}, &Clock::system());
    ym::test::await(store.open());
    ym::test::await(store.command(cmd("SET", "key", "value")));
    Hiredis hiredis(server, tcp);

    constexpr int longRun = 300'000;
    Rates floorSerial, floorPipelined, serial, concurrent, pipelined;
    for (int round = 0; round < rounds; ++round) {
        measure(floorSerial, serialTrips, [&] { hiredis.serial(); });
        measure(serial, serialTrips, [&] { ym::test::await(getInTurn(&store, serialTrips), longRun); });
        measure(concurrent, coroutines * tripsEach, [&] { ym::test::await(getSideBySide(&store), longRun); });
        measure(floorPipelined, pipelines * pipelineLength, [&] { hiredis.pipelined(); });
        measure(pipelined, pipelines * pipelineLength, [&] { ym::test::await(getInPipelines(&store), longRun); });
    }
    std::printf("commands a second, median of %d rounds over %s\n", rounds, tcp ? "TCP" : "a unix socket");
    std::printf("  %-40s %10.0f\n  %-40s %10.0f\n  %-40s %10.0f\n  %-40s %10.0f\n  %-40s %10.0f\n", "hiredis, serial",
                floorSerial.median(), "ours, serial", serial.median(), "ours, 64 coroutines", concurrent.median(),
                "hiredis, pipelines of 1000", floorPipelined.median(), "ours, pipelines of 1000", pipelined.median());
    std::printf("ratios\n");
    const bool met = report({{"serial round trips, ours : blocking hiredis", serial.over(floorSerial), 0.85},
                             {"64 coroutines on one connection : our serial rate", concurrent.over(serial), 10},
                             {"pipelines of 1000, ours : blocking hiredis", pipelined.over(floorPipelined), 0}});
    return arguments.contains(QStringLiteral("--check")) && !met ? 1 : 0;
}
