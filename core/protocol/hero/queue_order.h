// Which end of a queue is really popped (PROTOCOLS, Order): seen at work, else told by who listens.
#pragma once

#include "core/job/queue_info.h"

#include <QHash>

namespace ym::hero {

/// Remembers the two ends of each list from look to look. One thread.
class QueueOrders {
public:
    /// `own` is the end that workers of this connection pop.
    explicit QueueOrders(ServingOrder own)
        : m_own(own)
    {
    }

    /// What a look at a list saw: its ends as LPUSH left them, head newest. Empty ones are those of an empty list.
    struct Ends {
        qint64 depth = 0;
        QByteArray head;
        QByteArray tail;
    };
    /// Takes a look into account. An end that lost entries while the other one stayed is the one that is popped.
    void look(const QByteArray &key, const Ends &ends);
    /// Sets order and observed of a queue that these workers serve. Workers that do not say what they pop do what the
    /// protocol says, BLPOP; a legacy queue that nobody visible serves is left to those.
    void decide(QueueInfo *queue, const QList<WorkerInfo> &listeners);
    /// What decide() found last; before that, what `kind` lets expect.
    ServingOrder orderOf(const QByteArray &key, QueueKind kind) const;
    void forget(const QByteArray &key) { m_known.remove(key); }

private:
    struct Known {
        Ends ends;
        std::optional<ServingOrder> seen;
        std::optional<ServingOrder> decided;
    };
    ServingOrder expected(QueueKind kind) const;

    ServingOrder m_own;
    QHash<QByteArray, Known> m_known;
};

} // namespace ym::hero
