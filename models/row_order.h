// Which job stands in which row, both ways, with cheap insertions in the middle of a million.
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace ym {

/// A list of distinct slots in blocks of at most 512, with the block of each slot remembered: row → slot, slot → row,
/// insert and remove all cost about as much as touching one block. About 9 bytes a row.
class RowOrder {
public:
    static constexpr quint32 none = 0xffffffff;

    int size() const { return m_size; }
    /// 0 ≤ row < size().
    quint32 at(int row) const;
    /// -1 when the slot is not in the list.
    int rowOf(quint32 slot) const;
    bool contains(quint32 slot) const { return slot < m_blockOf.size() && m_blockOf[slot] != none; }

    /// 0 ≤ row ≤ size(); the slot must not be in the list.
    void insert(int row, quint32 slot);
    void insert(int row, const std::vector<quint32> &slotList);
    void remove(int first, int count);
    /// Replaces everything.
    void assign(const std::vector<quint32> &slotList);
    void clear();

    std::vector<quint32> toVector() const;
    /// The first row from `from` on whose slot is not before, or size(); rows are in order of `isBefore`.
    template <typename IsBefore> int firstNotBefore(int from, IsBefore isBefore) const
    {
        if (from >= m_size)
            return m_size;
        // The last block that begins before; looked for near `from`, because batches are sorted.
        size_t low = positionOf(from);
        size_t step = 1;
        while (low + step < m_blocks.size() && isBefore(m_blocks[low + step]->slotList[0])) {
            low += step;
            step *= 2;
        }
        size_t high = std::min(low + step, m_blocks.size());
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;
            (isBefore(m_blocks[middle]->slotList[0]) ? low : high) = middle;
        }
        validate(low);
        const Block &block = *m_blocks[low];
        const auto begin = block.slotList.begin() + std::max(from - m_starts[low], 0);
        const auto end = block.slotList.begin() + block.count;
        return m_starts[low] + int(std::partition_point(begin, end, isBefore) - block.slotList.begin());
    }

    /// Calls `visit(slot)` for count rows from first on, in order.
    template <typename Visit> void visit(int first, int count, Visit visit) const
    {
        while (count > 0) {
            const size_t position = positionOf(first);
            const Block &block = *m_blocks[position];
            const int offset = first - m_starts[position];
            const int here = std::min(count, int(block.count) - offset);
            for (int i = 0; i < here; ++i)
                visit(block.slotList[size_t(offset + i)]);
            first += here;
            count -= here;
        }
    }

    qint64 bytesUsed() const;

private:
    static constexpr quint32 capacity = 512;
    static constexpr quint32 bulkFill = 448;

    struct Block {
        quint32 number = 0; ///< for m_blockOf; stays while blocks before it come and go
        quint32 position = 0; ///< in m_blocks
        quint32 count = 0;
        std::array<quint32, capacity> slotList;
    };

    size_t positionOf(int row) const;
    void validate(size_t position) const;
    Block &newBlockAt(size_t position);
    void dropBlock(size_t position);
    void split(size_t position);
    void joinWithNext(size_t position);
    void renumber(size_t from);
    void setBlock(quint32 slot, quint32 number);

    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<Block *> m_byNumber;
    std::vector<quint32> m_freeNumbers;
    std::vector<quint32> m_blockOf; ///< by slot
    mutable std::vector<int> m_starts; ///< first row of each block, right below m_validStarts
    mutable size_t m_validStarts = 0;
    int m_size = 0;
};

} // namespace ym
