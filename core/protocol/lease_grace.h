// When leases may be over although whoever holds them lives.
#pragma once

#include "core/base/clock.h"

#include <QObject>

#include <optional>

namespace ym {

class Store;

/// Nobody can renew a lease while the store is away or stands still, or while this computer and its store sleep; and a
/// process that stood still itself has not renewed what it runs. Rescuing at once what is over then would run again
/// what still runs: for the length of a lease everybody has time to come back and renew. Lives in the store's thread;
/// `store` and `clock` must outlive it.
class LeaseGrace : public QObject {
    Q_OBJECT
public:
    LeaseGrace(Store *store, Clock *clock, Milliseconds lease, QObject *parent = nullptr);

    /// True while the store is away, and for one lease after a time of at least half of one in which it was, or in
    /// which the wall clock went ahead of the monotonic one. A shorter one ends no lease: they are renewed every third.
    bool isOn();

    struct Question {
        Monotonic asked;
        /// Up to which time of the store, in ms, leases that are over count; 0 while it is on, nothing when every time does.
        /// Later than that more time has passed there than here: the server stood still, or its clock was put forward.
        std::optional<qint64> latest;
    };
    /// What a rescuer asks the store with now. Rescuers ask every third of a lease: when none has for half a lease,
    /// this process stood still, or waited for a store that did. When that happens during a grace, another one begins;
    /// but only some in a row, so that a process that is always so slow rescues at all.
    Question ask();
    /// What time it was there, in ms.
    void answered(Question question, qint64 ms);

private:
    void onStatus();
    void begin();

    Store *m_store;
    Clock *m_clock;
    Milliseconds m_lease;
    std::optional<Monotonic> m_awaySince;
    Monotonic m_until{0};
    struct Seen {
        qint64 ms;
        Monotonic asked;
    };
    std::optional<Seen> m_seen; ///< the time of the store when it was asked last
    Monotonic m_awakeAt; ///< since when it may have stood still
    int m_inARow = 0; ///< so many graces began because it did, since leases counted last
    Milliseconds m_ahead; ///< the wall clock of the monotonic one, when it was looked at last
};

} // namespace ym
