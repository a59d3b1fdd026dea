#include "models/row_order.h"

#include <algorithm>
#include <utility>

namespace ym {

void RowOrder::validate(size_t position) const
{
    for (; m_validStarts <= position; ++m_validStarts) {
        const size_t i = m_validStarts;
        m_starts[i] = i == 0 ? 0 : m_starts[i - 1] + int(m_blocks[i - 1]->count);
    }
}

/// The block that holds `row`; for row == size() the last one.
size_t RowOrder::positionOf(int row) const
{
    while (m_validStarts < m_blocks.size() && (m_validStarts == 0 || m_starts[m_validStarts - 1] <= row))
        validate(m_validStarts);
    const auto begin = m_starts.begin();
    const auto after = std::upper_bound(begin, begin + qptrdiff(m_validStarts), row);
    return size_t(after - begin) - 1;
}

quint32 RowOrder::at(int row) const
{
    const size_t position = positionOf(row);
    return m_blocks[position]->slotList[size_t(row - m_starts[position])];
}

int RowOrder::rowOf(quint32 slot) const
{
    if (!contains(slot))
        return -1;
    const Block &block = *m_byNumber[m_blockOf[slot]];
    validate(block.position);
    const auto found = std::find(block.slotList.begin(), block.slotList.begin() + block.count, slot);
    return m_starts[block.position] + int(found - block.slotList.begin());
}

void RowOrder::setBlock(quint32 slot, quint32 number)
{
    if (slot >= m_blockOf.size()) {
        // Grown by an eighth, not doubled: a million rows are not to pay for a second million.
        if (slot >= m_blockOf.capacity())
            m_blockOf.reserve(std::max<size_t>(slot + 1 + slot / 8, 1024));
        m_blockOf.resize(slot + 1, none);
    }
    m_blockOf[slot] = number;
}

void RowOrder::renumber(size_t from)
{
    for (size_t i = from; i < m_blocks.size(); ++i)
        m_blocks[i]->position = quint32(i);
    m_starts.resize(m_blocks.size());
    m_validStarts = std::min(m_validStarts, from);
}

RowOrder::Block &RowOrder::newBlockAt(size_t position)
{
    auto block = std::make_unique<Block>();
    if (m_freeNumbers.empty()) {
        block->number = quint32(m_byNumber.size());
        m_byNumber.push_back(nullptr);
    } else {
        block->number = m_freeNumbers.back();
        m_freeNumbers.pop_back();
    }
    m_byNumber[block->number] = block.get();
    const auto placed = m_blocks.insert(m_blocks.begin() + qptrdiff(position), std::move(block));
    Block &result = **placed;
    renumber(position);
    return result;
}

void RowOrder::dropBlock(size_t position)
{
    m_byNumber[m_blocks[position]->number] = nullptr;
    m_freeNumbers.push_back(m_blocks[position]->number);
    m_blocks.erase(m_blocks.begin() + qptrdiff(position));
    renumber(position);
}

void RowOrder::split(size_t position)
{
    Block &upper = newBlockAt(position + 1);
    Block &lower = *m_blocks[position];
    // A full last block is mostly appended to: leave it nearly full.
    const bool isLast = position + 2 == m_blocks.size();
    const quint32 kept = isLast ? bulkFill : capacity / 2;
    upper.count = lower.count - kept;
    std::copy(lower.slotList.begin() + kept, lower.slotList.begin() + lower.count, upper.slotList.begin());
    lower.count = kept;
    for (quint32 i = 0; i < upper.count; ++i)
        m_blockOf[upper.slotList[i]] = upper.number;
    m_validStarts = std::min(m_validStarts, position + 1);
}

void RowOrder::insert(int row, quint32 slot)
{
    if (m_blocks.empty())
        newBlockAt(0);
    size_t position = positionOf(row);
    if (m_blocks[position]->count == capacity) {
        split(position);
        position = positionOf(row);
    }
    Block &block = *m_blocks[position];
    const auto place = block.slotList.begin() + (row - m_starts[position]);
    std::copy_backward(place, block.slotList.begin() + block.count, block.slotList.begin() + block.count + 1);
    *place = slot;
    ++block.count;
    ++m_size;
    setBlock(slot, block.number);
    m_validStarts = std::min(m_validStarts, position + 1);
}

void RowOrder::insert(int row, const std::vector<quint32> &slotList)
{
    for (const quint32 slot : slotList)
        insert(row++, slot);
}

void RowOrder::remove(int first, int count)
{
    m_size -= count;
    while (count > 0) {
        const size_t position = positionOf(first);
        Block &block = *m_blocks[position];
        const auto begin = block.slotList.begin() + (first - m_starts[position]);
        const int here = std::min(count, int(block.slotList.begin() + block.count - begin));
        for (auto it = begin; it != begin + here; ++it)
            m_blockOf[*it] = none;
        std::copy(begin + here, block.slotList.begin() + block.count, begin);
        block.count -= quint32(here);
        count -= here;
        m_validStarts = std::min(m_validStarts, position + 1);
        if (block.count == 0)
            dropBlock(position);
        else if (position + 1 < m_blocks.size() && block.count + m_blocks[position + 1]->count <= capacity / 2)
            joinWithNext(position);
    }
}

void RowOrder::joinWithNext(size_t position)
{
    Block &block = *m_blocks[position];
    const Block &next = *m_blocks[position + 1];
    std::copy(next.slotList.begin(), next.slotList.begin() + next.count, block.slotList.begin() + block.count);
    for (quint32 i = 0; i < next.count; ++i)
        m_blockOf[next.slotList[i]] = block.number;
    block.count += next.count;
    dropBlock(position + 1);
}

void RowOrder::clear()
{
    assign({});
}

void RowOrder::assign(const std::vector<quint32> &slotList)
{
    m_blocks.clear();
    m_byNumber.clear();
    m_freeNumbers.clear();
    m_starts.clear();
    m_validStarts = 0;
    m_size = int(slotList.size());
    if (slotList.empty()) {
        m_blockOf = {};
        return;
    }
    std::fill(m_blockOf.begin(), m_blockOf.end(), none);
    setBlock(*std::max_element(slotList.begin(), slotList.end()), none);
    m_blocks.reserve(slotList.size() / bulkFill + 1);
    for (size_t begin = 0; begin < slotList.size(); begin += bulkFill) {
        const size_t count = std::min<size_t>(bulkFill, slotList.size() - begin);
        auto block = std::make_unique<Block>();
        block->number = block->position = quint32(m_blocks.size());
        block->count = quint32(count);
        std::copy_n(slotList.begin() + qptrdiff(begin), count, block->slotList.begin());
        for (size_t i = 0; i < count; ++i)
            m_blockOf[block->slotList[i]] = block->number;
        m_byNumber.push_back(block.get());
        m_blocks.push_back(std::move(block));
    }
    m_starts.resize(m_blocks.size());
}

std::vector<quint32> RowOrder::toVector() const
{
    std::vector<quint32> all;
    all.reserve(size_t(m_size));
    for (const auto &block : m_blocks)
        all.insert(all.end(), block->slotList.begin(), block->slotList.begin() + block->count);
    return all;
}

qint64 RowOrder::bytesUsed() const
{
    const size_t lists = m_byNumber.capacity() * sizeof(Block *) + m_blocks.capacity() * sizeof(void *)
        + (m_freeNumbers.capacity() + m_blockOf.capacity() + m_starts.capacity()) * sizeof(quint32);
    return qint64(lists + m_blocks.size() * (sizeof(Block) + 16));
}

} // namespace ym
