// Log files of jobs: written and read below the log folder only.
#pragma once

#include "core/job/change_set.h"
#include "core/worker/rotating_file.h"
#include "core/worker/secret_mask.h"

namespace ym {

/// Writes what a job puts out to its log file (0600, appended, rotated), with secret values of its environment masked.
class JobLog {
public:
    struct Options {
        QString root; ///< the log folder; made when it is missing
        RotatingFile::Limits limits;
        ConfinedFolder::Resolver resolver = ConfinedFolder::Resolver::Kernel;
    };

    /// Opens the job's file. Usage when its log path is no path of a file below the root, Io when it cannot be used.
    static Result<JobLog> open(const Options &options, const Job &job);

    /// Appends. After the first failure nothing more is written; it is returned once.
    Result<void> write(OutputChunk::Stream stream, const QByteArray &bytes);
    /// Writes what was held back because it might have begun a secret. Call it once, at the end.
    Result<void> finish();

private:
    JobLog(RotatingFile file, const QList<QByteArray> &secrets);
    Result<void> append(const QByteArray &bytes);

    RotatingFile m_file;
    SecretMask m_out;
    SecretMask m_err;
    bool m_hasFailed = false;
};

/// The job's log file, relative to `root`: its log path, or {id}.log when it names none. An absolute path counts only
/// below the root. Usage when it is none (RELIABILITY D14): with "..", a URL, a folder, NUL, or over 4 KiB.
Result<QByteArray> jobLogPath(const QString &root, const QByteArray &logPath, const QByteArray &jobId);

/// Opens a log file for reading. Never blocks on what is no plain file. NotFound without a log.
Result<FileDescriptor> openJobLog(const JobLog::Options &options, const QByteArray &logPath, const QByteArray &jobId);
quint64 inodeOf(const FileDescriptor &file);

/// Reads a log from its beginning and goes on with what is written later, also over rotation: what is still in the file
/// that was renamed comes before the new one.
class JobLogReader {
public:
    JobLogReader(JobLog::Options options, QByteArray logPath, QByteArray jobId)
        : m_options(std::move(options))
        , m_logPath(std::move(logPath))
        , m_jobId(std::move(jobId))
    {
    }

    struct Piece {
        QByteArray bytes; ///< at most 1 MiB; empty: there is nothing new now
        qint64 offset = 0; ///< of the first byte in its file
    };
    /// NotFound while there is no log. Never blocks on what is no plain file.
    Result<Piece> next();

private:
    Result<Piece> readOn();

    JobLog::Options m_options;
    QByteArray m_logPath;
    QByteArray m_jobId;
    FileDescriptor m_file;
    qint64 m_offset = 0;
};

} // namespace ym
