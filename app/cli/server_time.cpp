#include "app/cli/server_time.h"

namespace ym::cli {

QCoro::Task<Milliseconds> storeAhead(Store *store, Clock *clock)
{
    const Reply reply = co_await store->command(cmd("TIME"));
    const QList<QByteArray> time = reply.toList();
    const Milliseconds there{time.value(0).toLongLong() * 1'000 + time.value(1).toLongLong() / 1'000};
    co_return there - std::chrono::duration_cast<Milliseconds>(clock->now().time_since_epoch());
}

} // namespace ym::cli
