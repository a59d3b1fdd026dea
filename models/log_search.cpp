#include "models/log_search.h"

#include "models/log_lines.h"
#include "models/row_split.h"

#include <QStringDecoder>
#include <QThreadPool>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace ym {

namespace {

constexpr qint64 blockBytes = 256 * 1024;
constexpr std::chrono::milliseconds gatherInterval{50};

bool holds(QByteArrayView bytes, char c)
{
    return std::memchr(bytes.data(), c, size_t(bytes.size())) != nullptr;
}

} // namespace

struct LogSearch::Work {
    LogFile file;
    qint64 size = 0;
    QRegularExpression row; ///< of one row
    QRegularExpression block; ///< of many
    std::atomic_bool isCancelled = false;

    qint64 next = 0; ///< row number; of the worker alone
    std::mutex mutex;
    std::vector<qint64> found; ///< since the last look; likewise below
    qint64 count = 0;
    qint64 done = 0;
    bool isOver = false;
};

QRegularExpression LogSearch::expressionOf(const Query &query)
{
    const QString pattern =
        query.kind == Query::Kind::Expression ? query.text : QRegularExpression::escape(query.text);
    QRegularExpression::PatternOptions options = QRegularExpression::UseUnicodePropertiesOption;
    if (query.caseSensitivity == Qt::CaseInsensitive)
        options |= QRegularExpression::CaseInsensitiveOption;
    return QRegularExpression(QStringLiteral("(*LIMIT_MATCH=100000)") + pattern, options);
}

LogSearch::LogSearch(QObject *parent)
    : QObject(parent)
{
    m_poll.setInterval(gatherInterval);
    connect(&m_poll, &QTimer::timeout, this, &LogSearch::gather);
}

LogSearch::~LogSearch()
{
    cancel();
}

void LogSearch::start(std::shared_ptr<QFile> file, qint64 size, const QRegularExpression &expression)
{
    clear();
    if (!file || !expression.isValid())
        return;
    QRegularExpression block = expression;
    block.setPatternOptions(expression.patternOptions() | QRegularExpression::MultilineOption);
    m_work = std::shared_ptr<Work>(new Work{LogFile(std::move(file)), size, expression, block, {}, 0, {}, {}, 0, 0, false});
    m_poll.start();
    QThreadPool::globalInstance()->start([job = m_work] { work(job); });
    Q_EMIT changed();
}

void LogSearch::cancel()
{
    if (!m_work)
        return;
    m_work->isCancelled = true;
    m_work.reset();
    m_poll.stop();
    Q_EMIT changed();
}

void LogSearch::clear()
{
    cancel();
    m_rows.clear();
    m_count = 0;
    m_percent = 0;
    Q_EMIT changed();
}

void LogSearch::work(const std::shared_ptr<Work> &job)
{
    qint64 at = 0;
    while (at < job->size && !job->isCancelled) {
        const QByteArray block = job->file.read(at, std::min(blockBytes, job->size - at));
        const bool isLast = block.isEmpty() || at + block.size() >= job->size;
        // Up to the last line end, so that no row is looked at in two parts; rows are shorter than a block.
        const qsizetype feed = block.lastIndexOf('\n');
        qsizetype end = isLast ? block.size() : feed + 1;
        if (end == 0) {
            while (end < block.size() - longestRow)
                end = rowAt(block, end).next;
        }
        if (end == 0)
            break; // it was cut meanwhile
        searchBlock(*job, block, end);
        at += end;
        const std::lock_guard lock(job->mutex);
        job->done = at;
        if (isLast)
            break;
    }
    const std::lock_guard lock(job->mutex);
    job->isOver = true;
}

/// A block without a match is only counted; most are.
void LogSearch::searchBlock(Work &job, const QByteArray &block, qsizetype end)
{
    const QByteArrayView view = QByteArrayView(block).first(end);
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(view);
    const bool isPlain = !decoder.hasError() && !holds(view, '\x1b') && !holds(view, '\r');
    const QRegularExpressionMatch whole = isPlain ? job.block.match(text) : QRegularExpressionMatch();
    const bool mayMatch = !isPlain || whole.hasMatch() || !whole.isValid();
    std::vector<qint64> found;
    for (qsizetype at = 0; at < end && !job.isCancelled; ++job.next) {
        const Row row = rowAt(view, at);
        if (mayMatch && job.row.match(shownLogRow(block.mid(at, row.end - at)).text).hasMatch())
            found.push_back(job.next);
        at = row.next;
    }
    if (found.empty())
        return;
    const std::lock_guard lock(job.mutex);
    job.count += qint64(found.size());
    job.found.insert(job.found.end(), found.begin(), found.end());
}

void LogSearch::gather()
{
    if (!m_work)
        return;
    bool isOver = false;
    {
        const std::lock_guard lock(m_work->mutex);
        const size_t room = mostKept - std::min(mostKept, m_rows.size());
        const size_t taken = std::min(room, m_work->found.size());
        m_rows.insert(m_rows.end(), m_work->found.begin(), m_work->found.begin() + std::ptrdiff_t(taken));
        m_work->found.clear();
        m_count = m_work->count;
        m_percent = m_work->size > 0 ? int(m_work->done * 100 / m_work->size) : 100;
        isOver = m_work->isOver;
    }
    if (isOver) {
        m_work.reset();
        m_poll.stop();
    }
    Q_EMIT changed();
}

qint64 LogSearch::after(qint64 row) const
{
    const auto found = std::upper_bound(m_rows.begin(), m_rows.end(), row);
    return found == m_rows.end() ? -1 : *found;
}

qint64 LogSearch::before(qint64 row) const
{
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), row);
    return found == m_rows.begin() ? -1 : *(found - 1);
}

} // namespace ym
