#include "core/store/embedded/folder_lock.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ym::embedded {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::FolderLock", text);
}

} // namespace

Result<void> FolderLock::take(const QString &folder)
{
    if (!QDir().mkpath(folder))
        return failure(ErrorKind::Io, tr("The folder %1 cannot be made.").arg(folder),
                       tr("Choose a folder that you may write to."));
    const QString path = QDir(folder).filePath(QStringLiteral("lock"));
    m_file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (m_file < 0)
        return failure(ErrorKind::Io,
                       tr("The file %1 cannot be opened (%2).").arg(path, QString::fromLocal8Bit(std::strerror(errno))),
                       tr("Choose a folder that you may write to."));
    if (::flock(m_file, LOCK_EX | LOCK_NB) == 0)
        return {};
    const bool isTaken = errno == EWOULDBLOCK;
    const QString reason = QString::fromLocal8Bit(std::strerror(errno));
    release();
    if (!isTaken)
        return failure(ErrorKind::Io, tr("The file %1 cannot be locked (%2).").arg(path, reason));
    return failure(ErrorKind::Conflict, tr("Another Yardmaster has the workspace %1 open.").arg(folder),
                   tr("Close it there, or open another folder with embedded:FOLDER."));
}

void FolderLock::release()
{
    if (m_file >= 0)
        ::close(m_file);
    m_file = -1;
}

} // namespace ym::embedded
