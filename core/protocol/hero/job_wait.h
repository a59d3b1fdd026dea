// Waiting for the end of a job.
#pragma once

#include "core/job/job.h"
#include "core/store/store.h"

#include <stop_token>

namespace ym::hero {

/// Waits on the reply lists in short slices and looks at the hash between them: hash-only workers never reply, and a
/// reply says neither success nor failure (PROTOCOLS, Reply; RELIABILITY HD13). The hash decides. A lost connection is
/// waited for. `limit` 0 = for ever. Throws Timeout, NotFound, WrongType, Cancelled.
QCoro::Task<Job> waitForJob(Store *store, Clock *clock, QByteArray id, QList<QByteArray> replies,
                              Milliseconds limit, std::stop_token stop);

} // namespace ym::hero
