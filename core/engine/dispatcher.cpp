#include "core/engine/dispatcher.h"

#include "core/base/log.h"

#include <QRandomGenerator>

namespace ym {

using namespace std::chrono_literals;

namespace {

constexpr Milliseconds firstReconcile = 20s; // when the window has its picture
constexpr Milliseconds reconcileInterval = 60s;
constexpr Milliseconds shortestPause = 40s; // less than the shortest interval, so that it is somebody's turn each time
constexpr Milliseconds longestPause = 600s;

Milliseconds withJitter(Milliseconds interval)
{
    const qint64 quarter = interval.count() / 4;
    return interval + Milliseconds{QRandomGenerator::global()->bounded(-quarter, quarter + 1)};
}

} // namespace

Dispatcher::Dispatcher(Store *store, std::unique_ptr<Rescuer> rescuer, Milliseconds lease, Clock *clock)
    : m_store(store)
    , m_rescuer(std::move(rescuer))
    , m_lease(lease)
    , m_clock(clock)
    , m_pause(shortestPause)
{
}

void Dispatcher::start()
{
    m_scope.spawn(repeat(m_lease / 10, m_lease / 3, &Dispatcher::recover));
    m_scope.spawn(repeat(std::min(firstReconcile, m_lease), reconcileInterval, &Dispatcher::reconcile));
}

QCoro::Task<void> Dispatcher::drain()
{
    return m_scope.drain();
}

QCoro::Task<void> Dispatcher::repeat(Milliseconds first, Milliseconds interval, Duty duty)
{
    Milliseconds wait = first;
    while (!m_scope.isStopping()) {
        const bool passed = co_await m_clock->sleep(withJitter(wait), m_scope.token());
        if (!passed)
            break;
        const bool ready = co_await m_store->waitUntilReady(m_scope.token());
        if (!ready && m_store->status().phase != StoreStatus::Phase::Refused)
            break; // closed
        bool goesOn = true;
        if (ready)
            goesOn = co_await tryOnce(duty);
        if (!goesOn)
            break;
        wait = interval;
    }
}

/// False when this user may not do it: asking again would be refused again.
QCoro::Task<bool> Dispatcher::tryOnce(Duty duty)
{
    std::optional<Error> trouble;
    try {
        const int moved = co_await (this->*duty)();
        if (moved > 0)
            qCInfo(logEngine, "%d lost, delayed or waiting jobs were moved on", moved);
        co_return true;
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    qCInfo(logEngine, "keeping the jobs in order: %s", qUtf8Printable(trouble->text()));
    co_return trouble->kind != ErrorKind::Permission && trouble->kind != ErrorKind::ReadOnly;
}

QCoro::Task<int> Dispatcher::recover()
{
    return m_rescuer->recover();
}

/// One of all who have this store open does it; more seldom where there are so many jobs that it takes long.
QCoro::Task<int> Dispatcher::reconcile()
{
    const bool isOurs = co_await m_rescuer->takeTurn(m_pause);
    if (!isOurs)
        co_return 0;
    const Monotonic start = m_clock->monotonic();
    const int moved = co_await m_rescuer->reconcile(m_scope.token());
    const Milliseconds took = m_clock->monotonic() - start;
    m_pause = std::clamp(20 * took, shortestPause, longestPause);
    co_return moved;
}

} // namespace ym
