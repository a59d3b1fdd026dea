// One process per workspace folder.
#pragma once

#include "core/base/error.h"

namespace ym::embedded {

/// Holds a folder while it lives: an exclusive flock on its lock file, which the kernel releases when the process dies.
class FolderLock {
public:
    FolderLock() = default;
    ~FolderLock() { release(); }
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;

    /// Makes the folder when it is missing. Conflict when another process holds it, Io when it cannot be used.
    Result<void> take(const QString &folder);
    void release();

private:
    int m_file = -1;
};

} // namespace ym::embedded
