// A log file as lines, of any size, while it grows.
#pragma once

#include "core/engine/session.h"
#include "models/log_index.h"
#include "models/text_lines.h"

#include <QFuture>

#include <array>

namespace ym {

/// The end of a large file is there at once; what lies before it follows when it has been gone through in the background,
/// with linesPrepended(). A line over 4096 bytes is continued on the next. A carriage return starts a line over. Colours
/// are shown, and hold from line to line until they are turned off; before the whole file has been gone through, those
/// that were turned on before its end are not known. Bytes that are no UTF-8 are shown as such. GUI thread.
class LogLines final : public TextLines {
    Q_OBJECT
public:
    explicit LogLines(QObject *parent = nullptr);
    ~LogLines() override;

    /// Shows another file; null = none.
    void open(const OpenLog &log);
    /// Looks whether it grew or was cut. Cheap: call it often.
    void look();

    bool isOpen() const { return bool(m_log.file); }
    quint64 inode() const { return m_log.inode; }
    std::shared_ptr<QFile> file() const { return m_log.file; }
    qint64 fileSize() const { return m_size; }
    /// False while the part before the end is being gone through.
    bool isComplete() const { return m_isComplete; }

    qint64 lineCount() const override;
    StyledText styledLine(qint64 line) const override;
    /// The last known beginning of a row at or before this line; the beginning of the file while that is unknown.
    LogPlace placeBefore(qint64 line) const;

Q_SIGNALS:
    /// Size or completeness.
    void extentChanged();

private:
    struct Scan;
    struct Block {
        qint64 number = -1; ///< of the checkpoint, counted over both parts
        QByteArray bytes;
        std::vector<qsizetype> rows; ///< where each begins
        std::vector<TextStyle> styles; ///< with which each begins
    };
    void start();
    void scanFront(qint64 until);
    void restyleBack(LogIndex back);
    void follow(qint64 size);
    void takeBack(const LogIndex &back, qint64 size);
    const Block &block(qint64 number) const;
    qint64 openRows() const { return m_back.end() < m_size ? 1 : 0; }

    OpenLog m_log;
    qint64 m_size = 0;
    LogIndex m_front; ///< what lies before the end that is shown at once
    LogIndex m_back;
    bool m_isComplete = true;
    bool m_isScanningBack = false;
    std::shared_ptr<std::atomic_bool> m_cancelled;
    mutable std::array<Block, 4> m_blocks;
    mutable size_t m_nextBlock = 0;
};

/// What a row of a log shows. `style` is that of its first character and, after the call, of what follows.
StyledText shownLogRow(QByteArrayView row, TextStyle &style);

} // namespace ym
