#include "core/store/embedded/list_value.h"

#include "core/store/embedded/collection_limits.h"

#include <algorithm>

namespace ym::embedded {

namespace {

bool hasRoom(const Packed &chunk, qsizetype size)
{
    if (chunk.isEmpty())
        return true;
    return chunk.bytes() + Packed::costOf(size) <= collectionLimits.listChunkBytes()
        && (collectionLimits.listChunk < 0 || chunk.count() < collectionLimits.listChunk);
}

} // namespace

/// Makes one spare place at the front, and more of them the longer the list is.
void ListValue::openFront()
{
    if (m_head > 0)
        return;
    const size_t spare = m_chunks.size() < 4 ? 1 : m_chunks.size() / 2;
    std::vector<Packed> chunks(spare + m_chunks.size());
    std::move(m_chunks.begin(), m_chunks.end(), chunks.begin() + qsizetype(spare));
    m_chunks = std::move(chunks);
    m_head = spare;
}

void ListValue::push(ListEnd end, QByteArrayView value)
{
    const bool isNone = m_head == m_chunks.size();
    if (end == ListEnd::Right) {
        if (isNone || !hasRoom(m_chunks.back(), value.size()))
            m_chunks.emplace_back();
        m_chunks.back().append(value);
    } else {
        if (isNone || !hasRoom(m_chunks[m_head], value.size())) {
            openFront();
            --m_head;
        }
        m_chunks[m_head].prepend(value);
    }
    ++m_size;
}

QByteArray ListValue::pop(ListEnd end)
{
    const size_t at = end == ListEnd::Left ? m_head : m_chunks.size() - 1;
    Packed &chunk = m_chunks[at];
    const auto position = end == ListEnd::Left ? chunk.first() : chunk.previous(chunk.end());
    QByteArray value = chunk.bytesAt(position);
    chunk.remove(position);
    --m_size;
    dropIfEmpty(at);
    return value;
}

/// Gives an empty chunk back; at the front it becomes spare, and spare places never outnumber the used ones by much.
void ListValue::dropIfEmpty(size_t chunk)
{
    if (!m_chunks[chunk].isEmpty())
        return;
    m_chunks[chunk].clear();
    if (chunk == m_head) {
        ++m_head;
        if (m_head > 16 && m_head > 2 * (m_chunks.size() - m_head)) {
            m_chunks.erase(m_chunks.begin(), m_chunks.begin() + qsizetype(m_head));
            m_head = 0;
        }
    } else {
        m_chunks.erase(m_chunks.begin() + qsizetype(chunk));
    }
}

ListValue::Place ListValue::find(qsizetype index) const
{
    if (index < m_size / 2) {
        size_t chunk = m_head;
        for (; index >= m_chunks[chunk].count(); ++chunk)
            index -= m_chunks[chunk].count();
        return {chunk, m_chunks[chunk].at(index)};
    }
    qsizetype fromEnd = m_size - index;
    size_t chunk = m_chunks.size() - 1;
    for (; fromEnd > m_chunks[chunk].count(); --chunk)
        fromEnd -= m_chunks[chunk].count();
    return {chunk, m_chunks[chunk].at(m_chunks[chunk].count() - fromEnd)};
}

QByteArray ListValue::at(qsizetype index) const
{
    const Place place = find(index);
    return m_chunks[place.chunk].bytesAt(place.position);
}

void ListValue::set(qsizetype index, QByteArrayView value)
{
    const Place place = find(index);
    m_chunks[place.chunk].replace(place.position, value);
}

void ListValue::insert(qsizetype index, QByteArrayView value)
{
    if (index == m_size)
        return push(ListEnd::Right, value);
    if (index == 0)
        return push(ListEnd::Left, value);
    const Place place = find(index);
    m_chunks[place.chunk].insert(place.position, value);
    ++m_size;
    Packed &chunk = m_chunks[place.chunk];
    if (chunk.bytes() <= 2 * collectionLimits.listChunkBytes() || chunk.count() < 2)
        return;
    Packed rest; // splits a chunk that has become too large
    const qsizetype half = chunk.count() / 2;
    const auto middle = chunk.at(half);
    const qsizetype moved = chunk.count() - half;
    for (auto at = middle; at != chunk.end(); at = chunk.next(at))
        rest.append(chunk.view(at));
    chunk.remove(middle, moved);
    m_chunks.insert(m_chunks.begin() + qsizetype(place.chunk) + 1, std::move(rest));
}

QList<QByteArray> ListValue::range(qsizetype from, qsizetype to) const
{
    QList<QByteArray> values;
    values.reserve(to - from + 1);
    Place place = find(from);
    for (qsizetype left = to - from + 1; left > 0; --left) {
        const Packed *chunk = &m_chunks[place.chunk];
        if (place.position == chunk->end()) {
            chunk = &m_chunks[++place.chunk];
            place.position = chunk->first();
        }
        values.append(chunk->bytesAt(place.position));
        place.position = chunk->next(place.position);
    }
    return values;
}

void ListValue::trim(qsizetype from, qsizetype to)
{
    if (from > to || from >= m_size) {
        *this = ListValue();
        return;
    }
    qsizetype tail = m_size - 1 - to;
    for (qsizetype head = from; head > 0;) {
        Packed &chunk = m_chunks[m_head];
        const qsizetype count = std::min(head, chunk.count());
        chunk.remove(chunk.first(), count);
        head -= count;
        m_size -= count;
        dropIfEmpty(m_head);
    }
    while (tail > 0) {
        Packed &chunk = m_chunks.back();
        const qsizetype count = std::min(tail, chunk.count());
        chunk.remove(chunk.at(chunk.count() - count), count);
        tail -= count;
        m_size -= count;
        dropIfEmpty(m_chunks.size() - 1);
    }
}

qsizetype ListValue::removeEqual(QByteArrayView value, qsizetype limit, ListEnd from)
{
    qsizetype removed = 0;
    const auto removeIn = [&](Packed &chunk) {
        Packed::Position at = from == ListEnd::Left ? chunk.first() : chunk.end();
        const qsizetype before = chunk.count();
        qsizetype index = from == ListEnd::Left ? 0 : before;
        while (limit == 0 || removed < limit) {
            if (from == ListEnd::Left ? index == chunk.count() : index == 0)
                break;
            if (from == ListEnd::Right) {
                at = chunk.previous(at);
                --index;
            }
            if (chunk.view(at) == value) {
                const qsizetype tail = chunk.end() - at;
                const qsizetype size = Packed::costOf(value.size());
                chunk.remove(at);
                ++removed;
                at = chunk.end() - Packed::Position(tail - size); // the block may have moved either way
            } else if (from == ListEnd::Left) {
                at = chunk.next(at);
                ++index;
            }
        }
    };
    if (from == ListEnd::Left) {
        for (size_t c = m_head; c < m_chunks.size() && (limit == 0 || removed < limit); ++c)
            removeIn(m_chunks[c]);
    } else {
        for (size_t c = m_chunks.size(); c-- > m_head && (limit == 0 || removed < limit);)
            removeIn(m_chunks[c]);
    }
    if (removed > 0) {
        m_size -= removed;
        m_chunks.erase(m_chunks.begin(), m_chunks.begin() + qsizetype(m_head));
        m_head = 0;
        std::erase_if(m_chunks, [](const Packed &chunk) { return chunk.isEmpty(); });
    }
    return removed;
}

qsizetype ListValue::memoryUsage() const
{
    qsizetype bytes = qsizetype(m_chunks.capacity() * sizeof(Packed));
    for (const Packed &chunk : m_chunks)
        bytes += chunk.capacity();
    return bytes;
}

} // namespace ym::embedded
