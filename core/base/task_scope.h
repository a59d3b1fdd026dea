// The owner of coroutines: nothing that was started here outlives it unnoticed.
#pragma once

#include "core/base/completion.h"

#include <QString>

#include <stop_token>
#include <vector>

#include <QCoroTask>

namespace ym {

/// Owns running coroutines of one object and lets that object end them before it dies (DESIGN, coroutine rules).
/// `stop()` asks every coroutine that took `token()` to end; `drain()` waits until all have. Destroying a scope
/// that still has members is a bug and aborts in debug builds. One thread.
class TaskScope {
public:
    explicit TaskScope(const char *owner);
    ~TaskScope();
    TaskScope(const TaskScope &) = delete;
    TaskScope &operator=(const TaskScope &) = delete;

    /// Takes a running coroutine. An exception that reaches its end is logged (Cancelled silently) and goes no further.
    void spawn(QCoro::Task<void> task);

    void stop() { m_stop.request_stop(); }
    std::stop_token token() const { return m_stop.get_token(); }
    bool isStopping() const { return m_stop.stop_requested(); }
    int activeCount() const { return m_active; }

    /// Requests stop and returns when the last member has ended. May be awaited by several.
    QCoro::Task<void> drain();

private:
    QCoro::Task<void> own(QCoro::Task<void> task);

    const char *m_owner;
    std::stop_source m_stop;
    int m_active = 0;
    std::vector<Completion<bool>> m_drainers;
};

} // namespace ym
