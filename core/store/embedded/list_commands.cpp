// Commands on lists that never wait.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/list_operations.h"
#include "core/store/embedded/resp.h"

#include <algorithm>
#include <limits>

namespace ym::embedded {

namespace {

Reply push(Call &c, ListEnd end)
{
    ListValue &list = c.keys.obtain<ListValue>(c.arg(1));
    for (qsizetype i = 2; i < c.argc(); ++i)
        list.push(end, c.arg(i));
    c.changed(c.arg(1), end == ListEnd::Left ? "lpush" : "rpush");
    return Reply::number(list.size());
}

Reply lpush(Call &c)
{
    return push(c, ListEnd::Left);
}

Reply rpush(Call &c)
{
    return push(c, ListEnd::Right);
}

Reply lpushx(Call &c)
{
    return c.keys.get<ListValue>(c.arg(1)) ? lpush(c) : Reply::number(0);
}

Reply rpushx(Call &c)
{
    return c.keys.get<ListValue>(c.arg(1)) ? rpush(c) : Reply::number(0);
}

Reply pop(Call &c, ListEnd end, const char *command)
{
    if (c.argc() > 3)
        throw CommandError(QByteArray("ERR wrong number of arguments for '") + command + "' command");
    const bool hasCount = c.argc() == 3;
    const qint64 count = hasCount ? c.integer(2, errors::notPositive) : 1;
    if (count < 0)
        throw CommandError(errors::notPositive);
    const ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return hasCount ? nilArray() : Reply::nil();
    if (!hasCount)
        return Reply::bulk(popOne(c, c.arg(1), end));
    if (count == 0)
        return Reply::array({});
    Reply popped = popMany(c, c.arg(1), end, count);
    return std::move(popped.elements[1]);
}

Reply lpop(Call &c)
{
    return pop(c, ListEnd::Left, "lpop");
}

Reply rpop(Call &c)
{
    return pop(c, ListEnd::Right, "rpop");
}

Reply llen(Call &c)
{
    const ListValue *list = c.keys.get<ListValue>(c.arg(1));
    return Reply::number(list ? list->size() : 0);
}

struct Interval {
    qint64 from;
    qint64 to;
    bool isEmpty() const { return from > to; }
};

/// Indexes as LRANGE and LTRIM take them, negative ones counted from the end, cut to the list.
Interval readInterval(qint64 from, qint64 to, qint64 size)
{
    from = std::max<qint64>(0, from < 0 ? from + size : from);
    to = to < 0 ? to + size : to;
    return {from, std::min(to, size - 1)};
}

Reply lrange(Call &c)
{
    const qint64 from = c.integer(2);
    const qint64 to = c.integer(3);
    const ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return Reply::array({});
    const Interval interval = readInterval(from, to, list->size());
    return interval.isEmpty() ? Reply::array({}) : bulkArray(list->range(interval.from, interval.to));
}

Reply ltrim(Call &c)
{
    const qint64 from = c.integer(2);
    const qint64 to = c.integer(3);
    ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return okReply();
    const Interval interval = readInterval(from, to, list->size());
    list->trim(interval.from, interval.to);
    c.changed(c.arg(1), "ltrim");
    c.removeIfEmpty(c.arg(1), list->size());
    return okReply();
}

std::optional<qsizetype> existingIndex(qint64 index, const ListValue &list)
{
    if (index < 0)
        index += list.size();
    return index < 0 || index >= list.size() ? std::nullopt : std::optional<qsizetype>(index);
}

Reply lindex(Call &c)
{
    const ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return Reply::nil();
    const auto index = existingIndex(c.integer(2), *list);
    return index ? Reply::bulk(list->at(*index)) : Reply::nil();
}

Reply lset(Call &c)
{
    ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        throw CommandError(errors::noSuchKey);
    const auto index = existingIndex(c.integer(2), *list);
    if (!index)
        throw CommandError(errors::indexOutOfRange);
    list->set(*index, c.arg(3));
    c.changed(c.arg(1), "lset");
    return okReply();
}

Reply linsert(Call &c)
{
    const bool isAfter = c.isOption(2, "AFTER");
    if (!isAfter && !c.isOption(2, "BEFORE"))
        throw CommandError(errors::syntax);
    ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return Reply::number(0);
    qsizetype place = -1;
    list->walk(ListEnd::Left, [&](qsizetype index, QByteArrayView value) {
        if (value == c.arg(3))
            place = index;
        return place < 0;
    });
    if (place < 0)
        return Reply::number(-1);
    list->insert(isAfter ? place + 1 : place, c.arg(4));
    c.changed(c.arg(1), "linsert");
    return Reply::number(list->size());
}

Reply lrem(Call &c)
{
    const qint64 count = c.integer(2);
    ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return Reply::number(0);
    const qint64 limit = count == std::numeric_limits<qint64>::min() ? 0 : std::abs(count);
    const qsizetype removed = list->removeEqual(c.arg(3), limit, count < 0 ? ListEnd::Right : ListEnd::Left);
    if (removed > 0) {
        c.changed(c.arg(1), "lrem");
        c.removeIfEmpty(c.arg(1), list->size());
    }
    return Reply::number(removed);
}

struct PositionOptions {
    qint64 rank = 1;
    qint64 count = -1; ///< -1 = the first one only, as a single number
    qint64 maxLength = 0;
};

PositionOptions readPositionOptions(const Call &c)
{
    PositionOptions options;
    for (qsizetype i = 3; i < c.argc(); i += 2) {
        if (i + 1 == c.argc())
            throw CommandError(errors::syntax);
        if (c.isOption(i, "RANK")) {
            options.rank = c.integer(i + 1);
            if (options.rank == 0)
                throw CommandError("ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... "
                                   "or use negative to start from the end of the list");
        } else if (c.isOption(i, "COUNT")) {
            options.count = c.integer(i + 1, "ERR COUNT can't be negative");
            if (options.count < 0)
                throw CommandError("ERR COUNT can't be negative");
        } else if (c.isOption(i, "MAXLEN")) {
            options.maxLength = c.integer(i + 1, "ERR MAXLEN can't be negative");
            if (options.maxLength < 0)
                throw CommandError("ERR MAXLEN can't be negative");
        } else {
            throw CommandError(errors::syntax);
        }
    }
    return options;
}

Reply lpos(Call &c)
{
    const PositionOptions options = readPositionOptions(c);
    const bool wantsMany = options.count >= 0;
    const ListValue *list = c.keys.get<ListValue>(c.arg(1));
    if (!list)
        return wantsMany ? Reply::array({}) : Reply::nil();
    // The lowest number has no positive twin; Redis takes it for "the first from the end".
    const bool isLowest = options.rank == std::numeric_limits<qint64>::min();
    qint64 skip = isLowest ? 0 : std::abs(options.rank) - 1;
    qint64 compared = 0;
    std::vector<Reply> found;
    list->walk(options.rank > 0 ? ListEnd::Left : ListEnd::Right, [&](qsizetype index, QByteArrayView value) {
        if (options.maxLength > 0 && compared++ == options.maxLength)
            return false;
        if (value != c.arg(2) || skip-- > 0)
            return true;
        found.push_back(Reply::number(index));
        return wantsMany && (options.count == 0 || qint64(found.size()) < options.count);
    });
    if (wantsMany)
        return Reply::array(std::move(found));
    return found.empty() ? Reply::nil() : found.front();
}

Reply lmove(Call &c)
{
    return moveElement(c, {c.arg(1), c.arg(2), readListEnd(c, 3), readListEnd(c, 4)});
}

Reply rpoplpush(Call &c)
{
    return moveElement(c, {c.arg(1), c.arg(2), ListEnd::Right, ListEnd::Left});
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"lpush", -3, Write, lpush, 1, 1, 1},   {"rpush", -3, Write, rpush, 1, 1, 1},
    {"lpushx", -3, Write, lpushx, 1, 1, 1}, {"rpushx", -3, Write, rpushx, 1, 1, 1},
    {"lpop", -2, Write, lpop, 1, 1, 1},     {"rpop", -2, Write, rpop, 1, 1, 1},
    {"llen", 2, ReadOnly, llen, 1, 1, 1},   {"lrange", 4, ReadOnly, lrange, 1, 1, 1},
    {"ltrim", 4, Write, ltrim, 1, 1, 1},    {"lindex", 3, ReadOnly, lindex, 1, 1, 1},
    {"lset", 4, Write, lset, 1, 1, 1},      {"linsert", 5, Write, linsert, 1, 1, 1},
    {"lrem", 4, Write, lrem, 1, 1, 1},      {"lpos", -3, ReadOnly, lpos, 1, 1, 1},
    {"lmove", 5, Write, lmove, 1, 2, 1},    {"rpoplpush", 3, Write, rpoplpush, 1, 2, 1},
};

} // namespace

std::span<const CommandSpec> listCommands()
{
    return rows;
}

} // namespace ym::embedded
