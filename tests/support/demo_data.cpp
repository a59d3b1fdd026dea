#include "tests/support/demo_data.h"

#include "core/engine/queue_findings.h"

#include <array>

namespace ym::test {

namespace {

using namespace std::chrono_literals;

/// SplitMix64: the n-th number of a fixed sequence.
quint64 mixed(quint64 n)
{
    n += 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
    return n ^ (n >> 31);
}

QByteArray uuid(quint64 n)
{
    const QByteArray hex = QByteArray::number(mixed(n), 16).rightJustified(16, '0')
        + QByteArray::number(mixed(n ^ 0xabcdef), 16).rightJustified(16, '0');
    return hex.mid(0, 8) + '-' + hex.mid(8, 4) + "-4" + hex.mid(13, 3) + "-a" + hex.mid(17, 3) + '-' + hex.mid(20, 12);
}

template <size_t N> QByteArray pick(const std::array<const char *, N> &words, quint64 n)
{
    return words[size_t(mixed(n) % N)];
}

constexpr std::array types = {"python", "python", "python", "osis", "heroscript", "v"};
constexpr std::array groups = {"", "", "default", "reports", "gpu"};
constexpr std::array callers = {"billing", "crm-sync", "nightly", "web-frontend", "anna"};
constexpr std::array contexts = {"prod", "prod", "staging", "tenant-7"};

JobState stateOf(quint64 index)
{
    if (index == 2)
        return JobState::Running;
    if (index == 4)
        return JobState::Failed;
    const quint64 n = mixed(index + 77) % 100;
    const bool isRecent = index < 40;
    if (n < 4)
        return isRecent ? JobState::Running : JobState::Finished;
    if (n < 16)
        return isRecent || n < 7 ? JobState::Queued : JobState::Finished;
    if (n < 19)
        return JobState::Waiting;
    if (n < 21)
        return JobState::Scheduled;
    if (n < 28)
        return JobState::Failed;
    return n < 29 ? JobState::Dead : JobState::Finished;
}

QByteArray workerOf(const Target &target, quint64 n)
{
    return target.type + ':' + (target.group.isEmpty() ? QByteArray("default") : target.group) + ':'
        + QByteArray::number(1 + int(n % 3));
}

const QByteArray sampleScript = R"(# Builds the monthly report of one tenant.
import os, sys, time

TENANT = os.environ.get("TENANT", "unknown")
STEPS = ["read the ledger", "group by cost centre", "convert currencies", "write the report"]


def main() -> int:
    print(f"report for {TENANT}, job {os.environ['JOB_ID']}")
    for number, step in enumerate(STEPS, 1):
        print(f"[{number}/{len(STEPS)}] {step} …", flush=True)
        time.sleep(0.5)
    print("rows written: 18,204")
    return 0


sys.exit(main())
)";

const QByteArray sampleOutput = "report for tenant-7\n[1/4] read the ledger …\n[2/4] group by cost centre …\n"
                                "[3/4] convert currencies …\n[4/4] write the report …\nrows written: 18,204\n";

const QByteArray sampleError = R"(Traceback (most recent call last):
  File "/job/script.py", line 19, in <module>
    sys.exit(main())
  File "/job/script.py", line 12, in main
    rate = RATES[currency]
KeyError: 'CHF'
)";

QList<ByteField> rawFields(const Job &job)
{
    QList<ByteField> raw{{"caller_id", job.callerId}, {"claimed_by", job.claimedBy}, {"context_id", job.contextId}};
    raw.append({"attempt", QByteArray::number(job.attempt)});
    raw.append({"created_at", job.createdAt ? toRfc3339(*job.createdAt) : QByteArray()});
    const QByteArray environment =
        R"({"TENANT":"tenant-7","REPORT_MONTH":"2026-10","DB_PASSWORD":"correct horse battery"})";
    raw.append({"env_vars", environment});
    raw.append({"error", job.error});
    raw.append({"id", job.id});
    raw.append({"output", job.output});
    raw.append({"retries", QByteArray::number(job.retries)});
    raw.append({"script", job.script});
    raw.append({"script_type", job.target.type});
    raw.append({"status", job.statusText});
    raw.append({"timeout", QByteArray::number(qint64(job.timeout.count()))});
    raw.removeIf([](const ByteField &field) { return field.second.isEmpty(); });
    std::sort(raw.begin(), raw.end());
    return raw;
}

QByteArray heroWord(JobState state)
{
    switch (state) {
    case JobState::Queued:
        return "dispatched";
    case JobState::Waiting:
        return "waiting_for_prerequisites";
    case JobState::Running:
        return "started";
    case JobState::Failed:
        return "error";
    case JobState::Unknown:
    case JobState::Scheduled:
    case JobState::Finished:
    case JobState::Dead:
    case JobState::Lost:
        break;
    }
    return stateName(state);
}

void addRun(Job &job, const JobSummary &summary)
{
    const quint64 n = mixed(quint64(qHash(summary.id)));
    const auto started = *job.createdAt + std::chrono::milliseconds(200 + n % 9'000);
    if (summary.attempt == 0)
        return;
    job.startedAt = started;
    if (!isTerminal(summary.state))
        return;
    job.finishedAt = started + std::chrono::milliseconds(2'100 + n % 90'000);
    job.output = sampleOutput;
    if (summary.state != JobState::Finished)
        job.error = sampleError;
}

QueueInfo workQueue(Target target, qint64 depth, int listeners, Timestamp now)
{
    QueueInfo queue;
    queue.key = "hero:q:work:type:" + target.type;
    if (!target.group.isEmpty())
        queue.key += ":group:" + target.group;
    if (!target.instance.isEmpty())
        queue.key += ":inst:" + target.instance;
    queue.target = std::move(target);
    queue.depth = depth;
    queue.listeners = listeners;
    if (depth > 0) {
        queue.nextJob = uuid(quint64(depth) * 3);
        queue.oldest = now - std::chrono::seconds(4 * depth + 1);
    }
    return queue;
}

Target at(QByteArray type, QByteArray group = {}, QByteArray instance = {})
{
    Target target;
    target.type = std::move(type);
    target.group = std::move(group);
    target.instance = std::move(instance);
    return target;
}

WorkerInfo worker(Target target, QByteArray host, qint64 pid, Timestamp now)
{
    WorkerInfo info;
    info.key = "hero:meta:actor:inst:" + target.type + ':' + target.group + ':' + target.instance;
    info.target = std::move(target);
    info.hostname = std::move(host);
    info.pid = pid;
    info.version = "0.1.0";
    info.startedAt = now - 5h;
    info.lastHeartbeat = now - 2s;
    info.ttlMs = 13'000;
    info.slotCount = 4;
    return info;
}

} // namespace

std::vector<JobSummary> demoJobs(int count, Timestamp now)
{
    std::vector<JobSummary> jobs(static_cast<size_t>(count));
    Timestamp created = now - 3s;
    for (quint64 i = 0; i < jobs.size(); ++i) {
        JobSummary &job = jobs[i];
        const quint64 n = i * 16;
        job.id = uuid(n);
        job.state = stateOf(i);
        job.target = at(pick(types, n + 1), pick(groups, n + 2));
        job.callerId = pick(callers, n + 3);
        job.contextId = pick(contexts, n + 4);
        job.createdAt = created;
        job.updatedAt = created + std::chrono::milliseconds(mixed(n + 5) % 2'000);
        const bool hasRun = isTerminal(job.state) || job.state == JobState::Running;
        if (hasRun) {
            job.attempt = mixed(n + 6) % 12 == 0 ? 2 : 1;
            job.claimedBy = workerOf(job.target, mixed(n + 7));
        }
        if (i % 9 == 4)
            job.access.network = true;
        if (i % 13 == 4)
            job.access.readable = {QStringLiteral("/srv/ledger")};
        if (i % 13 == 6)
            job.access.writable = {QStringLiteral("/srv/reports"), QStringLiteral("/var/tmp/cache")};
        created -= std::chrono::milliseconds(400 + mixed(n + 8) % 60'000);
    }
    return jobs;
}

JobDetail demoDetail(const JobSummary &summary, Timestamp now)
{
    JobDetail detail;
    Job &job = detail.job;
    job.id = summary.id;
    job.callerId = summary.callerId;
    job.contextId = summary.contextId;
    job.target = summary.target;
    job.script = sampleScript;
    job.retries = 2;
    job.attempt = summary.attempt;
    job.createdAt = summary.createdAt.value_or(now);
    job.updatedAt = summary.updatedAt;
    job.state = summary.state;
    job.statusText = heroWord(summary.state);
    job.claimedBy = summary.claimedBy;
    job.access = summary.access;
    job.env = {{"TENANT", "tenant-7"}, {"REPORT_MONTH", "2026-10"}, {"DB_PASSWORD", "correct horse battery"}};
    if (summary.state == JobState::Waiting)
        job.prerequisites = {uuid(16), uuid(32)};
    if (summary.state == JobState::Running)
        job.dependents = {uuid(48)};
    addRun(job, summary);
    job.raw = rawFields(job);
    return detail;
}

QList<QueueInfo> demoQueues(Timestamp now)
{
    QList<QueueInfo> queues{
        workQueue(at("heroscript"), 0, 1, now),
        workQueue(at("osis"), 38, 2, now),
        workQueue(at("python"), 214, 4, now),
        workQueue(at("python", "gpu"), 17, 0, now),
        workQueue(at("python", "reports"), 3, 1, now),
        workQueue(at("python", "default", "1"), 0, 1, now),
        workQueue(at("v"), 6, 1, now),
    };
    const auto other = [&](QByteArray key, QueueKind kind, Target target, qint64 depth) {
        QueueInfo queue;
        queue.key = std::move(key);
        queue.kind = kind;
        queue.target = std::move(target);
        queue.depth = depth;
        queues.append(queue);
    };
    other("hero:q:ctl:type:python", QueueKind::Control, at("python"), 1);
    Target legacy;
    legacy.legacyWorker = "actor-7";
    other("hero:work_queue:actor-7", QueueKind::Legacy, legacy, 5);
    queues.last().order = ServingOrder::Lifo;
    other("hero:q:delayed", QueueKind::Delayed, {}, 4);
    other("hero:q:dead:python", QueueKind::Dead, at("python"), 2);
    return queues;
}

QList<WorkerInfo> demoWorkers(Timestamp now)
{
    QList<WorkerInfo> workers{
        worker(at("heroscript", "default", "1"), "orion", 4110, now),
        worker(at("osis", "default", "1"), "orion", 4112, now),
        worker(at("python", "default", "1"), "orion", 4120, now),
        worker(at("python", "reports", "1"), "vega", 992, now),
        worker(at("v", "default", "1"), "vega", 1044, now),
    };
    workers[1].quiet = true;
    workers[2].busy = {uuid(32)};
    workers[2].local = true;
    workers[4].lastHeartbeat = now - 47s;
    workers[4].ttlMs = -1;
    return workers;
}

QList<LocalWorkerInfo> demoLocalWorkers()
{
    LocalWorkerInfo python;
    python.handle = 1;
    python.types = {"python"};
    python.group = "default";
    python.instance = "1";
    python.slotCount = 4;
    python.state = LocalWorkerInfo::State::Running;
    python.busy = {uuid(32)};
    python.doneCount = 1284;
    LocalWorkerInfo osis = python;
    osis.handle = 2;
    osis.types = {"osis", "heroscript"};
    osis.slotCount = 1;
    osis.state = LocalWorkerInfo::State::Quiet;
    osis.busy.clear();
    osis.doneCount = 37;
    osis.trouble = QStringLiteral("The interpreter of osis was not found.");
    return {python, osis};
}

Examination demoExamination(Timestamp now)
{
    Examination examination;
    Finding late{
        "overtime", Finding::Severity::Problem, QStringLiteral("3 jobs run longer than they may."),
        QStringLiteral("See whether the worker lives; whoever still runs such a job loses it when it is queued "
                       "again.")};
    for (const int number : {7, 8, 9}) {
        const QByteArray id = uuid(quint32(number));
        late.remedy.jobs.append(id);
        late.cases.append(
            {id,
             QStringLiteral("It has run for 2 h, though its timeout is 5 min: its worker may be gone. Requeue "
                            "takes it away from it."),
             {Remedy::Kind::Requeue, {id}, {}}});
    }
    late.remedy.kind = Remedy::Kind::Requeue;
    late.count = late.cases.size();
    examination.findings = findingsOf(demoQueues(now), demoWorkers(now), now) + findingsOf(demoWorkers(now), now);
    examination.findings.append(late);
    std::stable_sort(examination.findings.begin(), examination.findings.end(),
                     [](const Finding &a, const Finding &b) { return a.severity < b.severity; });
    examination.jobs[size_t(JobState::Finished)] = 12'304;
    examination.jobs[size_t(JobState::Running)] = 3;
    examination.jobs[size_t(JobState::Queued)] = 61;
    examination.queueCount = demoQueues(now).size();
    examination.workerCount = demoWorkers(now).size();
    return examination;
}

} // namespace ym::test
