#include "core/store/embedded/blocking.h"

#include "core/store/embedded/executor.h"
#include "core/store/embedded/numbers.h"

#include <cmath>

namespace ym::embedded {

namespace {

constexpr char negative[] = "ERR timeout is negative";
constexpr char tooLong[] = "ERR timeout is out of range";

/// 0 ms = never.
qint64 deadlineAfter(const Call &call, qint64 ms)
{
    qint64 deadline = 0;
    if (__builtin_add_overflow(call.executor.clock().monotonic().count(), ms, &deadline))
        throw CommandError(tooLong);
    return ms == 0 ? -1 : deadline;
}

} // namespace

qint64 readDeadline(const Call &call, qsizetype index)
{
    const auto seconds = readLongDouble(call.arg(index));
    if (!seconds)
        throw CommandError("ERR timeout is not a float or out of range");
    const long double ms = std::ceil(*seconds * 1000);
    if (ms > 9.2e18L)
        throw CommandError(tooLong);
    if (*seconds < 0)
        throw CommandError(negative);
    return deadlineAfter(call, qint64(ms));
}

qint64 readDeadlineInMs(const Call &call, qsizetype index)
{
    const qint64 ms = call.integer(index, "ERR timeout is not an integer or out of range");
    if (ms < 0)
        throw CommandError(negative);
    return deadlineAfter(call, ms);
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
