// The stream type: entries in order of their ids.
#pragma once

#include "core/store/embedded/stream_block.h"

#include <functional>
#include <map>

namespace ym::embedded {

/// Which of the oldest entries are too many.
struct StreamTrim {
    enum class By : quint8 { None, Length, Id };
    By by = By::None;
    bool isAbout = false; ///< whole blocks only
    qint64 limit = 0; ///< so many entries may go at most, in whole blocks; 0 = any number
    qint64 length = 0;
    StreamId least;
};

/// The last id and the counters stay when entries go, as in Redis; so does a stream without entries.
class StreamValue {
public:
    enum class Direction : quint8 { Forward, Backward };

    qsizetype size() const { return m_size; }
    qsizetype blockCount() const { return qsizetype(m_blocks.size()); }
    /// Of the entries that are there; 0-0 when there are none.
    StreamId firstEntryId() const { return edge(Direction::Forward); }
    StreamId lastEntryId() const { return edge(Direction::Backward); }
    /// The greatest that was ever given.
    StreamId lastId() const { return m_lastId; }
    StreamId greatestRemoved() const { return m_greatestRemoved; }
    quint64 addedCount() const { return m_addedCount; }

    /// Its id must be greater than lastId().
    void add(const StreamEntry &entry);
    bool remove(StreamId id);
    /// Returns how many went.
    qsizetype trim(const StreamTrim &trim);
    void setState(StreamId lastId, quint64 addedCount, StreamId greatestRemoved);

    /// Shows the entries between two ids, these included, until `visit` returns false.
    void walk(StreamId from, StreamId to, Direction direction,
              const std::function<bool(const StreamEntry &)> &visit) const;
    qsizetype memoryUsage() const;

private:
    using Blocks = std::map<StreamId, StreamBlock>; ///< by the first id

    StreamId edge(Direction direction) const;
    Blocks::const_iterator blockOf(StreamId id) const;

    Blocks m_blocks;
    qsizetype m_size = 0;
    StreamId m_lastId;
    StreamId m_greatestRemoved;
    quint64 m_addedCount = 0;
};

} // namespace ym::embedded
