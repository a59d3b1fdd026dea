// The embedded store behind a unix socket, in a thread of its own, as redis_server.h is a real Redis.
#pragma once

#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/endpoint/endpoint.h"

#include <QTemporaryDir>
#include <QThread>

#include <functional>

namespace ym::test {

/// Serves an embedded store while it lives, so that a test may use blocking clients.
class EndpointServer {
public:
    struct Options {
        EmbeddedStore::Options store;
        EndpointLimits limits;
        QByteArray password; ///< not empty = also on a loopback port
        bool mayShutDown = false;
    };
    EndpointServer();
    explicit EndpointServer(Options options);
    ~EndpointServer();

    QString socketPath() const { return m_folder.filePath(QStringLiteral("s")); }
    quint16 port() const { return m_port; }
    /// Runs something in the endpoint's thread and waits for it.
    void inThread(const std::function<void(EmbeddedStore &store, Endpoint &endpoint)> &work);

private:
    void open(const Options &options);

    QTemporaryDir m_folder;
    quint16 m_port = 0;
    QThread m_thread;
    QObject *m_inside = nullptr; ///< lives in the thread
    std::unique_ptr<EmbeddedStore> m_store;
    std::unique_ptr<Endpoint> m_endpoint;
};

} // namespace ym::test
