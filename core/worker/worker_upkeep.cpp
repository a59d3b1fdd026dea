#include "core/worker/worker_upkeep.h"

#include "core/base/log.h"

#include <QRandomGenerator>

namespace ym {

namespace {

constexpr Milliseconds stopWatchInterval{1'000};
constexpr Milliseconds progressInterval{1'000};
constexpr Milliseconds pauseAfterFailure{500};

Milliseconds withJitter(Milliseconds interval)
{
    const qint64 quarter = interval.count() / 4;
    return interval + Milliseconds{QRandomGenerator::global()->bounded(-quarter, quarter + 1)};
}

} // namespace

WorkerUpkeep::WorkerUpkeep(WorkerParts parts, Milliseconds presenceInterval, WorkerLoop *loop)
    : m_parts(parts)
    , m_presenceInterval(presenceInterval)
    , m_loop(loop)
{
}

void WorkerUpkeep::start()
{
    const Milliseconds third = m_parts.consumer->beatInterval();
    m_scope.spawn(repeat({m_presenceInterval, false}, &WorkerUpkeep::refreshPresence));
    m_scope.spawn(repeat({third, false}, &WorkerUpkeep::beat));
    m_scope.spawn(repeat({stopWatchInterval, false}, &WorkerUpkeep::followStopRequests));
    m_scope.spawn(repeat({progressInterval, false}, &WorkerUpkeep::reportProgress));
    m_scope.spawn(repeat({third, true}, &WorkerUpkeep::recover));
}

void WorkerUpkeep::presenceChanged()
{
    if (!m_scope.isStopping())
        m_scope.spawn(now(&WorkerUpkeep::refreshPresence));
}

QCoro::Task<void> WorkerUpkeep::drain()
{
    return m_scope.drain();
}

QCoro::Task<void> WorkerUpkeep::repeat(Rhythm rhythm, Duty duty)
{
    bool isOverdue = false;
    while (!m_scope.isStopping()) {
        const Milliseconds interval = rhythm.jitter ? withJitter(rhythm.interval) : rhythm.interval;
        const Milliseconds wait = isOverdue ? std::min(pauseAfterFailure, interval) : interval;
        const bool passed = co_await m_parts.clock->sleep(wait, m_scope.token());
        if (!passed)
            break;
        const bool done = co_await tryOnce(duty);
        isOverdue = !done;
    }
}

QCoro::Task<void> WorkerUpkeep::now(Duty duty)
{
    co_await tryOnce(duty);
}

/// False when it failed and the store is there again: it is to be done soon.
QCoro::Task<bool> WorkerUpkeep::tryOnce(Duty duty)
{
    std::optional<Error> trouble;
    try {
        co_await (this->*duty)();
        co_return true;
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    qCDebug(logWorker, "upkeep: %s", qPrintable(trouble->text()));
    if (!isTransient(trouble->kind))
        co_return true; // the same again at its next turn; the claims tell the person
    co_await m_parts.store->waitUntilReady(m_scope.token());
    co_return false;
}

QCoro::Task<void> WorkerUpkeep::refreshPresence()
{
    co_await m_parts.consumer->refreshPresence(m_loop->busyIds(), m_loop->isQuiet());
}

/// Renews the leases of what runs; what is no longer ours is killed (DESIGN, Hero: beat).
QCoro::Task<void> WorkerUpkeep::beat()
{
    const std::vector<Claim> claims = m_loop->running();
    if (claims.empty())
        co_return;
    const QList<QByteArray> lost = co_await m_parts.consumer->beat(claims);
    std::vector<Claim> kept;
    std::vector<Claim> gone;
    for (const Claim &claim : claims)
        (lost.contains(claim.job.id) ? gone : kept).push_back(claim);
    m_loop->renewed(kept);
    m_loop->loseClaims(gone);
}

/// However many progress lines a script writes: the newest, once a second.
QCoro::Task<void> WorkerUpkeep::reportProgress()
{
    std::vector<ProgressReport> reports = m_loop->takeProgress();
    if (!reports.empty())
        co_await m_parts.consumer->report(std::move(reports));
}

QCoro::Task<void> WorkerUpkeep::followStopRequests()
{
    const std::vector<Claim> claims = m_loop->running();
    if (claims.empty())
        co_return;
    const QList<QByteArray> ids = co_await m_parts.consumer->stopRequested(claims);
    for (const QByteArray &id : ids)
        m_loop->stopJob(id, StopReason::Request);
}

QCoro::Task<void> WorkerUpkeep::recover()
{
    const int moved = co_await m_parts.consumer->recover();
    if (moved > 0)
        qCInfo(logWorker, "%d lost or delayed jobs are back in their queues", moved);
}

} // namespace ym
