// Listening sockets: a unix socket, or a port of the loopback interface.
#pragma once

#include "core/base/error.h"

#include <sys/types.h>

namespace ym::embedded {

/// An open listening socket; closed, and its file removed, with its owner. Not blocking.
class Listener {
public:
    Listener() = default;
    ~Listener() { close(); }
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;

    /// Mode 0600. A file left by a process that is gone is replaced. Conflict when somebody listens there or the file is
    /// no socket, Usage when the path is too long, Io else.
    Result<void> openUnix(const QString &path);
    /// 127.0.0.1 only; 0 = any free port. Conflict when the port is taken.
    Result<quint16> openLoopback(quint16 port);
    void close();

    bool isOpen() const { return m_descriptor >= 0; }
    int descriptor() const { return m_descriptor; }
    /// Empty for a port.
    const QString &path() const { return m_path; }
    quint16 port() const { return m_port; }

    /// A new connection, not blocking; -1 when none waits, with errno.
    int accept() const;

private:
    int m_descriptor = -1;
    QString m_path;
    quint16 m_port = 0;
    dev_t m_device = 0; ///< with m_inode the socket's file: another one in its place is not ours to remove
    ino_t m_inode = 0;
};

} // namespace ym::embedded
