#include "core/store/embedded/stream_id.h"

#include "core/store/embedded/numbers.h"

#include <cerrno>
#include <cstdlib>

namespace ym::embedded {

namespace {

constexpr qsizetype longestText = 127;

/// As Redis reads it: a canonical number, or whatever strtoull makes of the text.
std::optional<quint64> readPart(const QByteArray &text)
{
    if (const auto number = readInteger(text))
        return *number < 0 ? std::nullopt : std::optional(quint64(*number));
    if (text.isEmpty())
        return std::nullopt;
    char *end = nullptr;
    errno = 0;
    const quint64 number = std::strtoull(text.constData(), &end, 10);
    return errno == 0 && *end == '\0' ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<StreamId> StreamId::next() const
{
    if (*this == greatest())
        return std::nullopt;
    return sequence == greatest().sequence ? StreamId{ms + 1, 0} : StreamId{ms, sequence + 1};
}

std::optional<StreamId> StreamId::previous() const
{
    if (*this == StreamId{})
        return std::nullopt;
    return sequence == 0 ? StreamId{ms - 1, greatest().sequence} : StreamId{ms, sequence - 1};
}

QByteArray StreamId::text() const
{
    return QByteArray::number(ms) + '-' + QByteArray::number(sequence);
}

std::optional<StreamId> StreamId::read(const QByteArray &text, quint64 missing)
{
    if (text.size() > longestText)
        return std::nullopt;
    const QByteArray whole(text.constData()); // up to a zero byte
    const qsizetype dash = whole.indexOf('-');
    const auto ms = readPart(dash < 0 ? whole : whole.first(dash));
    const auto sequence = dash < 0 ? std::optional(missing) : readPart(whole.sliced(dash + 1));
    if (!ms || !sequence)
        return std::nullopt;
    return StreamId{*ms, *sequence};
}

} // namespace ym::embedded
