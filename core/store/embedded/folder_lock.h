// One process per workspace folder, and how others find it.
#pragma once

#include "core/base/error.h"

#include <optional>

namespace ym::embedded {

/// Holds a folder while it lives: an exclusive lock on its file `lock`, which the kernel releases when the process dies.
/// The file says who holds it and where that process answers others.
class FolderLock {
public:
    /// Who has a folder open.
    struct Owner {
        qint64 pid = 0; ///< 0 = it has not said so yet
        QString socket; ///< path of the unix socket where it serves the workspace; empty = it does not
    };

    FolderLock() = default;
    ~FolderLock() { release(); }
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;

    /// Makes the folder when it is missing. Conflict when another process holds it, Io when it cannot be used.
    Result<void> take(const QString &folder);
    void release();
    bool isHeld() const { return m_file >= 0; }

    /// Tells other processes the path of the socket that serves this folder; empty = none any more.
    Result<void> publish(const QString &socket);
    /// Who has the folder open now; nothing when nobody has. Takes no lock, so it is never in anybody's way.
    static std::optional<Owner> owner(const QString &folder);

private:
    int m_file = -1;
};

} // namespace ym::embedded
