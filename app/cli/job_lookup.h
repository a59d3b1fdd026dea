// Reads whole jobs for the commands that print them.
#pragma once

#include "core/protocol/protocol.h"

#include <limits>

namespace ym::cli {

inline constexpr qint64 shownValue = 16 * 1024 * 1024;
inline constexpr qint64 wholeValue = std::numeric_limits<qint32>::max();

/// The job with its values in full, as far as they have at most `preview` bytes and one reply can hold them together.
/// Throws NotFound, saying what to do.
QCoro::Task<Inspector::Detail> wholeJob(Inspector *inspector, QByteArray id, qint64 preview = shownValue);

/// ExitOk, ExitFailed or ExitTimeout, from the record of a job that is over.
int exitCodeOf(const Job &job);

} // namespace ym::cli
