// How a job ended, where its record has but a word for it.
#pragma once

#include "core/job/execution.h"
#include "core/job/job.h"

namespace ym {

/// One or two sentences for a job that was ended early: how long it ran, why it was ended and how, and what to do.
/// Empty for any other end, which its own error text tells. The words in the record are the protocol's (PROTOCOLS,
/// Hero timeout and stop).
QString endText(const Job &job);
/// The same of one run of `job`.
QString endText(const Job &job, const Execution &execution);

/// What the worker has put behind the script's own errors; those have been seen by who watched the run.
QByteArray addedText(const Execution &execution);

} // namespace ym
