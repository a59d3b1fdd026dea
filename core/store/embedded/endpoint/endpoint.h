// Other programs' way into the embedded store.
#pragma once

#include "core/store/embedded/endpoint/endpoint_limits.h"
#include "core/store/embedded/endpoint/listener.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QSocketNotifier>

#include <memory>

#include <QCoroTask>

namespace ym {

class EmbeddedStore;
namespace embedded {
class ConnectionPool;
}

/// Speaks RESP2 like a Redis server, on a unix socket and on a port of this machine, so that ordinary Redis clients and
/// workers of any language use an embedded store. Lives in the store's thread; the store must outlive it and be Ready
/// before anything listens. When the store is closed, the endpoint closes itself.
class Endpoint final : public QObject {
    Q_OBJECT
public:
    /// One client, as a person sees it.
    struct ClientInfo {
        qint64 id = 0;
        QByteArray name; ///< from CLIENT SETNAME
        QByteArray address; ///< 127.0.0.1:40312; for a unix socket its path and :0
        bool isUnixSocket = false;
        qint64 age = 0; ///< seconds
        qint64 idle = 0; ///< seconds since its last command
        QByteArray lastCommand; ///< lower case; empty = none yet
        bool isBlocked = false; ///< waits in a blocking command
        int channelCount = 0; ///< channels and patterns it listens to

        bool operator==(const ClientInfo &) const = default;
    };

    explicit Endpoint(EmbeddedStore *store, EndpointLimits limits = {}, QObject *parent = nullptr);
    ~Endpoint() override;

    /// Listens on a unix socket of mode 0600, whose users need no password. A socket that a dead process left is
    /// replaced. Conflict when somebody listens there, Usage for an impossible path, Io else.
    Result<void> listenUnix(const QString &path);
    /// Listens on 127.0.0.1; 0 = any free port. Returns the port. Every client must give the password, which must not
    /// be empty (Usage). Conflict when the port is taken.
    Result<quint16> listenTcp(quint16 port, const QByteArray &password);
    /// Stops listening on the port and cuts those who came through it.
    void closeTcp();
    /// Stops listening and cuts all clients. Idempotent.
    void close();

    bool isListening() const;
    QString unixPath() const; ///< empty = not open
    quint16 tcpPort() const; ///< 0 = not open
    int clientCount() const;
    QList<ClientInfo> clients() const;
    /// Cuts one client. False when there is none with this id.
    bool cut(qint64 clientId);

    /// Whether SHUTDOWN is passed on as shutdownRequested(); else it is refused.
    void setMayShutDown(bool on);

Q_SIGNALS:
    void clientsChanged();
    void shutdownRequested();

private:
    void watch(const embedded::Listener *listener, std::unique_ptr<QSocketNotifier> *notifier);
    void acceptFrom(const embedded::Listener *listener, QSocketNotifier *notifier);
    QCoro::Task<void> acceptLater(QPointer<QSocketNotifier> notifier);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
