#include "core/store/embedded/numbers.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace ym::embedded {

namespace {

constexpr qsizetype longestNumber = 5 * 1024;

/// Reads with `convert` (strtod or strtold); the whole text must be used.
template <typename Number>
std::optional<Number> readFloat(const QByteArray &text, Number (*convert)(const char *, char **), Number huge)
{
    if (text.isEmpty() || text.size() >= longestNumber || std::isspace(uchar(text[0])))
        return std::nullopt;
    char *end = nullptr;
    errno = 0;
    const Number value = convert(text.constData(), &end);
    if (end != text.constData() + text.size() || std::isnan(value))
        return std::nullopt;
    if (errno == ERANGE && (value == huge || value == -huge || std::fpclassify(value) == FP_ZERO))
        return std::nullopt;
    return value;
}

} // namespace

std::optional<qint64> readInteger(QByteArrayView text)
{
    if (text.isEmpty() || text.size() > 20)
        return std::nullopt;
    const char first = text[0];
    if (first == '0')
        return text.size() == 1 ? std::optional<qint64>(0) : std::nullopt;
    const char lead = first == '-' && text.size() > 1 ? text[1] : first;
    if (lead < '1' || lead > '9')
        return std::nullopt;
    qint64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<double> readDouble(const QByteArray &text)
{
    return readFloat<double>(text, std::strtod, HUGE_VAL);
}

std::optional<long double> readLongDouble(const QByteArray &text)
{
    return readFloat<long double>(text, std::strtold, HUGE_VALL);
}

QByteArray writeDouble(double value)
{
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    char buffer[64];
    return QByteArray(buffer, std::snprintf(buffer, sizeof buffer, "%.17g", value));
}

QByteArray writePackedScore(double value)
{
    constexpr double limit = 4.6e18; // half of what fits into 64 bits
    if (std::abs(value) < limit && value == std::trunc(value))
        return QByteArray::number(qint64(value));
    return writeDouble(value);
}

QByteArray writeLongDouble(long double value)
{
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    char buffer[5 * 1024];
    int size = std::snprintf(buffer, sizeof buffer, "%.17Lf", value);
    while (buffer[size - 1] == '0')
        --size;
    if (buffer[size - 1] == '.')
        --size;
    QByteArray text(buffer, size);
    return text == "-0" ? QByteArray("0") : text;
}

} // namespace ym::embedded
