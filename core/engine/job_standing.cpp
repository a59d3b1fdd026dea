#include "core/engine/job_standing.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ym {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds grace = 10s; ///< what is told a second apart need not fit together before
constexpr Milliseconds lateAfter = 60s; ///< whoever has the store open queues what is due within seconds

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

QString shownId(const QByteArray &id, const KnownPicture &picture)
{
    return picture.wholeIds ? shown(id) : shortId(id);
}

QString served(const QueueInfo &queue, const Target &target, const QList<WorkerInfo> *workers)
{
    Attendance there;
    for (const WorkerInfo &worker : workers ? *workers : QList<WorkerInfo>()) {
        if (serves(worker, target))
            there.count(worker);
    }
    if (there.free == 0 && there.full > 0)
        return tr("every worker that serves it is busy");
    if (there.free == 0 && there.quiet > 0)
        return tr("the workers that serve it take nothing new");
    return queue.listeners == 1 ? tr("1 worker serves it") : tr("%1 workers serve it").arg(queue.listeners);
}

/// "It is the next one in q", as exactly as it is known.
QString placeIn(const QueueInfo &queue, const Job &job, const KnownPicture &picture)
{
    const QString key = shown(queue.key);
    const qint64 ahead = picture.place ? picture.place->ahead : queue.nextJob == job.id ? 0 : -1;
    if (ahead == 0)
        return tr("It is the next one in %1").arg(key);
    if (ahead < 0)
        return tr("It waits in %1").arg(key);
    const QLocale locale;
    return tr("It is number %1 of %2 in %3")
        .arg(locale.toString(ahead + 1), locale.toString(std::max(queue.depth, ahead + 1)), key);
}

JobStanding standingIn(const QueueInfo &queue, const Job &job, const KnownPicture &picture)
{
    const QString place = placeIn(queue, job, picture);
    if (queue.kind == QueueKind::Work && queue.listeners == 0)
        return {"no_worker",
                tr("%1, which nobody serves. Start a worker for it.").arg(place),
                {Remedy::Kind::StartWorker, {}, queue.target}};
    if (queue.listeners == 0)
        return {
            {},
            tr("%1. Whether a worker serves it cannot be seen: workers of older queues do not register.").arg(place),
            {}};
    return {{}, tr("%1; %2.").arg(place, served(queue, job.target, picture.workers)), {}};
}

JobStanding queued(const Job &job, const KnownPicture &picture, Timestamp now)
{
    if (!picture.queues)
        return {};
    for (const QueueInfo &queue : *picture.queues) {
        const bool isHere = picture.isSearched ? picture.place && picture.place->key == queue.key
                                               : queue.depth > 0 && !queue.invalid && mayHold(queue, job.target);
        if (isHere)
            return standingIn(queue, job, picture);
    }
    const std::optional<Timestamp> since = std::max(job.updatedAt, job.createdAt);
    if (!since || now - *since < grace || picture.place)
        return {};
    const QString text = picture.isSearched
        ? tr("It is queued, but in no queue: who took it may be gone. Requeue puts it back.")
        : tr("It is queued, but none of its queues holds anything: who took it may be gone. Requeue puts it back.");
    return {"unlisted", text, {Remedy::Kind::Requeue, {job.id}, {}}};
}

JobStanding waiting(const Job &job, const KnownPicture &picture, Timestamp now)
{
    QStringList open;
    JobStanding stuck;
    std::optional<Timestamp> freedAt = job.createdAt;
    for (const QByteArray &id : job.prerequisites) {
        const auto known = picture.job(id);
        if (known && known->state == JobState::Finished) {
            freedAt = std::max(freedAt, known->updatedAt);
            continue;
        }
        const QString state = known ? tr(stateName(known->state)) : picture.knowsEveryJob ? tr("not there") : QString();
        const QString name = shownId(id, picture);
        const QString text = state.isEmpty() ? name : tr("%1 (%2)").arg(name, state);
        open.append(text);
        const bool cannotFinish = (known && isTerminal(known->state)) || (!known && picture.knowsEveryJob);
        if (!cannotFinish || stuck.isTrouble())
            continue;
        stuck.rule = "prerequisite";
        stuck.text = known
            ? tr("It waits for %1, which will not finish by itself. Retry that one, or stop this one.").arg(text)
            : tr("It waits for %1. Submit that one again with this id, or stop this one.").arg(text);
        if (known)
            stuck.remedy = {Remedy::Kind::Retry, {id}, {}};
    }
    if (stuck.isTrouble())
        return stuck;
    if (open.isEmpty()) {
        if (!freedAt || now - *freedAt < lateAfter)
            return {};
        return {
            "unreleased",
            tr("Everything that it waited for has finished, but nobody has queued it: no worker and no window seems "
               "to be open on this store. Start a worker for it."),
            {Remedy::Kind::StartWorker, {}, job.target}};
    }
    if (open.size() == 1)
        return {{}, tr("It waits for %1.").arg(open.first()), {}};
    return {{},
            tr("It waits for %1 jobs of %2; the first is %3.")
                .arg(QLocale().toString(open.size()), QLocale().toString(job.prerequisites.size()), open.first()),
            {}};
}

std::optional<WorkerInfo> workerNamed(const QByteArray &name, const QList<WorkerInfo> &workers)
{
    for (const WorkerInfo &worker : workers) {
        if (worker.target.type + ':' + worker.target.group + ':' + worker.target.instance == name)
            return worker;
    }
    return std::nullopt;
}

JobStanding scheduled(const Job &job, Timestamp now)
{
    if (!job.notBefore)
        return {};
    const QString when = exactTimeText(*job.notBefore);
    if (now - *job.notBefore < lateAfter)
        return {{}, tr("It is held until %1 (%2).").arg(when, agoText(*job.notBefore, now)), {}};
    return {"overdue",
            tr("It was held until %1 (%2), but nobody has queued it: no worker and no window seems to be open on this "
               "store. Start a worker for it.")
                .arg(when, agoText(*job.notBefore, now)),
            {Remedy::Kind::StartWorker, {}, job.target}};
}

JobStanding running(const Job &job, const KnownPicture &picture, Timestamp now)
{
    const Remedy requeue{Remedy::Kind::Requeue, {job.id}, {}};
    if (job.timeout.count() > 0 && job.startedAt && now - *job.startedAt > job.timeout + grace)
        return {
            "overtime",
            tr("It has run for %1, though its timeout is %2: its worker may be gone. Requeue takes it away from it.")
                .arg(duration(now - *job.startedAt), duration(job.timeout)),
            requeue};
    if (job.claimedBy.isEmpty())
        return {{},
                tr("A worker that does not say who it is has it. If that is gone, Requeue puts the job back."),
                requeue};
    if (!picture.workers)
        return {};
    const std::optional<WorkerInfo> worker = workerNamed(job.claimedBy, *picture.workers);
    const QString name = shown(job.claimedBy);
    if (!worker)
        return {
            "worker_gone",
            tr("Its worker %1 does not show itself. If it is gone, the job is queued again when its lease has run out.")
                .arg(name),
            {}};
    const QString place = worker->hostname.isEmpty() ? name : tr("%1 on %2").arg(name, shown(worker->hostname));
    if (!worker->lastHeartbeat)
        return {{}, tr("It runs in %1.").arg(place), {}};
    const Milliseconds age = std::max(Milliseconds{0}, now - *worker->lastHeartbeat);
    if (age > workerSilentAfter)
        return {"worker_silent", tr("Its worker %1 has been silent for %2.").arg(place, duration(age)), {}};
    return {{}, tr("It runs in %1, last seen %2 ago.").arg(place, duration(age)), {}};
}

} // namespace

bool serves(const WorkerInfo &worker, const Target &target)
{
    const auto fits = [](const QByteArray &wanted, const QByteArray &own) { return wanted.isEmpty() || wanted == own; };
    return !worker.invalid && worker.target.type == target.type && fits(target.group, worker.target.group)
        && fits(target.instance, worker.target.instance);
}

void Attendance::count(const WorkerInfo &worker)
{
    const bool isFull = worker.slotCount > 0 && worker.busy.size() >= worker.slotCount;
    ++(worker.quiet ? quiet : isFull ? full : free);
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

JobStanding standingOf(const Job &job, const KnownPicture &picture, Timestamp now)
{
    switch (job.state) {
    case JobState::Queued:
        return queued(job, picture, now);
    case JobState::Waiting:
        return waiting(job, picture, now);
    case JobState::Scheduled:
        return scheduled(job, now);
    case JobState::Running:
        return running(job, picture, now);
    case JobState::Unknown:
        return {"unknown_status",
                tr("Its status “%1” is none that a worker knows: nobody takes it.").arg(shown(job.statusText)),
                {}};
    case JobState::Finished:
    case JobState::Failed:
    case JobState::Dead:
    case JobState::Lost:
        break;
    }
    return {};
}

} // namespace ym
