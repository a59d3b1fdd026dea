#include "models/output_lines.h"

#include "core/base/text.h"

#include <algorithm>

namespace ym {

namespace {

/// Length of the unfinished UTF-8 sequence at the end of `bytes`: 0 to 3.
qsizetype unfinishedTail(QByteArrayView bytes)
{
    for (qsizetype back = 1; back <= std::min<qsizetype>(3, bytes.size()); ++back) {
        const auto byte = uchar(bytes[bytes.size() - back]);
        if ((byte & 0xc0) == 0x80)
            continue;
        const qsizetype needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return needed > back ? back : 0;
    }
    return 0;
}

} // namespace

void OutputLines::append(OutputChunk::Stream stream, const QByteArray &bytes)
{
    m_received += bytes.size();
    const QByteArrayView all(bytes);
    qsizetype begin = 0;
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (all[i] != '\n' && all[i] != '\r')
            continue;
        addText(stream, all.sliced(begin, i - begin));
        begin = i + 1;
        if (all[i] == '\n')
            endLine(stream);
        else if (openLine(stream))
            m_open[size_t(stream)].startsOver = true;
    }
    addText(stream, all.sliced(begin));
    trim();
}

OutputLines::Line *OutputLines::openLine(OutputChunk::Stream stream)
{
    const qint64 number = m_open[size_t(stream)].number;
    const bool isHere = number >= 0 && (number < headEnd() || number >= m_tailBegin);
    return isHere ? &lineRef(number) : nullptr;
}

OutputLines::Line &OutputLines::lineRef(qint64 number)
{
    return number < headEnd() ? m_head[size_t(number)] : m_tail[size_t(number - m_tailBegin)];
}

OutputLines::Line &OutputLines::beginLine(OutputChunk::Stream stream)
{
    m_open[size_t(stream)] = {end(), false};
    const bool goesToHead = m_tail.empty() && headEnd() < m_limits.headLines && m_headBytes < m_limits.headBytes;
    if (!goesToHead)
        return m_tail.emplace_back(Line{stream, {}});
    ++m_tailBegin;
    return m_head.emplace_back(Line{stream, {}});
}

void OutputLines::addText(OutputChunk::Stream stream, QByteArrayView text)
{
    Open &open = m_open[size_t(stream)];
    while (!text.isEmpty()) {
        Line *line = openLine(stream);
        if (!line)
            line = &beginLine(stream);
        qint64 &total = open.number < headEnd() ? m_headBytes : m_tailBytes;
        if (open.startsOver) {
            total -= line->bytes.size();
            line->bytes.clear();
            open.startsOver = false;
        }
        const qsizetype room = OutputBuffer::longestLine - line->bytes.size();
        qsizetype taken = std::min(room, text.size());
        if (taken == room && taken < text.size())
            taken -= unfinishedTail(text.first(taken));
        line->bytes.append(text.first(taken));
        total += taken;
        noteChange(open.number);
        text = text.sliced(taken);
        if (!text.isEmpty())
            open = {};
    }
}

void OutputLines::endLine(OutputChunk::Stream stream)
{
    Open &open = m_open[size_t(stream)];
    if (!openLine(stream))
        beginLine(stream);
    noteChange(open.number); // a held back unfinished character is shown now
    open = {};
    trim();
}

/// Only of lines that somebody may have seen: a flood between two looks must not pile up notes.
void OutputLines::noteChange(qint64 number)
{
    if (number < m_toldEnd)
        m_changed.insert(number);
}

void OutputLines::trim()
{
    while (m_tail.size() > 1 && (qsizetype(m_tail.size()) > m_limits.tailLines || m_tailBytes > m_limits.tailBytes)) {
        m_tailBytes -= m_tail.front().bytes.size();
        m_dropped += m_tail.front().bytes.size() + 1;
        m_tail.pop_front();
        ++m_tailBegin;
    }
}

OutputLine OutputLines::line(qint64 number) const
{
    const Line &line = number < headEnd() ? m_head[size_t(number)] : m_tail[size_t(number - m_tailBegin)];
    const bool isOpen = m_open[size_t(line.stream)].number == number;
    const qsizetype held = isOpen ? unfinishedTail(line.bytes) : 0;
    return {line.stream, false, shownText(line.bytes.chopped(held), Lines::Keep)};
}

qint64 OutputLines::bytesUsed() const
{
    const qint64 lines = qint64(m_head.capacity() + m_tail.size());
    return lines * qint64(sizeof(Line) + 24) + m_headBytes + m_tailBytes;
}

std::set<qint64> OutputLines::takeChanged()
{
    m_toldEnd = end();
    return std::exchange(m_changed, {});
}

} // namespace ym
