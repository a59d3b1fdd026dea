#include "core/store/embedded/torn_tail.h"

#include "core/store/embedded/log_file.h"

#include <QCoreApplication>
#include <QFile>

namespace ym::embedded {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::TornTail", text);
}

} // namespace

QString freeName(const QString &path)
{
    for (int number = 1;; ++number) {
        const QString name = QStringLiteral("%1-%2").arg(path).arg(number);
        if (!QFile::exists(name))
            return name;
    }
}

Result<QString> keepTornTail(const QString &path, const QByteArray &bytes)
{
    const QString name = freeName(path + QStringLiteral(".torn"));
    LogFile file;
    if (const auto opened = file.open(name); !opened)
        return tl::unexpected(opened.error());
    const int code = file.append(bytes);
    if (code != 0) {
        QFile::remove(name);
        return failure(ErrorKind::Io,
                       tr("The torn end of the log cannot be kept in %1 (%2).").arg(name, errnoText(code)),
                       tr("Free some space on the disk and open the workspace again."));
    }
    LogFile::sync(*file.handle());
    return tr("The log ended in the middle of a command: %1 bytes were cut off and kept in %2.")
        .arg(bytes.size())
        .arg(name);
}

} // namespace ym::embedded
