#include "core/base/alarm.h"

namespace ym {

QCoro::Task<void> Alarm::wait(Clock *clock, Milliseconds duration, std::stop_token stop)
{
    if (!m_rung && !stop.stop_requested()) {
        std::stop_source ended;
        m_waiting = ended;
        const std::stop_callback onStop(stop, [ended]() mutable { ended.request_stop(); });
        co_await clock->sleep(duration, ended.get_token());
        m_waiting.reset();
    }
    m_rung = false;
}

void Alarm::ring()
{
    m_rung = true;
    if (m_waiting)
        std::stop_source(*m_waiting).request_stop();
}

} // namespace ym
