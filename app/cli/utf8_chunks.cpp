#include "app/cli/utf8_chunks.h"

#include <algorithm>

namespace ym::cli {

namespace {

/// How many bytes at the end are the beginning of a longer character.
qsizetype unfinished(const QByteArray &bytes)
{
    const qsizetype last = std::min<qsizetype>(bytes.size(), 3);
    for (qsizetype back = 1; back <= last; ++back) {
        const auto byte = uchar(bytes[bytes.size() - back]);
        if ((byte & 0xc0) == 0x80)
            continue; // a continuation: its lead is further in front
        const int length = byte > 0xf4 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

} // namespace

QByteArray Utf8Chunks::take(const QByteArray &bytes)
{
    QByteArray all = rest() + bytes;
    const qsizetype keep = unfinished(all);
    m_kept = all.right(keep);
    all.chop(keep);
    return all;
}

} // namespace ym::cli
