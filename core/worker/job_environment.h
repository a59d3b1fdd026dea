// The environment a script runs in: a clean base, the job's own variables as far as they are harmless, the ids.
#pragma once

#include "core/job/job.h"

namespace ym {

/// True when a job may set this variable: a plain name that does not change how the interpreter itself loads code
/// (RELIABILITY 7.3: LD_*, DYLD_*, GIT_*, PYTHONSTARTUP, PYTHONPATH, NODE_OPTIONS, BASH_ENV, ENV, IFS, PATH are not).
bool isAllowedVariable(const QByteArray &name);

/// NAME=value entries. Base: PATH of the application without relative parts, HOME and TMPDIR = `folder`,
/// LANG=C.UTF-8; then the job's variables (a later one wins, those with NUL are left out); then JOB_ID, CALLER_ID,
/// CONTEXT_ID, JOB_ATTEMPT, which no job can replace. Nothing else of the application's environment.
QList<QByteArray> jobEnvironment(const Job &job, const QByteArray &folder);

} // namespace ym
