// Commands that take the lowest or highest members of sorted sets, also waiting.
#include "core/store/embedded/blocking.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/resp.h"
#include "core/store/embedded/sorted_set_range.h"

namespace ym::embedded {

namespace {

enum class Extreme : quint8 { Min, Max };

/// Takes up to `count` members of an existing set, nearest to the extreme first, and logs their removal.
std::vector<ScoredMember> take(Call &c, const QByteArray &key, Extreme extreme, qint64 count)
{
    SortedSetValue *set = c.keys.get<SortedSetValue>(key);
    const qsizetype taken = qsizetype(std::min<qint64>(count, set->size()));
    auto members = extreme == Extreme::Min
        ? set->slice(0, taken)
        : set->slice(set->size() - taken, set->size(), SortedSetValue::Order::Descending);
    QList<QByteArray> log{"ZREM", key};
    for (const ScoredMember &each : members) {
        set->remove(each.member);
        log.append(each.member);
    }
    c.changed(key, extreme == Extreme::Min ? "zpopmin" : "zpopmax");
    c.logAs(log);
    c.removeIfEmpty(key, set->size());
    return members;
}

Reply pop(Call &c, Extreme extreme)
{
    if (c.argc() > 3)
        throw CommandError(errors::syntax);
    const qint64 count = c.argc() == 3 ? c.integer(2, errors::notPositive) : 1;
    if (count < 0)
        throw CommandError(errors::notPositive);
    if (!c.keys.get<SortedSetValue>(c.arg(1)) || count == 0)
        return Reply::array({});
    return scoredReply(take(c, c.arg(1), extreme, count), true);
}

Reply zpopmin(Call &c)
{
    return pop(c, Extreme::Min);
}

Reply zpopmax(Call &c)
{
    return pop(c, Extreme::Max);
}

Reply popForWaiter(Call &c, const QByteArray &key, Extreme extreme)
{
    const ScoredMember member = take(c, key, extreme, 1).front();
    return Reply::array({Reply::bulk(key), Reply::bulk(member.member), Reply::bulk(writeDouble(member.score))});
}

Reply blockingPop(Call &c, Extreme extreme)
{
    Waiting waiting;
    waiting.deadline = readDeadline(c, c.argc() - 1);
    waiting.keys = c.args.sliced(1, c.argc() - 2);
    for (const QByteArray &key : std::as_const(waiting.keys)) {
        if (c.keys.get<SortedSetValue>(key))
            return popForWaiter(c, key, extreme);
    }
    waiting.serve = [extreme](Call &call, const QByteArray &key) -> std::optional<Reply> {
        if (!holdsSortedSet(call, key))
            return std::nullopt;
        return popForWaiter(call, key, extreme);
    };
    return c.block(std::move(waiting), nilArray());
}

Reply bzpopmin(Call &c)
{
    return blockingPop(c, Extreme::Min);
}

Reply bzpopmax(Call &c)
{
    return blockingPop(c, Extreme::Max);
}

struct ManyPop {
    QList<QByteArray> keys;
    Extreme extreme;
    qint64 count;
};

/// Reads `numkeys key … MIN|MAX [COUNT n]` from `at` on.
ManyPop readManyPop(const Call &c, qsizetype at)
{
    const MultiKeys multi = readMultiKeys(c, at);
    if (!c.isOption(multi.next, "MIN") && !c.isOption(multi.next, "MAX"))
        throw CommandError(errors::syntax);
    const Extreme extreme = c.isOption(multi.next, "MIN") ? Extreme::Min : Extreme::Max;
    return {multi.keys, extreme, readCountOption(c, multi.next + 1)};
}

Reply popMany(Call &c, const QByteArray &key, const ManyPop &pop)
{
    std::vector<Reply> pairs;
    for (const ScoredMember &each : take(c, key, pop.extreme, pop.count))
        pairs.push_back(Reply::array({Reply::bulk(each.member), Reply::bulk(writeDouble(each.score))}));
    return Reply::array({Reply::bulk(key), Reply::array(std::move(pairs))});
}

std::optional<Reply> tryPopMany(Call &c, const ManyPop &pop)
{
    for (const QByteArray &key : pop.keys) {
        if (c.keys.get<SortedSetValue>(key))
            return popMany(c, key, pop);
    }
    return std::nullopt;
}

Reply zmpop(Call &c)
{
    return tryPopMany(c, readManyPop(c, 1)).value_or(nilArray());
}

Reply bzmpop(Call &c)
{
    Waiting waiting;
    waiting.deadline = readDeadline(c, 1);
    const ManyPop pop = readManyPop(c, 2);
    if (auto popped = tryPopMany(c, pop))
        return std::move(*popped);
    waiting.keys = pop.keys;
    waiting.serve = [pop](Call &call, const QByteArray &key) -> std::optional<Reply> {
        if (!holdsSortedSet(call, key))
            return std::nullopt;
        return popMany(call, key, pop);
    };
    return c.block(std::move(waiting), nilArray());
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"zpopmin", -2, Write, zpopmin, 1, 1, 1},
    {"zpopmax", -2, Write, zpopmax, 1, 1, 1},
    {"bzpopmin", -3, Write | Blocking | NoScript, bzpopmin, 1, -2, 1},
    {"bzpopmax", -3, Write | Blocking | NoScript, bzpopmax, 1, -2, 1},
    {"zmpop", -4, Write, zmpop},
    {"bzmpop", -5, Write | Blocking | NoScript, bzmpop},
};

} // namespace

std::span<const CommandSpec> sortedSetPopCommands()
{
    return rows;
}

} // namespace ym::embedded
