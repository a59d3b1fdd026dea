// Intervals of sorted sets: by rank, by score, by bytes.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

/// Ranks `from` ≤ rank < `to`.
struct RankRange {
    qsizetype from = 0;
    qsizetype to = 0;
    qsizetype size() const { return std::max<qsizetype>(0, to - from); }
};

/// `5`, `(5`, `-inf`; throws "min or max is not a float".
struct ScoreBound {
    double value = 0;
    bool isOpen = false;
};
ScoreBound readScoreBound(const QByteArray &text);

/// `[a`, `(a`, `-`, `+`; throws "min or max not valid string range item".
struct LexBound {
    enum class Kind : quint8 { Lowest, Highest, Closed, Open };
    Kind kind = Kind::Closed;
    QByteArray value;
};
LexBound readLexBound(const QByteArray &text);

RankRange ranksOfScores(const SortedSetValue &set, const ScoreBound &min, const ScoreBound &max);
RankRange ranksOfLex(const SortedSetValue &set, const LexBound &min, const LexBound &max);
/// Start and stop as ZRANGE takes them, negative ones counted from the end.
RankRange ranksOfIndexes(qint64 start, qint64 stop, qsizetype size);

/// Member, score, member, score … or members only.
Reply scoredReply(const std::vector<ScoredMember> &members, bool withScores);

} // namespace ym::embedded
