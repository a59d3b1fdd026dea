#include "core/protocol/hero/queue_watch.h"

#include "core/base/log.h"
#include "core/base/task_scope.h"

#include <QRandomGenerator>
#include <QSet>

#include <algorithm>

namespace ym::hero {

namespace {

constexpr Milliseconds peekTime{5'000}; ///< a ghost in the server ends by itself (RELIABILITY HD3)
constexpr Milliseconds pollInterval{1'000}; ///< while a queue cannot be peeked
constexpr Milliseconds restAfterTrouble{5'000};

} // namespace

/// Shared with the peeks, which may end after the watch.
struct QueueWatch::State {
    Store *store;
    Clock *clock;
    QByteArray side;
    QSet<QByteArray> peeking;
    QHash<QByteArray, Monotonic> restingUntil; ///< queues whose peek failed
    bool isWoken = false;
    std::optional<Completion<bool>> waiter;
    TaskScope scope{"QueueWatch"};

    void wake()
    {
        isWoken = true;
        if (const auto sleeper = std::exchange(waiter, std::nullopt))
            sleeper->resolve(true);
    }
};

QueueWatch::QueueWatch(Store *store, Clock *clock, ServingOrder order)
    : m_state(std::make_shared<State>())
{
    m_state->store = store;
    m_state->clock = clock;
    m_state->side = order == ServingOrder::Fifo ? "RIGHT" : "LEFT";
}

QueueWatch::~QueueWatch()
{
    const std::shared_ptr<State> state = m_state; // stopping resumes peeks, which drop their share
    state->scope.stop();
}

void QueueWatch::rearm()
{
    m_state->isWoken = false;
}

QCoro::Task<void> QueueWatch::wait(QList<QByteArray> queues, Milliseconds limit, std::stop_token stop)
{
    const std::shared_ptr<State> state = m_state;
    const Completion<bool> woken;
    state->waiter = woken;
    const std::stop_callback onStop(stop, [woken] { woken.resolve(false); });
    const Monotonic now = state->clock->monotonic();
    bool mustPoll = false;
    for (const QByteArray &queue : queues) {
        if (state->restingUntil.value(queue, now) > now)
            mustPoll = true;
        else if (!state->peeking.contains(queue))
            state->scope.spawn(peek(state, queue));
    }
    if (state->isWoken)
        woken.resolve(true);
    std::stop_source over;
    if (mustPoll) // with jitter, so that many workers do not poll in step
        limit = std::min(
            limit, pollInterval / 2 + Milliseconds{QRandomGenerator::global()->bounded(int(pollInterval.count() / 2))});
    state->scope.spawn(limitWait(state, limit, over.get_token()));
    co_await woken;
    state->waiter.reset();
    over.request_stop();
}

QCoro::Task<void> QueueWatch::limitWait(std::shared_ptr<State> state, Milliseconds limit, std::stop_token over)
{
    const std::optional<Completion<bool>> waiter = state->waiter;
    const std::stop_callback onEnd(state->scope.token(), [waiter] {
        if (waiter)
            waiter->resolve(false);
    });
    co_await state->clock->sleep(limit, over);
    if (waiter)
        waiter->resolve(false);
}

QCoro::Task<void> QueueWatch::peek(std::shared_ptr<State> state, QByteArray queue)
{
    state->peeking.insert(queue);
    const QByteArray seconds = QByteArray::number(qint64(peekTime.count() / 1000));
    bool found = false;
    bool failed = false;
    do {
        try {
            const Command look = cmd("BLMOVE", queue, queue, state->side, state->side, seconds);
            const Reply reply = co_await state->store->blocking(look, peekTime, state->scope.token());
            found = !reply.isNil();
        } catch (const StoreError &e) {
            failed = true;
            if (e.kind() != ErrorKind::Cancelled)
                qCInfo(logProtocol, "cannot wait at a queue, polling it: %s", e.what());
        }
    } while (!found && !failed && state->waiter && !state->scope.isStopping());
    state->peeking.remove(queue);
    if (failed && !state->scope.isStopping())
        state->restingUntil.insert(queue, state->clock->monotonic() + restAfterTrouble);
    if (found)
        state->wake();
}

QCoro::Task<void> QueueWatch::end()
{
    const std::shared_ptr<State> state = m_state;
    co_await state->scope.drain();
}

} // namespace ym::hero
