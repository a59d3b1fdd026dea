#include "core/store/embedded/packed.h"

#include <algorithm>
#include <cstring>

namespace ym::embedded {

namespace {

quint32 readSize(const char *from)
{
    quint32 size;
    std::memcpy(&size, from, sizeof size);
    return size;
}

} // namespace

Packed::Packed(const Packed &other)
{
    for (Position at = other.first(); at != other.end(); at = other.next(at))
        append(other.view(at));
}

Packed::Position Packed::next(Position at) const
{
    return at + quint32(costOf(view(at).size()));
}

Packed::Position Packed::previous(Position at) const
{
    const auto tail = uchar(m_data[at - 1]);
    const qsizetype size = tail < wide ? tail : readSize(&m_data[at - 5]);
    return at - quint32(costOf(size));
}

Packed::Position Packed::find(QByteArrayView wanted, int step) const
{
    const char *data = m_data.get();
    Position at = m_begin;
    for (int until = 0; at < m_end; until = until == 0 ? step - 1 : until - 1) {
        const auto head = uchar(data[at]);
        const qsizetype size = head < wide ? qsizetype(head) : qsizetype(readSize(data + at + 1));
        if (until == 0 && size == wanted.size()
            && (size == 0 || std::memcmp(data + at + (head < wide ? 1 : 5), wanted.data(), size_t(size)) == 0))
            return at;
        at += quint32(costOf(size));
    }
    return m_end;
}

Packed::Position Packed::at(qsizetype index) const
{
    if (index < 0 || index >= count())
        return m_end;
    if (index * 2 <= count()) {
        Position position = m_begin;
        while (index-- > 0)
            position = next(position);
        return position;
    }
    Position position = m_end;
    for (qsizetype steps = count() - index; steps > 0; --steps)
        position = previous(position);
    return position;
}

QByteArrayView Packed::view(Position at) const
{
    const char *from = &m_data[at];
    const auto head = uchar(*from);
    if (head < wide)
        return {from + 1, qsizetype(head)};
    return {from + 5, qsizetype(readSize(from + 1))};
}

void Packed::write(char *to, QByteArrayView value)
{
    const auto size = quint32(value.size());
    if (value.size() < wide) {
        *to++ = char(size);
    } else {
        *to++ = char(wide);
        std::memcpy(to, &size, sizeof size);
        to += sizeof size;
    }
    if (size > 0)
        std::memcpy(to, value.data(), size);
    to += size;
    if (value.size() < wide) {
        *to = char(size);
    } else {
        std::memcpy(to, &size, sizeof size);
        to[4] = char(wide);
    }
}

/// Makes room for `size` bytes before `at`, moving the shorter side when both ends have room.
char *Packed::openGap(Position at, qsizetype size)
{
    const quint32 head = at - m_begin;
    const quint32 tail = m_end - at;
    const auto gap = quint32(size);
    const bool roomBefore = m_begin >= gap;
    const bool roomAfter = m_capacity - m_end >= gap;
    if (roomBefore && (head < tail || !roomAfter)) {
        if (head > 0)
            std::memmove(&m_data[m_begin - gap], &m_data[m_begin], head);
        m_begin -= gap;
        return &m_data[at - gap];
    }
    if (roomAfter) {
        if (tail > 0)
            std::memmove(&m_data[at + gap], &m_data[at], tail);
        m_end += gap;
        return &m_data[at];
    }
    // Grows by half; the spare room goes to the end that grows.
    const quint32 used = head + tail + gap;
    const quint32 spare = m_count == 0 ? 0 : std::clamp(used / 2, 8u, 4096u);
    const quint32 front = head < tail ? spare : 0;
    auto data = std::make_unique_for_overwrite<char[]>(used + spare);
    if (head > 0)
        std::memcpy(&data[front], &m_data[m_begin], head);
    if (tail > 0)
        std::memcpy(&data[front + head + gap], &m_data[at], tail);
    m_data = std::move(data);
    m_capacity = used + spare;
    m_begin = front;
    m_end = front + used;
    return &m_data[front + head];
}

void Packed::insert(Position at, QByteArrayView value)
{
    write(openGap(at, costOf(value.size())), value);
    ++m_count;
}

void Packed::replace(Position at, QByteArrayView value)
{
    if (view(at).size() == value.size()) {
        write(&m_data[at], value);
        return;
    }
    const quint32 before = at - m_begin;
    remove(at);
    insert(m_begin + before, value);
}

void Packed::remove(Position at, qsizetype count)
{
    Position last = at;
    for (qsizetype i = 0; i < count; ++i)
        last = next(last);
    const quint32 head = at - m_begin;
    const quint32 tail = m_end - last;
    if (head < tail) {
        if (head > 0)
            std::memmove(&m_data[m_begin + (last - at)], &m_data[m_begin], head);
        m_begin += last - at;
    } else {
        if (tail > 0)
            std::memmove(&m_data[at], &m_data[last], tail);
        m_end -= last - at;
    }
    m_count -= quint32(count);
    if (m_count == 0)
        m_begin = m_end = m_begin <= m_capacity / 2 ? 0 : m_capacity;
}

void Packed::clear()
{
    *this = Packed();
}

} // namespace ym::embedded
