// Saved connections on disk.
#pragma once

#include "core/base/error.h"
#include "core/engine/profile.h"

#include <QList>

namespace ym {

/// Reads and writes the list of profiles as JSON; no passwords. A file that cannot be read is set aside as
/// `….corrupt` and told in `warning` (RELIABILITY 8, state files), never overwritten.
class ProfileStore {
public:
    explicit ProfileStore(QString file);

    /// The saved profiles with the Local workspace first; empty `warning` when all was well.
    QList<Profile> load(QString *warning) const;
    /// Atomic. Io with what to do when it fails.
    Result<void> save(const QList<Profile> &profiles) const;

    /// The profile of the default workspace.
    static Profile localProfile();

private:
    QString m_file;
};

} // namespace ym
