// Waiting for work: one blocking peek for each queue (DESIGN, Hero: wait).
#pragma once

#include "core/job/queue_info.h"
#include "core/store/store.h"

#include <memory>

namespace ym::hero {

/// A peek moves a list's served end onto itself: it changes nothing, wakes every waiter and lives beside foreign BLPOPs
/// (RELIABILITY HC2). A peek that nobody waits for any more is left alone until its time is over, so that the next wait
/// finds it already in the server and costs no round trip. One thread; at most one wait at a time.
class QueueWatch {
public:
    QueueWatch(Store *store, Clock *clock, ServingOrder order);
    ~QueueWatch();
    QueueWatch(const QueueWatch &) = delete;
    QueueWatch &operator=(const QueueWatch &) = delete;

    /// Forgets a wake-up that came so far: call before looking into the queues.
    void rearm();
    /// Returns when one of the queues has something since rearm(), when `limit` is over, or when `stop` is requested. A
    /// queue that cannot be peeked (no permission, another type) shortens the wait to a second: polling.
    QCoro::Task<void> wait(QList<QByteArray> queues, Milliseconds limit, std::stop_token stop);
    /// Ends all peeks and returns when they have ended. The watch is of no use afterwards.
    QCoro::Task<void> end();

private:
    struct State;
    static QCoro::Task<void> peek(std::shared_ptr<State> state, QByteArray queue);
    static QCoro::Task<void> limitWait(std::shared_ptr<State> state, Milliseconds limit, std::stop_token over);

    std::shared_ptr<State> m_state;
};

} // namespace ym::hero
