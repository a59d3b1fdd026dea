// The file of the append-only log: whole writes or none.
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QString>

#include <memory>

namespace ym::embedded {

/// An open file that is closed with its last owner, in whatever thread.
class FileHandle {
public:
    explicit FileHandle(int file)
        : m_file(file)
    {
    }
    ~FileHandle();
    FileHandle(const FileHandle &) = delete;
    FileHandle &operator=(const FileHandle &) = delete;
    int descriptor() const { return m_file; }

private:
    int m_file;
};

/// An open log file. One thread, but its handle may be synced and read in another one while this one writes.
class LogFile {
public:
    /// How much room is kept free behind the end.
    static constexpr qint64 fullReserve = 1024 * 1024;
    static constexpr qint64 leastReserve = 16 * 1024;

    /// Opens for appending and makes the file (0600) when it is missing, with its folder entry on disk.
    Result<void> open(const QString &path);
    void close() { m_handle.reset(); }
    bool isOpen() const { return m_handle != nullptr; }
    const std::shared_ptr<const FileHandle> &handle() const { return m_handle; }
    /// Bytes written so far, all of them in whole writes.
    qint64 size() const { return m_size; }

    /// Writes everything, or cuts the file back to where it was and returns the errno.
    int append(const QByteArray &bytes);
    /// Cuts the file; the errno when that fails.
    int truncate(qint64 size);
    /// Sees to it that there is room for further bytes on the disk: then no full disk can stop them. The errno when
    /// there is not even a little; 0 also where the file system cannot promise room.
    int reserve();
    /// Bytes that append() will take even when the disk is full.
    qint64 reserved() const { return m_reservedEnd - m_size; }
    /// Gives the room back.
    void giveBack();

    /// 0 or an errno.
    static int sync(const FileHandle &file);
    /// Brings a folder's entries to disk; the errno when that fails.
    static int syncFolderOf(const QString &path);

private:
    int reserveFor(qint64 room);

    std::shared_ptr<const FileHandle> m_handle;
    qint64 m_size = 0;
    qint64 m_reservedEnd = 0; ///< never less than m_size
    bool m_canReserve = true;
    bool m_isRagged = false; ///< a half-written end could not be cut off yet
};

/// An errno for people.
QString errnoText(int code);

} // namespace ym::embedded
