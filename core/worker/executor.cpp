#include "core/worker/executor.h"

namespace ym {

struct RunControl::State {
    std::stop_source source;
    StopReason reason = StopReason::None;
};

RunControl::RunControl()
    : m_state(std::make_shared<State>())
{
}

void RunControl::stop(StopReason reason) const
{
    if (m_state->reason != StopReason::None || reason == StopReason::None)
        return;
    const std::shared_ptr<State> keep = m_state;
    keep->reason = reason;
    keep->source.request_stop();
}

StopReason RunControl::reason() const
{
    return m_state->reason;
}

std::stop_token RunControl::token() const
{
    return m_state->source.get_token();
}

} // namespace ym
