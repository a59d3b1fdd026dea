// How many jobs a worker should claim next, given its slots and its one serial lane.
#pragma once

#include "core/base/clock.h"

namespace ym {

/// `concurrent=false` jobs run one at a time within a worker, `true` ones side by side up to the slots (DESIGN, Hero).
/// So a worker has that many places, one of which at a time may hold a serial job: the lane.
///
/// A claim cannot choose: it takes what is next in the queue. The plan therefore follows what it has seen. With the
/// lane free it claims one job when the last one was serial (a second one could not run) and as many as there are
/// places otherwise. With the lane taken it claims one: a concurrent job runs; a serial one is given back to the front
/// of its queue at once, where any other worker can take it, and the worker looks again when its lane is free or after
/// `probeEvery`, so that concurrent jobs behind it are reached and nothing starves. While the last job seen was
/// serial, the lane's first moments pass without a look: a backlog of short serial jobs costs no claim in vain.
class SlotPlan {
public:
    static constexpr Milliseconds probeEvery{1'000};

    explicit SlotPlan(int places);

    struct Wish {
        int count = 0; ///< how many to claim; 0: none for now
        Milliseconds wait{0}; ///< count 0: look again after this time; negative: only when a job has ended
    };
    Wish next(Monotonic now) const;

    /// True when a job of this kind can run now.
    bool hasPlace(bool concurrent) const;
    void started(bool concurrent, Monotonic now);
    void ended(bool concurrent);
    /// A serial job was claimed that had no lane.
    void refused(Monotonic now);

    int busy() const { return m_busy; }
    int free() const { return m_places - m_busy; }

private:
    int m_places;
    int m_busy = 0;
    bool m_laneTaken = false;
    bool m_lastWasSerial = false;
    Monotonic m_lookAgain{0};
};

} // namespace ym
