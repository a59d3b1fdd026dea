#include "tests/support/endpoint_server.h"

#include "tests/support/await.h"

namespace ym::test {

EndpointServer::EndpointServer()
    : EndpointServer(Options{})
{
}

EndpointServer::EndpointServer(Options options)
    : m_inside(new QObject)
{
    m_inside->moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(
        m_inside, [&] { open(options); }, Qt::BlockingQueuedConnection);
}

void EndpointServer::open(const Options &options)
{
    m_store = std::make_unique<EmbeddedStore>(options.store, &Clock::system());
    await(m_store->open());
    m_endpoint = std::make_unique<Endpoint>(m_store.get(), options.limits);
    m_endpoint->setMayShutDown(options.mayShutDown);
    const Result<void> opened = m_endpoint->listenUnix(socketPath());
    if (!opened)
        qFatal("%s", qPrintable(opened.error().text()));
    if (options.password.isEmpty())
        return;
    const Result<quint16> port = m_endpoint->listenTcp(0, options.password);
    if (!port)
        qFatal("%s", qPrintable(port.error().text()));
    m_port = *port;
}

EndpointServer::~EndpointServer()
{
    QMetaObject::invokeMethod(
        m_inside,
        [this] {
            m_endpoint.reset();
            m_store.reset();
        },
        Qt::BlockingQueuedConnection);
    m_inside->deleteLater();
    m_thread.quit();
    m_thread.wait();
}

void EndpointServer::inThread(const std::function<void(EmbeddedStore &, Endpoint &)> &work)
{
    QMetaObject::invokeMethod(
        m_inside, [&] { work(*m_store, *m_endpoint); }, Qt::BlockingQueuedConnection);
}

} // namespace ym::test
