// Where the rows of a file begin, without keeping every one of them.
#pragma once

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

private:
    std::shared_ptr<QFile> m_file;
};

/// The rows of a part of a file: their number, and the offset of every 128th. 1/16 byte for a row of text. A plain value.
class LogIndex {
public:
    static constexpr qint64 step = 128;

    explicit LogIndex(qint64 begin = 0)
        : m_end(begin)
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
    qint64 checkpoints() const { return qint64(m_checkpoints.size()); }

private:
    std::vector<qint64> m_checkpoints;
    qint64 m_rows = 0;
    qint64 m_end;
};

} // namespace ym
