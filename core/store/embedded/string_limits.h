// How long a string may grow.
#pragma once

#include "core/store/embedded/command_error.h"

namespace ym::embedded {

constexpr qint64 maxStringSize = 512 * 1024 * 1024; ///< bytes; proto-max-bulk-len of Redis

/// Throws when a string of `size` bytes would be too long.
inline void checkStringSize(qint64 size)
{
    if (size > maxStringSize)
        throw CommandError("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
}

} // namespace ym::embedded
