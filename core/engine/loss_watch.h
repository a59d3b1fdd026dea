// Why jobs are gone that nobody removed: what a server tells of itself.
#pragma once

#include "core/store/store.h"

#include <QStringList>

#include <optional>

namespace ym {

/// What INFO tells of a Redis and of the data that it has lost. Counters rise from the start of the server.
struct ServerTrace {
    QByteArray runId; ///< another one after each start; empty for what is no Redis, and without the right to ask
    QByteArray replId; ///< of the data set that it replicates
    QByteArray formerReplId; ///< the one before that: a promoted replica keeps its master's here
    bool isReplica = false;
    Monotonic startedAt{0}; ///< exact to a second
    Monotonic seenAt{0};
    quint64 evicted = 0;
    quint64 expired = 0;
    quint64 flushes = 0; ///< FLUSHALL and FLUSHDB
    quint64 deletions = 0; ///< commands that delete or move keys

    bool isKnown() const { return !runId.isEmpty(); }
};

/// Reads the answers to INFO server, replication, stats and commandstats; what is missing stays as it is by default.
ServerTrace readTrace(const QByteArray &info, Monotonic now);

enum class LossCause : quint8 {
    None,        ///< nothing that loses jobs: somebody removed what is gone
    Restart,     ///< the same place, started again
    Failover,    ///< a replica of the former server took over
    OtherServer, ///< another server answers
    Resync,      ///< it became a replica and took over another server's data
    Flush,
    Eviction,
    Expiry,      ///< keys expired, and no command deleted any
};

/// What happened between two looks that explains why a job is gone (RELIABILITY F23).
LossCause causeOfLoss(const ServerTrace &before, const ServerTrace &after);

/// Follows one server. Core thread; must outlive its coroutines.
class LossWatch {
public:
    LossWatch(Store *store, Clock *clock)
        : m_store(store)
        , m_clock(clock)
    {
    }

    /// A listing begins.
    QCoro::Task<void> beginListing();
    /// Why what has just been found gone is gone: one sentence, or nothing when somebody removed it. Counted from the
    /// last look at the server.
    QCoro::Task<QByteArray> whyGone();
    /// False until it has been asked.
    bool isRedis() const { return m_now.isKnown(); }
    /// The server is another one than at the end of the last listing, or holds other data.
    bool isServerAnother() const { return !m_change.isEmpty(); }
    /// The same for what a whole listing has not found, which has come to its end.
    QCoro::Task<QByteArray> endListing();

    /// What has become of the server, the newest last; for the state of the connection. At most three.
    QStringList news() const;

private:
    QCoro::Task<void> ask();
    void tell(LossCause cause);

    Store *m_store;
    Clock *m_clock;
    ServerTrace m_now;
    ServerTrace m_atThisListing;
    ServerTrace m_atLastListing; ///< when the last complete one began
    QByteArray m_change; ///< the server is another one: a reason until the next listing has ended
    QList<std::pair<LossCause, QString>> m_news;
};

} // namespace ym
