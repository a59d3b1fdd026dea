// How long to wait before the next try.
#pragma once

#include "core/base/clock.h"

namespace ym {

/// Full jitter: a random time between 0 and min(cap, base·2ⁿ) (RELIABILITY 6.2).
class Backoff {
public:
    struct Limits {
        Milliseconds base{100};
        Milliseconds cap{5000};
    };

    explicit Backoff(Limits limits);
    Backoff()
        : Backoff(Limits{})
    {
    }

    /// The next delay; each call raises the ceiling.
    Milliseconds next();
    /// Back to the first ceiling, after the thing has worked for long enough.
    void reset() { m_tries = 0; }
    int tries() const { return m_tries; }

private:
    Limits m_limits;
    int m_tries = 0;
};

} // namespace ym
