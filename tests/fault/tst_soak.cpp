// Jobs are made, run, finished and removed at full speed on a workspace: nothing may grow – not memory, not the log,
// not open files, not what the store remembers of clients, waiters, watches and subscriptions.
// Seconds in the test run; `tst_fault_soak --long` is ten minutes. Prints its figures.
#include "core/protocol/hero/hero_protocol.h"
#include "core/worker/worker_runner.h"
#include "tests/support/workspace.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

bool isLong = false;

constexpr qint64 rewriteMinSize = 4 * 1024 * 1024;

/// Runs nothing, at once.
class NullExecutor final : public Executor {
public:
    Result<void> canRun(const QByteArray &) const override { return {}; }
    QCoro::Task<Execution> run(ExecutionRequest, OutputSink, RunControl) override
    {
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        execution.exitCode = 0;
        execution.output = QByteArray(200, 'o');
        co_return execution;
    }
};

/// One look at everything that might grow.
struct Sample {
    double seconds = 0;
    qint64 jobs = 0;
    qint64 memory = 0; ///< anonymous pages, bytes
    qint64 files = 0;
    qint64 log = 0;
    qint64 keys = 0;
    qint64 clients = 0;
    qint64 waiters = 0;
};

qint64 anonymousMemory()
{
    const QByteArray status = contentOf(QStringLiteral("/proc/self/status"));
    return status.mid(status.indexOf("RssAnon:") + 8).trimmed().split(' ').front().toLongLong() * 1024;
}

qint64 infoNumber(const QByteArray &info, const char *name)
{
    const qsizetype at = info.indexOf(QByteArray("\n") + name + ':');
    return at < 0 ? -1 : info.mid(at + qsizetype(qstrlen(name)) + 2).split('\r').front().toLongLong();
}

template <typename Get> qint64 mostOf(const std::vector<Sample> &samples, size_t from, size_t to, Get get)
{
    qint64 most = 0;
    for (size_t i = from; i < to; ++i)
        most = std::max(most, get(samples[i]));
    return most;
}

} // namespace

class TestSoak : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<EmbeddedStore> m_store;
    std::unique_ptr<Producer> m_producer;
    std::vector<Sample> m_samples;
    qint64 m_jobs = 0;
    QElapsedTimer m_time;

    void look()
    {
        const QByteArray info = await(m_store->command(cmd("INFO"))).string;
        Sample sample;
        sample.seconds = double(m_time.elapsed()) / 1000;
        sample.jobs = m_jobs;
        sample.memory = anonymousMemory();
        sample.files = QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::AllEntries | QDir::System).size();
        sample.log = QFileInfo(logPathIn(m_folder.path())).size();
        sample.keys = await(m_store->command(cmd("DBSIZE"))).toInteger();
        sample.clients = infoNumber(info, "connected_clients");
        sample.waiters = infoNumber(info, "blocked_clients");
        m_samples.push_back(sample);
        qInfo("%6.1f s %8lld jobs: memory %5.1f MB, log %5.1f MB, %lld compactions, %lld keys, %lld clients, "
              "%lld waiting, %lld files",
              sample.seconds, sample.jobs, double(sample.memory) / 1e6, double(sample.log) / 1e6,
              infoNumber(info, "aof_rewrites"), sample.keys, sample.clients, sample.waiters, sample.files);
    }

    /// Makes jobs, waits until they are over, and removes them.
    QCoro::Task<void> someJobs()
    {
        QList<QByteArray> ids;
        for (int i = 0; i < 50; ++i) {
            Job job;
            job.target.type = "python";
            job.script = "print(" + QByteArray::number(m_jobs) + ")";
            job.concurrent = true;
            const Producer::Receipt receipt = co_await m_producer->submit(job);
            ids.append(receipt.id);
        }
        for (const QByteArray &id : ids) {
            const Job job = co_await m_producer->waitUntilOver(id, Milliseconds{30'000}, {});
            if (job.state != JobState::Finished)
                QTest::qFail("a job has not finished", __FILE__, __LINE__);
            const bool isRemoved = co_await m_producer->remove(id);
            if (!isRemoved)
                QTest::qFail("a job cannot be removed", __FILE__, __LINE__);
        }
        m_jobs += ids.size();
    }

    static std::vector<Command> watching()
    {
        return {cmd("WATCH", "watched"), cmd("MULTI"),  cmd("SET", "watched", "1", "PX", 50), cmd("EXEC"),
                cmd("WATCH", "watched"), cmd("UNWATCH")};
    }

    /// Everything else that clients do and that leaves something behind while it lasts.
    QCoro::Task<void> someClients()
    {
        for (int i = 0; i < 10; ++i) {
            const QByteArray channel = "news:" + QByteArray::number(i);
            const auto subscription = m_store->subscribe(QList<QByteArray>(1, channel), Store::Match::Channels);
            co_await m_store->command(cmd("PUBLISH", channel, "x"));
        }
        std::stop_source stop;
        auto waiting = m_store->blocking(cmd("BLPOP", "nobody", "pushes", 0), Milliseconds{10'000}, stop.get_token());
        stop.request_stop();
        try {
            co_await std::move(waiting);
        } catch (const StoreError &) {
            // cancelled, as it should be
        }
        auto served = m_store->blocking(cmd("BLPOP", "somebody", 0), Milliseconds{10'000}, {});
        co_await m_store->command(cmd("LPUSH", "somebody", "x"));
        co_await std::move(served);
        co_await m_store->pipeline(watching());
        for (int i = 0; i < 20; ++i) {
            co_await m_store->command(
                cmd("EVAL", "local t = {} for i = 1, 100 do t[i] = ARGV[1] .. i end return #t", 0, i));
        }
    }

private Q_SLOTS:
    void nothingGrows()
    {
        EmbeddedStore::Options options;
        options.folder = m_folder.path();
        options.rewriteMinSize = rewriteMinSize;
        m_store = std::make_unique<EmbeddedStore>(options, &Clock::system());
        await(m_store->open());
        HeroProtocol protocol;
        m_producer = protocol.producer(m_store.get(), {}, &Clock::system());
        NullExecutor executor;
        WorkerRunner::Spec spec;
        spec.identity.types = {"python"};
        spec.identity.slotCount = 8;
        WorkerRunner runner(m_store.get(), protocol.consumer(m_store.get(), {}, &Clock::system(), spec.identity),
                            &executor, &Clock::system(), spec);
        await(runner.start());

        const double duration = isLong ? 600 : 6;
        const double interval = duration / 30;
        m_time.start();
        while (double(m_time.elapsed()) / 1000 < duration) {
            await(someJobs(), 120'000);
            await(someClients());
            QVERIFY(!QTest::currentTestFailed());
            if (m_samples.empty() || double(m_time.elapsed()) / 1000 - m_samples.back().seconds >= interval)
                look();
        }
        await(runner.stop(Milliseconds{10'000}));
        look();

        // The first third warms up; the last may not have more than the one in the middle.
        const size_t third = m_samples.size() / 3;
        QVERIFY(third > 2);
        const auto compare = [&](const char *what, qint64 slack, auto get) {
            const qint64 middle = mostOf(m_samples, third, 2 * third, get);
            const qint64 last = mostOf(m_samples, 2 * third, m_samples.size(), get);
            QVERIFY2(
                last <= middle + slack,
                qPrintable(QStringLiteral("%1 grew from %2 to %3").arg(QLatin1String(what)).arg(middle).arg(last)));
        };
        compare("memory", 8'000'000, [](const Sample &s) { return s.memory; });
        compare("open files", 2, [](const Sample &s) { return s.files; }); // a compaction has two
        compare("clients", 2, [](const Sample &s) { return s.clients; });
        compare("waiters", 2, [](const Sample &s) { return s.waiters; });
        compare("keys", 100, [](const Sample &s) { return s.keys; });
        QVERIFY(infoNumber(await(m_store->command(cmd("INFO"))).string, "aof_rewrites") > 0);
        m_producer.reset();
        m_store->close();
        QVERIFY(QFileInfo(logPathIn(m_folder.path())).size() < 4 * rewriteMinSize);
    }
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QStringList arguments = QCoreApplication::arguments();
    isLong = arguments.removeAll(QStringLiteral("--long")) > 0;
    if (isLong)
        qputenv("QTEST_FUNCTION_TIMEOUT", "3600000");
    TestSoak test;
    return QTest::qExec(&test, arguments);
}

#include "tst_soak.moc"
