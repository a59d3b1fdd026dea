// Very many jobs in a redis-server, and a queue with the ids of all of them.
#pragma once

#include "tests/support/redis_server.h"

namespace ym::test {

/// Ids are 00000000-0000-4000-8000-N with N = 1 … count, in twelve digits; half of them are finished, a quarter each are
/// running and failed. `count` is a multiple of 1000.
inline void fillWithJobs(const RedisServer &server, int count)
{
    const QString script = QStringLiteral(
        "for i = 1, 1000 do local n = tonumber(ARGV[1]) + i;"
        "local id = string.format('00000000-0000-4000-8000-%012d', n);"
        "redis.call('HSET', 'hero:job:' .. id, 'id', id, 'script_type', 'python', 'script', 'print(' .. n .. ')',"
        "'caller_id', 'caller' .. n % 50, 'status', ({'finished','error','started','finished'})[n % 4 + 1],"
        "'created_at', '2026-11-21T00:00:00.000Z', 'updated_at', '2026-11-21T00:01:00.000Z', 'timeout', '300');"
        "redis.call('LPUSH', 'hero:q:work:type:python', id) end "
        "return 1");
    for (int i = 0; i < count; i += 1000)
        server.cli({QStringLiteral("eval"), script, QStringLiteral("0"), QString::number(i)});
}

} // namespace ym::test
