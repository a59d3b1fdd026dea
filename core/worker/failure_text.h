// What a job that failed has to say, for its record.
#pragma once

#include "core/job/containment.h"
#include "core/worker/launch.h"

namespace ym {

/// Its standard error, and how it ended when that is not all: by a signal, by a limit, in silence. `limits` are those
/// of the run.
QByteArray failureText(const LaunchEnd &end, const RunLimits &limits, const QByteArray &standardError);

/// Of a job that never ran.
QByteArray notStartedText(const LaunchEnd &end, const QByteArray &program);

} // namespace ym
