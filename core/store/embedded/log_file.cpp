#include "core/store/embedded/log_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ym::embedded {

QString errnoText(int code)
{
    return QString::fromLocal8Bit(std::strerror(code));
}

Result<void> LogFile::open(const QString &path)
{
    const bool isNew = !QFile::exists(path);
    m_file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct stat facts;
    if (m_file < 0 || ::fstat(m_file, &facts) != 0) {
        const int code = errno;
        close();
        return failure(
            ErrorKind::Io,
            QCoreApplication::translate("ym::LogFile", "The log %1 cannot be opened (%2).").arg(path, errnoText(code)),
            QCoreApplication::translate("ym::LogFile", "Look at the folder's rights and its disk."));
    }
    m_size = facts.st_size;
    if (isNew)
        syncFolderOf(path);
    return {};
}

void LogFile::close()
{
    if (m_file >= 0)
        ::close(m_file);
    m_file = -1;
}

int LogFile::append(const QByteArray &bytes)
{
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t n = ::write(m_file, bytes.constData() + written, size_t(bytes.size() - written));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const int code = n < 0 ? errno : ENOSPC;
            if (written > 0)
                truncate(m_size); // a half-written command must not stay before a later whole one
            return code;
        }
        written += n;
    }
    m_size += written;
    return 0;
}

int LogFile::truncate(qint64 size)
{
    if (::ftruncate(m_file, size) != 0)
        return errno;
    m_size = size;
    return 0;
}

int LogFile::syncFolderOf(const QString &path)
{
    const QByteArray folder = QFile::encodeName(QFileInfo(path).absolutePath());
    const int handle = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
        return errno;
    const int code = ::fsync(handle) == 0 ? 0 : errno;
    ::close(handle);
    return code;
}

} // namespace ym::embedded
