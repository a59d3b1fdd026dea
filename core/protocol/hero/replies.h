// Small helpers to read replies of a pipeline, where errors come in place.
#pragma once

#include "core/job/job.h"
#include "core/store/reply.h"

namespace ym::hero {

/// The reply itself; an error reply is thrown.
inline const Reply &checked(const Reply &reply)
{
    if (reply.isError())
        throw StoreError(errorFromReply(reply.string));
    return reply;
}

/// A flat list of names and values as pairs.
inline QList<ByteField> pairsOf(const Reply &reply)
{
    QList<ByteField> pairs;
    const std::vector<Reply> &flat = reply.toArray();
    pairs.reserve(qsizetype(flat.size() / 2));
    for (size_t i = 0; i + 1 < flat.size(); i += 2)
        pairs.append({flat[i].toBytes(), flat[i + 1].toBytes()});
    return pairs;
}

} // namespace ym::hero
