// Commands on sets.
#include "core/store/embedded/blocking.h"
#include "core/store/embedded/collection_scan.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/random_draws.h"
#include "core/store/embedded/set_algebra.h"

#include <algorithm>

namespace ym::embedded {

namespace {

Reply sadd(Call &c)
{
    SetValue &set = c.keys.obtain<SetValue>(c.arg(1));
    int added = 0;
    for (qsizetype i = 2; i < c.argc(); ++i)
        added += set.add(c.arg(i));
    if (added > 0)
        c.changed(c.arg(1), "sadd");
    return Reply::number(added);
}

Reply srem(Call &c)
{
    SetValue *set = c.keys.get<SetValue>(c.arg(1));
    if (!set)
        return Reply::number(0);
    int removed = 0;
    for (qsizetype i = 2; i < c.argc(); ++i)
        removed += set->remove(c.arg(i));
    if (removed > 0) {
        c.changed(c.arg(1), "srem");
        c.removeIfEmpty(c.arg(1), set->size());
    }
    return Reply::number(removed);
}

Reply sismember(Call &c)
{
    const SetValue *set = c.keys.get<SetValue>(c.arg(1));
    return Reply::number(set && set->contains(c.arg(2)));
}

Reply smismember(Call &c)
{
    const SetValue *set = c.keys.get<SetValue>(c.arg(1));
    std::vector<Reply> answers;
    for (qsizetype i = 2; i < c.argc(); ++i)
        answers.push_back(Reply::number(set && set->contains(c.arg(i))));
    return Reply::array(std::move(answers));
}

Reply scard(Call &c)
{
    const SetValue *set = c.keys.get<SetValue>(c.arg(1));
    return Reply::number(set ? set->size() : 0);
}

Reply membersReply(const SetValue &set)
{
    std::vector<Reply> members;
    members.reserve(size_t(set.size()));
    set.forEach([&](const QByteArray &member) { members.push_back(Reply::bulk(member)); });
    return Reply::array(std::move(members));
}

Reply smembers(Call &c)
{
    const SetValue *set = c.keys.get<SetValue>(c.arg(1));
    return set ? membersReply(*set) : Reply::array({});
}

/// `count` different members, each as likely as any other.
QList<QByteArray> sample(const SetValue &set, qint64 count)
{
    qint64 wanted = std::min<qint64>(count, set.size());
    qint64 left = set.size();
    QList<QByteArray> members;
    members.reserve(wanted);
    if (wanted * 8 < left) { // few of many: draw until they are different
        QSet<QByteArray> drawn;
        while (drawn.size() < wanted)
            drawn.insert(set.random());
        return drawn.values();
    }
    set.forEach([&](const QByteArray &member) {
        if (QRandomGenerator::global()->bounded(left--) >= wanted)
            return;
        --wanted;
        members.append(member);
    });
    return members;
}

Reply spop(Call &c)
{
    if (c.argc() > 3)
        throw CommandError(errors::syntax);
    const QByteArray &key = c.arg(1);
    const bool hasCount = c.argc() == 3;
    const qint64 count = hasCount ? c.integer(2, errors::notPositive) : 1;
    if (count < 0)
        throw CommandError(errors::notPositive);
    SetValue *set = c.keys.get<SetValue>(key);
    if (!set)
        return hasCount ? Reply::array({}) : Reply::nil();
    if (count == 0)
        return Reply::array({});
    const QList<QByteArray> popped = hasCount ? sample(*set, count) : QList<QByteArray>{set->random()};
    for (const QByteArray &member : popped)
        set->remove(member);
    c.changed(key, "spop");
    c.logAs(QList<QByteArray>{"SREM", key} + popped);
    c.removeIfEmpty(key, set->size());
    return hasCount ? bulkArray(popped) : Reply::bulk(popped.first());
}

Reply srandmember(Call &c)
{
    if (c.argc() > 3)
        throw CommandError(errors::syntax);
    if (c.argc() == 2) {
        const SetValue *set = c.keys.get<SetValue>(c.arg(1));
        return set ? Reply::bulk(set->random()) : Reply::nil();
    }
    const qint64 count = readDrawCount(c, 2);
    const SetValue *set = c.keys.get<SetValue>(c.arg(1));
    if (!set || count == 0)
        return Reply::array({});
    if (count > 0)
        return bulkArray(sample(*set, count));
    std::vector<Reply> members;
    DrawLimit limit(-count);
    for (qint64 i = 0; i < -count; ++i) {
        members.push_back(Reply::bulk(set->random()));
        limit.add(members.back().string.size());
    }
    return Reply::array(std::move(members));
}

Reply smove(Call &c)
{
    const QByteArray &from = c.arg(1);
    const QByteArray &to = c.arg(2);
    const QByteArray &member = c.arg(3);
    c.keys.find(from);
    c.keys.find(to); // both may be over
    SetValue *source = c.keys.get<SetValue>(from);
    if (!source)
        return Reply::number(0);
    c.keys.get<SetValue>(to); // of another type: refuse
    if (from == to)
        return Reply::number(source->contains(member));
    if (!source->remove(member))
        return Reply::number(0);
    c.changed(from, "srem");
    c.removeIfEmpty(from, source->size());
    if (c.keys.obtain<SetValue>(to).add(member))
        c.changed(to, "sadd");
    return Reply::number(1);
}

Reply combine(Call &c, SetOperation operation)
{
    return membersReply(*combineSets(c, c.args.sliced(1), operation));
}

Reply combineAndStore(Call &c, SetOperation operation, const char *event)
{
    const QByteArray &to = c.arg(1);
    auto result = combineSets(c, c.args.sliced(2), operation);
    const qsizetype size = result->size();
    if (size > 0) {
        c.keys.put(to, std::move(result));
        c.changed(to, event);
    } else if (c.keys.discard(to)) {
        c.changed(to, "del");
    }
    return Reply::number(size);
}

Reply sinter(Call &c)
{
    return combine(c, SetOperation::Intersection);
}

Reply sunion(Call &c)
{
    return combine(c, SetOperation::Union);
}

Reply sdiff(Call &c)
{
    return combine(c, SetOperation::Difference);
}

Reply sinterstore(Call &c)
{
    return combineAndStore(c, SetOperation::Intersection, "sinterstore");
}

Reply sunionstore(Call &c)
{
    return combineAndStore(c, SetOperation::Union, "sunionstore");
}

Reply sdiffstore(Call &c)
{
    return combineAndStore(c, SetOperation::Difference, "sdiffstore");
}

Reply sintercard(Call &c)
{
    const auto count = readInteger(c.arg(1));
    if (!count || *count < 1)
        throw CommandError("ERR numkeys should be greater than 0");
    if (*count > c.argc() - 2)
        throw CommandError("ERR Number of keys can't be greater than number of args");
    qint64 limit = 0;
    for (qsizetype i = 2 + *count; i < c.argc(); i += 2) {
        if (!c.isOption(i, "LIMIT") || i + 1 == c.argc())
            throw CommandError(errors::syntax);
        limit = c.integer(i + 1, "ERR LIMIT can't be negative");
        if (limit < 0)
            throw CommandError("ERR LIMIT can't be negative");
    }
    const qint64 size = combineSets(c, c.args.sliced(2, *count), SetOperation::Intersection)->size();
    return Reply::number(limit > 0 ? std::min(limit, size) : size);
}

Reply sscan(Call &c)
{
    const quint64 start = readCursor(c, 2);
    const SetValue *set = c.keys.get<SetValue>(c.arg(1));
    if (!set)
        return scanReply(0, {});
    const ScanRequest request = readScanOptions(c, 3, start);
    std::vector<Reply> members;
    const quint64 cursor = runScan(*set, request, [&](const QByteArray &member) {
        if (request.accepts(member))
            members.push_back(Reply::bulk(member));
    });
    return scanReply(cursor, std::move(members));
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"sadd", -3, Write, sadd, 1, 1, 1},
    {"srem", -3, Write, srem, 1, 1, 1},
    {"sismember", 3, ReadOnly, sismember, 1, 1, 1},
    {"smismember", -3, ReadOnly, smismember, 1, 1, 1},
    {"scard", 2, ReadOnly, scard, 1, 1, 1},
    {"smembers", 2, ReadOnly, smembers, 1, 1, 1},
    {"spop", -2, Write, spop, 1, 1, 1},
    {"srandmember", -2, ReadOnly, srandmember, 1, 1, 1},
    {"smove", 4, Write, smove, 1, 2, 1},
    {"sinter", -2, ReadOnly, sinter, 1, -1, 1},
    {"sunion", -2, ReadOnly, sunion, 1, -1, 1},
    {"sdiff", -2, ReadOnly, sdiff, 1, -1, 1},
    {"sinterstore", -3, Write, sinterstore, 1, -1, 1},
    {"sunionstore", -3, Write, sunionstore, 1, -1, 1},
    {"sdiffstore", -3, Write, sdiffstore, 1, -1, 1},
    {"sintercard", -3, ReadOnly, sintercard},
    {"sscan", -3, ReadOnly, sscan, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> setCommands()
{
    return rows;
}

} // namespace ym::embedded
