// Ages and durations in words that do not jump in width while they count.
#pragma once

#include "core/base/clock.h"

#include <QString>

namespace ym {

/// " 3 s ago", "12 min ago", " 5 h ago", "40 d ago"; one digit is padded with a figure space (U+2007) so that a column
/// does not move each second. Times up to 1 s ahead count as now; later ones are "in 12 min". Over 99 days: the UTC
/// date.
QString agoText(Timestamp when, Timestamp now);

/// The same number and unit without "ago": " 3 s", "12 min". Negative durations count as 0.
QString durationText(Milliseconds duration);

/// The whole time for tooltips, local time with its offset: 2026-11-21 01:25:03.066 +01:00.
QString exactTimeText(Timestamp when);

} // namespace ym
