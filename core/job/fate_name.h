// The words for how a run ended.
#pragma once

#include "core/job/execution.h"

namespace ym {

/// Stable word, in records, the audit log and JSON: "finished", "failed", "stopped", "timeout", "abandoned".
const char *fateName(Execution::Fate fate);

} // namespace ym
