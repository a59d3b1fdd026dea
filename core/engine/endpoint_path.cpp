#include "core/engine/endpoint_path.h"

#include "core/engine/paths.h"

#include <QCoreApplication>
#include <QStandardPaths>

#include <atomic>

namespace ym {

Result<QString> newEndpointPath()
{
    static std::atomic<int> number{0};
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    const auto tr = [](const char *text) { return QCoreApplication::translate("ym::EndpointPath", text); };
    if (runtime.isEmpty())
        return failure(ErrorKind::Io, tr("There is no runtime folder for a socket."),
                       tr("Set XDG_RUNTIME_DIR to a folder that only you may enter."));
    const QString folder = runtime + QStringLiteral("/yardmaster");
    if (const Result<void> made = ensureFolder(folder); !made)
        return tl::unexpected(made.error());
    return QStringLiteral("%1/%2-%3.sock").arg(folder).arg(QCoreApplication::applicationPid()).arg(++number);
}

} // namespace ym
