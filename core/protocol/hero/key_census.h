// Which queues there are, found without ever holding the server up.
#pragma once

#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/presence_watch.h"
#include "core/store/store.h"

#include <QSet>

namespace ym::hero {

/// Walks the keys with SCAN, a few pages at every call, round and round, twice a round: by name, and for the legacy
/// queues that stand under `hero:job:` by type (RELIABILITY HD14). Between two rounds, queues become known from
/// presence and from the targets of jobs. Nothing is forgotten until forget().
class KeyCensus {
public:
    explicit KeyCensus(Store *store);

    /// Looks at up to `pages` further pages of keys. A call during another one does nothing.
    QCoro::Task<void> advance(int pages);
    /// A job with this target was seen: its queue exists or existed.
    void sawTarget(const Target &target);
    void sawWorker(const Target &worker);
    /// Every key was looked at once, or so many that there is no end to them.
    bool isComplete() const { return m_isComplete || m_pages > mostFirstPages; }
    void forget(const QByteArray &queue) { m_queues.remove(queue); }

    /// Sorted.
    QList<QByteArray> queues() const;
    QSet<QByteArray> types() const;
    PresenceWatch &presence() { return m_presence; }

private:
    void take(const QByteArray &key);

    Store *m_store;
    PresenceWatch m_presence;
    QSet<QByteArray> m_queues;
    QByteArray m_cursor = "0";
    bool m_isAmongJobs = false; ///< second half of a round: lists that stand among the jobs
    bool m_isWalking = false;
    bool m_isComplete = false;
    int m_pages = 0; ///< read before that
    static constexpr int mostFirstPages = 50'000;
};

} // namespace ym::hero
