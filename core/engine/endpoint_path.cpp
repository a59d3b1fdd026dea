#include "core/engine/endpoint_path.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>

#include <atomic>

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace ym {

namespace {

constexpr qsizetype longestName = 20;
constexpr qsizetype hashDigits = 12;

/// Makes a folder that belongs to this user and that nobody else can enter; false when it is not like that.
bool makePrivate(const QString &path)
{
    const QByteArray name = QFile::encodeName(path);
    ::mkdir(name.constData(), 0700);
    struct stat found { };
    return ::lstat(name.constData(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid()
        && (found.st_mode & 077) == 0;
}

bool fits(const QString &path)
{
    return size_t(QFile::encodeName(path).size()) < sizeof sockaddr_un::sun_path;
}

Result<QString> inRuntimeFolder(const QString &fileName)
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const QString folders[] = {QDir::isAbsolutePath(runtime) ? runtime + QStringLiteral("/yardmaster") : QString(),
                               QStringLiteral("/tmp/yardmaster-%1").arg(::geteuid())};
    for (const QString &folder : folders) {
        const QString path = folder + u'/' + fileName;
        if (!folder.isEmpty() && fits(path) && makePrivate(folder))
            return path;
    }
    const auto tr = [](const char *text) { return QCoreApplication::translate("ym::EndpointPath", text); };
    return failure(ErrorKind::Io, tr("There is no folder for a socket."),
                   tr("Set XDG_RUNTIME_DIR to a folder that only you may enter."));
}

} // namespace

Result<QString> newEndpointPath()
{
    static std::atomic<int> number{0};
    return inRuntimeFolder(QStringLiteral("%1-%2.sock").arg(QCoreApplication::applicationPid()).arg(++number));
}

/// "default-3f2a91c04b7e.sock": the folder's own name for people, its whole path for uniqueness.
Result<QString> workspaceEndpointPath(const QString &folder)
{
    const QString path = QDir::cleanPath(QDir(folder).absolutePath());
    QString name;
    for (const QChar c : QDir(path).dirName().left(longestName))
        name += (c.unicode() < 128 && c.isLetterOrNumber()) ? c : u'_';
    const QByteArray hash = QCryptographicHash::hash(QFile::encodeName(path), QCryptographicHash::Sha1).toHex();
    return inRuntimeFolder(name + u'-' + QString::fromLatin1(hash.left(hashDigits)) + QStringLiteral(".sock"));
}

} // namespace ym
