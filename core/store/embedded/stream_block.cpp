#include "core/store/embedded/stream_block.h"

#include "core/store/embedded/collection_limits.h"
#include "core/store/embedded/numbers.h"

#include <algorithm>

namespace ym::embedded {

namespace {

/// Bytes with a continuation bit.
void appendNumber(QByteArray &to, quint64 number)
{
    for (; number >= 0x80; number >>= 7)
        to += char(number | 0x80);
    to += char(number);
}

quint64 takeNumber(QByteArrayView &from)
{
    quint64 number = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = uchar(from.front());
        from = from.sliced(1);
        number |= quint64(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
}

QByteArray headOf(StreamId id, StreamId base, qsizetype ownNames)
{
    QByteArray head;
    appendNumber(head, id.ms - base.ms);
    appendNumber(head, id.sequence);
    appendNumber(head, quint64(ownNames));
    return head;
}

// What elements cost in a listpack, the form in which Redis keeps a block.

/// With the bytes behind it that tell its size to somebody who comes from the end.
qsizetype withBackLength(qsizetype bytes)
{
    constexpr qsizetype limits[] = {127, 16382, 2097150, 268435454};
    qsizetype behind = 1;
    for (const qsizetype limit : limits)
        behind += bytes > limit ? 1 : 0;
    return bytes + behind;
}

qsizetype costOf(qint64 number)
{
    if (number >= 0 && number <= 127)
        return 2;
    constexpr std::pair<int, qsizetype> forms[] = {{13, 2}, {16, 3}, {24, 4}, {32, 5}};
    for (const auto &[bits, bytes] : forms) {
        const qint64 most = (qint64(1) << (bits - 1)) - 1;
        if (number >= -most - 1 && number <= most)
            return withBackLength(bytes);
    }
    return withBackLength(9);
}

qsizetype costOf(const QByteArray &text)
{
    if (const auto number = readInteger(text))
        return costOf(*number);
    const qsizetype head = text.size() < 64 ? 1 : text.size() < 4096 ? 2 : 5;
    return withBackLength(head + text.size());
}

constexpr qsizetype listpackFrame = 7;
constexpr qsizetype largestListpack = 1 << 30;

} // namespace

StreamBlock::StreamBlock(const StreamEntry &first)
    : m_base(first.id)
    , m_names(first.fields.size() / 2)
{
    m_costInRedis = costOf(qint64(m_names)) + costOf(qint64(0));
    for (qsizetype i = 0; i < first.fields.size(); i += 2) {
        m_parts.append(first.fields[i]);
        m_costInRedis += costOf(first.fields[i]);
    }
    append(first);
}

qsizetype StreamBlock::sizeInRedis() const
{
    return listpackFrame + costOf(qint64(m_count)) + costOf(qint64(m_removed)) + m_costInRedis;
}

bool StreamBlock::hasRoomFor(const StreamEntry &entry) const
{
    const CollectionLimits &limits = collectionLimits;
    qsizetype bytes = sizeInRedis();
    for (const QByteArray &text : entry.fields)
        bytes += text.size();
    const bool isLimited = limits.streamBlockBytes > 0 && limits.streamBlockBytes < largestListpack;
    if (bytes >= (isLimited ? limits.streamBlockBytes : largestListpack))
        return false;
    return limits.streamBlockEntries == 0 || m_count + m_removed < limits.streamBlockEntries;
}

bool StreamBlock::hasNamesOfBlock(const QList<QByteArray> &fields) const
{
    if (fields.size() != m_names * 2)
        return false;
    auto at = m_parts.first();
    for (qsizetype i = 0; i < fields.size(); i += 2, at = m_parts.next(at)) {
        if (m_parts.view(at) != fields[i])
            return false;
    }
    return true;
}

void StreamBlock::append(const StreamEntry &entry)
{
    const bool isOwn = !hasNamesOfBlock(entry.fields);
    const qsizetype names = entry.fields.size() / 2;
    constexpr qint64 flag = 0; // any small number costs the same
    m_costInRedis += costOf(flag) + costOf(qint64(entry.id.ms - m_base.ms))
        + costOf(qint64(entry.id.sequence - m_base.sequence)) + (isOwn ? costOf(qint64(names)) : 0)
        + costOf(qint64(names + 3 + (isOwn ? names + 1 : 0)));
    m_parts.append(headOf(entry.id, m_base, isOwn ? names : 0));
    for (qsizetype i = 0; i < entry.fields.size(); ++i) {
        if (i % 2 == 0 && !isOwn)
            continue;
        m_parts.append(entry.fields[i]);
        m_costInRedis += costOf(entry.fields[i]);
    }
    m_last = entry.id;
    ++m_count;
}

StreamBlock::Place StreamBlock::placeAt(Packed::Position at) const
{
    QByteArrayView head = m_parts.view(at);
    Place place{{}, at, 0};
    place.id.ms = m_base.ms + takeNumber(head);
    place.id.sequence = takeNumber(head);
    place.ownNames = qsizetype(takeNumber(head));
    return place;
}

qsizetype StreamBlock::partsOf(const Place &place) const
{
    return 1 + (place.ownNames > 0 ? place.ownNames * 2 : m_names);
}

std::vector<StreamBlock::Place> StreamBlock::places() const
{
    std::vector<Place> all;
    all.reserve(size_t(m_count));
    auto at = m_parts.first();
    for (qsizetype i = 0; i < m_names; ++i)
        at = m_parts.next(at);
    while (at != m_parts.end()) {
        all.push_back(placeAt(at));
        for (qsizetype i = partsOf(all.back()); i > 0; --i)
            at = m_parts.next(at);
    }
    return all;
}

StreamEntry StreamBlock::entry(const Place &place) const
{
    StreamEntry entry{place.id, {}};
    const qsizetype names = place.ownNames > 0 ? place.ownNames : m_names;
    entry.fields.reserve(names * 2);
    auto name = m_parts.first();
    auto at = m_parts.next(place.at);
    for (qsizetype i = 0; i < names; ++i) {
        if (place.ownNames > 0) {
            entry.fields.append(m_parts.bytesAt(at));
            at = m_parts.next(at);
        } else {
            entry.fields.append(m_parts.bytesAt(name));
            name = m_parts.next(name);
        }
        entry.fields.append(m_parts.bytesAt(at));
        at = m_parts.next(at);
    }
    return entry;
}

bool StreamBlock::remove(StreamId id)
{
    for (const Place &place : places()) {
        if (place.id != id)
            continue;
        m_parts.remove(place.at, partsOf(place));
        --m_count;
        ++m_removed;
        return true;
    }
    return false;
}

qsizetype StreamBlock::countBefore(StreamId id) const
{
    const std::vector<Place> all = places();
    return std::count_if(all.begin(), all.end(), [id](const Place &place) { return place.id < id; });
}

void StreamBlock::removeFirst(qsizetype count)
{
    if (count == 0)
        return;
    const std::vector<Place> all = places();
    qsizetype parts = 0;
    for (qsizetype i = 0; i < count; ++i)
        parts += partsOf(all[size_t(i)]);
    m_parts.remove(all.front().at, parts);
    m_count -= count;
    m_removed += count;
}

qsizetype StreamBlock::memoryUsage() const
{
    return m_parts.capacity() + qsizetype(sizeof *this);
}

} // namespace ym::embedded
