// Waiting for the end of a job.
#pragma once

#include "core/job/job.h"
#include "core/store/store.h"

#include <stop_token>

namespace ym::hero {

/// Waits for a reply in short slices and looks at the hash between them: hash-only workers never reply, and a reply says
/// neither success nor failure (PROTOCOLS, Reply; RELIABILITY HD13). The hash decides. `wait` is the command that waits,
/// but for its last word, the seconds; empty = only look. A lost connection is waited for. `limit` 0 = for ever. Throws
/// Timeout, NotFound, WrongType, Cancelled.
QCoro::Task<Job> waitForJob(Store *store, Clock *clock, QByteArray id, Command wait, Milliseconds limit,
                            std::stop_token stop);

} // namespace ym::hero
