// A run of entries of a stream in one piece of memory.
#pragma once

#include "core/store/embedded/packed.h"
#include "core/store/embedded/stream_id.h"

#include <QList>

#include <vector>

namespace ym::embedded {

/// Fields and values alternate.
struct StreamEntry {
    StreamId id;
    QList<QByteArray> fields;
};

/// Entries that follow each other. Those with the field names of the first keep only their values. It is full when it
/// would be in Redis, because MAXLEN ~ and MINID ~ remove whole blocks and so show where they end.
class StreamBlock {
public:
    explicit StreamBlock(const StreamEntry &first);

    bool hasRoomFor(const StreamEntry &entry) const;
    void append(const StreamEntry &entry);

    qsizetype count() const { return m_count; }
    /// The last that was appended, also when it has been removed.
    StreamId lastAppended() const { return m_last; }

    /// Where an entry is; invalid after a change.
    struct Place {
        StreamId id;
        Packed::Position at;
        qsizetype ownNames; ///< 0 = those of the block
    };
    std::vector<Place> places() const;
    StreamEntry entry(const Place &place) const;
    /// False when there is no such entry.
    bool remove(StreamId id);
    /// How many entries have smaller ids.
    qsizetype countBefore(StreamId id) const;
    /// Removes the first entries.
    void removeFirst(qsizetype count);
    qsizetype memoryUsage() const;

private:
    Place placeAt(Packed::Position at) const;
    qsizetype partsOf(const Place &place) const;
    bool hasNamesOfBlock(const QList<QByteArray> &fields) const;
    qsizetype sizeInRedis() const;

    Packed m_parts; ///< the block's names; for each entry a head, then its names if they are its own, and values
    StreamId m_base;
    StreamId m_last;
    qsizetype m_names = 0;
    qsizetype m_count = 0;
    qsizetype m_removed = 0;
    qsizetype m_costInRedis = 0; ///< of all entries that were ever appended
};

} // namespace ym::embedded
