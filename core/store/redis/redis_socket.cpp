#include "core/store/redis/redis_socket.h"

#include "core/store/redis/tls_setup.h"

#include <QCoreApplication>
#include <QLocalSocket>
#include <QNetworkProxy>
#include <QSslSocket>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace ym {

namespace {

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

RedisSocket::RedisSocket(StoreAddress address, QObject *parent)
    : QObject(parent)
    , m_address(std::move(address))
{
}

RedisSocket::~RedisSocket()
{
    abort();
    // We may be inside a signal of the socket, so it must outlive this call.
    if (m_device)
        m_device->deleteLater();
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
    if (!m_device)
        return;
    m_device->disconnect(this);
    if (m_local)
        m_local->abort();
    else
        m_tcp->abort();
}

void RedisSocket::write(const QByteArray &bytes)
{
    m_device->write(bytes.constData(), bytes.size());
    if (m_local)
        m_local->flush();
    else
        m_tcp->flush();
}

void RedisSocket::openLocal()
{
    m_local = new QLocalSocket;
    m_device = m_local;
    connect(m_local, &QLocalSocket::connected, this, &RedisSocket::whenConnected);
    connect(m_local, &QLocalSocket::readyRead, this, &RedisSocket::readyRead);
    connect(m_local, &QLocalSocket::errorOccurred, this, [this] { report(localTrouble()); });
    connect(m_local, &QLocalSocket::disconnected, this, [this] { report(localTrouble()); });
    m_local->connectToServer(m_address.path);
}

void RedisSocket::openTcp()
{
    m_tcp = new QTcpSocket;
    watchTcp(m_tcp);
    connect(m_tcp, &QTcpSocket::connected, this, &RedisSocket::whenConnected);
    m_tcp->connectToHost(m_address.host, m_address.port);
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
    m_device = socket;
    socket->setProxy(QNetworkProxy::NoProxy);
    connect(socket, &QTcpSocket::readyRead, this, &RedisSocket::readyRead);
    connect(socket, &QTcpSocket::errorOccurred, this, [this] { report(m_tls ? tlsTrouble() : tcpTrouble()); });
    connect(socket, &QTcpSocket::disconnected, this, [this] { report(m_tls ? tlsTrouble() : tcpTrouble()); });
}

void RedisSocket::whenConnected()
{
    if (m_tcp)
        keepAlive(m_tcp->socketDescriptor());
    m_connected = true;
    Q_EMIT connected();
}

void RedisSocket::report(Error why)
{
    if (std::exchange(m_done, true))
        return;
    Q_EMIT lost(why);
}

Error RedisSocket::localTrouble() const
{
    if (m_connected)
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "The server closed the connection.")));
    switch (m_local->error()) {
    case QLocalSocket::ServerNotFoundError:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "There is no socket %1.")).arg(m_address.path),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Start the server or correct the path.")));
    case QLocalSocket::ConnectionRefusedError:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "Nothing listens on the socket %1.")).arg(m_address.path),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Start the server.")));
    case QLocalSocket::SocketAccessError:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "You may not open the socket %1.")).arg(m_address.path),
                           say(QT_TRANSLATE_NOOP("ym::Redis", "Look at its owner and mode.")));
    default:
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "The socket %1 cannot be opened: %2."))
                               .arg(m_address.path, m_local->errorString()));
    }
}

Error RedisSocket::tcpTrouble() const
{
    if (m_connected)
        return unavailable(say(QT_TRANSLATE_NOOP("ym::Redis", "The server closed the connection.")));
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
