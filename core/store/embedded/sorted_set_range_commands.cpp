// Commands on intervals of sorted sets.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/sorted_set_range.h"

#include <limits>

namespace ym::embedded {

namespace {

using Order = SortedSetValue::Order;

enum class RangeBy : quint8 { Rank, Score, Lex };

struct RangeRequest {
    qsizetype keyIndex = 1;
    RangeBy by = RangeBy::Rank;
    Order order = Order::Ascending;
    bool isFixed = false; ///< an old verb: BY… and REV are not options
    bool stores = false;
    bool withScores = false;
    qint64 offset = 0;
    qint64 limit = -1;
};

void readOptions(const Call &c, RangeRequest &request)
{
    bool hasLimit = false;
    for (qsizetype i = request.keyIndex + 3; i < c.argc(); ++i) {
        if (!request.stores && c.isOption(i, "WITHSCORES")) {
            request.withScores = true;
        } else if (c.isOption(i, "LIMIT") && c.argc() - i > 2) {
            request.offset = c.integer(i + 1);
            request.limit = c.integer(i + 2);
            hasLimit = true;
            i += 2;
        } else if (!request.isFixed && c.isOption(i, "REV")) {
            request.order = Order::Descending;
        } else if (!request.isFixed && c.isOption(i, "BYLEX")) {
            request.by = RangeBy::Lex;
        } else if (!request.isFixed && c.isOption(i, "BYSCORE")) {
            request.by = RangeBy::Score;
        } else {
            throw CommandError(errors::syntax);
        }
    }
    if (hasLimit && request.limit != -1 && request.by == RangeBy::Rank)
        throw CommandError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    if (request.withScores && request.by == RangeBy::Lex)
        throw CommandError("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
}

/// Cuts `ranks` to LIMIT, counting from the end that comes first.
RankRange limited(RankRange ranks, const RangeRequest &request)
{
    if (request.by == RangeBy::Rank)
        return ranks;
    if (request.offset < 0 || request.offset > ranks.size())
        return {};
    qsizetype size = ranks.size() - request.offset;
    if (request.limit >= 0)
        size = std::min<qsizetype>(size, request.limit);
    if (request.order == Order::Ascending)
        return {ranks.from + request.offset, ranks.from + request.offset + size};
    return {ranks.to - request.offset - size, ranks.to - request.offset};
}

/// The part of `set` that the request names; the bounds are read even when there is no set.
std::vector<ScoredMember> select(Call &c, const RangeRequest &request)
{
    const bool isUp = request.order == Order::Ascending;
    const QByteArray &first = c.arg(request.keyIndex + 1);
    const QByteArray &second = c.arg(request.keyIndex + 2);
    const QByteArray &min = isUp || request.by == RangeBy::Rank ? first : second;
    const QByteArray &max = isUp || request.by == RangeBy::Rank ? second : first;
    const auto find = [&] { return c.keys.get<SortedSetValue>(c.arg(request.keyIndex)); };
    const auto slice = [&](const SortedSetValue *set, const auto &ranksOf) {
        return set ? (set->slice(ranksOf(*set).from, ranksOf(*set).to, request.order)) : std::vector<ScoredMember>();
    };
    switch (request.by) {
    case RangeBy::Rank: {
        const qint64 start = c.integer(request.keyIndex + 1);
        const qint64 stop = c.integer(request.keyIndex + 2);
        return slice(find(), [&](const SortedSetValue &set) {
            const RankRange ranks = ranksOfIndexes(start, stop, set.size());
            return isUp ? ranks : RankRange{set.size() - ranks.to, set.size() - ranks.from};
        });
    }
    case RangeBy::Score: {
        const ScoreBound low = readScoreBound(min);
        const ScoreBound high = readScoreBound(max);
        return slice(find(),
                     [&](const SortedSetValue &set) { return limited(ranksOfScores(set, low, high), request); });
    }
    case RangeBy::Lex: {
        const LexBound low = readLexBound(min);
        const LexBound high = readLexBound(max);
        return slice(find(), [&](const SortedSetValue &set) { return limited(ranksOfLex(set, low, high), request); });
    }
    }
    return {};
}

Reply range(Call &c, RangeRequest request)
{
    readOptions(c, request);
    return scoredReply(select(c, request), request.withScores);
}

Reply zrange(Call &c)
{
    return range(c, {});
}

Reply zrevrange(Call &c)
{
    return range(c, {.order = Order::Descending, .isFixed = true});
}

Reply zrangebyscore(Call &c)
{
    return range(c, {.by = RangeBy::Score, .isFixed = true});
}

Reply zrevrangebyscore(Call &c)
{
    return range(c, {.by = RangeBy::Score, .order = Order::Descending, .isFixed = true});
}

Reply zrangebylex(Call &c)
{
    return range(c, {.by = RangeBy::Lex, .isFixed = true});
}

Reply zrevrangebylex(Call &c)
{
    return range(c, {.by = RangeBy::Lex, .order = Order::Descending, .isFixed = true});
}

Reply zrangestore(Call &c)
{
    RangeRequest request{.keyIndex = 2, .stores = true};
    readOptions(c, request);
    const std::vector<ScoredMember> members = select(c, request);
    const QByteArray &to = c.arg(1);
    if (members.empty()) {
        if (c.keys.discard(to))
            c.changed(to, "del");
        return Reply::number(0);
    }
    auto set = std::make_unique<SortedSetValue>();
    for (const ScoredMember &each : members)
        set->set(each.member, each.score);
    c.keys.put(to, std::move(set));
    c.changed(to, "zrangestore");
    return Reply::number(qint64(members.size()));
}

Reply zcount(Call &c)
{
    const ScoreBound low = readScoreBound(c.arg(2));
    const ScoreBound high = readScoreBound(c.arg(3));
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return Reply::number(set ? ranksOfScores(*set, low, high).size() : 0);
}

Reply zlexcount(Call &c)
{
    const LexBound low = readLexBound(c.arg(2));
    const LexBound high = readLexBound(c.arg(3));
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return Reply::number(set ? ranksOfLex(*set, low, high).size() : 0);
}

Reply removeRanks(Call &c, SortedSetValue *set, RankRange ranks, const char *event)
{
    const std::vector<ScoredMember> members = set->slice(ranks.from, ranks.to);
    for (const ScoredMember &each : members)
        set->remove(each.member);
    if (!members.empty()) {
        c.changed(c.arg(1), event);
        c.removeIfEmpty(c.arg(1), set->size());
    }
    return Reply::number(qint64(members.size()));
}

Reply zremrangebyrank(Call &c)
{
    const qint64 start = c.integer(2);
    const qint64 stop = c.integer(3);
    SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return set ? removeRanks(c, set, ranksOfIndexes(start, stop, set->size()), "zremrangebyrank") : Reply::number(0);
}

Reply zremrangebyscore(Call &c)
{
    const ScoreBound low = readScoreBound(c.arg(2));
    const ScoreBound high = readScoreBound(c.arg(3));
    SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return set ? removeRanks(c, set, ranksOfScores(*set, low, high), "zremrangebyscore") : Reply::number(0);
}

Reply zremrangebylex(Call &c)
{
    const LexBound low = readLexBound(c.arg(2));
    const LexBound high = readLexBound(c.arg(3));
    SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return set ? removeRanks(c, set, ranksOfLex(*set, low, high), "zremrangebylex") : Reply::number(0);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"zrange", -4, ReadOnly, zrange, 1, 1, 1},
    {"zrevrange", -4, ReadOnly, zrevrange, 1, 1, 1},
    {"zrangebyscore", -4, ReadOnly, zrangebyscore, 1, 1, 1},
    {"zrevrangebyscore", -4, ReadOnly, zrevrangebyscore, 1, 1, 1},
    {"zrangebylex", -4, ReadOnly, zrangebylex, 1, 1, 1},
    {"zrevrangebylex", -4, ReadOnly, zrevrangebylex, 1, 1, 1},
    {"zrangestore", -5, Write, zrangestore, 1, 2, 1},
    {"zcount", 4, ReadOnly, zcount, 1, 1, 1},
    {"zlexcount", 4, ReadOnly, zlexcount, 1, 1, 1},
    {"zremrangebyrank", 4, Write, zremrangebyrank, 1, 1, 1},
    {"zremrangebyscore", 4, Write, zremrangebyscore, 1, 1, 1},
    {"zremrangebylex", 4, Write, zremrangebylex, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> sortedSetRangeCommands()
{
    return rows;
}

} // namespace ym::embedded
