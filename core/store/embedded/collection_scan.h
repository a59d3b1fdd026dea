// What SCAN, HSCAN, SSCAN and ZSCAN have in common.
#pragma once

#include "core/store/embedded/call.h"
#include "core/store/embedded/glob.h"

#include <limits>

namespace ym::embedded {

struct ScanRequest {
    quint64 cursor = 0;
    qint64 count = 10;
    std::optional<QByteArray> pattern; ///< none = everything
    QByteArray type; ///< SCAN only; empty = every type

    bool accepts(QByteArrayView text) const { return !pattern || matchesGlob(*pattern, text); }
};

quint64 readCursor(const Call &call, qsizetype index);
/// Reads the options from argument `from` on. TYPE belongs to SCAN (from 2).
ScanRequest readScanOptions(const Call &call, qsizetype from, quint64 cursor);

Reply scanReply(quint64 cursor, std::vector<Reply> elements);

/// Steps through `collection` until about `count` elements were visited; bounded also when most buckets are empty.
template <typename Collection, typename Visit>
quint64 runScan(const Collection &collection, const ScanRequest &request, Visit visit)
{
    qint64 seen = 0;
    qint64 steps = request.count > std::numeric_limits<qint64>::max() / 10 ? request.count : request.count * 10;
    quint64 cursor = request.cursor;
    do {
        cursor = collection.scan(cursor, [&](auto &&...element) {
            ++seen;
            visit(element...);
        });
    } while (cursor != 0 && --steps > 0 && seen < request.count);
    return cursor;
}

} // namespace ym::embedded
