// Reads whole jobs for the commands that print them.
#pragma once

#include "core/protocol/protocol.h"

namespace ym::cli {

/// The job with its values in full, as far as one reply can hold them. Throws NotFound, saying what to do.
QCoro::Task<Inspector::Detail> wholeJob(Inspector *inspector, QByteArray id);

/// ExitOk, ExitFailed or ExitTimeout, from the record of a job that is over.
int exitCodeOf(const Job &job);

} // namespace ym::cli
