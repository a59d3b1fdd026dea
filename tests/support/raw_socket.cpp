#include "tests/support/raw_socket.h"

#include <QFile>

#include <cstring>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ym::test {

RawSocket::RawSocket(const QString &path)
    : m_descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    std::memcpy(address.sun_path, name.constData(), std::min(size_t(name.size()), sizeof address.sun_path - 1));
    if (::connect(m_descriptor, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        ::close(std::exchange(m_descriptor, -1));
    limitWaiting();
}

RawSocket::RawSocket(quint16 port)
    : m_descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (::connect(m_descriptor, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        ::close(std::exchange(m_descriptor, -1));
    limitWaiting();
}

RawSocket::~RawSocket()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void RawSocket::limitWaiting()
{
    const timeval limit{20, 0};
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

bool RawSocket::send(const QByteArray &bytes)
{
    qsizetype sent = 0;
    while (sent < bytes.size()) {
        const ssize_t taken =
            ::send(m_descriptor, bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL);
        if (taken <= 0)
            return false;
        sent += taken;
    }
    return true;
}

qsizetype RawSocket::sendWhatFits(const QByteArray &bytes)
{
    return ::send(m_descriptor, bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void RawSocket::endSending()
{
    ::shutdown(m_descriptor, SHUT_WR);
}

QByteArray RawSocket::read(qsizetype count)
{
    QByteArray bytes(count, Qt::Uninitialized);
    qsizetype got = 0;
    while (got < count) {
        const ssize_t more = ::recv(m_descriptor, bytes.data() + got, size_t(count - got), 0);
        if (more <= 0)
            break;
        got += more;
    }
    bytes.truncate(got);
    return bytes;
}

QByteArray RawSocket::readSome()
{
    QByteArray bytes(65536, Qt::Uninitialized);
    bytes.truncate(std::max<ssize_t>(0, ::recv(m_descriptor, bytes.data(), size_t(bytes.size()), 0)));
    return bytes;
}

QByteArray RawSocket::readToEnd(bool *wasClosed)
{
    QByteArray bytes;
    char piece[65536];
    ssize_t got = 0;
    while ((got = ::recv(m_descriptor, piece, sizeof piece, 0)) > 0)
        bytes.append(piece, got);
    if (wasClosed)
        *wasClosed = got == 0 || errno == ECONNRESET;
    return bytes;
}

QByteArray respRequest(const QList<QByteArray> &words)
{
    QByteArray bytes = '*' + QByteArray::number(words.size()) + "\r\n";
    for (const QByteArray &word : words)
        bytes += '$' + QByteArray::number(word.size()) + "\r\n" + word + "\r\n";
    return bytes;
}

} // namespace ym::test
