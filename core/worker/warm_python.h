// Which Python jobs can be forked from a warm interpreter, and what that interpreter is.
#pragma once

#include "core/job/job.h"
#include "core/worker/interpreter_table.h"
#include "core/worker/launch.h"

namespace ym {

/// Whether the job would start as `python3 -u FILE` does, so that a fork of a warm interpreter can stand for it.
bool canBeForked(const Interpreter &row, const Job &job);

/// The order of a warm interpreter for jobs of the given uncontained one, with whose program it starts. `module` is the
/// path of yardmaster-warm.so where it will run.
LaunchOrder warmInterpreter(const LaunchOrder &job, const QByteArray &module);

/// Modules of Python's own library that the script names in import statements, of those which do nothing but define
/// when they are imported. A guess from its lines: one that is missed is imported by the job itself.
QList<QByteArray> importedModules(const QByteArray &script);

} // namespace ym
