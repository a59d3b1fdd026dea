#include "core/protocol/schedule.h"

#include "core/base/clock.h"
#include "core/store/store.h"

#include <algorithm>

namespace ym {

QCoro::Task<std::chrono::seconds> storeAhead(Store *store, Clock *clock)
{
    const Reply reply = co_await store->command(cmd("TIME"));
    const QList<QByteArray> time = reply.toList();
    const Milliseconds there{time.value(0).toLongLong() * 1'000 + time.value(1).toLongLong() / 1'000};
    const Timestamp here = clock->now();
    co_return std::chrono::round<std::chrono::seconds>(there - here.time_since_epoch());
}

QCoro::Task<std::vector<Job>> byStoreClock(Store *store, Clock *clock, std::vector<Job> drafts)
{
    const auto isHeld = [](const Job &draft) { return draft.notBefore.has_value(); };
    if (std::none_of(drafts.begin(), drafts.end(), isHeld))
        co_return std::vector<Job>(std::move(drafts));
    const std::chrono::seconds ahead = co_await storeAhead(store, clock);
    for (Job &draft : drafts) {
        if (draft.notBefore)
            *draft.notBefore += ahead;
    }
    co_return std::vector<Job>(std::move(drafts));
}

} // namespace ym
