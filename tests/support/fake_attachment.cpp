// The attachment of a FakeSession and a FakeConnections: a port that opens when told to, clients that go when cut.
#include "tests/support/fake_session.h"

#include "core/engine/answer.h"

namespace ym::test {

namespace {

constexpr quint16 freePort = 40'123;

} // namespace

void FakeSession::setAttachState(const AttachState &state)
{
    m_attachState = state;
    Q_EMIT attachChanged();
}

QFuture<Result<AttachState>> FakeSession::attachState()
{
    return answered<AttachState>(m_attachState);
}

QFuture<Result<bool>> FakeSession::cutClient(qint64 id)
{
    Request request;
    request.verb = "cutClient";
    request.count = id;
    m_requests.append(request);
    const bool isThere =
        m_attachState.clients.removeIf([id](const AttachedClient &client) { return client.id == id; }) > 0;
    Q_EMIT attachChanged();
    return answered<bool>(isThere);
}

void FakeConnections::setPortFailure(const std::optional<Error> &failure)
{
    m_portFailure = failure;
}

QFuture<Result<PortAccess>> FakeConnections::portAccess(const QString &)
{
    return answered<PortAccess>(m_portAccess);
}

QFuture<Result<quint16>> FakeConnections::setPort(const QString &id, bool isWanted, quint16 port)
{
    m_portAccess.isWanted = isWanted;
    m_portAccess.port = port;
    FakeSession *const session = fake(id);
    AttachState state = session->m_attachState;
    state.port = !isWanted || m_portFailure ? 0 : port != 0 ? port : freePort;
    state.portTrouble = isWanted && m_portFailure ? m_portFailure->text() : QString();
    session->setAttachState(state);
    if (isWanted && m_portFailure)
        return answered<quint16>(tl::unexpected<Error>(*m_portFailure));
    m_portAccess.port = state.port != 0 ? state.port : port;
    return answered<quint16>(state.port);
}

QFuture<Result<QString>> FakeConnections::renewPortPassword(const QString &)
{
    m_portAccess.password = QStringLiteral("fresh-password");
    return answered<QString>(m_portAccess.password);
}

} // namespace ym::test
