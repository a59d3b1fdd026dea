// What queues and presences say about themselves: rules that need no look at the jobs.
#pragma once

#include "core/base/clock.h"
#include "core/engine/finding.h"
#include "core/job/queue_info.h"

namespace ym {

/// The rules, by their words. Queues: `not_a_queue` (the key holds another type), `no_worker` (jobs wait and nobody
/// serves them), `quiet` (who serves them takes nothing new), `busy` (all who serve them are busy), `hidden_workers`
/// (an older queue; who serves it cannot be seen), `given_up` (a dead list), `stop_requests` (nobody is there to follow
/// them).
QList<Finding> findingsOf(const QList<QueueInfo> &queues, const QList<WorkerInfo> &workers, Timestamp now);

/// `unreadable_presence`, `immortal_presence` (it never expires), `clock` (its heartbeat lies in the future),
/// `worker_silent`.
QList<Finding> findingsOf(const QList<WorkerInfo> &workers, Timestamp now);

} // namespace ym
