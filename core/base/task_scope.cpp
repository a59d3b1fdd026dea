#include "core/base/task_scope.h"

#include "core/base/error.h"
#include "core/base/log.h"

namespace ym {

TaskScope::TaskScope(const char *owner)
    : m_owner(owner)
{
}

TaskScope::~TaskScope()
{
    if (m_active > 0)
        qCCritical(logBase, "%s destroyed with %d coroutines still running", m_owner, m_active);
    Q_ASSERT(m_active == 0);
}

void TaskScope::spawn(QCoro::Task<void> task)
{
    own(std::move(task));
}

QCoro::Task<void> TaskScope::own(QCoro::Task<void> task)
{
    ++m_active;
    try {
        co_await task;
    } catch (const StoreError &e) {
        if (e.kind() != ErrorKind::Cancelled)
            qCWarning(logBase, "%s: %s", m_owner, e.what());
    } catch (const std::exception &e) {
        qCCritical(logBase, "%s: unexpected exception: %s", m_owner, e.what());
    }
    if (--m_active > 0)
        co_return;
    for (const auto &drainer : std::exchange(m_drainers, {}))
        drainer.resolve(true);
}

QCoro::Task<void> TaskScope::drain()
{
    m_stop.request_stop();
    if (m_active == 0)
        co_return;
    const Completion<bool> done;
    m_drainers.push_back(done);
    co_await done;
}

} // namespace ym
