// List commands that may wait.
#include "core/store/embedded/blocking.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/list_operations.h"
#include "core/store/embedded/resp.h"

namespace ym::embedded {

namespace {

/// Takes one element for a BLPOP or BRPOP and logs the plain pop.
Reply popForWaiter(Call &c, const QByteArray &key, ListEnd end)
{
    const QByteArray value = popOne(c, key, end);
    c.logAs({end == ListEnd::Left ? "LPOP" : "RPOP", key});
    return Reply::array({Reply::bulk(key), Reply::bulk(value)});
}

Reply blockingPop(Call &c, ListEnd end)
{
    Waiting waiting;
    waiting.deadline = readDeadline(c, c.argc() - 1);
    waiting.keys = c.args.sliced(1, c.argc() - 2);
    for (const QByteArray &key : std::as_const(waiting.keys)) {
        if (c.keys.get<ListValue>(key))
            return popForWaiter(c, key, end);
    }
    waiting.serve = [end](Call &call, const QByteArray &key) -> std::optional<Reply> {
        if (!holdsList(call, key))
            return std::nullopt;
        return popForWaiter(call, key, end);
    };
    return c.block(std::move(waiting), nilArray());
}

Reply blpop(Call &c)
{
    return blockingPop(c, ListEnd::Left);
}

Reply brpop(Call &c)
{
    return blockingPop(c, ListEnd::Right);
}

Reply moveForWaiter(Call &c, const ListMove &move, bool isOldForm)
{
    Reply moved = moveElement(c, move);
    if (isOldForm)
        c.logAs({"RPOPLPUSH", move.from, move.to});
    else
        c.logAs({"LMOVE", move.from, move.to, listEndName(move.fromEnd), listEndName(move.toEnd)});
    return moved;
}

Reply blockingMove(Call &c, const ListMove &move, qsizetype timeoutIndex, bool isOldForm)
{
    Waiting waiting;
    waiting.deadline = readDeadline(c, timeoutIndex);
    if (c.keys.get<ListValue>(move.from))
        return moveForWaiter(c, move, isOldForm);
    waiting.keys = {move.from};
    waiting.serve = [move, isOldForm](Call &call, const QByteArray &key) -> std::optional<Reply> {
        if (!holdsList(call, key))
            return std::nullopt;
        return moveForWaiter(call, move, isOldForm);
    };
    return c.block(std::move(waiting), Reply::nil());
}

Reply blmove(Call &c)
{
    const ListMove move{c.arg(1), c.arg(2), readListEnd(c, 3), readListEnd(c, 4)};
    return blockingMove(c, move, 5, false);
}

Reply brpoplpush(Call &c)
{
    return blockingMove(c, {c.arg(1), c.arg(2), ListEnd::Right, ListEnd::Left}, 3, true);
}

struct ManyPop {
    QList<QByteArray> keys;
    ListEnd end;
    qint64 count;
};

/// Reads `numkeys key … LEFT|RIGHT [COUNT n]` from `at` on.
ManyPop readManyPop(const Call &c, qsizetype at)
{
    const MultiKeys multi = readMultiKeys(c, at);
    const ListEnd end = readListEnd(c, multi.next);
    return {multi.keys, end, readCountOption(c, multi.next + 1)};
}

Reply popManyLogged(Call &c, const QByteArray &key, const ManyPop &pop)
{
    Reply popped = popMany(c, key, pop.end, pop.count);
    const auto taken = qint64(popped.elements[1].elements.size());
    c.logAs({pop.end == ListEnd::Left ? "LPOP" : "RPOP", key, QByteArray::number(taken)});
    return popped;
}

std::optional<Reply> tryPopMany(Call &c, const ManyPop &pop)
{
    for (const QByteArray &key : pop.keys) {
        if (c.keys.get<ListValue>(key))
            return popManyLogged(c, key, pop);
    }
    return std::nullopt;
}

Reply lmpop(Call &c)
{
    const ManyPop pop = readManyPop(c, 1);
    return tryPopMany(c, pop).value_or(nilArray());
}

Reply blmpop(Call &c)
{
    Waiting waiting;
    waiting.deadline = readDeadline(c, 1);
    const ManyPop pop = readManyPop(c, 2);
    if (auto popped = tryPopMany(c, pop))
        return std::move(*popped);
    waiting.keys = pop.keys;
    waiting.serve = [pop](Call &call, const QByteArray &key) -> std::optional<Reply> {
        if (!holdsList(call, key))
            return std::nullopt;
        return popManyLogged(call, key, pop);
    };
    return c.block(std::move(waiting), nilArray());
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"blpop", -3, Write | Blocking | NoScript, blpop, 1, -2, 1},
    {"brpop", -3, Write | Blocking | NoScript, brpop, 1, -2, 1},
    {"blmove", 6, Write | Blocking | NoScript, blmove, 1, 2, 1},
    {"brpoplpush", 4, Write | Blocking | NoScript, brpoplpush, 1, 2, 1},
    {"lmpop", -4, Write, lmpop},
    {"blmpop", -5, Write | Blocking | NoScript, blmpop},
};

} // namespace

std::span<const CommandSpec> blockingListCommands()
{
    return rows;
}

} // namespace ym::embedded
