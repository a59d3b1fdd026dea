// Commands on single members of sorted sets.
#include "core/store/embedded/blocking.h"
#include "core/store/embedded/collection_scan.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/random_draws.h"
#include "core/store/embedded/sorted_set_range.h"

#include <cmath>
#include <limits>

namespace ym::embedded {

namespace {

struct AddOptions {
    bool onlyNew = false;
    bool onlyExisting = false;
    bool onlyGreater = false;
    bool onlyLess = false;
    bool countChanged = false;
    bool increment = false;
    qsizetype firstScore = 2;
};

AddOptions readAddOptions(const Call &c)
{
    AddOptions options;
    struct Row {
        const char *name;
        bool AddOptions::*member;
    };
    static constexpr Row rows[] = {
        {"NX", &AddOptions::onlyNew},     {"XX", &AddOptions::onlyExisting}, {"CH", &AddOptions::countChanged},
        {"INCR", &AddOptions::increment}, {"GT", &AddOptions::onlyGreater},  {"LT", &AddOptions::onlyLess},
    };
    for (; options.firstScore < c.argc(); ++options.firstScore) {
        const auto row = std::find_if(std::begin(rows), std::end(rows),
                                      [&](const Row &r) { return c.isOption(options.firstScore, r.name); });
        if (row == std::end(rows))
            break;
        options.*row->member = true;
    }
    const qsizetype left = c.argc() - options.firstScore;
    if (left % 2 != 0 || left == 0)
        throw CommandError(errors::syntax);
    if (options.onlyNew && options.onlyExisting)
        throw CommandError("ERR XX and NX options at the same time are not compatible");
    if ((options.onlyGreater && options.onlyNew) || (options.onlyLess && options.onlyNew)
        || (options.onlyGreater && options.onlyLess))
        throw CommandError("ERR GT, LT, and/or NX options at the same time are not compatible");
    if (options.increment && left > 2)
        throw CommandError("ERR INCR option supports a single increment-element pair");
    return options;
}

struct AddResult {
    enum class Kind : quint8 { Untouched, Added, Updated, Same };
    Kind kind = Kind::Untouched;
    double score = 0;
};

AddResult addMember(SortedSetValue &set, const QByteArray &member, double score, const AddOptions &options)
{
    const auto current = set.score(member);
    if (!current) {
        if (options.onlyExisting)
            return {};
        set.set(member, score);
        return {AddResult::Kind::Added, score};
    }
    if (options.onlyNew)
        return {};
    if (options.increment)
        score += *current;
    if (std::isnan(score))
        throw CommandError("ERR resulting score is not a number (NaN)");
    if ((options.onlyLess && score >= *current) || (options.onlyGreater && score <= *current))
        return {};
    if (score == *current)
        return {AddResult::Kind::Same, score};
    set.set(member, score);
    return {AddResult::Kind::Updated, score};
}

Reply addAll(Call &c, const AddOptions &options)
{
    const QByteArray &key = c.arg(1);
    std::vector<double> scores;
    for (qsizetype i = options.firstScore; i < c.argc(); i += 2)
        scores.push_back(c.number(i));
    if (!c.keys.get<SortedSetValue>(key) && options.onlyExisting)
        return options.increment ? Reply::nil() : Reply::number(0);
    SortedSetValue &set = c.keys.obtain<SortedSetValue>(key);
    int added = 0;
    int updated = 0;
    AddResult last;
    for (size_t i = 0; i < scores.size(); ++i) {
        last = addMember(set, c.arg(options.firstScore + 2 * qsizetype(i) + 1), scores[i], options);
        added += last.kind == AddResult::Kind::Added;
        updated += last.kind == AddResult::Kind::Updated;
    }
    if (added + updated > 0)
        c.changed(key, options.increment ? "zincr" : "zadd");
    if (options.increment)
        return last.kind == AddResult::Kind::Untouched ? Reply::nil() : Reply::bulk(writeDouble(last.score));
    return Reply::number(options.countChanged ? added + updated : added);
}

Reply zadd(Call &c)
{
    return addAll(c, readAddOptions(c));
}

Reply zincrby(Call &c)
{
    AddOptions options;
    options.increment = true;
    return addAll(c, options);
}

Reply zrem(Call &c)
{
    SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    if (!set)
        return Reply::number(0);
    int removed = 0;
    for (qsizetype i = 2; i < c.argc(); ++i)
        removed += set->remove(c.arg(i));
    if (removed > 0) {
        c.changed(c.arg(1), "zrem");
        c.removeIfEmpty(c.arg(1), set->size());
    }
    return Reply::number(removed);
}

Reply zcard(Call &c)
{
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return Reply::number(set ? set->size() : 0);
}

Reply scoreReply(const std::optional<double> &score)
{
    return score ? Reply::bulk(writeDouble(*score)) : Reply::nil();
}

Reply zscore(Call &c)
{
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    return set ? scoreReply(set->score(c.arg(2))) : Reply::nil();
}

Reply zmscore(Call &c)
{
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    std::vector<Reply> scores;
    for (qsizetype i = 2; i < c.argc(); ++i)
        scores.push_back(set ? scoreReply(set->score(c.arg(i))) : Reply::nil());
    return Reply::array(std::move(scores));
}

Reply zrank(Call &c)
{
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    const auto rank = set ? set->rank(c.arg(2)) : std::nullopt;
    return rank ? Reply::number(*rank) : Reply::nil();
}

Reply zrevrank(Call &c)
{
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    const auto rank = set ? set->rank(c.arg(2)) : std::nullopt;
    return rank ? Reply::number(set->size() - 1 - *rank) : Reply::nil();
}

Reply zrandmember(Call &c)
{
    if (c.argc() == 2) {
        const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
        return set ? Reply::bulk(set->random().member) : Reply::nil();
    }
    const qint64 count = readDrawCount(c, 2);
    if (c.argc() > 4 || (c.argc() == 4 && !c.isOption(3, "WITHSCORES")))
        throw CommandError(errors::syntax);
    const bool withScores = c.argc() == 4;
    if (withScores)
        checkPairCount(count);
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    if (!set || count == 0)
        return Reply::array({});
    std::vector<ScoredMember> drawn;
    if (count < 0) {
        DrawLimit limit(-count);
        for (qint64 i = 0; i < -count; ++i) {
            drawn.push_back(set->random());
            limit.add(drawn.back().member.size());
        }
        return scoredReply(drawn, withScores);
    }
    qint64 wanted = std::min<qint64>(count, set->size());
    qint64 left = set->size();
    for (ScoredMember &each : set->slice(0, set->size())) {
        if (QRandomGenerator::global()->bounded(left--) >= wanted)
            continue;
        --wanted;
        drawn.push_back(std::move(each));
    }
    return scoredReply(drawn, withScores);
}

Reply zscan(Call &c)
{
    const quint64 start = readCursor(c, 2);
    const SortedSetValue *set = c.keys.get<SortedSetValue>(c.arg(1));
    if (!set)
        return scanReply(0, {});
    const ScanRequest request = readScanOptions(c, 3, start);
    std::vector<Reply> elements;
    const quint64 cursor = runScan(*set, request, [&](QByteArrayView member, double score) {
        if (!request.accepts(member))
            return;
        elements.push_back(Reply::bulk(member.toByteArray()));
        elements.push_back(Reply::bulk(set->isPacked() ? writePackedScore(score) : writeDouble(score)));
    });
    return scanReply(cursor, std::move(elements));
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"zadd", -4, Write, zadd, 1, 1, 1},
    {"zincrby", 4, Write, zincrby, 1, 1, 1},
    {"zrem", -3, Write, zrem, 1, 1, 1},
    {"zcard", 2, ReadOnly, zcard, 1, 1, 1},
    {"zscore", 3, ReadOnly, zscore, 1, 1, 1},
    {"zmscore", -3, ReadOnly, zmscore, 1, 1, 1},
    {"zrank", 3, ReadOnly, zrank, 1, 1, 1},
    {"zrevrank", 3, ReadOnly, zrevrank, 1, 1, 1},
    {"zrandmember", -2, ReadOnly, zrandmember, 1, 1, 1},
    {"zscan", -3, ReadOnly, zscan, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> sortedSetCommands()
{
    return rows;
}

} // namespace ym::embedded
