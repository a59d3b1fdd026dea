// The fields `access` and `run_N` of a job's hash: what it asks for beyond the defaults, and what became of each run.
// Both are ours; workers that do not know them leave them alone.
#pragma once

#include "core/job/execution.h"
#include "core/job/job.h"

namespace ym::hero {

/// The opt-ins as JSON; empty when there are none.
QByteArray writeAccess(const JobAccess &access);
/// Nothing for what is no such object or names a relative path: a worker must not run half of what was asked.
std::optional<JobAccess> readAccess(const QByteArray &text);

/// One run as a JSON list, short because every run of every job keeps one: fate, worker, containment, exit, signal, ms,
/// CPU ms, peak KiB and the ends of its outputs.
QByteArray writeRun(const Execution &execution, const QByteArray &worker);
/// All that can be read, by attempt; also those that earlier versions wrote as objects.
QList<PastRun> readRuns(const QList<ByteField> &fields);

} // namespace ym::hero
