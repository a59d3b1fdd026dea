#include "core/store/embedded/folder_lock.h"

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/embedded/log_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace ym::embedded {

namespace {

constexpr qsizetype longestFile = 8192;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::FolderLock", text);
}

QString lockPath(const QString &folder)
{
    return QDir(folder).filePath(QStringLiteral("lock"));
}

/// A lock on the whole file that belongs to the open file and not to the process (F_OFD_…): it can be asked about
/// without being taken.
struct flock wholeFile()
{
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

/// The file's two lines: process, socket.
FolderLock::Owner readOwner(int file)
{
    QByteArray bytes(longestFile, Qt::Uninitialized);
    const ssize_t size = ::pread(file, bytes.data(), size_t(bytes.size()), 0);
    bytes.truncate(std::max<qsizetype>(0, size));
    const QList<QByteArray> lines = bytes.split('\n');
    if (lines.size() < 3) // the last line feed is missing: it is being written
        return {};
    return {lines[0].toLongLong(), QFile::decodeName(lines[1])};
}

QString conflictText(const QString &folder, const FolderLock::Owner &owner)
{
    if (owner.pid == 0)
        return tr("Another Yardmaster has the workspace %1 open.").arg(folder);
    return tr("Another Yardmaster (process %1) has the workspace %2 open.").arg(owner.pid).arg(folder);
}

QString conflictAdvice(const FolderLock::Owner &owner)
{
    if (owner.socket.isEmpty())
        return tr("Close it there, or open another folder with embedded:FOLDER.");
    return tr("Reach it there with unix:%1, or close it.").arg(shownText(owner.socket.toUtf8()));
}

} // namespace

Result<void> FolderLock::take(const QString &folder)
{
    if (!QDir().mkpath(folder))
        return failure(ErrorKind::Io, tr("The folder %1 cannot be made.").arg(folder),
                       tr("Choose a folder that you may write to."));
    const QString path = lockPath(folder);
    m_file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (m_file < 0)
        return failure(ErrorKind::Io, tr("The file %1 cannot be opened (%2).").arg(path, errnoText(errno)),
                       tr("Choose a folder that you may write to."));
    struct flock lock = wholeFile();
    if (::fcntl(m_file, F_OFD_SETLK, &lock) == 0) {
        publish({}); // a full disk is no reason to stay out: then others learn less
        return {};
    }
    const int code = errno;
    const Owner owner = readOwner(m_file);
    ::close(std::exchange(m_file, -1));
    if (code != EAGAIN && code != EACCES)
        return failure(ErrorKind::Io, tr("The file %1 cannot be locked (%2).").arg(path, errnoText(code)));
    return failure(ErrorKind::Conflict, conflictText(folder, owner), conflictAdvice(owner));
}

Result<void> FolderLock::publish(const QString &socket)
{
    const QByteArray name = QFile::encodeName(socket);
    QByteArray bytes = QByteArray::number(qint64(::getpid())) + '\n' + name + '\n';
    if (!isHeld() || name.contains('\n') || bytes.size() > longestFile)
        return failure(ErrorKind::Internal, tr("The workspace cannot tell others about %1.").arg(socket));
    // In place, and then shorter: a reader sees the old lines or the new ones, and looks at the first two only.
    if (::pwrite(m_file, bytes.constData(), size_t(bytes.size()), 0) != bytes.size()
        || ::ftruncate(m_file, bytes.size()) != 0)
        return failure(ErrorKind::Io, tr("The workspace's lock cannot be written (%1).").arg(errnoText(errno)));
    return {};
}

std::optional<FolderLock::Owner> FolderLock::owner(const QString &folder)
{
    const int file = ::open(QFile::encodeName(lockPath(folder)).constData(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    struct flock lock = wholeFile();
    const bool isHeld = ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    const Owner owner = isHeld ? readOwner(file) : Owner();
    ::close(file);
    return isHeld ? std::optional(owner) : std::nullopt;
}

void FolderLock::release()
{
    if (m_file < 0)
        return;
    if (::ftruncate(m_file, 0) != 0)
        qCDebug(logStore) << "the lock file keeps its text"; // harmless: the lock itself counts
    ::close(std::exchange(m_file, -1));
}

} // namespace ym::embedded
