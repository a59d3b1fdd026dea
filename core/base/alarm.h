// A sleep that somebody else can end early.
#pragma once

#include "core/base/clock.h"

namespace ym {

/// One loop waits, anybody rings. A ring while nobody waits ends the next wait at once, so none is lost. One thread.
class Alarm {
public:
    /// Returns after `duration`, when rung, or when `stop` is requested.
    QCoro::Task<void> wait(Clock *clock, Milliseconds duration, std::stop_token stop);
    void ring();

private:
    bool m_rung = false;
    std::optional<std::stop_source> m_waiting;
};

} // namespace ym
