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

Result<JobLogReader::Piece> JobLogReader::next()
{
    if (m_file.isOpen()) {
        const Result<Piece> more = readOn();
        if (!more || !more->bytes.isEmpty())
            return more;
    }
    Result<FileDescriptor> named = openJobLog(m_options, m_logPath, m_jobId);
    if (!named && (!m_file.isOpen() || named.error().kind != ErrorKind::NotFound))
        return tl::unexpected(named.error());
    if (!named || (m_file.isOpen() && inodeOf(*named) == inodeOf(m_file)))
        return Piece{{}, m_offset};
    if (m_file.isOpen()) { // written between the look and the renaming; afterwards nothing is
        const Result<Piece> rest = readOn();
        if (!rest || !rest->bytes.isEmpty())
            return rest;
    }
    m_file = std::move(*named);
    m_offset = 0;
    return readOn();
}

Result<JobLogReader::Piece> JobLogReader::readOn()
{
    struct stat about { };
    if (fstat(m_file.get(), &about) == 0 && about.st_size < m_offset)
        m_offset = 0; // it was cut
    Piece piece{{}, m_offset};
    piece.bytes.resize(std::clamp<qint64>(about.st_size - m_offset, 0, sliceBytes));
    const ssize_t n = pread(m_file.get(), piece.bytes.data(), size_t(piece.bytes.size()), m_offset);
    if (n < 0)
        return failure(ErrorKind::Io, tr("The log cannot be read: %1.").arg(qt_error_string(errno)));
    piece.bytes.truncate(n);
    m_offset += n;
    return piece;
}

} // namespace ym
