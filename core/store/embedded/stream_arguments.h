// What the commands on streams understand and answer.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

/// The id at argument `index`; `missing` stands for a sequence that is not there. Throws.
StreamId readStreamId(const Call &call, qsizetype index, quint64 missing = 0);

enum class RangeEnd : quint8 { First, Last };
/// One end of a range at argument `index`: `-`, `+`, an id, or `(` and an id that is not part of it. Throws.
StreamId readRangeEnd(const Call &call, qsizetype index, RangeEnd end);

/// The id that XADD wants.
struct WantedId {
    enum class Kind : quint8 { Whole, NextSequence, Next }; ///< ms-sequence, ms-*, *
    Kind kind = Kind::Next;
    StreamId id;
};

struct AddOptions {
    StreamTrim trim;
    bool makesStream = true;
    WantedId wanted;
    qsizetype firstField = 0; ///< argument
};
/// Everything before the fields of XADD. Throws.
AddOptions readAddOptions(const Call &call);
/// Everything behind the key of XTRIM. Throws.
StreamTrim readTrimOptions(const Call &call);

/// [id, [field, value …]]
Reply entryReply(const StreamEntry &entry);

struct StreamRange {
    StreamId from = {};
    StreamId to = StreamId::greatest();
    qint64 count = 0; ///< 0 = all
    StreamValue::Direction direction = StreamValue::Direction::Forward;
};
std::vector<Reply> entriesIn(const StreamValue &stream, const StreamRange &range);

} // namespace ym::embedded
