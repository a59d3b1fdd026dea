// The store's clock, which alone decides when a job is due.
#pragma once

#include "core/base/clock.h"
#include "core/store/store.h"

namespace ym::cli {

/// How far the store's clock is ahead of ours: what is meant from now on is counted from the store's now (RELIABILITY R2).
QCoro::Task<Milliseconds> storeAhead(Store *store, Clock *clock);

} // namespace ym::cli
