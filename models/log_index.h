// Where the rows of a file begin, without keeping every one of them.
#pragma once

#include "models/text_lines.h"

#include <QByteArray>
#include <QFile>

#include <atomic>
#include <memory>
#include <vector>

namespace ym {

/// Reads a file that may grow, shrink or go away meanwhile: never mapped, because a mapping of a file that is cut kills the
/// process. Any thread.
class LogFile {
public:
    explicit LogFile(std::shared_ptr<QFile> file)
        : m_file(std::move(file))
    {
    }
    /// Bytes now; 0 when it cannot be said.
    qint64 size() const;
    /// At most `length` bytes; fewer at the end.
    QByteArray read(qint64 offset, qint64 length) const;
    /// The same into bytes whose memory is used again: new memory for each block costs more than its reading.
    void read(qint64 offset, qint64 length, QByteArray *into) const;

private:
    std::shared_ptr<QFile> m_file;
};

/// Where a row begins, and the how many-eth it is.
struct LogPlace {
    qint64 offset = 0;
    qint64 row = 0;
};

/// The rows of a part of a file: their number, and of every 128th the offset and the style with which it
/// begins. 1/16 byte for a row of text. A plain value.
class LogIndex {
public:
    static constexpr qint64 step = 128;

    /// `style` is that of the first character.
    explicit LogIndex(qint64 begin = 0, TextStyle style = {})
        : m_end(begin)
        , m_style(style)
    {
    }

    /// Goes through the bytes from end() to `until`. Rows that are over are counted; with `isWhole` what is behind the last
    /// of them is a row too. Ends early when `cancelled` is set; false then.
    bool scan(const LogFile &file, qint64 until, bool isWhole, const std::atomic_bool &cancelled);
    qint64 rows() const { return m_rows; }
    /// Where the first row begins that is not counted.
    qint64 end() const { return m_end; }
    /// Offset of row `number` * step.
    qint64 checkpoint(qint64 number) const { return m_checkpoints[size_t(number)]; }
    /// How its first character is drawn: what an escape sequence turns on holds until another turns it off.
    TextStyle styleAt(qint64 number) const;
    /// How the character at end() is drawn.
    TextStyle style() const { return m_style; }
    qint64 checkpoints() const { return qint64(m_checkpoints.size()); }

private:
    void addCheckpoint(qint64 offset);

    struct StyleChange {
        qint64 checkpoint; ///< from which on it holds
        TextStyle style;
    };

    std::vector<qint64> m_checkpoints;
    std::vector<StyleChange> m_styles; ///< ascending; most files have none
    qint64 m_rows = 0;
    qint64 m_end;
    TextStyle m_style;
};

} // namespace ym
