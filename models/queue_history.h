// The recent depths of one queue, one sample a second, and what they say about arrivals and departures.
#pragma once

#include "core/base/clock.h"

#include <QList>

namespace ym {

/// Fed at every look; keeps the last depth of each second and repeats the last one over seconds without a look.
/// Rates are lower bounds: jobs that come and go between two looks are not seen.
class QueueHistory {
public:
    static constexpr int length = 60;

    /// True when a sample was added or changed.
    bool add(qint64 depth, Monotonic when);

    /// Oldest first, at most `length`.
    QList<qint64> samples() const { return m_samples; }
    /// Jobs a second, at least, over the samples; 0 with fewer than two.
    double arrivals() const;
    double departures() const;

    bool operator==(const QueueHistory &) const = default;

private:
    double perSecond(qint64 jobs) const;

    QList<qint64> m_samples;
    qint64 m_second = 0;
};

} // namespace ym
