// The dispatcher of an open connection: keeps its jobs moving, whether or not a worker runs here.
#pragma once

#include "core/base/task_scope.h"
#include "core/protocol/protocol.h"

namespace ym {

/// Recovers about every third of a lease and reconciles about once a minute, each with a quarter of jitter, because every
/// session does it on the same data. Gives up what the store forbids to this user. Core thread; drain() before destruction.
class Dispatcher {
public:
    Dispatcher(Store *store, std::unique_ptr<Rescuer> rescuer, Milliseconds lease, Clock *clock);

    void start();
    QCoro::Task<void> drain();

private:
    using Duty = QCoro::Task<int> (Dispatcher::*)();
    QCoro::Task<void> repeat(Milliseconds first, Milliseconds interval, Duty duty);
    QCoro::Task<bool> tryOnce(Duty duty);
    QCoro::Task<int> recover();
    QCoro::Task<int> reconcile();

    Store *m_store;
    std::unique_ptr<Rescuer> m_rescuer;
    Milliseconds m_lease;
    Clock *m_clock;
    TaskScope m_scope{"Dispatcher"};
};

} // namespace ym
