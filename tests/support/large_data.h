// The big sizes of what others may leave in a store (RELIABILITY 9: 100 MB, 1e5, 1e6), written inside the server so that
// it takes no time.
#pragma once

#include "tests/support/redis_server.h"

#include <QList>

namespace ym::test {

struct LargeData {
    const char *name;
    QByteArray job; ///< the id it is about; empty when it is about queues
    const char *script; ///< Lua; ARGV[1] is the id
};

/// Each with a job of its own that is otherwise good. All are finished but the first two, which wait in the queue of `sh`.
inline QList<LargeData> largeData()
{
    const auto id = [](int number) { return "1a12e000-0000-4000-8000-" + QByteArray::number(number).rightJustified(12, '0'); };
    return {
        {"D12 a script of 100 MB", id(1), "f('script', string.rep('x', 104857600)) f('status', 'dispatched') "
                                          "redis.call('LPUSH', 'hero:q:work:type:sh', ARGV[1])"},
        {"D12 one line of 10 MB", id(2), "f('script', 'exit 0 #' .. string.rep('x', 10485760)) f('status', 'dispatched') "
                                         "redis.call('LPUSH', 'hero:q:work:type:sh', ARGV[1])"},
        {"D13 output of 100 MB", id(3), "f('output', string.rep('x', 104857600))"},
        {"D13 a million lines of output", id(4), "f('output', string.rep('0123456789\\n', 1000000))"},
        {"D13 an error of 100 MB", id(5), "f('status', 'error') f('error', string.rep('y', 104857600))"},
        {"D10 a hundred thousand variables", id(6),
         "local t = {} for i = 1, 100000 do t[i] = '\"K' .. i .. '\":\"v\"' end f('env_vars', '{' .. table.concat(t, ',') .. '}')"},
        {"D11 a hundred thousand prerequisites", id(7),
         "local t = {} for i = 1, 100000 do t[i] = '\"p' .. i .. '\"' end f('prerequisites', '[' .. table.concat(t, ',') .. ']')"},
        {"D11 a circle of a thousand", id(8),
         "local function name(n) return string.format('1a12e000-0000-4000-9000-%012d', n % 1000) end "
         "for n = 0, 999 do redis.call('HSET', 'hero:job:' .. name(n), 'id', name(n), 'script_type', 'sh', 'script', 'exit 0', "
         "'status', 'waiting_for_prerequisites', 'prerequisites', '[\"' .. name(n + 1) .. '\"]') end"},
        {"D26 a hundred thousand fields", id(9),
         "for i = 1, 100 do local t = {} for j = 1, 1000 do t[2 * j - 1], t[2 * j] = 'f' .. i .. '_' .. j, 'v' end "
         "redis.call('HSET', 'hero:job:' .. ARGV[1], unpack(t)) end"},
        {"D17 a million stop requests", {}, "many('LPUSH', 'hero:q:ctl:type:sh')"},
        {"D17 a million legacy stop requests", {}, "many('LPUSH', 'hero:stop_queue:w')"},
        {"D26 a queue of a million", {}, "many('LPUSH', 'hero:q:work:type:osis')"},
        {"D26 a legacy queue of a million", {}, "many('LPUSH', 'hero:work_queue:w')"},
        {"D26 a dead list of a million", {}, "many('LPUSH', 'hero:q:dead:sh')"},
        {"D26 a million scheduled", {}, "for i = 1, 1000 do local t = {} "
         "for j = 1, 1000 do t[2 * j - 1], t[2 * j] = '9000000000000', 'd' .. (i * 1000 + j) end "
         "redis.call('ZADD', 'hero:q:delayed', unpack(t)) end"},
    };
}

/// Returns what went wrong, or nothing.
inline QByteArray put(const RedisServer &server, const LargeData &data)
{
    static const QString words = QStringLiteral(
        "local function f(name, value) redis.call('HSET', 'hero:job:' .. ARGV[1], name, value) end "
        "local function many(verb, key) for i = 1, 1000 do local t = {} "
        "for j = 1, 1000 do t[j] = 'u' .. (i * 1000 + j) end redis.call(verb, key, unpack(t)) end end "
        "if ARGV[1] ~= '' then f('id', ARGV[1]) f('script_type', 'sh') f('script', 'exit 0') f('status', 'finished') "
        "f('timeout', '30') f('retries', '0') f('concurrent', 'false') f('env_vars', '{}') f('caller_id', '') "
        "f('context_id', '') f('created_at', '2026-11-21T10:00:00.000Z') end ");
    return server.cli({QStringLiteral("eval"), words + QLatin1String(data.script), QStringLiteral("0"), QString::fromLatin1(data.job)});
}

} // namespace ym::test
