// A hash from keys that are stored elsewhere to their numbers: four bytes an entry, no long stop when it grows.
#pragma once

#include <QtGlobal>

#include <array>
#include <bit>
#include <vector>

namespace ym {

/// Open addressing with linear probing, in 256 segments that grow one by one: growing at a million entries stops the
/// caller for a 256th of the time. Five bits of the hash stand beside each number, so that a search rarely looks at a
/// row that is not the one (each look is a cache miss). The caller supplies hashes and comparisons, because the keys
/// live in his rows.
class IndexTable {
public:
    static constexpr quint32 none = 0xffffffff;
    /// Numbers are below this.
    static constexpr quint32 limit = (1u << 27) - 1;

    /// The number whose key has this hash and for which `same(number)` holds, or `none`.
    template <typename Same> quint32 find(size_t hash, Same same) const
    {
        const Segment &segment = m_segments[segmentOf(hash)];
        if (segment.cells.empty())
            return none;
        const size_t mask = segment.cells.size() - 1;
        for (size_t i = hash & mask; segment.cells[i] != none; i = (i + 1) & mask) {
            if (tagOf(hash) == (segment.cells[i] & ~limit) && same(segment.cells[i] & limit))
                return segment.cells[i] & limit;
        }
        return none;
    }

    /// `number` must not be in it; `hashOf(number)` gives the hash of one that is.
    template <typename HashOf> void insert(size_t hash, quint32 number, HashOf hashOf)
    {
        Segment &segment = m_segments[segmentOf(hash)];
        if ((segment.count + 1) * 5 > segment.cells.size() * 4)
            grow(segment, hashOf);
        place(segment, hash, number | tagOf(hash));
        ++segment.count;
    }

    /// `number` must be in it, under this hash.
    template <typename HashOf> void remove(size_t hash, quint32 number, HashOf hashOf)
    {
        Segment &segment = m_segments[segmentOf(hash)];
        const size_t mask = segment.cells.size() - 1;
        size_t hole = hash & mask;
        while ((segment.cells[hole] & limit) != number)
            hole = (hole + 1) & mask;
        // Close the hole: move back every later entry of the run that may stand there.
        for (size_t i = (hole + 1) & mask; segment.cells[i] != none; i = (i + 1) & mask) {
            const size_t home = hashOf(segment.cells[i] & limit) & mask;
            if (((i - home) & mask) < ((i - hole) & mask))
                continue;
            segment.cells[hole] = segment.cells[i];
            hole = i;
        }
        segment.cells[hole] = none;
        --segment.count;
    }

    void clear() { m_segments = {}; }

    qint64 bytesUsed() const
    {
        qint64 bytes = sizeof(*this);
        for (const Segment &segment : m_segments)
            bytes += qint64(segment.cells.capacity() * sizeof(quint32));
        return bytes;
    }

private:
    struct Segment {
        std::vector<quint32> cells;
        size_t count = 0;
    };

    static size_t segmentOf(size_t hash) { return hash >> (8 * sizeof(size_t) - 8); }

    static quint32 tagOf(size_t hash) { return quint32(hash >> 24) & ~limit; }

    static void place(Segment &segment, size_t hash, quint32 cell)
    {
        const size_t mask = segment.cells.size() - 1;
        size_t i = hash & mask;
        while (segment.cells[i] != none)
            i = (i + 1) & mask;
        segment.cells[i] = cell;
    }

    template <typename HashOf> static void grow(Segment &segment, HashOf hashOf)
    {
        const std::vector<quint32> old = std::exchange(segment.cells, {});
        segment.cells.assign(std::max<size_t>(8, old.size() * 2), none);
        for (const quint32 cell : old) {
            if (cell != none)
                place(segment, hashOf(cell & limit), cell);
        }
    }

    std::array<Segment, 256> m_segments;
};

} // namespace ym
