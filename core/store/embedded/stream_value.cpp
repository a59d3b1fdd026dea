#include "core/store/embedded/stream_value.h"

#include <algorithm>

namespace ym::embedded {

namespace {

constexpr qsizetype treeNodeBytes = 48; ///< what the map needs for a block

} // namespace

/// The block in which `id` is if it is anywhere; the first one for ids before all.
StreamValue::Blocks::const_iterator StreamValue::blockOf(StreamId id) const
{
    const auto behind = m_blocks.upper_bound(id);
    return behind == m_blocks.begin() ? behind : std::prev(behind);
}

void StreamValue::add(const StreamEntry &entry)
{
    if (!m_blocks.empty() && m_blocks.rbegin()->second.hasRoomFor(entry))
        m_blocks.rbegin()->second.append(entry);
    else
        m_blocks.emplace_hint(m_blocks.end(), entry.id, StreamBlock(entry));
    m_lastId = entry.id;
    ++m_addedCount;
    ++m_size;
}

bool StreamValue::remove(StreamId id)
{
    const auto found = blockOf(id);
    if (found == m_blocks.end())
        return false;
    const auto block = m_blocks.find(found->first);
    if (!block->second.remove(id))
        return false;
    if (block->second.count() == 0)
        m_blocks.erase(block);
    m_greatestRemoved = std::max(m_greatestRemoved, id);
    --m_size;
    return true;
}

/// In the steps of Redis: whole blocks as long as they may go, then the first entries of the next one.
qsizetype StreamValue::trim(const StreamTrim &trim)
{
    const qsizetype before = m_size;
    const bool isByLength = trim.by == StreamTrim::By::Length;
    while (trim.by != StreamTrim::By::None && !m_blocks.empty()) {
        StreamBlock &block = m_blocks.begin()->second;
        const qsizetype count = block.count();
        if (isByLength && m_size <= trim.length)
            break;
        if (trim.limit > 0 && before - m_size + count > trim.limit)
            break;
        if (isByLength ? m_size - count >= trim.length : block.lastAppended() < trim.least) {
            m_size -= count;
            m_blocks.erase(m_blocks.begin());
            continue;
        }
        if (!trim.isAbout) {
            const qsizetype tooMany = isByLength ? m_size - qsizetype(trim.length) : block.countBefore(trim.least);
            block.removeFirst(tooMany);
            m_size -= tooMany;
        }
        break;
    }
    return before - m_size;
}

void StreamValue::setState(StreamId lastId, quint64 addedCount, StreamId greatestRemoved)
{
    m_lastId = lastId;
    m_addedCount = addedCount;
    m_greatestRemoved = greatestRemoved;
}

void StreamValue::walk(StreamId from, StreamId to, Direction direction,
                       const std::function<bool(const StreamEntry &)> &visit) const
{
    const auto showBlock = [&](const StreamBlock &block) {
        std::vector<StreamBlock::Place> places = block.places();
        if (direction == Direction::Backward)
            std::reverse(places.begin(), places.end());
        return std::all_of(places.begin(), places.end(), [&](const StreamBlock::Place &place) {
            return place.id < from || place.id > to || visit(block.entry(place));
        });
    };
    if (from > to)
        return;
    const auto begin = blockOf(from);
    const auto end = m_blocks.upper_bound(to);
    if (direction == Direction::Forward) {
        for (auto at = begin; at != end && showBlock(at->second); ++at) { }
    } else {
        for (auto at = end; at != begin && showBlock(std::prev(at)->second); --at) { }
    }
}

StreamId StreamValue::edge(Direction direction) const
{
    StreamId id;
    walk({}, StreamId::greatest(), direction, [&id](const StreamEntry &entry) {
        id = entry.id;
        return false;
    });
    return id;
}

qsizetype StreamValue::memoryUsage() const
{
    qsizetype bytes = 0;
    for (const auto &[id, block] : m_blocks)
        bytes += treeNodeBytes + block.memoryUsage();
    return bytes;
}

} // namespace ym::embedded
