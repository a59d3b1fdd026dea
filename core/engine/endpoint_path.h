// Where this process's own sockets go.
#pragma once

#include "core/base/error.h"

#include <QString>

namespace ym {

// Both are in `yardmaster` below XDG_RUNTIME_DIR; where there is no such folder, or its path is too long for a socket
// (107 bytes), in /tmp/yardmaster-UID. The folder is made when it is missing. Io when neither can be used by this user
// alone.

/// A path for a unix socket that nothing else in this process uses.
Result<QString> newEndpointPath();
/// The path of the unix socket of a workspace folder: the same each time, so that other programs may remember it.
Result<QString> workspaceEndpointPath(const QString &folder);

} // namespace ym
