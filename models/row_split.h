// Where lines are broken so that none is endless.
#pragma once

#include <QByteArrayView>

namespace ym {

/// Bytes; longer rows freeze whoever lays them out (RELIABILITY 8, Huge values).
inline constexpr qsizetype longestRow = 4096;

/// A row of text: up to its line feed, or a part of a line that is too long.
struct Row {
    qsizetype end = 0; ///< behind its last byte, without the line end
    qsizetype next = 0; ///< where the next row begins
    bool operator==(const Row &) const = default;
};
/// The row that begins at `at` < bytes.size(). Never cut inside a character or a colour.
Row rowAt(QByteArrayView bytes, qsizetype at);

/// Length of the unfinished UTF-8 sequence at the end: 0 to 3.
qsizetype unfinishedTail(QByteArrayView bytes);
/// What must not stay before a cut: the beginning of a character or of an escape sequence.
qsizetype unfinishedAtCut(QByteArrayView bytes);

} // namespace ym
