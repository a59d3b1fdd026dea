// Where the application keeps its files (XDG base directories).
#pragma once

#include "core/base/error.h"

#include <QString>

namespace ym {

/// The folders of one installation. Nothing is created by looking; ensureFolder() does that.
struct Paths {
    QString config; ///< profiles, interpreters, window layout: $XDG_CONFIG_HOME/yardmaster
    QString data;   ///< workspaces, logs, drafts, spool: $XDG_DATA_HOME/yardmaster

    /// From the environment. Empty strings when there is no home folder; ensureFolder() then says what to do.
    static Paths standard();

    QString defaultWorkspace() const { return data + QStringLiteral("/workspaces/default"); }
    QString logs() const { return data + QStringLiteral("/logs"); }
    QString spool() const { return data + QStringLiteral("/spool"); }
    QString drafts() const { return data + QStringLiteral("/drafts"); }
    QString profilesFile() const { return config + QStringLiteral("/connections.json"); }
    QString auditFile() const { return data + QStringLiteral("/audit.log"); }
    QString interpretersFile() const { return config + QStringLiteral("/interpreters.json"); }
};

/// Creates the folder (0700) and its parents. Io when that fails or the path is empty.
Result<void> ensureFolder(const QString &path);

} // namespace ym
