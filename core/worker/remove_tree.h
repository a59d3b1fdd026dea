// Deletes a folder with everything in it and never follows a link; plain C++, used by the launcher and the worker.
#pragma once

namespace ym {

/// Deletes what is in a folder and keeps the folder itself. Likewise returns 0 or errno.
int emptyFolder(const char *path);

/// Removes the folder `path` and its content. Symbolic links are removed, not followed; folders without permissions
/// are opened up first; any depth works with two descriptors. Nobody else may work in it meanwhile. Returns 0 or an
/// errno; a folder that does not exist is fine.
int removeTree(const char *path);

} // namespace ym
