#include "models/row_split.h"

#include <algorithm>
#include <cstring>

namespace ym {

Row rowAt(QByteArrayView bytes, qsizetype at)
{
    const qsizetype window = std::min(bytes.size() - at, longestRow + 1);
    const void *const found = std::memchr(bytes.data() + at, '\n', size_t(window));
    if (found) {
        const qsizetype feed = static_cast<const char *>(found) - bytes.data();
        return {feed, feed + 1};
    }
    if (window <= longestRow)
        return {bytes.size(), bytes.size()};
    const qsizetype cut = at + longestRow - unfinishedAtCut(bytes.sliced(at, longestRow));
    return {cut, cut};
}

qsizetype unfinishedTail(QByteArrayView bytes)
{
    for (qsizetype back = 1; back <= std::min<qsizetype>(3, bytes.size()); ++back) {
        const auto byte = uchar(bytes[bytes.size() - back]);
        if ((byte & 0xc0) == 0x80)
            continue;
        const qsizetype needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return needed > back ? back : 0;
    }
    return 0;
}

qsizetype unfinishedAtCut(QByteArrayView bytes)
{
    constexpr qsizetype longestSequence = 80;
    const qsizetype from = std::max<qsizetype>(0, bytes.size() - longestSequence);
    const qsizetype found = bytes.lastIndexOf('\x1b');
    const bool isCut = found >= from && found > 0 && bytes.indexOf('m', found) < 0;
    return isCut ? bytes.size() - found : unfinishedTail(bytes);
}

} // namespace ym
