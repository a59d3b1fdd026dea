#include "models/output_lines.h"

#include "models/row_split.h"
#include "models/styled_text.h"

#include <algorithm>

namespace ym {

namespace {

constexpr qsizetype manyBytes = 64 * 1024;

/// Behind the line feed of the `count`th line; the end when there are fewer.
qsizetype endOfLines(QByteArrayView bytes, qsizetype count)
{
    qsizetype at = 0;
    while (count-- > 0) {
        const qsizetype feed = bytes.indexOf('\n', at);
        if (feed < 0)
            return bytes.size();
        at = feed + 1;
    }
    return at;
}

/// Where the last `count` lines begin; 0 when there are fewer.
qsizetype startOfLastLines(QByteArrayView bytes, qsizetype count)
{
    qsizetype at = bytes.size();
    for (; count >= 0 && at > 0; --count)
        at = bytes.first(at - 1).lastIndexOf('\n') + 1;
    return at;
}

} // namespace

void OutputLines::append(const OutputChunk &chunk)
{
    if (chunk.skipped > 0)
        skip(chunk.skipped);
    m_received += chunk.bytes.size();
    Reading &reading = m_reading[size_t(chunk.stream)];
    const JobProgress before = reading.progress.progress();
    addBytes(chunk.stream, reading.filter.feed(reading.progress.feed(chunk.bytes)));
    if (reading.progress.progress() != before)
        m_progress = reading.progress.progress();
}

void OutputLines::flush()
{
    for (const auto stream : {OutputChunk::Stream::Out, OutputChunk::Stream::Err})
        addBytes(stream, m_reading[size_t(stream)].progress.flush());
}

/// Of more lines than can be kept at once, those in the middle are only counted.
void OutputLines::addBytes(OutputChunk::Stream stream, const QByteArray &bytes)
{
    const QByteArrayView all(bytes);
    const bool isHeadOpen = m_tail.empty() && !hasGap();
    const qsizetype forHead = isHeadOpen ? std::max<qsizetype>(1, m_limits.headLines - headEnd()) : 1;
    const qsizetype first = all.size() > manyBytes ? endOfLines(all, forHead) : all.size();
    const qsizetype last = all.size() > manyBytes ? startOfLastLines(all, m_limits.tailLines) : 0;
    if (last <= first)
        return addLines(stream, all);
    addLines(stream, all.first(first));
    drop(stream, all.sliced(first, last - first));
    addLines(stream, all.sliced(last));
}

void OutputLines::drop(OutputChunk::Stream stream, QByteArrayView bytes)
{
    m_dropped += m_tailBytes + qint64(m_tail.size()) + bytes.size();
    m_tailBegin += qint64(m_tail.size()) + qint64(std::count(bytes.begin(), bytes.end(), '\n'));
    m_tail.clear();
    m_tailBytes = 0;
    advanceStyle(bytes, m_reading[size_t(stream)].style);
}

void OutputLines::addLines(OutputChunk::Stream stream, QByteArrayView all)
{
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

/// The tail is what came last without a gap: it begins anew.
void OutputLines::skip(qint64 bytes)
{
    m_received += bytes;
    m_dropped += m_tailBytes + qint64(m_tail.size()) + bytes;
    m_tailBegin += qint64(m_tail.size()) + 1;
    m_tail.clear();
    m_tailBytes = 0;
    m_open = {};
    m_reading = {};
    m_wasSkipped = true;
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
    const bool goesToHead = m_tail.empty() && !hasGap() && headEnd() < m_limits.headLines && m_headBytes < m_limits.headBytes;
    if (!goesToHead)
        return m_tail.emplace_back(Line{stream, m_reading[size_t(stream)].style, {}});
    ++m_tailBegin;
    return m_head.emplace_back(Line{stream, m_reading[size_t(stream)].style, {}});
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
            advanceStyle(line->bytes, m_reading[size_t(stream)].style);
            line->style = m_reading[size_t(stream)].style;
            line->bytes.clear();
            open.startsOver = false;
        }
        const qsizetype room = OutputBuffer::longestLine - line->bytes.size();
        qsizetype taken = std::min(room, text.size());
        if (taken == room && taken < text.size())
            taken -= unfinishedAtCut(text.first(taken));
        line->bytes.append(text.first(taken));
        total += taken;
        noteChange(open.number);
        text = text.sliced(taken);
        if (!text.isEmpty()) {
            advanceStyle(line->bytes, m_reading[size_t(stream)].style);
            open = {};
        }
    }
}

void OutputLines::endLine(OutputChunk::Stream stream)
{
    Open &open = m_open[size_t(stream)];
    if (!openLine(stream))
        beginLine(stream);
    advanceStyle(openLine(stream)->bytes, m_reading[size_t(stream)].style);
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

StyledText OutputLines::line(qint64 number) const
{
    const Line &line = number < headEnd() ? m_head[size_t(number)] : m_tail[size_t(number - m_tailBegin)];
    const bool isOpen = m_open[size_t(line.stream)].number == number;
    const qsizetype held = isOpen ? unfinishedTail(line.bytes) : 0;
    TextStyle style = line.style;
    StyledText shown = styledText(QByteArrayView(line.bytes).chopped(held), style);
    shown.kind = line.stream == OutputChunk::Stream::Err ? StyledText::Kind::Error : StyledText::Kind::Normal;
    return shown;
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
