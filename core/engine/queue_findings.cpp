#include "core/engine/queue_findings.h"

#include "core/base/counted.h"
#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "core/engine/job_standing.h"

#include <QCoreApplication>

namespace ym {

namespace {

using namespace std::chrono_literals;
using Severity = Finding::Severity;

constexpr Milliseconds longWait = 1h; ///< somebody should look why it takes so long

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::Doctor", text);
}

QString shown(const QByteArray &bytes)
{
    return shownText(bytes, Lines::Flatten, 120);
}

QString oldestOf(const QueueInfo &queue, Timestamp now)
{
    if (!queue.oldest)
        return {};
    const QString age = durationText(now - *queue.oldest).trimmed();
    return queue.depth == 1 ? tr(" for %1").arg(age) : tr(", the oldest for %1").arg(age);
}

/// "3 jobs wait there, the oldest for 25 min"
QString waitingThere(const QueueInfo &queue, Timestamp now)
{
    return counted(queue.depth, tr("1 job waits there"), tr("%1 jobs wait there")) + oldestOf(queue, now);
}

Attendance attendanceOf(const QueueInfo &queue, const QList<WorkerInfo> &workers)
{
    Attendance there;
    for (const WorkerInfo &worker : workers) {
        if (worker.legacyQueues.contains(queue.key) || (queue.kind == QueueKind::Work && serves(worker, queue.target)))
            there.count(worker);
    }
    return there;
}

/// A queue that is served: nothing, unless nobody there can take anything now.
std::optional<Finding> servedFinding(const QueueInfo &queue, const QList<WorkerInfo> &workers, Timestamp now)
{
    const QString key = shown(queue.key);
    const Attendance there = attendanceOf(queue, workers);
    if (there.free > 0 || there.full + there.quiet == 0)
        return std::nullopt;
    const Remedy start{Remedy::Kind::StartWorker, {}, queue.target};
    if (there.full == 0)
        return Finding{"quiet",
                       Severity::Warning,
                       tr("The workers that serve %1 take nothing new: %2.").arg(key, waitingThere(queue, now)),
                       tr("Let one of them work again, or start another."),
                       queue.key,
                       start};
    const bool isLong = queue.oldest && now - *queue.oldest > longWait;
    return Finding{"busy",
                   isLong ? Severity::Warning : Severity::Note,
                   tr("Every worker that serves %1 is busy: %2.").arg(key, waitingThere(queue, now)),
                   tr("See what they run, or start another worker."),
                   queue.key,
                   start};
}

Finding legacyFinding(const QueueInfo &queue, Timestamp now)
{
    const bool isLong = queue.oldest && now - *queue.oldest > longWait;
    return Finding{
        "hidden_workers", isLong ? Severity::Warning : Severity::Note,
        tr("Whether a worker serves %1 cannot be seen, because workers of older queues do not register: %2.")
            .arg(shown(queue.key), waitingThere(queue, now)),
        tr("See whether its worker runs. One of Yardmaster serves older queues, too, when its keys are “auto”."),
        queue.key};
}

std::optional<Finding> controlFinding(const QueueInfo &queue, const QList<WorkerInfo> &workers)
{
    for (const WorkerInfo &worker : workers) {
        if (serves(worker, queue.target))
            return std::nullopt;
    }
    return Finding{"stop_requests", Severity::Note,
                   counted(queue.depth, tr("1 stop request in %1, which no live worker reads."),
                           tr("%1 stop requests in %2, which no live worker reads."))
                       .arg(shown(queue.key)),
                   tr("Jobs that are over need none: then the key can be deleted."), queue.key};
}

std::optional<Finding> findingOf(const QueueInfo &queue, const QList<WorkerInfo> &workers, Timestamp now)
{
    const QString key = shown(queue.key);
    if (queue.invalid)
        return Finding{
            "not_a_queue", Severity::Problem,
            tr("The key %1 is no queue: it holds another type. Nothing can be pushed there or taken.").arg(key),
            tr("Find out who wrote it (TYPE and OBJECT IDLETIME in redis-cli), then rename or delete it."), queue.key};
    if (queue.depth == 0)
        return std::nullopt;
    switch (queue.kind) {
    case QueueKind::Work:
        if (queue.listeners > 0)
            return servedFinding(queue, workers, now);
        return Finding{"no_worker",
                       Severity::Problem,
                       tr("Nobody serves %1: %2.").arg(key, waitingThere(queue, now)),
                       tr("Start a worker for it, or move the jobs."),
                       queue.key,
                       Remedy{Remedy::Kind::StartWorker, {}, queue.target}};
    case QueueKind::Legacy:
        return queue.listeners > 0 ? servedFinding(queue, workers, now) : legacyFinding(queue, now);
    case QueueKind::Dead:
        return Finding{"given_up", Severity::Warning,
                       counted(queue.depth, tr("1 job was given up: %1."), tr("%1 jobs were given up: %2.")).arg(key),
                       tr("See why, then retry or remove them."), queue.key};
    case QueueKind::Control:
        return controlFinding(queue, workers);
    case QueueKind::Delayed:
    case QueueKind::Reply:
        break;
    }
    return std::nullopt;
}

std::optional<Finding> findingOf(const WorkerInfo &worker, Timestamp now)
{
    const QString key = shown(worker.key);
    const auto warning = [&worker](const char *rule, const QString &text, const QString &advice) {
        return Finding{rule, Severity::Warning, text, advice, worker.key};
    };
    if (worker.invalid)
        return warning("unreadable_presence", tr("The presence %1 cannot be read.").arg(key),
                       tr("See what wrote it; it is no worker as the protocol describes it."));
    if (worker.lastHeartbeat && *worker.lastHeartbeat - now > workerSilentAfter)
        return warning("clock",
                       tr("The heartbeat of %1 lies %2 in the future.")
                           .arg(key, durationText(*worker.lastHeartbeat - now).trimmed()),
                       tr("Set the clock of its computer, or of this one: ages and delays are wrong until then."));
    if (worker.lastHeartbeat && now - *worker.lastHeartbeat > workerSilentAfter)
        return warning(
            "worker_silent",
            tr("The worker %1 has been silent for %2.").arg(key, durationText(now - *worker.lastHeartbeat).trimmed()),
            tr("See whether it lives. What it runs is queued again when its leases are over, if it has any."));
    if (worker.ttlMs == -1)
        return warning("immortal_presence",
                       tr("The presence %1 never expires: whether the worker lives cannot be seen.").arg(key),
                       tr("If it is gone, delete the key: its queues count as served until then."));
    return std::nullopt;
}

} // namespace

QList<Finding> findingsOf(const QList<QueueInfo> &queues, const QList<WorkerInfo> &workers, Timestamp now)
{
    QList<Finding> found;
    for (const QueueInfo &queue : queues) {
        if (std::optional<Finding> finding = findingOf(queue, workers, now))
            found.append(std::move(*finding));
    }
    return found;
}

QList<Finding> findingsOf(const QList<WorkerInfo> &workers, Timestamp now)
{
    QList<Finding> found;
    for (const WorkerInfo &worker : workers) {
        if (std::optional<Finding> finding = findingOf(worker, now))
            found.append(std::move(*finding));
    }
    return found;
}

} // namespace ym
