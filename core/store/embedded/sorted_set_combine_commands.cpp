// Union, intersection and difference of sorted sets.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/sorted_set_range.h"

#include <cmath>

namespace ym::embedded {

namespace {

enum class Operation : quint8 { Union, Intersection, Difference };
enum class Aggregate : quint8 { Sum, Min, Max };

struct Request {
    Operation operation;
    const char *command;
    qsizetype countIndex = 1; ///< where numkeys stands
    bool stores = false;

    QList<QByteArray> keys = {};
    std::vector<double> weights = {};
    Aggregate aggregate = Aggregate::Sum;
    bool withScores = false;
};

void readKeys(const Call &c, Request &request)
{
    const qint64 count = c.integer(request.countIndex);
    if (count < 1)
        throw CommandError(QByteArray("ERR at least 1 input key is needed for '") + request.command + "' command");
    if (count > c.argc() - request.countIndex - 1)
        throw CommandError(errors::syntax);
    request.keys = c.args.sliced(request.countIndex + 1, count);
    request.weights.assign(size_t(count), 1.0);
}

Aggregate readAggregate(const Call &c, qsizetype index)
{
    if (c.isOption(index, "SUM"))
        return Aggregate::Sum;
    if (c.isOption(index, "MIN"))
        return Aggregate::Min;
    if (c.isOption(index, "MAX"))
        return Aggregate::Max;
    throw CommandError(errors::syntax);
}

void readOptions(const Call &c, Request &request)
{
    const bool isWeighted = request.operation != Operation::Difference;
    for (qsizetype i = request.countIndex + 1 + request.keys.size(); i < c.argc(); ++i) {
        const qsizetype left = c.argc() - i;
        if (isWeighted && left >= request.keys.size() + 1 && c.isOption(i, "WEIGHTS")) {
            for (double &weight : request.weights)
                weight = c.number(++i, "ERR weight value is not a float");
        } else if (isWeighted && left >= 2 && c.isOption(i, "AGGREGATE")) {
            request.aggregate = readAggregate(c, ++i);
        } else if (!request.stores && c.isOption(i, "WITHSCORES")) {
            request.withScores = true;
        } else {
            throw CommandError(errors::syntax);
        }
    }
}

/// One input: a sorted set, or a plain set whose members all have score 1.
class Input {
public:
    Input(Call &c, const QByteArray &key)
    {
        const Entry *entry = c.keys.find(key);
        if (!entry)
            return;
        if (const auto *set = std::get_if<std::unique_ptr<SetValue>>(&entry->value))
            m_plain = set->get();
        else
            m_sorted = c.keys.get<SortedSetValue>(key);
    }

    qsizetype size() const { return m_plain ? m_plain->size() : m_sorted ? m_sorted->size() : 0; }
    std::optional<double> score(const QByteArray &member) const
    {
        if (m_plain)
            return m_plain->contains(member) ? std::optional(1.0) : std::nullopt;
        return m_sorted ? m_sorted->score(member) : std::nullopt;
    }
    std::vector<ScoredMember> members() const
    {
        std::vector<ScoredMember> all;
        if (m_plain)
            m_plain->forEach([&](const QByteArray &member) { all.push_back({member, 1.0}); });
        else if (m_sorted)
            all = m_sorted->slice(0, m_sorted->size());
        return all;
    }

private:
    const SetValue *m_plain = nullptr;
    const SortedSetValue *m_sorted = nullptr;
};

struct Source {
    Input input;
    double weight;
};

double weighted(double score, double weight)
{
    const double value = score * weight;
    return std::isnan(value) ? 0 : value;
}

double aggregated(double a, double b, Aggregate aggregate)
{
    switch (aggregate) {
    case Aggregate::Sum: {
        const double sum = a + b;
        return std::isnan(sum) ? 0 : sum; // +inf and -inf cancel
    }
    case Aggregate::Min:
        return std::min(a, b);
    case Aggregate::Max:
        return std::max(a, b);
    }
    return a;
}

void unite(const std::vector<Source> &sources, Aggregate aggregate, SortedSetValue &result)
{
    for (const Source &source : sources) {
        for (const ScoredMember &each : source.input.members()) {
            const double score = weighted(each.score, source.weight);
            const auto current = result.score(each.member);
            result.set(each.member, current ? aggregated(*current, score, aggregate) : score);
        }
    }
}

void intersect(const std::vector<Source> &sources, Aggregate aggregate, SortedSetValue &result)
{
    for (const ScoredMember &each : sources.front().input.members()) {
        double score = weighted(each.score, sources.front().weight);
        bool isInAll = true;
        for (size_t i = 1; i < sources.size() && isInAll; ++i) {
            const auto other = sources[i].input.score(each.member);
            isInAll = other.has_value();
            if (isInAll)
                score = aggregated(score, weighted(*other, sources[i].weight), aggregate);
        }
        if (isInAll)
            result.set(each.member, score);
    }
}

void subtract(const std::vector<Source> &sources, SortedSetValue &result)
{
    for (const ScoredMember &each : sources.front().input.members()) {
        bool isElsewhere = false;
        for (size_t i = 1; i < sources.size() && !isElsewhere; ++i)
            isElsewhere = sources[i].input.score(each.member).has_value();
        if (!isElsewhere)
            result.set(each.member, each.score);
    }
}

std::unique_ptr<SortedSetValue> combine(Call &c, Request &request)
{
    readKeys(c, request);
    std::vector<Source> sources;
    for (const QByteArray &key : std::as_const(request.keys))
        sources.push_back({Input(c, key), 1.0});
    readOptions(c, request);
    for (size_t i = 0; i < sources.size(); ++i)
        sources[i].weight = request.weights[i];
    // The smallest first: that is also the order in which sums are made.
    if (request.operation != Operation::Difference)
        std::stable_sort(sources.begin(), sources.end(),
                         [](const Source &a, const Source &b) { return a.input.size() < b.input.size(); });
    auto result = std::make_unique<SortedSetValue>();
    result->unpack(); // the packed form knows no negative zero
    switch (request.operation) {
    case Operation::Union:
        unite(sources, request.aggregate, *result);
        break;
    case Operation::Intersection:
        intersect(sources, request.aggregate, *result);
        break;
    case Operation::Difference:
        subtract(sources, *result);
        break;
    }
    return result;
}

Reply combined(Call &c, Operation operation, const char *command)
{
    Request request{.operation = operation, .command = command};
    const auto result = combine(c, request);
    return scoredReply(result->slice(0, result->size()), request.withScores);
}

Reply combinedAndStored(Call &c, Operation operation, const char *command)
{
    Request request{.operation = operation, .command = command, .countIndex = 2, .stores = true};
    auto result = combine(c, request);
    const qsizetype size = result->size();
    if (size > 0) {
        result->packIfSmall();
        c.keys.put(c.arg(1), std::move(result));
        c.changed(c.arg(1), command);
    } else if (c.keys.discard(c.arg(1))) {
        c.changed(c.arg(1), "del");
    }
    return Reply::number(size);
}

Reply zintercard(Call &c)
{
    Request request{.operation = Operation::Intersection, .command = "zintercard"};
    readKeys(c, request);
    std::vector<Source> sources;
    for (const QByteArray &key : std::as_const(request.keys))
        sources.push_back({Input(c, key), 1.0});
    qint64 limit = 0;
    for (qsizetype i = 2 + request.keys.size(); i < c.argc(); i += 2) {
        if (!c.isOption(i, "LIMIT") || i + 1 == c.argc())
            throw CommandError(errors::syntax);
        limit = c.integer(i + 1, "ERR LIMIT can't be negative");
        if (limit < 0)
            throw CommandError("ERR LIMIT can't be negative");
    }
    SortedSetValue result;
    intersect(sources, Aggregate::Sum, result);
    return Reply::number(limit > 0 ? std::min<qint64>(limit, result.size()) : result.size());
}

Reply zunion(Call &c)
{
    return combined(c, Operation::Union, "zunion");
}

Reply zinter(Call &c)
{
    return combined(c, Operation::Intersection, "zinter");
}

Reply zdiff(Call &c)
{
    return combined(c, Operation::Difference, "zdiff");
}

Reply zunionstore(Call &c)
{
    return combinedAndStored(c, Operation::Union, "zunionstore");
}

Reply zinterstore(Call &c)
{
    return combinedAndStored(c, Operation::Intersection, "zinterstore");
}

Reply zdiffstore(Call &c)
{
    return combinedAndStored(c, Operation::Difference, "zdiffstore");
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"zunion", -3, ReadOnly, zunion},
    {"zinter", -3, ReadOnly, zinter},
    {"zdiff", -3, ReadOnly, zdiff},
    {"zintercard", -3, ReadOnly, zintercard},
    {"zunionstore", -4, Write, zunionstore, 1, 1, 1},
    {"zinterstore", -4, Write, zinterstore, 1, 1, 1},
    {"zdiffstore", -4, Write, zdiffstore, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> sortedSetCombineCommands()
{
    return rows;
}

} // namespace ym::embedded
