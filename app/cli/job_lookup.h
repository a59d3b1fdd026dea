// Reads whole jobs for the commands that print them.
#pragma once

#include "core/protocol/protocol.h"

namespace ym::cli {

/// Values over this many bytes stay cut; a store could hardly give them in one reply anyway.
inline constexpr qint64 wholeValue = 64 * 1024 * 1024;

/// The job with its values in full. Throws NotFound, saying what to do.
QCoro::Task<Job> wholeJob(Inspector *inspector, QByteArray id);

/// ExitOk, ExitFailed or ExitTimeout, from the record of a job that is over.
int exitCodeOf(const Job &job);

} // namespace ym::cli
