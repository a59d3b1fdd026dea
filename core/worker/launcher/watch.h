// The limits that no rlimit keeps: of all processes of a job together, and of its folder.
#pragma once

#include "core/worker/launcher/limits.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace ym::launch {

/// The name of the first limit that is passed now, or an empty string. `family` are the job's living processes;
/// `folder` is its working directory, `ownFileSystem` says that nothing else is stored there.
std::string_view passedLimit(const Limits &limits, const std::vector<pid_t> &family, const std::string &folder,
                             bool ownFileSystem);

} // namespace ym::launch
