#include "core/store/embedded/endpoint/endpoint.h"

#include "core/base/log.h"
#include "core/base/task_scope.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/endpoint/connection_pool.h"

#include <QFile>
#include <QSocketNotifier>

#include <cerrno>

#include <arpa/inet.h>
#include <sys/socket.h>

namespace ym {

using namespace embedded;

namespace {

constexpr Milliseconds acceptRetry{1000};
constexpr int acceptedAtOnce = 64; ///< a flood of new clients leaves the others their turn

QByteArray addressText(const sockaddr_in &address)
{
    char text[INET_ADDRSTRLEN] = "?";
    ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    return QByteArray(text) + ':' + QByteArray::number(ntohs(address.sin_port));
}

using NameOf = int (*)(int, sockaddr *, socklen_t *);

QByteArray endOf(int descriptor, NameOf nameOf)
{
    sockaddr_in address{};
    socklen_t size = sizeof address;
    nameOf(descriptor, reinterpret_cast<sockaddr *>(&address), &size);
    return addressText(address);
}

Connection::Origin originOf(const Listener &listener, int descriptor)
{
    if (listener.path().isEmpty())
        return {endOf(descriptor, ::getpeername), endOf(descriptor, ::getsockname), false, true};
    const QByteArray name = QFile::encodeName(listener.path()) + ":0";
    return {name, name, true, false};
}

} // namespace

struct Endpoint::Private {
    explicit Private(EmbeddedStore *theStore, EndpointLimits limits)
        : store(theStore)
        , pool(theStore, limits)
    {
    }

    struct Door {
        Listener listener;
        std::unique_ptr<QSocketNotifier> notifier;
    };

    EmbeddedStore *store;
    ConnectionPool pool;
    Door unixDoor;
    Door tcpDoor;
    TaskScope scope{"Endpoint"};
};

Endpoint::Endpoint(EmbeddedStore *store, EndpointLimits limits, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(store, limits))
{
    connect(&d->pool, &ConnectionPool::countChanged, this, &Endpoint::clientsChanged);
    connect(&d->pool, &ConnectionPool::busy, this, [this] {
        for (const Private::Door *door : {&d->unixDoor, &d->tcpDoor}) {
            if (door->notifier && door->notifier->isEnabled())
                acceptFrom(&door->listener, door->notifier.get());
        }
    });
    connect(&d->pool, &ConnectionPool::shutdownRequested, this, &Endpoint::shutdownRequested);
    connect(store, &Store::statusChanged, this, [this] {
        if (d->store->status().phase == StoreStatus::Phase::Closed)
            close();
    });
}

Endpoint::~Endpoint()
{
    d->pool.disconnect(this);
    d->scope.stop();
    close();
}

Result<void> Endpoint::listenUnix(const QString &path)
{
    const Result<void> opened = d->unixDoor.listener.openUnix(path);
    if (opened)
        watch(&d->unixDoor.listener, &d->unixDoor.notifier);
    return opened;
}

Result<quint16> Endpoint::listenTcp(quint16 port, const QByteArray &password)
{
    if (password.isEmpty())
        return failure(ErrorKind::Usage, tr("A port needs a password."), tr("Give one, or use a unix socket."));
    const Result<quint16> opened = d->tcpDoor.listener.openLoopback(port);
    if (!opened)
        return opened;
    d->pool.setPassword(password);
    watch(&d->tcpDoor.listener, &d->tcpDoor.notifier);
    return opened;
}

void Endpoint::watch(const Listener *listener, std::unique_ptr<QSocketNotifier> *notifier)
{
    *notifier = std::make_unique<QSocketNotifier>(listener->descriptor(), QSocketNotifier::Read);
    connect(notifier->get(), &QSocketNotifier::activated, this,
            [this, listener, watcher = notifier->get()] { acceptFrom(listener, watcher); });
}

void Endpoint::acceptFrom(const Listener *listener, QSocketNotifier *notifier)
{
    for (int i = 0; i < acceptedAtOnce; ++i) {
        const int descriptor = listener->accept();
        if (descriptor >= 0) {
            d->pool.take(descriptor, originOf(*listener, descriptor));
        } else if (errno != ECONNABORTED && errno != EINTR) {
            if (errno != EAGAIN && errno != EWOULDBLOCK) { // no files left: whoever waits can wait a little longer
                qCWarning(logStore) << "no client can be accepted, errno" << errno;
                notifier->setEnabled(false);
                d->scope.spawn(acceptLater(notifier));
            }
            return;
        }
    }
}

QCoro::Task<void> Endpoint::acceptLater(QPointer<QSocketNotifier> notifier)
{
    const bool passed = co_await d->pool.clock().sleep(acceptRetry, d->scope.token());
    if (passed && notifier)
        notifier->setEnabled(true);
}

void Endpoint::closeTcp()
{
    d->tcpDoor.notifier.reset();
    d->tcpDoor.listener.close();
    d->pool.closeAll(ConnectionPool::Whom::ThroughPort);
    d->pool.setPassword({});
}

void Endpoint::close()
{
    d->unixDoor.notifier.reset();
    d->unixDoor.listener.close();
    closeTcp();
    d->pool.closeAll(ConnectionPool::Whom::Everybody);
}

bool Endpoint::isListening() const
{
    return d->unixDoor.listener.isOpen() || d->tcpDoor.listener.isOpen();
}

QString Endpoint::unixPath() const
{
    return d->unixDoor.listener.path();
}

quint16 Endpoint::tcpPort() const
{
    return d->tcpDoor.listener.port();
}

int Endpoint::clientCount() const
{
    return d->pool.count();
}

QList<Endpoint::ClientInfo> Endpoint::clients() const
{
    QList<ClientInfo> all;
    for (const Connection *connection : d->pool.connections()) {
        const ClientContext &client = connection->client();
        const ClientFacts facts = connection->facts();
        ClientInfo info;
        info.id = client.id;
        info.name = client.name;
        info.address = facts.address;
        info.isUnixSocket = facts.isUnixSocket;
        info.age = facts.age;
        info.idle = facts.idle;
        info.lastCommand = client.lastCommand ? client.lastCommand->name : "";
        info.isBlocked = client.waiting.has_value();
        info.channelCount = int(client.channels.size() + client.patterns.size());
        all.append(info);
    }
    return all;
}

bool Endpoint::cut(qint64 clientId)
{
    return d->pool.cut(clientId);
}

void Endpoint::setMayShutDown(bool on)
{
    d->pool.setMayShutDown(on);
}

} // namespace ym
