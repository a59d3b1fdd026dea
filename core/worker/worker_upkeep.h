// What keeps a worker alive in the store while it runs: presence, leases, stop requests, rescue of lost jobs.
#pragma once

#include "core/worker/worker_loop.h"

namespace ym {

/// The periodic duties of one worker. A duty that fails waits until the store is ready and is done again at once, so
/// that leases are renewed as soon as the store is back. Lives as long as the loop it serves.
class WorkerUpkeep {
public:
    WorkerUpkeep(WorkerParts parts, Milliseconds presenceInterval, WorkerLoop *loop);

    void start();
    /// Tells the store about quiet or not quiet before the next turn of the presence.
    void presenceChanged();
    QCoro::Task<void> drain();

private:
    using Duty = QCoro::Task<void> (WorkerUpkeep::*)();
    struct Rhythm {
        Milliseconds interval{0};
        bool jitter = false; ///< ± a quarter, for what all workers do on the same data
    };
    QCoro::Task<void> repeat(Rhythm rhythm, Duty duty);
    QCoro::Task<void> now(Duty duty);
    QCoro::Task<bool> tryOnce(Duty duty);

    QCoro::Task<void> refreshPresence();
    QCoro::Task<void> beat();
    QCoro::Task<void> reportProgress();
    QCoro::Task<void> followStopRequests();
    QCoro::Task<void> recover();

    WorkerParts m_parts;
    Milliseconds m_presenceInterval;
    WorkerLoop *m_loop;
    TaskScope m_scope{"upkeep of a worker"};
};

} // namespace ym
