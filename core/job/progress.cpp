#include "core/job/progress.h"

#include <algorithm>
#include <cstring>

namespace ym {

namespace {

constexpr QByteArrayView mark("::progress ");
constexpr qsizetype longestLine = 512; ///< what is longer is no progress line
constexpr qsizetype mostDigits = 18; ///< fits qint64

std::optional<qint64> readNumber(QByteArrayView text)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.isEmpty() || text.size() > mostDigits || !std::all_of(text.begin(), text.end(), isDigit))
        return std::nullopt;
    return text.toByteArray().toLongLong();
}

/// The next word and what is behind its spaces.
QByteArrayView takeWord(QByteArrayView &rest)
{
    const qsizetype space = rest.indexOf(' ');
    const QByteArrayView word = space < 0 ? rest : rest.first(space);
    rest = space < 0 ? QByteArrayView() : rest.sliced(space);
    while (rest.startsWith(' '))
        rest = rest.sliced(1);
    return word;
}

/// The line may be a progress line, or become one.
bool mayBe(QByteArrayView line)
{
    const qsizetype common = std::min(line.size(), mark.size());
    return std::memcmp(line.data(), mark.data(), size_t(common)) == 0;
}

qsizetype findFrom(QByteArrayView text, QByteArrayView what, qsizetype from)
{
    const void *const found = memmem(text.data() + from, size_t(text.size() - from), what.data(), size_t(what.size()));
    return found ? static_cast<const char *>(found) - text.data() : -1;
}

/// Where the next line that may be a progress line begins, at `from` or later, from a place within a line; the end when
/// there is none.
qsizetype nextCandidate(QByteArrayView all, qsizetype from)
{
    const qsizetype whole = findFrom(all, QByteArrayView("\n::progress "), from);
    if (whole >= 0)
        return whole + 1;
    const qsizetype last = all.sliced(from).lastIndexOf('\n');
    if (last < 0 || from + last + 1 == all.size())
        return all.size();
    const qsizetype start = from + last + 1;
    return mayBe(all.sliced(start)) ? start : all.size();
}

} // namespace

std::optional<JobProgress> readProgress(QByteArrayView words)
{
    words = words.trimmed();
    const auto done = readNumber(takeWord(words));
    const auto total = readNumber(takeWord(words));
    if (!done || !total || *total == 0)
        return std::nullopt;
    qsizetype length = std::min(words.size(), JobProgress::longestText);
    while (length > 0 && length < words.size() && (uchar(words[length]) & 0xc0) == 0x80)
        --length; // never inside a character
    return JobProgress{std::min(*done, *total), *total, words.first(length).toByteArray()};
}

QByteArray writeProgress(const JobProgress &progress)
{
    if (!progress.isKnown())
        return {};
    const QByteArray numbers = QByteArray::number(progress.done) + ' ' + QByteArray::number(progress.total);
    return progress.text.isEmpty() ? numbers : numbers + ' ' + progress.text;
}

QByteArray ProgressLines::feed(const QByteArray &bytes)
{
    if (bytes.isEmpty())
        return {};
    const QByteArray all = m_held.isEmpty() ? bytes : m_held + bytes;
    m_held.clear();
    const QByteArrayView view(all);
    QByteArray out;
    qsizetype kept = 0; // up to here it was taken out or put into `out`
    qsizetype at = m_isAtStart ? 0 : nextCandidate(view, 0);
    while (at < view.size()) {
        const qsizetype end = view.indexOf('\n', at);
        const QByteArrayView line = end < 0 ? view.sliced(at) : view.sliced(at, end - at);
        const bool isCandidate = mayBe(line) && line.size() <= longestLine;
        if (isCandidate && end < 0) {
            out.append(view.sliced(kept, at - kept));
            m_held = line.toByteArray();
            m_isAtStart = true;
            return out;
        }
        const bool isWhole = isCandidate && line.size() > mark.size();
        const auto progress = isWhole ? readProgress(line.sliced(mark.size())) : std::nullopt;
        if (progress) {
            m_progress = *progress;
            out.append(view.sliced(kept, at - kept));
            kept = end + 1;
            at = kept;
        } else {
            at = nextCandidate(view, at);
        }
    }
    m_isAtStart = view.back() == '\n';
    if (kept == 0)
        return all;
    out.append(view.sliced(kept));
    return out;
}

QByteArray ProgressLines::flush()
{
    m_isAtStart = true;
    return std::exchange(m_held, {});
}

} // namespace ym
