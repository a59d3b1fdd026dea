// What is said of a job that is not over: why it waits, who has it, and what will not get better by itself.
#include "core/engine/job_standing.h"

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
    bool isSearched = false;
    std::optional<QueuePlace> place{};
};

JobStanding standing(const Job &job, const Scene &scene)
{
    KnownPicture picture;
    picture.queues = &scene.queues;
    picture.workers = &scene.workers;
    picture.job = [&scene](const QByteArray &id) -> std::optional<JobSummary> {
        const auto found =
            std::find_if(scene.jobs.begin(), scene.jobs.end(), [&id](const JobSummary &one) { return one.id == id; });
        return found == scene.jobs.end() ? std::nullopt : std::optional<JobSummary>(*found);
    };
    picture.knowsEveryJob = scene.isListed;
    picture.isSearched = scene.isSearched;
    picture.place = scene.place;
    return standingOf(job, picture, now);
}

JobSummary summary(const QByteArray &id, JobState state)
{
    JobSummary made;
    made.id = id;
    made.state = state;
    made.updatedAt = now - 1h;
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
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<Remedy::Kind>("remedy");
        const auto row = [](const char *name, const Job &job, const Scene &scene, const char *words,
                            const char *rule = "", Remedy::Kind remedy = Remedy::Kind::None) {
            QTest::newRow(name) << job << scene << QString::fromUtf8(words) << QByteArray(rule) << remedy;
        };
        const Target python{"python", {}, {}, 1, {}}, gpu{"python", "gpu", {}, 1, {}}, old{{}, {}, {}, 1, "old-1"};
        const Job waits = job(JobState::Queued);
        row("nobody serves its queue", waits, {{queue("q", python, 3, 0)}}, "q, which nobody serves", "no_worker",
            Remedy::Kind::StartWorker);
        row("a worker is free", waits, {{queue("q", python, 3, 1)}, {worker(2, 1)}}, "1 worker serves it");
        row("all workers are busy", waits, {{queue("q", python, 3, 1)}, {worker(2, 2)}}, "is busy");
        WorkerInfo quiet = worker(2, 0);
        quiet.quiet = true;
        row("the worker is quiet", waits, {{queue("q", python, 3, 1)}, {quiet}}, "nothing new");
        QueueInfo first = queue("q", python, 3, 1);
        first.nextJob = waits.id;
        row("it is the next one", waits, {{first}, {worker(1, 1)}}, "the next one in q");
        row("another group's queue is none of its own", job(JobState::Queued, gpu),
            {{queue("q", python, 3, 1), queue("gpu", gpu, 1, 0)}}, "waits in gpu", "no_worker",
            Remedy::Kind::StartWorker);
        row("an older queue", job(JobState::Queued, {"python", {}, {}, 1, "old-1"}),
            {{queue("work_queue:old-1", old, 1, 0, QueueKind::Legacy)}}, "cannot be seen");
        row("it is in no queue", waits, {{queue("q", python, 0, 1)}}, "none of its queues", "unlisted",
            Remedy::Kind::Requeue);
        Job fresh = waits;
        fresh.createdAt = fresh.updatedAt = now - 1s;
        row("it is the third", waits, {{queue("q", python, 3, 1)}, {worker(1, 1)}, {}, true, true, QueuePlace{"q", 2}},
            "number 3 of 3 in q");
        row("it stands where nobody looked for it", waits,
            {{queue("q", python, 3, 1), queue("x", gpu, 1, 0)}, {}, {}, true, true, QueuePlace{"x", 0}},
            "the next one in x, which nobody serves", "no_worker", Remedy::Kind::StartWorker);
        row("every queue was searched for it", waits, {{queue("q", python, 3, 1)}, {}, {}, true, true, std::nullopt},
            "but in no queue", "unlisted", Remedy::Kind::Requeue);
        row("it came a moment ago", fresh, {{queue("q", python, 0, 1)}}, "");

        Job after = job(JobState::Waiting);
        after.prerequisites = {"a", "b"};
        row("one prerequisite runs", after,
            {{}, {}, {summary("a", JobState::Finished), summary("b", JobState::Running)}}, "It waits for b (running)");
        row("both wait", after, {{}, {}, {summary("a", JobState::Queued), summary("b", JobState::Queued)}},
            "2 jobs of 2; the first is a (queued)");
        row("one has failed", after, {{}, {}, {summary("a", JobState::Running), summary("b", JobState::Failed)}},
            "b (failed), which will not finish", "prerequisite", Remedy::Kind::Retry);
        row("one is gone", after, {{}, {}, {summary("a", JobState::Running)}}, "b (not there)", "prerequisite");
        row("one is not listed yet", after, {{}, {}, {summary("a", JobState::Finished)}, false}, "It waits for b.");

        JobSummary justOver = summary("b", JobState::Finished);
        row("nobody has released it", after, {{}, {}, {summary("a", JobState::Finished), justOver}},
            "nobody has queued it", "unreleased", Remedy::Kind::StartWorker);
        justOver.updatedAt = now - 5s;
        row("the last one has just finished", after, {{}, {}, {summary("a", JobState::Finished), justOver}}, "");

        Job held = job(JobState::Scheduled);
        held.notBefore = now + 5min;
        row("held", held, {}, "in  5 min");

        held.notBefore = now - 10s;
        row("held until a moment ago", held, {}, "10 s ago");
        held.notBefore = now - 5min;
        row("nobody lets it go", held, {}, "nobody has queued it", "overdue", Remedy::Kind::StartWorker);

        Job runs = job(JobState::Running);
        runs.claimedBy = "python:default:1";
        runs.startedAt = now - 10s;
        row("its worker is alive", runs, {{}, {worker(1, 1)}}, "on box, last seen 2 s ago");
        row("its worker is silent", runs, {{}, {worker(1, 1, 40s)}}, "silent for 40 s", "worker_silent");
        row("its worker is gone", runs, {}, "does not show itself", "worker_gone");
        Job foreign = runs;
        foreign.claimedBy.clear();
        row("somebody has it", foreign, {{}, {worker(1, 1)}}, "does not say who it is", "", Remedy::Kind::Requeue);
        Job late = runs;
        late.startedAt = now - 20min;
        row("it is over its time", late, {{}, {worker(1, 1)}}, "has run for 20 min, though its timeout is 5 min",
            "overtime", Remedy::Kind::Requeue);
        Job endless = late;
        endless.timeout = 0s;
        row("it has no timeout", endless, {{}, {worker(1, 1)}}, "last seen");

        Job odd = job(JobState::Unknown);
        odd.statusText = "dispached";
        row("nobody knows its status", odd, {}, "“dispached” is none that a worker knows", "unknown_status");
        row("it is over", job(JobState::Finished), {}, "");
    }
    void aJobSaysWhyNothingHappens()
    {
        QFETCH(Job, job);
        QFETCH(Scene, scene);
        QFETCH(QString, words);
        QFETCH(QByteArray, rule);
        QFETCH(Remedy::Kind, remedy);
        const JobStanding told = standing(job, scene);
        QVERIFY2(QString(told.text).replace(QChar(0x2007), u' ').contains(words), qPrintable(told.text));
        QCOMPARE(told.text.isEmpty(), words.isEmpty());
        QCOMPARE(told.rule, rule);
        QCOMPARE(told.remedy.kind, remedy);
    }

    void whatIsNotKnownIsNoEvidence()
    {
        Job runs = job(JobState::Running);
        runs.claimedBy = "python:default:1";
        runs.startedAt = now - 10s;
        KnownPicture nothing;
        nothing.job = [](const QByteArray &) { return std::optional<JobSummary>(); };
        for (const Job &each : {job(JobState::Queued), runs})
            QCOMPARE(standingOf(each, nothing, now), JobStanding());
    }

    void theRemedyNamesWhatItIsFor()
    {
        const Target gpu{"python", "gpu", {}, 1, {}};
        QCOMPARE(standing(job(JobState::Queued, gpu), {{queue("gpu", gpu, 1, 0)}}).remedy.target, gpu);
        Job after = job(JobState::Waiting);
        after.prerequisites = {"a", "b"};
        const Scene failed{{}, {}, {summary("a", JobState::Finished), summary("b", JobState::Dead)}};
        QCOMPARE(standing(after, failed).remedy, (Remedy{Remedy::Kind::Retry, {"b"}, {}}));
    }
};

QTEST_GUILESS_MAIN(TestJobStanding)
#include "tst_job_standing.moc"
