// Where the application keeps its files (XDG base directories).
#pragma once

#include "core/base/error.h"

#include <QString>

namespace ym {

/// The folders of one installation. Nothing is created by looking; ensureFolder() does that.
struct Paths {
    QString config; ///< profiles, interpreters, window layout: $XDG_CONFIG_HOME/yardmaster
    QString data; ///< workspaces, logs, drafts, spool: $XDG_DATA_HOME/yardmaster

    /// From the environment. Empty strings when there is no home folder; ensureFolder() then says what to do.
    static Paths standard();

    QString defaultWorkspace() const { return inside(data, "/workspaces/default"); }
    QString logs() const { return inside(data, "/logs"); }
    QString spool() const { return inside(data, "/spool"); }
    QString removed() const { return inside(data, "/removed"); }
    QString drafts() const { return inside(data, "/drafts"); }
    QString profilesFile() const { return inside(config, "/connections.json"); }
    QString auditFile() const { return inside(data, "/audit.log"); }
    QString interpretersFile() const { return inside(config, "/interpreters.json"); }

private:
    /// Nothing when there is no base: never a folder at the root.
    static QString inside(const QString &base, const char *name)
    {
        return base.isEmpty() ? QString() : base + QLatin1String(name);
    }
};

/// Creates the folder (0700) and its parents. Io when that fails or the path is empty.
Result<void> ensureFolder(const QString &path);

} // namespace ym
