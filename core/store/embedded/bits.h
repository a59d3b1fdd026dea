// Strings as rows of bits.
#pragma once

#include "core/store/embedded/call.h"

namespace ym::embedded {

/// The bit offset at argument `index`; with `width` > 0 also as "#n", counted in fields of that width.
qint64 readBitOffset(const Call &call, qsizetype index, int width = 0);

/// The string of `key` with room for `bit`, filled with zeros; `isLonger` tells whether it was made or grew.
QByteArray &stringWithBit(Call &call, const QByteArray &key, qint64 bit, bool &isLonger);

/// Bit 0 is the highest of the first byte; beyond the end everything is 0.
inline bool bitAt(QByteArrayView bytes, qint64 bit)
{
    return bit / 8 < bytes.size() && (uchar(bytes[bit / 8]) >> (7 - bit % 8)) & 1;
}

/// `bit` must be inside.
inline void setBitAt(QByteArray &bytes, qint64 bit, bool value)
{
    const uchar mask = uchar(0x80 >> (bit % 8));
    char &byte = bytes.data()[bit / 8];
    byte = char(value ? uchar(byte) | mask : uchar(byte) & uchar(~mask));
}

} // namespace ym::embedded
