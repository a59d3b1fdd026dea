#include "models/log_search.h"

#include "models/line_expression.h"
#include "models/log_lines.h"
#include "models/row_split.h"

#include <QStringDecoder>
#include <QThreadPool>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

namespace ym {

namespace {

constexpr qint64 blockBytes = 128 * 1024;
constexpr std::chrono::milliseconds gatherInterval{50};

qint64 lineFeeds(QStringView text)
{
    return std::count(text.utf16(), text.utf16() + text.size(), u'\n');
}

bool hasLongRow(QByteArrayView bytes)
{
    for (qsizetype at = 0; at < bytes.size();) {
        const void *const found = std::memchr(bytes.data() + at, '\n', size_t(bytes.size() - at));
        const qsizetype end = found ? static_cast<const char *>(found) - bytes.data() : bytes.size();
        if (end - at > longestRow)
            return true;
        at = end + 1;
    }
    return false;
}

/// Whether there are characters of ASCII that are not shown as they are.
bool hasControls(QByteArrayView bytes)
{
    bool has = false;
    for (const char c : bytes) // to the end: so the processor looks at many at once
        has |= (uchar(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    return has;
}

/// Whether there may be others.
bool mayBeHidden(QStringView text)
{
    for (qsizetype at = 0; at < text.size(); ++at) {
        char32_t c = text[at].unicode();
        if (c < 0x80)
            continue;
        if (QChar::isHighSurrogate(c) && at + 1 < text.size()) {
            ++at;
            c = QChar::surrogateToUcs4(char16_t(c), text[at].unicode());
        }
        const QChar::Category category = QChar::category(c);
        if (category >= QChar::Other_Control && category <= QChar::Other_NotAssigned)
            return true;
        if (category == QChar::Separator_Line || category == QChar::Separator_Paragraph)
            return true;
    }
    return false;
}

} // namespace

struct LogSearch::Work {
    Work(LogFile theFile, qint64 theSize, LogPlace from, const QRegularExpression &expression)
        : file(std::move(theFile))
        , size(theSize)
        , begin(from)
        , row(expression)
        , manyRows(acrossLines(expression))
    {
    }

    void run();
    /// False when it was given up, or the file was cut meanwhile.
    bool searchPart(LogPlace from, qint64 until);
    void searchBlock(QByteArrayView block);
    void searchPlain(const QString &text);
    bool searchAcross(const QString &text);
    void searchRows(QByteArrayView block);
    void pass(qint64 bytes);

    LogFile file;
    qint64 size;
    LogPlace begin;
    QRegularExpression row; ///< of one row
    std::optional<QRegularExpression> manyRows; ///< the same of many at once
    std::atomic_bool isCancelled = false;

    qint64 next = 0; ///< row number; of the worker alone, likewise the next two
    std::vector<qint64> hits; ///< of the block
    bool isEarly = false; ///< before the place where it began

    std::mutex mutex;
    std::array<std::vector<qint64>, 2> found; ///< since the last look, early ones second; likewise below
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

void LogSearch::start(std::shared_ptr<QFile> file, qint64 size, const QRegularExpression &expression, LogPlace from)
{
    clear();
    if (!file || !expression.isValid())
        return;
    if (from.offset >= size)
        from = {};
    m_work = std::make_shared<Work>(LogFile(std::move(file)), size, from, expression);
    m_poll.start();
    QThreadPool::globalInstance()->start([job = m_work] { job->run(); });
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
    m_early = 0;
    m_count = 0;
    m_percent = 0;
    Q_EMIT changed();
}

void LogSearch::Work::run()
{
    const bool isWhole = searchPart(begin, size);
    isEarly = true;
    if (isWhole)
        searchPart({}, begin.offset);
    const std::lock_guard lock(mutex);
    isOver = true;
}

bool LogSearch::Work::searchPart(LogPlace from, qint64 until)
{
    next = from.row;
    QByteArray block;
    for (qint64 at = from.offset; at < until;) {
        if (isCancelled)
            return false;
        file.read(at, std::min(blockBytes, until - at), &block);
        const bool isLast = at + block.size() >= until;
        // Up to the last line end, so that no row is looked at in two parts; rows are shorter than a block.
        qsizetype end = isLast ? block.size() : block.lastIndexOf('\n') + 1;
        if (end == 0) {
            while (end < block.size() - longestRow)
                end = rowAt(block, end).next;
        }
        if (end == 0)
            return false;
        searchBlock(QByteArrayView(block).first(end));
        pass(end);
        at += end;
    }
    return true;
}

void LogSearch::Work::pass(qint64 bytes)
{
    const std::lock_guard lock(mutex);
    done += bytes;
    count += qint64(hits.size());
    std::vector<qint64> &kept = found[isEarly];
    kept.insert(kept.end(), hits.begin(), hits.end());
    hits.clear();
}

/// What is shown as it stands is searched as it stands; the rest row by row, as it is shown.
void LogSearch::Work::searchBlock(QByteArrayView block)
{
    if (hasLongRow(block) || hasControls(block))
        return searchRows(block);
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(block);
    if (decoder.hasError() || (text.size() < block.size() && mayBeHidden(text)))
        return searchRows(block);
    const qint64 first = next;
    if (!manyRows || !searchAcross(text)) {
        hits.clear();
        next = first;
        searchPlain(text);
    }
}

/// From match to match; false when the expression gives up.
bool LogSearch::Work::searchAcross(const QString &text)
{
    const QStringView view(text);
    qsizetype at = 0; // where row number `next` begins
    while (at < view.size() && !isCancelled) {
        const QRegularExpressionMatch match =
            manyRows->match(text, at, QRegularExpression::NormalMatch,
                            QRegularExpression::DontCheckSubjectStringMatchOption);
        if (!match.isValid())
            return false;
        if (!match.hasMatch())
            break;
        const qsizetype start = match.capturedStart();
        if (start >= view.size() && view.back() == u'\n')
            break; // behind the last line end no row begins
        next += lineFeeds(view.sliced(at, start - at));
        hits.push_back(next);
        const qsizetype feed = view.indexOf(u'\n', start);
        at = feed < 0 ? view.size() : feed + 1;
        ++next;
    }
    const QStringView rest = view.sliced(at);
    next += lineFeeds(rest) + (!rest.isEmpty() && rest.back() != u'\n');
    return true;
}

void LogSearch::Work::searchPlain(const QString &text)
{
    const QStringView view(text);
    for (qsizetype at = 0; at < view.size() && !isCancelled; ++next) {
        const qsizetype feed = view.indexOf(u'\n', at);
        const qsizetype end = feed < 0 ? view.size() : feed;
        const QRegularExpressionMatch match =
            row.match(view.sliced(at, end - at), 0, QRegularExpression::NormalMatch,
                      QRegularExpression::DontCheckSubjectStringMatchOption);
        if (match.hasMatch())
            hits.push_back(next);
        at = end + 1;
    }
}

void LogSearch::Work::searchRows(QByteArrayView block)
{
    TextStyle style;
    for (qsizetype at = 0; at < block.size() && !isCancelled; ++next) {
        const Row place = rowAt(block, at);
        if (row.match(shownLogRow(block.sliced(at, place.end - at), style).text).hasMatch())
            hits.push_back(next);
        at = place.next;
    }
}

void LogSearch::gather()
{
    if (!m_work)
        return;
    bool isOver = false;
    {
        const std::lock_guard lock(m_work->mutex);
        for (const bool isEarly : {false, true}) {
            std::vector<qint64> &found = m_work->found[isEarly];
            const size_t taken = std::min(mostKept - std::min(mostKept, m_rows.size()), found.size());
            const auto place = isEarly ? m_rows.begin() + std::ptrdiff_t(m_early) : m_rows.end();
            m_rows.insert(place, found.begin(), found.begin() + std::ptrdiff_t(taken));
            m_early += isEarly ? taken : 0;
            found.clear();
        }
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
