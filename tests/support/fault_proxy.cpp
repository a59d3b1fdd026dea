#include "tests/support/fault_proxy.h"

#include <QPointer>
#include <QTimer>

namespace ym::test {

FaultProxy::FaultProxy(const QString &serverPath)
    : m_path(m_folder.filePath(QStringLiteral("proxy.sock")))
    , m_serverPath(serverPath)
{
    connect(&m_listener, &QLocalServer::newConnection, this, &FaultProxy::accept);
    if (!m_listener.listen(m_path))
        qFatal("the proxy cannot listen: %s", qPrintable(m_listener.errorString()));
}

void FaultProxy::setMode(Mode mode, qsizetype cutAfter)
{
    m_mode = mode;
    m_cutAfter = cutAfter;
}

void FaultProxy::hangUp()
{
    for (QLocalSocket *socket : m_listener.findChildren<QLocalSocket *>())
        socket->abort();
}

void FaultProxy::accept()
{
    while (QLocalSocket *const client = m_listener.nextPendingConnection()) {
        ++m_accepted;
        auto *const server = new QLocalSocket(client);
        server->connectToServer(m_serverPath);
        const Pair pair{client, server};
        connect(client, &QLocalSocket::readyRead, this, [this, pair] { toServer(pair); });
        connect(server, &QLocalSocket::readyRead, this, [this, pair] { toClient(pair); });
        connect(server, &QLocalSocket::disconnected, client, &QLocalSocket::disconnectFromServer);
        connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
    }
}

void FaultProxy::toServer(const Pair &pair)
{
    const QByteArray bytes = pair.client->readAll();
    if (m_mode != Mode::LoseAll)
        pair.server->write(bytes);
}

void FaultProxy::toClient(const Pair &pair)
{
    const QByteArray bytes = pair.server->readAll();
    switch (m_mode) {
    case Mode::Pass:
        pair.client->write(bytes);
        break;
    case Mode::LoseReplies:
    case Mode::LoseAll:
        break;
    case Mode::Slice:
        for (const char byte : bytes) {
            pair.client->write(&byte, 1);
            pair.client->flush();
        }
        break;
    case Mode::Delay:
        QTimer::singleShot(50, pair.client, [client = QPointer<QLocalSocket>(pair.client), bytes] {
            if (client)
                client->write(bytes);
        });
        break;
    case Mode::Cut:
        pair.client->write(bytes.left(m_cutAfter));
        pair.client->flush();
        pair.client->abort();
        break;
    }
}

} // namespace ym::test
