// The dispatcher of an open connection, and of a worker of the command line: keeps the jobs moving, whoever runs them.
#pragma once

#include "core/base/task_scope.h"
#include "core/protocol/protocol.h"

namespace ym {

/// Recovers about every third of a lease and reconciles about once a minute, each with a quarter of jitter, because every
/// session works on the same data; they take turns at reconciling. Gives up what the store forbids to this user. Core thread; drain() before destruction.
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
    Milliseconds m_pause; ///< in which nobody else reconciles
    TaskScope m_scope{"Dispatcher"};
};

} // namespace ym
