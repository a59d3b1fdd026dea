// Numbers in commands: strict reading and the exact text that Redis writes.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace ym::embedded {

/// A canonical decimal of 64 bits: no sign but `-`, no leading zeros, no blanks.
std::optional<qint64> readInteger(QByteArrayView text);
/// Any finite or infinite double; no blanks before it, not NaN.
std::optional<double> readDouble(const QByteArray &text);
std::optional<long double> readLongDouble(const QByteArray &text);

/// Shortest form with 17 significant digits ("%.17g"), `inf` and `-inf`: scores in replies.
QByteArray writeDouble(double value);
/// A score as a small sorted set keeps it: whole numbers as integers (ZSCAN).
QByteArray writePackedScore(double value);
/// Up to 17 fraction digits without trailing zeros: results of INCRBYFLOAT.
QByteArray writeLongDouble(long double value);

} // namespace ym::embedded
