// The job table at a million rows: what each step costs, how long the GUI thread is held, and bytes a row.
#include "models/job_table_model.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <malloc.h>
#include <random>

using namespace ym;
using Column = JobTableModel::Column;

namespace {

constexpr int batchSize = 4000;

/// Jobs as a busy installation has them: a few targets and workers, a thousand callers.
class Source {
public:
    explicit Source(Timestamp now)
        : m_now(now)
    {
    }

    JobSummary job()
    {
        JobSummary job;
        job.id = uuid();
        job.state = JobState(1 + m_random() % 7);
        job.target.type = m_types[m_random() % m_types.size()];
        job.target.group = m_random() % 2 ? "default" : "";
        job.callerId = "caller-" + QByteArray::number(m_random() % 1000);
        job.contextId = "ctx-" + QByteArray::number(m_random() % 100);
        if (job.state == JobState::Running)
            job.claimedBy = job.target.type + ":default:" + QByteArray::number(m_random() % 20);
        job.createdAt = m_now - Milliseconds{m_random() % 86'400'000};
        job.updatedAt = *job.createdAt + Milliseconds{m_random() % 100'000};
        job.attempt = int(m_random() % 3);
        return job;
    }

private:
    QByteArray uuid()
    {
        QByteArray hex(32, Qt::Uninitialized);
        for (char &c : hex)
            c = "0123456789abcdef"[m_random() % 16];
        for (const int dash : {8, 13, 18, 23})
            hex.insert(dash, '-');
        return hex;
    }

    std::mt19937_64 m_random{42};
    Timestamp m_now;
    std::vector<QByteArray> m_types{"python", "osis", "v", "sal", "heroscript"};
};

double ms(const QElapsedTimer &timer)
{
    return double(timer.nsecsElapsed()) / 1e6;
}

/// Processor time of this thread: on a busy machine the wall clock counts other people's work too.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

void print(const char *what, double total, double held)
{
    std::printf("  %-46s %9.1f ms %9.1f ms\n", what, total, held);
    std::fflush(stdout);
}

/// Runs until the model is arranged; returns {until it is shown, most work in one turn of the event loop}.
template <typename Start> void arrange(JobTableModel &model, const char *what, Start start)
{
    QElapsedTimer timer;
    timer.start();
    const double cpu = threadMs();
    start();
    double held = threadMs() - cpu;
    if (model.isArranging()) {
        QEventLoop loop;
        QObject::connect(&model, &JobTableModel::arrangingChanged, &loop, &QEventLoop::quit);
        double turn = threadMs();
        QTimer beat;
        QObject::connect(&beat, &QTimer::timeout, &loop, [&] {
            held = std::max(held, threadMs() - turn);
            turn = threadMs();
        });
        beat.start(1);
        loop.exec();
        held = std::max(held, threadMs() - turn);
    }
    print(what, ms(timer), held);
}

struct Batches {
    double total = 0;
    double worst = 0;
    void add(double time)
    {
        total += time;
        worst = std::max(worst, time);
    }
};

void listAll(JobTableModel &model, Source &source, int count)
{
    Batches applied;
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (int done = 0; done < count; done += batchSize) {
        ChangeSet changes;
        for (int i = 0; i < std::min(batchSize, count - done); ++i)
            changes.jobs.push_back(source.job());
        const double start = threadMs();
        model.apply(changes);
        applied.add(threadMs() - start);
    }
    print("list all, batches of 4000 (worst batch)", applied.total, applied.worst);
    const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    const double rows = double(model.totalCount());
    std::printf("  %-46s %9.1f by own count, %.1f of strings, %.1f by malloc\n", "bytes a row",
                double(model.bytesUsed()) / rows, double(model.stringBytesUsed()) / rows,
                double(after - before) / rows);
}

/// `rounds` batches of `count` changes each to rows anywhere.
void change(JobTableModel &model, const char *what, int count, bool isNew, Source &source, std::mt19937 &random)
{
    constexpr int rounds = 20;
    Batches applied;
    for (int round = 0; round < rounds; ++round) {
        ChangeSet changes;
        for (int i = 0; i < count; ++i) {
            if (isNew) {
                changes.jobs.push_back(source.job());
                continue;
            }
            JobSummary job = model.summaryAt(int(random() % unsigned(model.rowCount())));
            job.state = job.state == JobState::Running ? JobState::Finished : JobState::Running;
            job.updatedAt = *job.updatedAt + Milliseconds{1 + random() % 100'000};
            changes.jobs.push_back(job);
        }
        const double start = threadMs();
        model.apply(changes);
        applied.add(threadMs() - start);
    }
    print(what, applied.total / rounds, applied.worst);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int count = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : 1'000'000;
    Clock &clock = Clock::system();
    JobTableModel model(Capability::Priority, &clock);
    Source source(clock.now());
    std::mt19937 random(1);

    std::printf("job table, %d rows %38s %12s\n", count, "until done", "GUI held");
    listAll(model, source, count);
    change(model, "apply 1000 changes, not sorted", 1000, false, source, random);
    for (int section = 0; section < model.columnCount(); ++section) {
        const QString title = model.headerData(section, Qt::Horizontal).toString();
        arrange(model, qPrintable("sort by " + title), [&] { model.sort(section, Qt::DescendingOrder); });
    }
    const int created = model.section(Column::Created);
    arrange(model, "sort by Created again", [&] { model.sort(created, Qt::DescendingOrder); });
    change(model, "apply 1000 changes, sorted by Created", 1000, false, source, random);
    change(model, "apply 1000 new jobs, sorted by Created", 1000, true, source, random);
    change(model, "apply 4000 new jobs, sorted by Created", 4000, true, source, random);
    arrange(model, "sort by Updated again", [&] { model.sort(model.section(Column::Updated), Qt::DescendingOrder); });
    change(model, "apply 1000 changes that move rows", 1000, false, source, random);
    for (const char *query : {"caller-77", "state:running", "state:running deadbeef", "-type:python age<1h"}) {
        arrange(model, qPrintable(QString("filter “%1”").arg(query)),
                [&] { model.setFilter(*JobFilter::parse(query)); });
    }
    change(model, "apply 1000 new jobs, filtered", 1000, true, source, random);
    arrange(model, "filter taken away", [&] { model.setFilter({}); });
    std::printf("  %-46s %9.1f by own count\n", "bytes a row at the end",
                double(model.bytesUsed()) / double(model.totalCount()));
    return 0;
}
