// How much a client may have drawn at random.
#pragma once

#include "core/store/embedded/call.h"

#include <limits>

namespace ym::embedded {

/// A count of draws: negative = with repetition. Its negation can be counted, too.
inline qint64 readDrawCount(const Call &call, qsizetype index)
{
    const qint64 count = call.integer(index);
    if (count == std::numeric_limits<qint64>::min())
        throw CommandError("ERR value is out of range, value must between -9223372036854775807 and "
                           "9223372036854775807");
    return count;
}

/// The same for pairs, which come to twice as many elements.
inline void checkPairCount(qint64 count)
{
    constexpr qint64 most = std::numeric_limits<qint64>::max() / 2;
    if (count < -most || count > most)
        throw CommandError("ERR value is out of range");
}

/// Draws with repetition can be asked for in any number from the smallest collection. Redis sends until its memory
/// ends; here a reply has at most a million elements and 512 MB.
class DrawLimit {
public:
    /// Throws when `count` is too much.
    explicit DrawLimit(qint64 count)
    {
        if (count > 1'000'000)
            throw CommandError("ERR value is out of range");
    }
    /// One more element; throws when all together are too large.
    void add(qsizetype bytes)
    {
        m_bytes += bytes;
        if (m_bytes > 512 * 1024 * 1024)
            throw CommandError("ERR the reply would be larger than 512 MB");
    }

private:
    qint64 m_bytes = 0;
};

} // namespace ym::embedded
