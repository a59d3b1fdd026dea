#include "models/job_standing.h"

#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/job_cells.h"
#include "models/job_table_model.h"
#include "models/queue_model.h"
#include "models/relative_time.h"
#include "models/worker_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ym {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds grace = 10s; ///< what is told a second apart need not fit together before

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::JobStanding", text);
}

QString shown(const QByteArray &bytes)
{
    return shownText(bytes, Lines::Flatten, 120);
}

QString duration(Milliseconds time)
{
    return durationText(time).trimmed();
}

bool mayHold(const QueueInfo &queue, const Target &target)
{
    const Target &own = queue.target;
    if (queue.kind == QueueKind::Work)
        return own.type == target.type && own.group == target.group && own.instance == target.instance
            && own.priority == target.priority;
    if (queue.kind != QueueKind::Legacy)
        return false;
    return own.legacyWorker.isEmpty() ? own.type == target.type : own.legacyWorker == target.legacyWorker;
}

/// As the workers of canonical queues take them.
bool serves(const WorkerInfo &worker, const Target &target)
{
    const auto fits = [](const QByteArray &wanted, const QByteArray &own) { return wanted.isEmpty() || wanted == own; };
    return !worker.invalid && worker.target.type == target.type && fits(target.group, worker.target.group)
        && fits(target.instance, worker.target.instance);
}

bool isFull(const WorkerInfo &worker)
{
    return worker.slotCount > 0 && worker.busy.size() >= worker.slotCount;
}

QString served(const QueueInfo &queue, const Target &target, const WorkerModel *workers)
{
    int free = 0, full = 0, quiet = 0;
    for (int row = 0; workers && row < workers->rowCount(); ++row) {
        const WorkerInfo worker = workers->workerAt(row);
        if (!serves(worker, target))
            continue;
        ++(worker.quiet ? quiet : isFull(worker) ? full : free);
    }
    if (free == 0 && full > 0)
        return tr("every worker that serves it is busy");
    if (free == 0 && quiet > 0)
        return tr("the workers that serve it take nothing new");
    return queue.listeners == 1 ? tr("1 worker serves it") : tr("%1 workers serve it").arg(queue.listeners);
}

JobStanding queued(const Job &job, const KnownPicture &picture, Timestamp now)
{
    if (!picture.queues)
        return {};
    for (int row = 0; row < picture.queues->rowCount(); ++row) {
        const QueueInfo queue = picture.queues->queueAt(row);
        if (queue.depth == 0 || queue.invalid || !mayHold(queue, job.target))
            continue;
        const QString key = shown(queue.key);
        if (queue.kind == QueueKind::Work && queue.listeners == 0)
            return {tr("It waits in %1, which nobody serves. Start a worker for it.").arg(key), true};
        if (queue.listeners == 0)
            return {tr("It waits in %1. Whether a worker serves it cannot be seen: workers of older queues do not "
                       "register.")
                        .arg(key),
                    false};
        const QString place = queue.nextJob == job.id ? tr("It is the next one in %1; %2.") : tr("It waits in %1; %2.");
        return {place.arg(key, served(queue, job.target, picture.workers)), false};
    }
    const std::optional<Timestamp> since = std::max(job.updatedAt, job.createdAt);
    if (!since || now - *since < grace)
        return {};
    return {tr("It is queued, but none of its queues holds anything: who took it may be gone. Requeue puts it back."),
            true};
}

JobStanding waiting(const Job &job, const KnownPicture &picture)
{
    QStringList open;
    QString failed;
    for (const QByteArray &id : job.prerequisites) {
        const auto known = picture.jobs->summary(id);
        if (known && known->state == JobState::Finished)
            continue;
        const QString state = known            ? jobStateText(*known)
            : picture.jobs->listing().complete ? tr("not there")
                                               : QString();
        const QString text = state.isEmpty() ? shortId(id) : tr("%1 (%2)").arg(shortId(id), state);
        open.append(text);
        const bool cannotFinish = (known && isTerminal(known->state)) || (!known && picture.jobs->listing().complete);
        if (cannotFinish && failed.isEmpty())
            failed = text;
    }
    if (!failed.isEmpty())
        return {tr("It waits for %1, which will not finish by itself. Retry that one, or stop this one.").arg(failed),
                true};
    if (open.isEmpty())
        return {};
    if (open.size() == 1)
        return {tr("It waits for %1.").arg(open.first()), false};
    return {tr("It waits for %1 jobs of %2; the first is %3.")
                .arg(QLocale().toString(open.size()), QLocale().toString(job.prerequisites.size()), open.first()),
            false};
}

std::optional<WorkerInfo> workerNamed(const QByteArray &name, const WorkerModel *workers)
{
    for (int row = 0; row < workers->rowCount(); ++row) {
        const WorkerInfo worker = workers->workerAt(row);
        if (worker.target.type + ':' + worker.target.group + ':' + worker.target.instance == name)
            return worker;
    }
    return std::nullopt;
}

JobStanding running(const Job &job, const KnownPicture &picture, Timestamp now)
{
    const bool isOver = job.timeout.count() > 0 && job.startedAt && now - *job.startedAt > job.timeout + grace;
    if (isOver)
        return {
            tr("It has run for %1, though its timeout is %2: its worker may be gone. Requeue takes it away from it.")
                .arg(duration(now - *job.startedAt), duration(job.timeout)),
            true};
    if (job.claimedBy.isEmpty())
        return {tr("A worker that does not say who it is has it. If that is gone, Requeue puts the job back."), false};
    if (!picture.workers)
        return {};
    const std::optional<WorkerInfo> worker = workerNamed(job.claimedBy, picture.workers);
    const QString name = shown(job.claimedBy);
    if (!worker)
        return {
            tr("Its worker %1 does not show itself. If it is gone, the job is queued again when its lease has run out.")
                .arg(name),
            true};
    const QString place = worker->hostname.isEmpty() ? name : tr("%1 on %2").arg(name, shown(worker->hostname));
    if (!worker->lastHeartbeat)
        return {tr("It runs in %1.").arg(place), false};
    const Milliseconds age = std::max(Milliseconds{0}, now - *worker->lastHeartbeat);
    if (age > WorkerModel::silentAfter)
        return {tr("Its worker %1 has been silent for %2.").arg(place, duration(age)), true};
    return {tr("It runs in %1, last seen %2 ago.").arg(place, duration(age)), false};
}

} // namespace

JobStanding standingOf(const Job &job, const KnownPicture &picture, Timestamp now)
{
    switch (job.state) {
    case JobState::Queued:
        return queued(job, picture, now);
    case JobState::Waiting:
        return waiting(job, picture);
    case JobState::Scheduled:
        if (!job.notBefore)
            return {};
        return {tr("It is held until %1 (%2).").arg(exactTimeText(*job.notBefore), agoText(*job.notBefore, now)),
                false};
    case JobState::Running:
        return running(job, picture, now);
    case JobState::Unknown:
    case JobState::Finished:
    case JobState::Failed:
    case JobState::Dead:
    case JobState::Lost:
        break;
    }
    return {};
}

} // namespace ym
