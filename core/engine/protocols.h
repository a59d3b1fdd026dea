// The protocols of this build.
#pragma once

#include "core/protocol/registry.h"

namespace ym {

/// Every protocol that was compiled in; to add one, add its row in protocols.cpp. Thread-safe.
const ProtocolRegistry &protocols();

} // namespace ym
