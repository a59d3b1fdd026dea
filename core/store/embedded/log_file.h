// The file of the append-only log: whole writes or none.
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QString>

namespace ym::embedded {

/// An open log file. Not copyable; one thread, but sync() may run in another one while this one writes.
class LogFile {
public:
    LogFile() = default;
    ~LogFile() { close(); }
    LogFile(const LogFile &) = delete;
    LogFile &operator=(const LogFile &) = delete;

    /// Opens for appending and makes the file (0600) when it is missing, with its folder entry on disk.
    Result<void> open(const QString &path);
    void close();
    bool isOpen() const { return m_file >= 0; }
    int descriptor() const { return m_file; }
    /// Bytes written so far, all of them in whole writes.
    qint64 size() const { return m_size; }

    /// Writes everything, or cuts the file back to where it was and returns the errno.
    int append(const QByteArray &bytes);
    /// Cuts the file; the errno when that fails.
    int truncate(qint64 size);

    /// Brings a folder's entries to disk; the errno when that fails.
    static int syncFolderOf(const QString &path);

private:
    int m_file = -1;
    qint64 m_size = 0;
};

/// An errno for people.
QString errnoText(int code);

} // namespace ym::embedded
