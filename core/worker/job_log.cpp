#include "core/worker/job_log.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <sys/stat.h>

namespace ym {

namespace {

constexpr qint64 sliceBytes = 1 << 20;
constexpr qsizetype longestPath = 4095;

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::JobLog", text);
}

tl::unexpected<Error> noLogPath(const QByteArray &path, const QString &why)
{
    return failure(ErrorKind::Usage, tr("“%1” is no log file: %2.").arg(QString::fromUtf8(path.left(120)), why),
                   tr("Use a file name relative to the log folder."));
}

/// An id that is fit for a file name stays itself; any other becomes a name of its own.
QByteArray fileNameFor(const QByteArray &id)
{
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    const bool plain = !id.isEmpty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), isPlain);
    return (plain ? id : "job-" + QCryptographicHash::hash(id, QCryptographicHash::Sha256).toHex()) + ".log";
}

/// Absolute paths count only below the root, after tidying both as text.
Result<QByteArray> belowRoot(const QString &root, const QByteArray &path)
{
    const QString tidy = QDir::cleanPath(QFile::decodeName(path));
    const QString folder = QDir(root).absolutePath() + u'/';
    if (!tidy.startsWith(folder))
        return noLogPath(path, tr("it lies outside the log folder"));
    return QFile::encodeName(tidy.mid(folder.size()));
}

} // namespace

Result<QByteArray> jobLogPath(const QString &root, const QByteArray &logPath, const QByteArray &jobId)
{
    if (logPath.isEmpty())
        return fileNameFor(jobId);
    if (logPath.contains('\0') || logPath.size() > longestPath)
        return noLogPath(logPath, tr("it is too long or holds a NUL byte"));
    if (logPath.contains("://"))
        return noLogPath(logPath, tr("it is an address"));
    if (logPath.endsWith('/') || logPath.endsWith("/.") || logPath == ".")
        return noLogPath(logPath, tr("it is a folder"));
    if (logPath.startsWith('/'))
        return belowRoot(root, logPath);
    QList<QByteArray> parts = logPath.split('/');
    if (parts.contains(".."))
        return noLogPath(logPath, tr("it leads out of the log folder"));
    parts.removeIf([](const QByteArray &part) { return part.isEmpty() || part == "."; });
    return parts.join('/');
}

Result<JobLog> JobLog::open(const Options &options, const Job &job)
{
    const Result<QByteArray> path = jobLogPath(options.root, job.logPath, job.id);
    if (!path)
        return tl::unexpected(path.error());
    const auto root = ConfinedFolder::open(options.root, ConfinedFolder::Access::Append, options.resolver);
    if (!root)
        return tl::unexpected(root.error());
    Result<ConfinedFolder::Place> place = root->locate(*path, ConfinedFolder::Access::Append);
    if (!place)
        return tl::unexpected(place.error());
    Result<RotatingFile> file = RotatingFile::open(std::move(*place), options.limits);
    if (!file)
        return tl::unexpected(file.error());
    return JobLog(std::move(*file), secretValues(job));
}

JobLog::JobLog(RotatingFile file, const QList<QByteArray> &secrets)
    : m_file(std::move(file))
    , m_out(secrets)
    , m_err(secrets)
{
}

Result<void> JobLog::write(OutputChunk::Stream stream, const QByteArray &bytes)
{
    return append((stream == OutputChunk::Stream::Out ? m_out : m_err).feed(bytes));
}

Result<void> JobLog::finish()
{
    return append(m_out.flush() + m_err.flush());
}

Result<void> JobLog::append(const QByteArray &bytes)
{
    if (m_hasFailed || bytes.isEmpty())
        return {};
    const Result<void> written = m_file.append(bytes);
    m_hasFailed = !written;
    return written;
}

Result<FileDescriptor> openJobLog(const JobLog::Options &options, const QByteArray &logPath, const QByteArray &jobId)
{
    using Access = ConfinedFolder::Access;
    const Result<QByteArray> path = jobLogPath(options.root, logPath, jobId);
    if (!path)
        return tl::unexpected(path.error());
    const auto root = ConfinedFolder::open(options.root, Access::Read, options.resolver);
    if (!root)
        return tl::unexpected(root.error());
    const Result<ConfinedFolder::Place> place = root->locate(*path, Access::Read);
    if (!place)
        return tl::unexpected(place.error());
    return ConfinedFolder::openFile(place->folder, place->name, Access::Read);
}

quint64 inodeOf(const FileDescriptor &file)
{
    struct stat about { };
    return fstat(file.get(), &about) == 0 ? quint64(about.st_ino) : 0;
}

Result<JobLogSlice> readJobLog(const JobLog::Options &options, const QByteArray &logPath, const QByteArray &jobId,
                               qint64 offset, quint64 knownInode)
{
    const Result<FileDescriptor> file = openJobLog(options, logPath, jobId);
    if (!file)
        return tl::unexpected(file.error());

    struct stat about { };
    fstat(file->get(), &about);
    JobLogSlice slice;
    slice.fileSize = about.st_size;
    slice.inode = about.st_ino;
    slice.isFresh = offset >= 0 && ((knownInode != 0 && knownInode != slice.inode) || slice.fileSize < offset);
    const qint64 fromEnd = std::max<qint64>(0, slice.fileSize - sliceBytes);
    slice.offset = offset < 0 ? fromEnd : slice.isFresh ? 0 : offset;
    slice.bytes.resize(std::min(sliceBytes, slice.fileSize - slice.offset));
    const ssize_t n = pread(file->get(), slice.bytes.data(), size_t(slice.bytes.size()), slice.offset);
    if (n < 0)
        return failure(ErrorKind::Io, tr("The log cannot be read: %1.").arg(qt_error_string(errno)));
    slice.bytes.truncate(n);
    return slice;
}

} // namespace ym
