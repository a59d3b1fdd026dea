#include "core/engine/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace ym {

namespace {

/// Empty when there is no home to keep anything in: Qt would take the root folder.
QString below(QStandardPaths::StandardLocation where, const char *variable)
{
    const bool hasHome = QDir::isAbsolutePath(qEnvironmentVariable("HOME"));
    const bool isNamed = QDir::isAbsolutePath(qEnvironmentVariable(variable));
    if (!hasHome && !isNamed)
        return {};
    const QString base = QStandardPaths::writableLocation(where);
    return base.isEmpty() ? QString() : base + QStringLiteral("/yardmaster");
}

} // namespace

Paths Paths::standard()
{
    return {below(QStandardPaths::GenericConfigLocation, "XDG_CONFIG_HOME"),
            below(QStandardPaths::GenericDataLocation, "XDG_DATA_HOME")};
}

Result<void> ensureFolder(const QString &path)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("ym::Paths", text); };
    if (path.isEmpty() || !QDir::isAbsolutePath(path))
        return failure(ErrorKind::Io, tr("There is no folder to keep data in."), tr("Set HOME or XDG_DATA_HOME."));
    if (QDir(path).exists())
        return {};
    if (!QDir().mkpath(path))
        return failure(ErrorKind::Io, tr("The folder %1 cannot be created.").arg(path),
                       tr("Check its permissions, or set XDG_DATA_HOME to a folder that can be written."));
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return {};
}

} // namespace ym
