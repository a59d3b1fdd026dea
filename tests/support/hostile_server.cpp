#include "tests/support/hostile_server.h"

namespace ym::test {

namespace {

/// Takes one command off the front; empty when it is not complete.
QList<QByteArray> takeCommand(QByteArray &in)
{
    QList<QByteArray> command;
    qsizetype at = 0;
    const auto number = [&]() -> qsizetype {
        const qsizetype end = in.indexOf("\r\n", at);
        if (end < 0)
            return -1;
        const qsizetype value = in.mid(at + 1, end - at - 1).toLongLong();
        at = end + 2;
        return value;
    };
    const qsizetype count = number();
    for (qsizetype i = 0; i < count; ++i) {
        const qsizetype length = number();
        if (length < 0 || in.size() < at + length + 2)
            return {};
        command << in.mid(at, length);
        at += length + 2;
    }
    if (count > 0)
        in.remove(0, at);
    return command;
}

} // namespace

HostileServer::HostileServer(Answer answer)
    : m_answer(std::move(answer))
{
    connect(&m_server, &QLocalServer::newConnection, this, &HostileServer::welcome);
    m_server.listen(m_folder.filePath(QStringLiteral("s")));
}

HostileServer::~HostileServer()
{
    const QList<QLocalSocket *> sockets = m_clients.keys();
    for (QLocalSocket *socket : sockets)
        socket->disconnect(this);
}

void HostileServer::dropAll()
{
    const QList<QLocalSocket *> sockets = m_clients.keys();
    for (QLocalSocket *socket : sockets)
        socket->abort();
}

void HostileServer::welcome()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        ++m_connections;
        m_clients.insert(socket, {});
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
            m_clients.remove(socket);
            socket->deleteLater();
        });
        if (m_first.isEmpty())
            continue;
        send(socket, m_first);
        socket->disconnectFromServer();
    }
}

std::optional<QByteArray> HostileServer::greeting(const QList<QByteArray> &command) const
{
    const QByteArray &verb = command.constFirst();
    if (!m_greets)
        return std::nullopt;
    if (verb == "INFO")
        return "$21\r\nredis_version:7.0.15\n\r\n";
    if (verb == "PING")
        return "+PONG\r\n";
    if (verb == "CLIENT" || verb == "AUTH" || verb == "SELECT")
        return "+OK\r\n";
    return std::nullopt;
}

void HostileServer::read(QLocalSocket *socket)
{
    m_clients[socket].in += socket->readAll();
    while (m_clients.contains(socket)) {
        const QList<QByteArray> command = takeCommand(m_clients[socket].in);
        if (command.isEmpty())
            return;
        ++m_commands[command.constFirst()];
        const std::optional<QByteArray> known = greeting(command);
        const std::optional<QByteArray> reply = known ? known : m_answer(command);
        if (reply)
            send(socket, *reply);
        if (reply && !known && m_closes)
            socket->disconnectFromServer();
    }
}

void HostileServer::send(QLocalSocket *socket, const QByteArray &bytes)
{
    if (!m_slowly) {
        socket->write(bytes);
        return;
    }
    QByteArray &out = m_clients[socket].out;
    out += bytes;
    if (out.size() == bytes.size())
        sendNext(socket);
}

void HostileServer::sendNext(QLocalSocket *socket)
{
    if (!m_clients.contains(socket) || m_clients[socket].out.isEmpty())
        return;
    QByteArray &out = m_clients[socket].out;
    socket->write(out.left(1));
    socket->flush();
    out.remove(0, 1);
    QMetaObject::invokeMethod(
        this, [this, socket] { sendNext(socket); }, Qt::QueuedConnection);
}

} // namespace ym::test
