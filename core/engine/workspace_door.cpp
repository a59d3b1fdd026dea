#include "core/engine/workspace_door.h"

#include "core/engine/workspace_store.h"
#include "core/store/embedded/endpoint/endpoint.h"

namespace ym {

namespace {

AttachedClient attached(const Endpoint::ClientInfo &info)
{
    AttachedClient client;
    client.id = info.id;
    client.name = info.name;
    client.address = info.isUnixSocket ? QByteArray() : info.address;
    client.age = info.age;
    client.idle = info.idle;
    client.lastCommand = info.lastCommand;
    client.isBlocked = info.isBlocked;
    client.channelCount = info.channelCount;
    return client;
}

} // namespace

WorkspaceDoor::WorkspaceDoor(WorkspaceStore *store, QObject *parent)
    : QObject(parent)
    , m_store(store)
{
    if (!m_store)
        return;
    connect(m_store, &WorkspaceStore::hostChanged, this, &WorkspaceDoor::onHostChanged);
}

AttachState WorkspaceDoor::state() const
{
    AttachState state;
    const bool isReady = m_store && m_store->status().phase == StoreStatus::Phase::Ready;
    if (!isReady)
        return state;
    const Endpoint *const endpoint = m_store->endpoint();
    state.host = endpoint ? AttachState::Host::Here : AttachState::Host::Elsewhere;
    state.hostPid = m_store->hostPid();
    state.socket = m_store->socketPath();
    state.trouble = m_store->endpointTrouble();
    if (!endpoint)
        return state;
    state.port = endpoint->tcpPort();
    state.portTrouble = m_portTrouble;
    for (const Endpoint::ClientInfo &info : endpoint->clients())
        state.clients.append(attached(info));
    return state;
}

void WorkspaceDoor::onHostChanged()
{
    if (const Endpoint *const endpoint = m_store->endpoint()) {
        connect(endpoint, &Endpoint::clientsChanged, this, &WorkspaceDoor::changed);
        openPort();
    }
    Q_EMIT changed();
}

Result<quint16> WorkspaceDoor::setPort(const PortAccess &access)
{
    m_access = access;
    const Result<quint16> opened = openPort();
    Q_EMIT changed();
    return opened;
}

Result<quint16> WorkspaceDoor::openPort()
{
    m_portTrouble.clear();
    Endpoint *const endpoint = m_store ? m_store->endpoint() : nullptr;
    if (!endpoint)
        return quint16(0);
    endpoint->closeTcp();
    if (!m_access.isWanted)
        return quint16(0);
    const Result<quint16> opened = endpoint->listenTcp(m_access.port, m_access.password.toUtf8());
    if (!opened)
        m_portTrouble = opened.error().text();
    return opened;
}

bool WorkspaceDoor::cut(qint64 clientId)
{
    Endpoint *const endpoint = m_store ? m_store->endpoint() : nullptr;
    return endpoint && endpoint->cut(clientId);
}

} // namespace ym
