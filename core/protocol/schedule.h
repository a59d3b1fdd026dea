// The times until which people hold jobs, as the store has them.
#pragma once

#include "core/job/job.h"

#include <QCoroTask>

#include <vector>

namespace ym {

class Clock;
class Store;

/// Drafts whose `notBefore` was meant by our clock, with the times that the store's clock shows then: that one alone
/// decides when a job is due (RELIABILITY R2), and the two may be an hour apart. In whole seconds: less may be the
/// trip's. Asks the store only when one of them has such a time.
QCoro::Task<std::vector<Job>> byStoreClock(Store *store, Clock *clock, std::vector<Job> drafts);

} // namespace ym
