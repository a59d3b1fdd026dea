#include "core/store/embedded/blocking.h"

#include "core/store/embedded/executor.h"
#include "core/store/embedded/numbers.h"

#include <cmath>

namespace ym::embedded {

qint64 readDeadline(const Call &call, qsizetype index)
{
    const auto seconds = readLongDouble(call.arg(index));
    if (!seconds)
        throw CommandError("ERR timeout is not a float or out of range");
    const long double ms = std::ceil(*seconds * 1000);
    if (ms > 9.2e18L)
        throw CommandError("ERR timeout is out of range");
    if (*seconds < 0)
        throw CommandError("ERR timeout is negative");
    if (*seconds == 0)
        return -1;
    const qint64 now = call.executor.clock().monotonic().count();
    qint64 deadline = 0;
    if (__builtin_add_overflow(now, qint64(ms), &deadline))
        throw CommandError("ERR timeout is out of range");
    return deadline;
}

MultiKeys readMultiKeys(const Call &call, qsizetype at)
{
    const auto count = readInteger(call.arg(at));
    if (!count || *count < 1)
        throw CommandError("ERR numkeys should be greater than 0");
    if (*count >= call.argc() - at - 1)
        throw CommandError(errors::syntax);
    return {call.args.sliced(at + 1, *count), at + 1 + *count};
}

qint64 readCountOption(const Call &call, qsizetype at)
{
    if (at == call.argc())
        return 1;
    if (!call.isOption(at, "COUNT") || at + 1 == call.argc())
        throw CommandError(errors::syntax);
    const auto count = readInteger(call.arg(at + 1));
    if (!count || *count < 1)
        throw CommandError("ERR count should be greater than 0");
    if (at + 2 != call.argc())
        throw CommandError(errors::syntax);
    return *count;
}

bool holdsList(Call &call, const QByteArray &key)
{
    const Entry *entry = call.keys.find(key);
    return entry && typeOf(entry->value) == ValueType::List;
}

bool holdsSortedSet(Call &call, const QByteArray &key)
{
    const Entry *entry = call.keys.find(key);
    return entry && typeOf(entry->value) == ValueType::SortedSet;
}

} // namespace ym::embedded
