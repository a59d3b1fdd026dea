#include "core/worker/confined_folder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace ym {

namespace {

constexpr int folderFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr quint64 confined = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::ConfinedFolder", text);
}

QString reason(int error)
{
    switch (error) {
    case ELOOP:
        return tr("a link stands in its way");
    case EXDEV:
        return tr("it leads out of the log folder");
    case ENOTDIR:
        return tr("a part of its path is not a folder");
    case EISDIR:
        return tr("it is a folder");
    case ENXIO:
    case EINVAL:
        return tr("it is not a plain file");
    case EMLINK:
        return tr("it has a second name elsewhere");
    case EPERM:
        return tr("it belongs to somebody else");
    default:
        return qt_error_string(error);
    }
}

tl::unexpected<Error> refused(const QByteArray &path, int error)
{
    const QString shown = QFile::decodeName(path.left(120));
    return failure(error == ENOENT ? ErrorKind::NotFound : ErrorKind::Io,
                   tr("The file “%1” cannot be used: %2.").arg(shown, reason(error)));
}

/// 0, or why this open descriptor is not a plain file of ours with one name.
int checkPlainFile(int fd)
{
    struct stat about { };
    if (fstat(fd, &about) != 0)
        return errno;
    if (S_ISDIR(about.st_mode))
        return EISDIR;
    if (!S_ISREG(about.st_mode))
        return EINVAL;
    if (about.st_uid != geteuid())
        return EPERM;
    return about.st_nlink == 1 ? 0 : EMLINK;
}

} // namespace

ConfinedFolder::ConfinedFolder(FileDescriptor root, Resolver resolver)
    : m_root(std::move(root))
    , m_resolver(resolver)
{
    struct stat about { };
    if (fstat(m_root.get(), &about) == 0)
        m_device = about.st_dev;
}

Result<ConfinedFolder> ConfinedFolder::open(const QString &root, Access access, Resolver resolver)
{
    const QByteArray path = QFile::encodeName(QDir(root).absolutePath());
    if (access == Access::Append && !QDir(root).exists()) {
        QDir().mkpath(QFile::decodeName(path.left(path.lastIndexOf('/'))));
        if (mkdir(path.constData(), 0700) != 0 && errno != EEXIST)
            return refused(path, errno);
    }
    // The root is the user's own choice and may lie behind links.
    FileDescriptor fd(::open(path.constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!fd.isOpen())
        return refused(path, errno);
    return ConfinedFolder(std::move(fd), resolver);
}

Result<ConfinedFolder::Place> ConfinedFolder::locate(const QByteArray &relative, Access access) const
{
    const qsizetype slash = relative.lastIndexOf('/');
    const QByteArray folder = slash < 0 ? QByteArrayLiteral(".") : relative.left(slash);
    FileDescriptor fd = openFolder(folder);
    if (!fd.isOpen() && errno == ENOENT && access == Access::Append && makeFolders(folder))
        fd = openFolder(folder);
    if (!fd.isOpen())
        return refused(relative, errno);
    return Place{std::move(fd), relative.mid(slash + 1)};
}

FileDescriptor ConfinedFolder::openFolder(const QByteArray &relative) const
{
    if (m_resolver == Resolver::Kernel) {
        open_how how{};
        how.flags = quint64(folderFlags);
        how.resolve = confined;
        const long fd = syscall(SYS_openat2, m_root.get(), relative.constData(), &how, sizeof how);
        // Before Linux 5.6, or forbidden by a filter around us.
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
            return FileDescriptor(int(fd));
    }
    return walk(relative);
}

FileDescriptor ConfinedFolder::walk(const QByteArray &relative) const
{
    FileDescriptor at(openat(m_root.get(), ".", folderFlags));
    for (const QByteArray &part : relative.split('/')) {
        if (part == "..") {
            errno = EXDEV;
            return {};
        }
        at = FileDescriptor(openat(at.get(), part.constData(), folderFlags));
        struct stat about { };
        if (!at.isOpen())
            return {};
        if (fstat(at.get(), &about) != 0 || about.st_dev != m_device) {
            errno = EXDEV;
            return {};
        }
    }
    return at;
}

bool ConfinedFolder::makeFolders(const QByteArray &relative) const
{
    FileDescriptor at(openat(m_root.get(), ".", folderFlags));
    for (const QByteArray &part : relative.split('/')) {
        if (part == ".." || (mkdirat(at.get(), part.constData(), 0700) != 0 && errno != EEXIST))
            return false;
        at = FileDescriptor(openat(at.get(), part.constData(), folderFlags));
        if (!at.isOpen())
            return false;
    }
    return true;
}

Result<FileDescriptor> ConfinedFolder::openFile(const FileDescriptor &folder, const QByteArray &name, Access access)
{
    constexpr int common = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int flags = access == Access::Append ? O_WRONLY | O_APPEND | O_CREAT : O_RDONLY;
    FileDescriptor fd(openat(folder.get(), name.constData(), flags | common, 0600));
    if (!fd.isOpen())
        return refused(name, errno);
    if (const int error = checkPlainFile(fd.get()); error != 0)
        return refused(name, error);
    return fd;
}

} // namespace ym
