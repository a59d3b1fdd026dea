#include "core/protocol/hero/queue_order.h"

#include <algorithm>

namespace ym::hero {

void QueueOrders::look(const QByteArray &key, const Ends &ends)
{
    Known &known = m_known[key];
    const Ends before = std::exchange(known.ends, ends);
    if (before.depth == 0 || ends.depth == 0)
        return; // nothing is left of what was there
    if (ends.tail == before.tail && ends.depth < before.depth)
        known.seen = ServingOrder::Lifo;
    else if (ends.tail != before.tail && ends.head == before.head && ends.depth < before.depth)
        known.seen = ServingOrder::Fifo;
}

void QueueOrders::decide(QueueInfo *queue, const QList<WorkerInfo> &listeners)
{
    Known &known = m_known[queue->key];
    queue->order = expected(queue->kind);
    const bool isOurs = !listeners.isEmpty()
        && std::all_of(listeners.begin(), listeners.end(),
                       [](const WorkerInfo &worker) { return worker.order.has_value(); });
    if (isOurs)
        queue->order = *listeners.constFirst().order;
    else if (!listeners.isEmpty())
        queue->order = ServingOrder::Lifo;
    const bool isServed = queue->kind == QueueKind::Work || queue->kind == QueueKind::Legacy;
    queue->observed = isServed && known.seen.has_value();
    if (queue->observed)
        queue->order = *known.seen;
    known.decided = queue->order;
}

ServingOrder QueueOrders::orderOf(const QByteArray &key, QueueKind kind) const
{
    return m_known.value(key).decided.value_or(expected(kind));
}

ServingOrder QueueOrders::expected(QueueKind kind) const
{
    return kind == QueueKind::Work ? m_own : ServingOrder::Lifo;
}

} // namespace ym::hero
