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

FileHandle::~FileHandle()
{
    ::close(m_file);
}

Result<void> LogFile::open(const QString &path)
{
    *this = LogFile();
    const bool isNew = !QFile::exists(path);
    const int file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0)
        m_handle = std::make_shared<FileHandle>(file);
    struct stat facts;
    if (file < 0 || ::fstat(file, &facts) != 0) {
        const int code = errno;
        close();
        return failure(
            ErrorKind::Io,
            QCoreApplication::translate("ym::LogFile", "The log %1 cannot be opened (%2).").arg(path, errnoText(code)),
            QCoreApplication::translate("ym::LogFile", "Look at the folder's rights and its disk."));
    }
    m_size = facts.st_size;
    m_reservedEnd = m_size;
    if (isNew)
        syncFolderOf(path);
    return {};
}

int LogFile::append(const QByteArray &bytes)
{
    if (m_isRagged) {
        if (const int code = truncate(m_size))
            return code;
    }
    if (const int code = reserveFor(bytes.size()))
        return code; // before half of it is there, and without giving up the room for less
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t n = ::write(m_handle->descriptor(), bytes.constData() + written, size_t(bytes.size() - written));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const int code = n < 0 ? errno : ENOSPC;
            if (written > 0) {
                m_isRagged = true; // a half-written command must not stay before a later whole one
                truncate(m_size);
            }
            return code;
        }
        written += n;
    }
    m_size += written;
    m_reservedEnd = std::max(m_reservedEnd, m_size);
    return 0;
}

int LogFile::truncate(qint64 size)
{
    if (::ftruncate(m_handle->descriptor(), size) != 0)
        return errno;
    m_size = size;
    m_reservedEnd = size; // the room behind went with the rest
    m_isRagged = false;
    return 0;
}

int LogFile::reserve()
{
    if (reserved() >= fullReserve / 2)
        return 0;
    int code = 0;
    for (qint64 room = fullReserve; room >= leastReserve && reserved() < room; room /= 2) {
        code = reserveFor(room);
        if (code == 0)
            return 0;
    }
    return reserved() >= leastReserve ? 0 : code;
}

/// 0 when `room` bytes are sure to fit behind the end, or when the file system cannot say.
int LogFile::reserveFor(qint64 room)
{
    if (!m_canReserve || reserved() >= room)
        return 0;
    int code = 0;
    do {
        code = ::fallocate(m_handle->descriptor(), FALLOC_FL_KEEP_SIZE, m_size, room) == 0 ? 0 : errno;
    } while (code == EINTR);
    if (code == 0)
        m_reservedEnd = m_size + room;
    if (code == 0 || code == ENOSPC || code == EDQUOT || code == EFBIG)
        return code;
    m_canReserve = false; // this file system does not do it: every write is on its own
    m_reservedEnd = m_size;
    return 0;
}

void LogFile::giveBack()
{
    if (reserved() > 0)
        truncate(m_size);
}

int LogFile::sync(const FileHandle &file)
{
    return ::fdatasync(file.descriptor()) == 0 ? 0 : errno;
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
