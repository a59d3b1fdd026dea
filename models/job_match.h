// Asks a filter of a million packed rows: each shared text is tested once, not once a row.
#pragma once

#include "models/job_filter.h"
#include "models/job_store.h"

#include <atomic>
#include <vector>

namespace ym {

/// The live slots that match, in ascending order. Any thread, with frozen rows; `cancelled` (may be null) makes it give
/// up early with what it has. Same answer as JobFilter::matches for each row.
std::vector<quint32> matchingSlots(const JobRows &rows, const JobFilter &filter, Timestamp now,
                                   const std::atomic_bool *cancelled);

} // namespace ym
