#include "models/log_index.h"

#include "models/row_split.h"
#include "models/styled_text.h"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace ym {

namespace {

constexpr qint64 blockBytes = 1 << 20;

} // namespace

qint64 LogFile::size() const
{
    struct stat about { };
    return m_file && fstat(m_file->handle(), &about) == 0 ? qint64(about.st_size) : 0;
}

QByteArray LogFile::read(qint64 offset, qint64 length) const
{
    QByteArray bytes;
    read(offset, length, &bytes);
    return bytes;
}

void LogFile::read(qint64 offset, qint64 length, QByteArray *into) const
{
    into->resize(std::max<qint64>(0, length));
    qint64 got = 0;
    while (got < into->size()) {
        const ssize_t n = pread(m_file->handle(), into->data() + got, size_t(into->size() - got), offset + got);
        if (n <= 0)
            break;
        got += n;
    }
    into->truncate(got);
}

bool LogIndex::scan(const LogFile &file, qint64 until, bool isWhole, const std::atomic_bool &cancelled)
{
    QByteArray block;
    while (m_end < until) {
        if (cancelled)
            return false;
        file.read(m_end, std::min(blockBytes, until - m_end), &block);
        const bool isLast = m_end + block.size() >= until || block.isEmpty();
        const QByteArrayView view(block);
        qsizetype at = 0;
        qsizetype styled = 0; // up to here m_style is known
        while (at < view.size()) {
            const Row row = rowAt(view, at);
            const bool isOver = row.next < view.size() || view[row.next - 1] == '\n' || (isLast && isWhole);
            if (!isOver)
                break;
            if (m_rows % step == 0) {
                advanceStyleOverRows(view.sliced(styled, at - styled), m_style);
                styled = at;
                addCheckpoint(m_end + at);
            }
            ++m_rows;
            at = row.next;
        }
        advanceStyleOverRows(view.sliced(styled, at - styled), m_style);
        m_end += at;
        if (isLast || at == 0) // the end, or it was cut meanwhile
            break;
    }
    return true;
}

void LogIndex::addCheckpoint(qint64 offset)
{
    const TextStyle before = m_styles.empty() ? TextStyle() : m_styles.back().style;
    if (m_style != before)
        m_styles.push_back({checkpoints(), m_style});
    m_checkpoints.push_back(offset);
}

TextStyle LogIndex::styleAt(qint64 number) const
{
    const auto later = std::upper_bound(m_styles.begin(), m_styles.end(), number,
                                        [](qint64 wanted, const StyleChange &change) { return wanted < change.checkpoint; });
    return later == m_styles.begin() ? TextStyle() : std::prev(later)->style;
}

} // namespace ym
