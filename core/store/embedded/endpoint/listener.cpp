#include "core/store/embedded/endpoint/listener.h"

#include <QCoreApplication>
#include <QFile>

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace ym::embedded {

namespace {

constexpr int backlog = 511;

QString say(const char *text)
{
    return QCoreApplication::translate("ym::embedded::Endpoint", text);
}

QString errorText(int code)
{
    return QString::fromLocal8Bit(std::strerror(code));
}

int newSocket(int family)
{
    return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/// True when a process listens at `address`.
bool isAlive(const sockaddr_un &address)
{
    const int probe = newSocket(AF_UNIX);
    if (probe < 0)
        return true;
    const bool refused = ::connect(probe, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        && (errno == ECONNREFUSED || errno == ENOENT);
    ::close(probe);
    return !refused;
}

/// Makes room at `address`: only a socket that nobody listens on any more goes.
Result<void> removeStale(const sockaddr_un &address, const QString &path)
{
    struct stat found { };
    if (::lstat(address.sun_path, &found) != 0)
        return {};
    if (!S_ISSOCK(found.st_mode))
        return failure(ErrorKind::Conflict, say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "%1 is not a socket.")).arg(path),
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "Choose another path.")));
    if (isAlive(address))
        return failure(ErrorKind::Conflict,
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "Another program listens on the socket %1."))
                           .arg(path),
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "End it or choose another path.")));
    ::unlink(address.sun_path);
    return {};
}

} // namespace

Result<void> Listener::openUnix(const QString &path)
{
    close();
    const QByteArray name = QFile::encodeName(path);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (name.isEmpty() || size_t(name.size()) >= sizeof address.sun_path)
        return failure(ErrorKind::Usage,
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "A socket's path has 1 to %1 bytes."))
                           .arg(sizeof address.sun_path - 1),
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "Choose a shorter one.")));
    std::memcpy(address.sun_path, name.constData(), size_t(name.size()));
    if (const Result<void> free = removeStale(address, path); !free)
        return free;
    const int descriptor = newSocket(AF_UNIX);
    // The mode before bind() is that of the file: it is never open to others, not for a moment.
    const bool isListening = descriptor >= 0 && ::fchmod(descriptor, 0600) == 0
        && ::bind(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0
        && ::chmod(address.sun_path, 0600) == 0 && ::listen(descriptor, backlog) == 0;
    const int code = errno;
    struct stat made { };
    if (!isListening || ::lstat(address.sun_path, &made) != 0) {
        if (descriptor >= 0)
            ::close(descriptor);
        return failure(code == EADDRINUSE ? ErrorKind::Conflict : ErrorKind::Io,
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "The socket %1 cannot be opened (%2)."))
                           .arg(path, errorText(code)),
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "Choose another path.")));
    }
    m_descriptor = descriptor;
    m_path = path;
    m_device = made.st_dev;
    m_inode = made.st_ino;
    return {};
}

Result<quint16> Listener::openLoopback(quint16 port)
{
    close();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int descriptor = newSocket(AF_INET);
    const int on = 1;
    socklen_t size = sizeof address;
    const bool isListening = descriptor >= 0
        && ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
        && ::bind(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0
        && ::listen(descriptor, backlog) == 0
        && ::getsockname(descriptor, reinterpret_cast<sockaddr *>(&address), &size) == 0;
    if (!isListening) {
        const int code = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        return failure(code == EADDRINUSE ? ErrorKind::Conflict : ErrorKind::Io,
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "Port %1 of 127.0.0.1 cannot be opened (%2)."))
                           .arg(QString::number(port), errorText(code)),
                       say(QT_TRANSLATE_NOOP("ym::embedded::Endpoint", "Choose another port, or 0 for any.")));
    }
    m_descriptor = descriptor;
    m_port = ntohs(address.sin_port);
    return m_port;
}

void Listener::close()
{
    if (m_descriptor < 0)
        return;
    ::close(std::exchange(m_descriptor, -1));
    const QByteArray name = QFile::encodeName(std::exchange(m_path, {}));
    struct stat found { };
    if (!name.isEmpty() && ::lstat(name.constData(), &found) == 0 && found.st_dev == m_device
        && found.st_ino == m_inode)
        ::unlink(name.constData());
    m_port = 0;
}

int Listener::accept() const
{
    const int descriptor = ::accept4(m_descriptor, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    const int on = 1;
    if (descriptor >= 0 && m_path.isEmpty())
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return descriptor;
}

} // namespace ym::embedded
