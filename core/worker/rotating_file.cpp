#include "core/worker/rotating_file.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>

namespace ym {

namespace {

using Access = ConfinedFolder::Access;

tl::unexpected<Error> cannotWrite(const QByteArray &name, int error)
{
    return failure(ErrorKind::Io,
                   QCoreApplication::translate("ym::RotatingFile", "The file “%1” cannot be written: %2.")
                       .arg(QFile::decodeName(name), qt_error_string(error)));
}

} // namespace

Result<RotatingFile> RotatingFile::open(ConfinedFolder::Place place, Limits limits)
{
    Result<FileDescriptor> file = ConfinedFolder::openFile(place.folder, place.name, Access::Append);
    if (!file)
        return tl::unexpected(file.error());
    return RotatingFile(std::move(place), limits, std::move(*file));
}

RotatingFile::RotatingFile(ConfinedFolder::Place place, Limits limits, FileDescriptor file)
    : m_place(std::move(place))
    , m_limits(limits)
    , m_file(std::move(file))
{
}

Result<void> RotatingFile::append(const QByteArray &bytes)
{
    const Result<qint64> size = currentSize();
    if (!size)
        return tl::unexpected(size.error());
    if (*size > 0 && *size + bytes.size() > m_limits.bytes) {
        if (const auto rotated = rotate(); !rotated)
            return rotated;
    }
    if (!m_file.writeAll(bytes))
        return cannotWrite(m_place.name, errno);
    return {};
}

/// Size of what the name means now; opens it again when somebody else rotated or deleted it.
Result<qint64> RotatingFile::currentSize()
{
    struct stat open { };
    struct stat named { };
    if (fstat(m_file.get(), &open) != 0)
        return cannotWrite(m_place.name, errno);
    const int found = fstatat(m_place.folder.get(), m_place.name.constData(), &named, AT_SYMLINK_NOFOLLOW);
    if (found == 0 && named.st_ino == open.st_ino && named.st_dev == open.st_dev)
        return qint64(open.st_size);
    Result<FileDescriptor> file = ConfinedFolder::openFile(m_place.folder, m_place.name, Access::Append);
    if (!file)
        return tl::unexpected(file.error());
    m_file = std::move(*file);
    return fstat(m_file.get(), &open) == 0 ? Result<qint64>(open.st_size) : cannotWrite(m_place.name, errno);
}

Result<void> RotatingFile::rotate()
{
    const int folder = m_place.folder.get();
    for (int number = m_limits.files - 1; number > 0; --number)
        renameat(folder, numbered(number - 1).constData(), folder, numbered(number).constData());
    if (m_limits.files == 1)
        unlinkat(folder, m_place.name.constData(), 0);
    Result<FileDescriptor> file = ConfinedFolder::openFile(m_place.folder, m_place.name, Access::Append);
    if (!file)
        return tl::unexpected(file.error());
    m_file = std::move(*file);
    return {};
}

QByteArray RotatingFile::numbered(int number) const
{
    return number == 0 ? m_place.name : m_place.name + '.' + QByteArray::number(number);
}

} // namespace ym
