#include "core/store/embedded/sorted_set_range.h"

#include "core/store/embedded/numbers.h"

#include <algorithm>

namespace ym::embedded {

ScoreBound readScoreBound(const QByteArray &text)
{
    ScoreBound bound;
    bound.isOpen = text.startsWith('(');
    const QByteArray number = bound.isOpen ? text.sliced(1) : text;
    // Redis reads bounds with plain strtod: blanks before the number and no digits at all pass.
    char *end = nullptr;
    bound.value = std::strtod(number.constData(), &end);
    if (*end != '\0' || std::isnan(bound.value))
        throw CommandError("ERR min or max is not a float");
    return bound;
}

LexBound readLexBound(const QByteArray &text)
{
    using Kind = LexBound::Kind;
    if (text == "-")
        return {Kind::Lowest, {}};
    if (text == "+")
        return {Kind::Highest, {}};
    if (text.startsWith('['))
        return {Kind::Closed, text.sliced(1)};
    if (text.startsWith('('))
        return {Kind::Open, text.sliced(1)};
    throw CommandError("ERR min or max not valid string range item");
}

RankRange ranksOfScores(const SortedSetValue &set, const ScoreBound &min, const ScoreBound &max)
{
    const qsizetype from = set.countWhile(
        [&](double score, QByteArrayView) { return min.isOpen ? score <= min.value : score < min.value; });
    const qsizetype to = set.countWhile(
        [&](double score, QByteArrayView) { return max.isOpen ? score < max.value : score <= max.value; });
    return {from, to};
}

RankRange ranksOfLex(const SortedSetValue &set, const LexBound &min, const LexBound &max)
{
    using Kind = LexBound::Kind;
    // How many members stand before the bound; with `inclusive` also those equal to it.
    const auto countBefore = [&set](const LexBound &bound, bool inclusive) -> qsizetype {
        if (bound.kind == Kind::Lowest)
            return 0;
        if (bound.kind == Kind::Highest)
            return set.size();
        return set.countWhile([&](double, QByteArrayView member) {
            const int order = compareBytes(member, bound.value);
            return inclusive ? order <= 0 : order < 0;
        });
    };
    return {countBefore(min, min.kind == Kind::Open), countBefore(max, max.kind == Kind::Closed)};
}

RankRange ranksOfIndexes(qint64 start, qint64 stop, qsizetype size)
{
    start = std::max<qint64>(0, start < 0 ? start + size : start);
    stop = stop < 0 ? stop + size : stop;
    stop = std::min<qint64>(stop, size - 1);
    return start > stop ? RankRange{} : RankRange{qsizetype(start), qsizetype(stop + 1)};
}

Reply scoredReply(const std::vector<ScoredMember> &members, bool withScores)
{
    std::vector<Reply> elements;
    elements.reserve(members.size() * (withScores ? 2 : 1));
    for (const ScoredMember &each : members) {
        elements.push_back(Reply::bulk(each.member));
        if (withScores)
            elements.push_back(Reply::bulk(writeDouble(each.score)));
    }
    return Reply::array(std::move(elements));
}

} // namespace ym::embedded
