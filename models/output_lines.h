// Turns the bytes of two streams into numbered lines and keeps the head and the newest of them.
#pragma once

#include "core/base/terminal_filter.h"
#include "models/output_buffer.h"

#include <array>
#include <deque>
#include <set>
#include <vector>

namespace ym {

/// The part of OutputBuffer without signals. Lines are numbered from 0 in the order they begin; the head is
/// [0, headEnd), the tail [tailBegin, end), and what lies between was dropped.
class OutputLines {
public:
    explicit OutputLines(OutputBuffer::Limits limits)
        : m_limits(limits)
    {
    }

    void append(const OutputChunk &chunk);
    /// Shows what was held back because more of it might have come.
    void flush();

    qint64 headEnd() const { return qint64(m_head.size()); }
    qint64 tailBegin() const { return m_tailBegin; }
    qint64 end() const { return m_tailBegin + qint64(m_tail.size()); }
    bool hasGap() const { return m_tailBegin > headEnd(); }
    /// `number` must be in the head or in the tail.
    StyledText line(qint64 number) const;

    qint64 receivedBytes() const { return m_received; }
    qint64 droppedBytes() const { return m_dropped; }
    /// Some of it was left out before it came here: then nobody knows how many lines are missing.
    bool wasSkipped() const { return m_wasSkipped; }
    const JobProgress &progress() const { return m_progress; }
    qint64 bytesUsed() const;
    /// Numbers of lines that had been there at the last call and have another text now.
    std::set<qint64> takeChanged();

private:
    struct Line {
        OutputChunk::Stream stream = OutputChunk::Stream::Out;
        TextStyle style; ///< of its first character
        QByteArray bytes;
    };
    /// What a stream is in the middle of.
    struct Reading {
        ProgressLines progress;
        TerminalFilter filter;
        TextStyle style; ///< behind the last line that is over
    };
    /// The line of a stream that has no end yet.
    struct Open {
        qint64 number = -1;
        bool startsOver = false; ///< a carriage return came; what follows replaces the line
    };

    void addBytes(OutputChunk::Stream stream, const QByteArray &bytes);
    void addLines(OutputChunk::Stream stream, QByteArrayView all);
    void drop(OutputChunk::Stream stream, QByteArrayView bytes);
    void skip(qint64 bytes);
    Line *openLine(OutputChunk::Stream stream);
    Line &beginLine(OutputChunk::Stream stream);
    void addText(OutputChunk::Stream stream, QByteArrayView text);
    void endLine(OutputChunk::Stream stream);
    Line &lineRef(qint64 number);
    void noteChange(qint64 number);
    void trim();

    OutputBuffer::Limits m_limits;
    std::vector<Line> m_head;
    std::deque<Line> m_tail;
    std::array<Open, 2> m_open;
    std::array<Reading, 2> m_reading;
    JobProgress m_progress;
    bool m_wasSkipped = false;
    std::set<qint64> m_changed;
    qint64 m_toldEnd = 0; ///< end() at the last takeChanged()
    qint64 m_tailBegin = 0;
    qint64 m_headBytes = 0;
    qint64 m_tailBytes = 0;
    qint64 m_received = 0;
    qint64 m_dropped = 0;
};

} // namespace ym
