#include "models/log_lines.h"

#include "core/base/terminal_filter.h"
#include "core/base/when_ready.h"
#include "models/row_split.h"
#include "models/styled_text.h"

#include <QtConcurrent>

namespace ym {

namespace {

constexpr qint64 tailBytes = 1 << 20; ///< there at once
constexpr qint64 mostAtOnce = 2 << 20; ///< bytes that are gone through in the GUI thread: about a millisecond

} // namespace

StyledText shownLogRow(QByteArrayView row, TextStyle &style)
{
    while (row.endsWith('\r'))
        row.chop(1);
    if (const qsizetype back = row.lastIndexOf('\r'); back >= 0) {
        advanceStyleOverRows(row.first(back), style);
        row = row.sliced(back + 1);
    }
    return styledText(TerminalFilter().feed(row.toByteArray()), style);
}

LogLines::LogLines(QObject *parent)
    : TextLines(parent)
    , m_cancelled(std::make_shared<std::atomic_bool>(false))
{
}

LogLines::~LogLines()
{
    *m_cancelled = true; // what still runs has a share of the file
}

void LogLines::open(const OpenLog &log)
{
    m_log = log;
    start();
}

void LogLines::start()
{
    *m_cancelled = true;
    m_cancelled = std::make_shared<std::atomic_bool>(false);
    m_blocks = {};
    m_front = LogIndex();
    m_back = LogIndex();
    m_isComplete = true;
    m_isScanningBack = false;
    m_size = m_log.file ? LogFile(m_log.file).size() : 0;
    qint64 begin = 0;
    if (m_size > tailBytes + mostAtOnce) {
        const QByteArray tail = LogFile(m_log.file).read(m_size - tailBytes, tailBytes);
        const qsizetype feed = tail.indexOf('\n');
        // One line that is longer than the tail: then everything must be gone through first.
        begin = feed >= 0 ? m_size - tailBytes + feed + 1 : m_size;
        m_isComplete = false;
    }
    m_back = LogIndex(begin);
    if (m_log.file)
        m_back.scan(LogFile(m_log.file), m_size, false, *m_cancelled);
    Q_EMIT restarted();
    Q_EMIT extentChanged();
    if (!m_isComplete)
        scanFront(begin);
}

void LogLines::scanFront(qint64 until)
{
    struct Parts {
        LogIndex front;
        std::optional<LogIndex> back;
    };
    const auto scanned = QtConcurrent::run([file = m_log.file, until, size = m_size, cancelled = m_cancelled] {
        Parts parts;
        parts.front.scan(LogFile(file), until, true, *cancelled);
        if (parts.front.style() != TextStyle()) { // then the end does not look as it was taken for
            parts.back = LogIndex(until, parts.front.style());
            parts.back->scan(LogFile(file), size, false, *cancelled);
        }
        return parts;
    });
    whenReady(scanned, this, [this, cancelled = m_cancelled](const Parts &parts) {
        if (*cancelled)
            return;
        m_front = parts.front;
        if (parts.back)
            restyleBack(*parts.back);
        m_blocks = {};
        m_isComplete = true;
        Q_EMIT linesPrepended(m_front.rows());
        if (parts.back && lineCount() > m_front.rows())
            Q_EMIT linesChanged(m_front.rows(), lineCount() - 1);
        Q_EMIT extentChanged();
    });
}

/// The same rows with other styles; the file may have grown meanwhile.
void LogLines::restyleBack(LogIndex back)
{
    const qint64 known = m_back.end();
    back.scan(LogFile(m_log.file), std::max(known, back.end()), false, *m_cancelled);
    if (back.end() == known)
        m_back = back;
}

void LogLines::look()
{
    if (!m_log.file || m_isScanningBack)
        return;
    const qint64 size = LogFile(m_log.file).size();
    if (size < m_size)
        start(); // it was cut
    else if (size > m_size)
        follow(size);
}

void LogLines::follow(qint64 size)
{
    if (size - m_back.end() <= mostAtOnce) {
        LogIndex back = m_back;
        back.scan(LogFile(m_log.file), size, false, *m_cancelled);
        takeBack(back, size);
        return;
    }
    m_isScanningBack = true;
    const auto scanned = QtConcurrent::run([file = m_log.file, back = m_back, size, cancelled = m_cancelled]() mutable {
        back.scan(LogFile(file), size, false, *cancelled);
        return back;
    });
    whenReady(scanned, this, [this, size, cancelled = m_cancelled](const LogIndex &back) {
        if (*cancelled)
            return;
        m_isScanningBack = false;
        takeBack(back, size);
    });
}

void LogLines::takeBack(const LogIndex &back, qint64 size)
{
    const qint64 before = lineCount();
    const bool hadOpen = openRows() > 0;
    m_back = back;
    m_size = size;
    m_blocks = {};
    if (hadOpen)
        Q_EMIT linesChanged(before - 1, before - 1);
    if (lineCount() > before)
        Q_EMIT linesAppended(before, lineCount() - before);
    Q_EMIT extentChanged();
}

qint64 LogLines::lineCount() const
{
    return m_front.rows() + m_back.rows() + openRows();
}

const LogLines::Block &LogLines::block(qint64 number) const
{
    for (const Block &known : m_blocks) {
        if (known.number == number)
            return known;
    }
    Block &fresh = m_blocks[m_nextBlock++ % m_blocks.size()];
    fresh = {number, {}, {}, {}};
    const bool isFront = number < m_front.checkpoints();
    const LogIndex &part = isFront ? m_front : m_back;
    const qint64 own = isFront ? number : number - m_front.checkpoints();
    const bool isLast = own + 1 >= part.checkpoints();
    const qint64 begin = own < part.checkpoints() ? part.checkpoint(own) : part.end();
    const qint64 end = !isLast ? part.checkpoint(own + 1) : isFront ? part.end() : m_size;
    fresh.bytes = LogFile(m_log.file).read(begin, end - begin);
    TextStyle style = own < part.checkpoints() ? part.styleAt(own) : part.style();
    for (qsizetype at = 0; at < fresh.bytes.size() && qint64(fresh.rows.size()) <= LogIndex::step;) {
        fresh.rows.push_back(at);
        fresh.styles.push_back(style);
        const qsizetype next = rowAt(fresh.bytes, at).next;
        advanceStyleOverRows(QByteArrayView(fresh.bytes).sliced(at, next - at), style);
        at = next;
    }
    return fresh;
}

LogPlace LogLines::placeBefore(qint64 line) const
{
    if (!m_isComplete || line < 0)
        return {};
    const bool isFront = line < m_front.rows();
    const LogIndex &part = isFront ? m_front : m_back;
    const qint64 before = isFront ? 0 : m_front.rows();
    const qint64 number = std::min((line - before) / LogIndex::step, part.checkpoints() - 1);
    return number < 0 ? LogPlace() : LogPlace{part.checkpoint(number), before + number * LogIndex::step};
}

StyledText LogLines::styledLine(qint64 line) const
{
    if (line < 0 || line >= lineCount() || !m_log.file)
        return {};
    const bool isFront = line < m_front.rows();
    const qint64 own = isFront ? line : line - m_front.rows();
    const qint64 number = own / LogIndex::step + (isFront ? 0 : m_front.checkpoints());
    const Block &content = block(number);
    const auto within = size_t(own % LogIndex::step);
    if (within >= content.rows.size())
        return {}; // cut meanwhile
    const qsizetype start = content.rows[within];
    TextStyle style = content.styles[within];
    return shownLogRow(QByteArrayView(content.bytes).sliced(start, rowAt(content.bytes, start).end - start), style);
}

} // namespace ym
