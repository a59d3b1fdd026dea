// The times until which people hold jobs, as the store has them.
#pragma once

#include "core/job/job.h"

#include <QCoroTask>

#include <vector>

namespace ym {

class Clock;
class Store;

/// How far the store's clock is ahead of ours, in whole seconds: less may be the trip's.
QCoro::Task<std::chrono::seconds> storeAhead(Store *store, Clock *clock);

/// Drafts whose `notBefore` was meant by our clock, with the times that the store's clock shows then: that one alone
/// decides when a job is due (RELIABILITY R2), and the two may be an hour apart. Asks the store only when one of them
/// has such a time.
QCoro::Task<std::vector<Job>> byStoreClock(Store *store, Clock *clock, std::vector<Job> drafts);

} // namespace ym
