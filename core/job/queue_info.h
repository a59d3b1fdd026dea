// What is known about one queue and about one worker.
#pragma once

#include "core/base/clock.h"
#include "core/job/target.h"

#include <QList>

#include <optional>

namespace ym {

/// Which end of a list is served next.
enum class ServingOrder : quint8 { Fifo, Lifo };

/// What a queue is for; a table row of the Queues page.
enum class QueueKind : quint8 { Work, Control, Delayed, Dead, Reply, Legacy };

/// One queue as seen in one look.
struct QueueInfo {
    QByteArray key;       ///< the exact key
    QueueKind kind = QueueKind::Work;
    Target target;
    qint64 depth = 0;     ///< entries
    ServingOrder order = ServingOrder::Fifo;
    bool observed = false; ///< the order was seen at work; else it follows from who listens
    QByteArray nextJob;   ///< id that is served next; empty when the queue is empty
    std::optional<Timestamp> oldest; ///< created_at of the oldest entry, when known
    int listeners = 0;    ///< live workers that serve this queue
    bool invalid = false; ///< the key holds another type

    bool operator==(const QueueInfo &) const = default;
};

/// A worker whose newest heartbeat is older is silent: presence lives 15 s (PROTOCOLS, Hero canonical keys).
inline constexpr Milliseconds workerSilentAfter{15'000};

/// One live (or recently lost) worker, from its presence.
struct WorkerInfo {
    QByteArray key;       ///< presence key; unique
    Target target;        ///< type, group, instance
    qint64 pid = 0;
    QByteArray hostname;
    QByteArray version;
    QList<QByteArray> capabilities;
    std::optional<Timestamp> startedAt;
    std::optional<Timestamp> lastHeartbeat;
    qint64 ttlMs = -1;    ///< time until the presence expires; -1 = never, which is suspicious
    int slotCount = 0;    ///< 0 = unknown
    QList<QByteArray> busy; ///< ids that run now
    std::optional<ServingOrder> order; ///< which end it pops, when it says so
    QList<QByteArray> legacyQueues; ///< keys that it serves beside those of its place
    bool local = false;   ///< runs in this application
    bool quiet = false;   ///< takes nothing new
    bool invalid = false; ///< the presence could not be read

    bool operator==(const WorkerInfo &) const = default;
};

/// Who would get a job with a given target, and through which queue.
struct RoutePreview {
    QList<QByteArray> queueKeys;   ///< the exact keys the id will be pushed to
    QList<WorkerInfo> listeners;   ///< live workers that serve one of them
    qint64 ahead = 0;              ///< jobs that are served before it, at this moment
    bool hidesWorkers = false;     ///< the workers of these queues register nowhere: no listener may mean nothing
    bool operator==(const RoutePreview &) const = default;
};

} // namespace ym
