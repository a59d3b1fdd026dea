// What is said of a job that is not over: why it waits, who has it, and what will not get better by itself.
#include "models/job_standing.h"
#include "models/job_table_model.h"
#include "models/queue_model.h"
#include "models/worker_model.h"

#include <QTest>

using namespace ym;
using namespace std::chrono_literals;

namespace {

const Timestamp now{Milliseconds{1'800'000'000'000}};

Job job(JobState state, Target target = {"python", {}, {}, 1, {}})
{
    Job made;
    made.id = "280b5919-4065-470d-bc47-9710ce4ae562";
    made.state = state;
    made.target = std::move(target);
    made.createdAt = made.updatedAt = now - 1h;
    return made;
}

QueueInfo queue(const QByteArray &key, const Target &target, qint64 depth, int listeners,
                QueueKind kind = QueueKind::Work)
{
    QueueInfo info;
    info.key = key;
    info.kind = kind;
    info.target = target;
    info.depth = depth;
    info.listeners = listeners;
    return info;
}

WorkerInfo worker(int slotCount, int busy, Milliseconds age = 2s)
{
    WorkerInfo info;
    info.key = "p";
    info.target = {"python", "default", "1", 1, {}};
    info.hostname = "box";
    info.slotCount = slotCount;
    info.lastHeartbeat = now - age;
    for (int i = 0; i < busy; ++i)
        info.busy.append(QByteArray::number(i));
    return info;
}

struct Scene {
    QList<QueueInfo> queues{};
    QList<WorkerInfo> workers{};
    std::vector<JobSummary> jobs{};
    bool isListed = true;
};

JobStanding standing(const Job &job, const Scene &scene)
{
    ManualClock clock;
    JobTableModel jobs({}, &clock);
    QueueModel queues(&clock);
    WorkerModel workers(&clock);
    ChangeSet news;
    news.generation = 1;
    news.jobs = scene.jobs;
    news.listingComplete = scene.isListed;
    news.queues = scene.queues;
    news.workers = scene.workers;
    jobs.apply(news);
    queues.apply(news);
    workers.apply(news);
    return standingOf(job, {&jobs, &queues, &workers}, now);
}

JobSummary summary(const QByteArray &id, JobState state)
{
    JobSummary made;
    made.id = id;
    made.state = state;
    return made;
}

} // namespace

class TestJobStanding : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aJobSaysWhyNothingHappens_data()
    {
        QTest::addColumn<Job>("job");
        QTest::addColumn<Scene>("scene");
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("isTrouble");
        const auto row = [](const char *name, const Job &job, const Scene &scene, const char *words, bool isTrouble) {
            QTest::newRow(name) << job << scene << QString::fromUtf8(words) << isTrouble;
        };
        const Target python{"python", {}, {}, 1, {}}, gpu{"python", "gpu", {}, 1, {}}, old{{}, {}, {}, 1, "old-1"};
        const Job waits = job(JobState::Queued);
        row("nobody serves its queue", waits, {{queue("q", python, 3, 0)}}, "q, which nobody serves", true);
        row("a worker is free", waits, {{queue("q", python, 3, 1)}, {worker(2, 1)}}, "1 worker serves it", false);
        row("all workers are busy", waits, {{queue("q", python, 3, 1)}, {worker(2, 2)}}, "is busy", false);
        WorkerInfo quiet = worker(2, 0);
        quiet.quiet = true;
        row("the worker is quiet", waits, {{queue("q", python, 3, 1)}, {quiet}}, "nothing new", false);
        QueueInfo first = queue("q", python, 3, 1);
        first.nextJob = waits.id;
        row("it is the next one", waits, {{first}, {worker(1, 1)}}, "the next one in q", false);
        row("another group's queue is none of its own", job(JobState::Queued, gpu),
            {{queue("q", python, 3, 1), queue("gpu", gpu, 1, 0)}}, "waits in gpu", true);
        row("an older queue", job(JobState::Queued, {"python", {}, {}, 1, "old-1"}),
            {{queue("work_queue:old-1", old, 1, 0, QueueKind::Legacy)}}, "cannot be seen", false);
        row("it is in no queue", waits, {{queue("q", python, 0, 1)}}, "none of its queues", true);
        Job fresh = waits;
        fresh.createdAt = fresh.updatedAt = now - 1s;
        row("it came a moment ago", fresh, {{queue("q", python, 0, 1)}}, "", false);

        Job after = job(JobState::Waiting);
        after.prerequisites = {"a", "b"};
        row("one prerequisite runs", after,
            {{}, {}, {summary("a", JobState::Finished), summary("b", JobState::Running)}}, "It waits for b (Running)",
            false);
        row("both wait", after, {{}, {}, {summary("a", JobState::Queued), summary("b", JobState::Queued)}},
            "2 jobs of 2; the first is a (Queued)", false);
        row("one has failed", after, {{}, {}, {summary("a", JobState::Running), summary("b", JobState::Failed)}},
            "b (Failed), which will not finish", true);
        row("one is gone", after, {{}, {}, {summary("a", JobState::Running)}}, "b (not there)", true);
        row("one is not listed yet", after, {{}, {}, {summary("a", JobState::Finished)}, false}, "It waits for b.",
            false);

        Job held = job(JobState::Scheduled);
        held.notBefore = now + 5min;
        row("held", held, {}, "in  5 min", false);

        Job runs = job(JobState::Running);
        runs.claimedBy = "python:default:1";
        runs.startedAt = now - 10s;
        row("its worker is alive", runs, {{}, {worker(1, 1)}}, "on box, last seen 2 s ago", false);
        row("its worker is silent", runs, {{}, {worker(1, 1, 40s)}}, "silent for 40 s", true);
        row("its worker is gone", runs, {}, "does not show itself", true);
        Job foreign = runs;
        foreign.claimedBy.clear();
        row("somebody has it", foreign, {{}, {worker(1, 1)}}, "does not say who it is", false);
        Job late = runs;
        late.startedAt = now - 20min;
        row("it is over its time", late, {{}, {worker(1, 1)}}, "has run for 20 min, though its timeout is 5 min", true);
        Job endless = late;
        endless.timeout = 0s;
        row("it has no timeout", endless, {{}, {worker(1, 1)}}, "last seen", false);

        row("it is over", job(JobState::Finished), {}, "", false);
    }
    void aJobSaysWhyNothingHappens()
    {
        QFETCH(Job, job);
        QFETCH(Scene, scene);
        QFETCH(QString, words);
        QFETCH(bool, isTrouble);
        const JobStanding told = standing(job, scene);
        QVERIFY2(QString(told.text).replace(QChar(0x2007), u' ').contains(words), qPrintable(told.text));
        QCOMPARE(told.text.isEmpty(), words.isEmpty());
        QCOMPARE(told.isTrouble, isTrouble);
    }

    void whatIsNotKnownIsNoEvidence()
    {
        ManualClock clock;
        const JobTableModel jobs({}, &clock);
        Job runs = job(JobState::Running);
        runs.claimedBy = "python:default:1";
        runs.startedAt = now - 10s;
        for (const Job &each : {job(JobState::Queued), runs})
            QCOMPARE(standingOf(each, {&jobs, nullptr, nullptr}, now), JobStanding());
    }
};

QTEST_GUILESS_MAIN(TestJobStanding)
#include "tst_job_standing.moc"
