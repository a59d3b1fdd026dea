// Where a job is meant to run.
#pragma once

#include "core/job/key_mode.h"

namespace ym {

/// The address of a job or of a worker. Empty members are "any". Which members mean something is the protocol's
/// business (see Capabilities::targetFields); for Hero: type → group → instance, most specific wins.
struct Target {
    QByteArray type;     ///< Hero script_type; GearMonkey function; hworker queue name
    QByteArray group;
    QByteArray instance;
    int priority = 1;    ///< 0 first, 1 normal, 2 last (PROTOCOLS, Hero priorities)
    QByteArray legacyWorker; ///< Hero legacy worker_id
    std::optional<KeyMode> keys = std::nullopt; ///< of this job alone; absent = what the connection says. Never read back

    bool operator==(const Target &) const = default;
};

} // namespace ym
