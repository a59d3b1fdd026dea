// Where this process's own sockets go.
#pragma once

#include "core/base/error.h"

#include <QString>

namespace ym {

/// A path for a unix socket that nothing else in this process uses, in `yardmaster` below the user's runtime folder
/// (XDG_RUNTIME_DIR, 0700; made when it is missing). Io when there is none that can be written.
Result<QString> newEndpointPath();

} // namespace ym
