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

/// A slice of a log file.
struct JobLogSlice {
    QByteArray bytes;
    qint64 offset = 0; ///< of the first byte in the file
    qint64 fileSize = 0;
    quint64 inode = 0;
    bool isFresh = false; ///< the file is another one than `knownInode`, or shorter than `offset`: read from its start
};

/// Reads at most 1 MiB: from `offset` on, or the end of the file when it is negative. Pass the inode of the last slice
/// to follow a file over rotation; 0 when there is none. Never blocks on what is no plain file. NotFound without a log.
Result<JobLogSlice> readJobLog(const JobLog::Options &options, const QByteArray &logPath, const QByteArray &jobId,
                               qint64 offset, quint64 knownInode);

} // namespace ym
