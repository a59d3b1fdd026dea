// The file format of one spooled result.
#pragma once

#include "core/protocol/protocol.h"

#include <optional>

namespace ym {

struct SpoolEntry {
    Claim claim; ///< without script, environment and raw fields after reading
    Execution execution;
    Timestamp until; ///< end of the lease, wall time
};

QByteArray toBytes(const SpoolEntry &entry);
/// Empty when the bytes are not a whole, undamaged entry of this version.
std::optional<SpoolEntry> spoolEntryFrom(const QByteArray &bytes);

} // namespace ym
