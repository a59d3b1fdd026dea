#include "core/store/redis/redis_socket.h"

#include "core/store/redis/tls_setup.h"
#include "core/store/redis/unix_stream.h"

#include <QCoreApplication>
#include <QNetworkProxy>
#include <QSslSocket>

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace ym {

namespace {

/// Bytes go straight to and from the operating system: see UnixStream for what a buffered socket costs.
constexpr QIODevice::OpenMode direct = QIODevice::ReadWrite | QIODevice::Unbuffered;

QString say(const char *text)
{
    return QCoreApplication::translate("ym::Redis", text);
}

/// RELIABILITY 6.2: a dead peer is noticed within half a minute even when nothing is sent.
void keepAlive(qintptr descriptor)
{
    static constexpr struct {
        int level, option, value;
    } options[] = {
        {SOL_SOCKET, SO_KEEPALIVE, 1}, {IPPROTO_TCP, TCP_KEEPIDLE, 15},         {IPPROTO_TCP, TCP_KEEPINTVL, 5},
        {IPPROTO_TCP, TCP_KEEPCNT, 3}, {IPPROTO_TCP, TCP_USER_TIMEOUT, 20'000}, {IPPROTO_TCP, TCP_NODELAY, 1},
    };
    for (const auto &o : options)
        ::setsockopt(int(descriptor), o.level, o.option, &o.value, sizeof o.value);
}

Error unavailable(const QString &message, const QString &advice = {})
{
    return {ErrorKind::Unavailable, message, advice, false};
}

} // namespace

RedisSocket::RedisSocket(StoreAddress address, std::function<void()> onReadable, QObject *parent)
    : QObject(parent)
    , m_address(std::move(address))
    , m_onReadable(std::move(onReadable))
{
}

RedisSocket::~RedisSocket()
{
    abort();
    // We may be inside a signal of the socket, so it must outlive this call.
    if (m_tcp)
        m_tcp->deleteLater();
    if (m_unix)
        m_unix->deleteLater();
}

void RedisSocket::open()
{
    switch (m_address.kind) {
    case StoreAddress::Kind::Unix:
        return openLocal();
    case StoreAddress::Kind::Tcp:
        return openTcp();
    case StoreAddress::Kind::Tls:
        return openTls();
    case StoreAddress::Kind::Embedded:
    case StoreAddress::Kind::Memory:
        break;
    }
    report({ErrorKind::Usage,
            say(QT_TRANSLATE_NOOP("ym::Redis", "This address does not name a Redis server.")),
            {},
            false});
}

void RedisSocket::abort()
{
    m_done = true;
    if (m_tcp) {
        m_tcp->disconnect(this);
        m_tcp->abort();
    }
    if (m_unix)
        m_unix->close();
}

qint64 RedisSocket::read(char *bytes, qint64 most)
{
    if (m_done)
        return 0;
    const qint64 count = m_unix ? m_unix->read(bytes, most) : m_tcp->read(bytes, most);
    if (count < 0) // an unbuffered socket finds its end here, and says nothing
        report(m_tls ? tlsTrouble() : closedByServer());
    return std::max<qint64>(count, 0);
}

void RedisSocket::write(const QByteArray &bytes)
{
    if (m_done)
        return;
    m_writing = true;
    if (m_unix) {
        m_unix->write(bytes.constData(), bytes.size()); // a loss is found by the reader, behind what was said last
    } else {
        m_tcp->write(bytes.constData(), bytes.size());
        if (m_tls)
            m_tls->flush();
    }
    m_writing = false;
}

void RedisSocket::openLocal()
{
    m_unix = new UnixStream(m_onReadable);
    const int trouble = m_unix->open(m_address.path);
    // Told in the next turn, as the other sockets do.
    if (trouble)
        QMetaObject::invokeMethod(
            this, [this, trouble] { report(localTrouble(trouble)); }, Qt::QueuedConnection);
    else
        QMetaObject::invokeMethod(this, &RedisSocket::whenConnected, Qt::QueuedConnection);
}

void RedisSocket::openTcp()
{
    m_tcp = new QTcpSocket;
    watchTcp(m_tcp);
    connect(m_tcp, &QTcpSocket::connected, this, &RedisSocket::whenConnected);
    m_tcp->connectToHost(m_address.host, m_address.port, direct);
}

void RedisSocket::openTls()
{
    m_tls = new QSslSocket;
    m_tcp = m_tls;
    watchTcp(m_tls);
    connect(m_tls, &QSslSocket::encrypted, this, &RedisSocket::whenConnected);
    connect(m_tls, &QSslSocket::sslErrors, this, [this](const QList<QSslError> &errors) {
        if (!errors.isEmpty())
            m_certificateTrouble = errors.constFirst().errorString();
    });
    if (const Result<void> ready = configureTls(*m_tls, m_address); !ready)
        return report(ready.error());
    const QString name = m_address.serverName.isEmpty() ? m_address.host : m_address.serverName;
    m_tls->connectToHostEncrypted(m_address.host, m_address.port, name);
}

void RedisSocket::watchTcp(QTcpSocket *socket)
{
    socket->setProxy(QNetworkProxy::NoProxy);
    connect(socket, &QTcpSocket::readyRead, this, m_onReadable);
    connect(socket, &QTcpSocket::errorOccurred, this, [this] { report(m_tls ? tlsTrouble() : tcpTrouble()); });
    connect(socket, &QTcpSocket::disconnected, this, [this] { report(m_tls ? tlsTrouble() : tcpTrouble()); });
}

void RedisSocket::whenConnected()
{
    if (m_tcp)
        keepAlive(m_tcp->socketDescriptor());
    if (m_done)
        return;
    m_connected = true;
    Q_EMIT connected();
}

void RedisSocket::report(Error why)
{
    if (m_writing) {
        QMetaObject::invokeMethod(
            this, [this, why] { report(why); }, Qt::QueuedConnection);
        return;
    }
    if (std::exchange(m_done, true))
        return;
    Q_EMIT lost(why);
}

Error RedisSocket::closedByServer() const
{
    return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "The server closed the connection.")));
}

Error RedisSocket::localTrouble(int number) const
{
    switch (number) {
    case ENOENT:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "There is no socket %1.")).arg(m_address.path),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Start the server or correct the path.")));
    case ECONNREFUSED:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "Nothing listens on the socket %1.")).arg(m_address.path),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Start the server.")));
    case EACCES:
    case EPERM:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "You may not open the socket %1.")).arg(m_address.path),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Look at its owner and mode.")));
    case EAGAIN:
        return unavailable(
            say(QT_TRANSLATE_NOOP("ym::Redis", "Too many clients wait at the socket %1.")).arg(m_address.path));
    default:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "The socket %1 cannot be opened: %2."))
                               .arg(m_address.path, QString::fromLocal8Bit(std::strerror(number))));
    }
}

Error RedisSocket::tcpTrouble() const
{
    if (m_connected)
        return closedByServer();
    const QString port = QString::number(m_address.port);
    switch (m_tcp->error()) {
    case QAbstractSocket::ConnectionRefusedError:
        return unavailable(
            say(QT_TRANSLATE_NOOP("ym::Redis", "Nothing listens on %1, port %2.")).arg(m_address.host, port),
            say(QT_TRANSLATE_NOOP("ym::Redis", "Start the server or correct the address.")));
    case QAbstractSocket::HostNotFoundError:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "There is no host %1.")).arg(m_address.host),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Correct the host or look at your network.")));
    default:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "%1, port %2 cannot be reached: %3."))
                               .arg(m_address.host, port, m_tcp->errorString()));
    }
}

Error RedisSocket::tlsTrouble() const
{
    if (!m_certificateTrouble.isEmpty() && !m_connected)
        return {
            ErrorKind::Authentication,
            say(QT_TRANSLATE_NOOP("ym::Redis", "The server's certificate was refused: %1.")).arg(m_certificateTrouble),
            say(QT_TRANSLATE_NOOP("ym::Redis", "Set the right CA file or server name for this connection.")), false};
    switch (m_tls->error()) {
    case QAbstractSocket::SslHandshakeFailedError:
        return tlsHandshakeTrouble(m_tls->errorString());
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        if (m_connected)
            return tlsHandshakeTrouble(m_tls->errorString()); // TLS 1.3: a refused client certificate comes late
        [[fallthrough]];
    case QAbstractSocket::RemoteHostClosedError:
        if (!m_connected)
            return unavailable(
                say(QT_TRANSLATE_NOOP("ym::Redis", "The server closed the connection during the TLS handshake.")),
                say(QT_TRANSLATE_NOOP("ym::Redis", "If it does not use TLS, write redis:// instead of rediss://.")));
        [[fallthrough]];
    default:
        return tcpTrouble();
    }
}

} // namespace ym
