// Limits in words and in JSON.
#pragma once

#include "core/job/containment.h"

#include <nlohmann/json_fwd.hpp>

namespace ym {

/// "the job was ended because …": the limit by the name that the launcher uses (launcher/limits.h).
QString passedLimitText(const QByteArray &name, const RunLimits &limits);

/// One line for tables: "CPU 300 s, memory 1.00 GiB, 64 processes, …"; what is not limited is left out.
QString limitsText(const RunLimits &limits);

/// {"cpu_s": 300, "memory": 1073741824, …}; sizes in bytes, 0 means none.
nlohmann::ordered_json limitsToJson(const RunLimits &limits);
/// Members that are missing or no whole numbers mean none. Reads the names "address" and "open" too, which audit logs had
/// before.
RunLimits limitsFromJson(const nlohmann::json &json);

} // namespace ym
