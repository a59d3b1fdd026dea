// The presence JSON of a worker (PROTOCOLS 2, Presence JSON).
#pragma once

#include "core/job/queue_info.h"
#include "core/protocol/protocol.h"

namespace ym::hero {

/// What one worker says of itself.
struct Presence {
    qint64 pid = 0;
    QByteArray hostname;
    QByteArray version;
    QList<QByteArray> capabilities;
    Timestamp startedAt;
    Timestamp heartbeat;
    int slotCount = 0;
    QList<QByteArray> busy;
    bool quiet = false;
    ServingOrder order = ServingOrder::Fifo;
    QByteArray legacyId; ///< the worker id as which it serves legacy queues
    QList<QByteArray> legacyQueues;
    QByteArray bootId; ///< of this process and consumer: tells our own presence from another's (RELIABILITY HC4)
};
QByteArray writePresence(const Presence &presence);

/// Reads the value of a presence key; every member tolerantly. A value that is no JSON object gives an invalid worker.
WorkerInfo readPresence(const QByteArray &key, const QByteArray &value, qint64 ttlMs);

} // namespace ym::hero
