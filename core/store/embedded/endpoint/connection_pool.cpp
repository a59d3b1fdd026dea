#include "core/store/embedded/endpoint/connection_pool.h"

#include "core/base/log.h"
#include "core/store/embedded/embedded_store.h"

#include <algorithm>

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ym::embedded {

namespace {

constexpr size_t scratchSize = 64 * 1024;
constexpr size_t busyScratchSize = 16 * 1024;
constexpr Milliseconds checkInterval{1000};
constexpr int sparedDescriptors = 128; ///< for everything else that the process does
constexpr char tooMany[] = "-ERR max number of clients reached\r\n";

int possibleClients(int wanted)
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    return std::clamp(int(std::min<rlim_t>(limit.rlim_cur, 1'000'000)) - sparedDescriptors, 1, wanted);
}

/// True for what a pause of writes holds back: also scripts and messages, of which nobody knows before.
bool mayWrite(const CommandSpec &spec)
{
    return spec.is(CommandFlag::Write) || spec.is(CommandFlag::Script) || qstrcmp(spec.name, "publish") == 0;
}

} // namespace

ConnectionPool::ConnectionPool(EmbeddedStore *store, EndpointLimits limits, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_limits(limits)
    , m_scratch(scratchSize)
{
    m_limits.clients = possibleClients(limits.clients);
    if (!executor().hub())
        executor().setHub(this);
    connect(&m_poller, &Poller::ready, this, &ConnectionPool::onReady);
}

ConnectionPool::~ConnectionPool()
{
    m_scope.stop();
    closeAll(Whom::Everybody);
    if (executor().hub() == this)
        executor().setHub(nullptr);
}

Executor &ConnectionPool::executor()
{
    return m_store->executor();
}

Clock &ConnectionPool::clock()
{
    return executor().clock();
}

qint64 ConnectionPool::logEnd() const
{
    return m_store->logEnd();
}

RequestLimits ConnectionPool::requestLimits(bool isTrusted) const
{
    RequestLimits limits = m_limits.request;
    limits.isTrusted = isTrusted;
    return limits;
}

std::vector<const Connection *> ConnectionPool::connections() const
{
    std::vector<const Connection *> all;
    for (const auto &[id, slot] : m_connections) {
        if (!slot.connection->isClosing())
            all.push_back(slot.connection.get());
    }
    std::sort(all.begin(), all.end(), [](const auto *a, const auto *b) { return a->id() < b->id(); });
    return all;
}

Connection *ConnectionPool::find(qint64 id) const
{
    const auto found = m_connections.find(id);
    return found == m_connections.end() ? nullptr : found->second.connection.get();
}

void ConnectionPool::take(int descriptor, Connection::Origin origin)
{
    if (count() >= m_limits.clients) {
        ++m_stats.refused;
        [[maybe_unused]] const ssize_t sent = ::send(descriptor, tooMany, sizeof tooMany - 1, MSG_NOSIGNAL);
        ::close(descriptor);
        return;
    }
    ++m_stats.accepted;
    m_turnTime = clock().monotonic();
    auto connection = std::make_unique<Connection>(this, descriptor, std::move(origin));
    const qint64 id = connection->id();
    m_connections[id].connection = std::move(connection);
    if (!std::exchange(m_isChecking, true))
        m_scope.spawn(checkTimes());
    Q_EMIT countChanged();
}

void ConnectionPool::closeAll(Whom whom)
{
    for (const auto &[id, slot] : m_connections) {
        if (whom == Whom::Everybody || slot.connection->needsPassword())
            slot.connection->close(ClientLink::Close::Now);
    }
    if (!m_isInTurn)
        removeBuried();
}

bool ConnectionPool::cut(qint64 id)
{
    Connection *const connection = find(id);
    if (connection)
        connection->close(ClientLink::Close::Now);
    return connection != nullptr;
}

void ConnectionPool::enqueue(Connection *connection)
{
    const auto found = m_connections.find(connection->id());
    if (found == m_connections.end() || std::exchange(found->second.isQueued, true))
        return;
    m_queue.push_back(connection->id());
    scheduleTurn();
}

void ConnectionPool::markDirty(Connection *connection)
{
    const auto found = m_connections.find(connection->id());
    if (found == m_connections.end() || std::exchange(found->second.isDirty, true))
        return;
    m_dirty.push_back(connection->id());
    scheduleTurn();
}

void ConnectionPool::bury(Connection *connection)
{
    m_buried.push_back(connection->id());
    scheduleTurn();
}

void ConnectionPool::onReady(std::span<const epoll_event> events)
{
    m_isInTurn = true;
    m_turnTime = clock().monotonic();
    for (const epoll_event &event : events) {
        if (Connection *connection = find(qint64(event.data.u64)))
            connection->onEvents(event.events);
    }
    turn();
}

void ConnectionPool::scheduleTurn()
{
    if (!m_isInTurn && !std::exchange(m_isTurnDue, true))
        QMetaObject::invokeMethod(this, &ConnectionPool::turn, Qt::QueuedConnection);
}

void ConnectionPool::turn()
{
    m_isInTurn = true;
    m_isTurnDue = false;
    m_turnTime = clock().monotonic();
    serve();
    finishTurn();
    m_isInTurn = false;
    if (!m_queue.empty() || !m_dirty.empty() || !m_buried.empty())
        scheduleTurn();
}

/// Lets the clients run one after the other until the time slice is over; the rest comes first in the next turn.
void ConnectionPool::serve()
{
    if (m_queue.empty())
        return;
    executor().refreshNow();
    const qint64 until = executor().now() + m_limits.slice.count();
    do {
        const qint64 id = m_queue.front();
        m_queue.pop_front();
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            continue;
        found->second.isQueued = false;
        Connection *connection = found->second.connection.get();
        if (connection->run(until))
            enqueue(connection);
    } while (!m_queue.empty() && executor().now() < until);
}

void ConnectionPool::finishTurn()
{
    sendReplies();
    removeBuried();
}

/// The log is written, then the replies go out: nothing is acknowledged before it is as safe as was promised.
void ConnectionPool::sendReplies()
{
    const bool isWritten = m_store->commit();
    std::vector<Mark> marks;
    marks.reserve(m_dirty.size());
    for (const qint64 id : std::exchange(m_dirty, {})) {
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            continue;
        found->second.isDirty = false;
        Connection &connection = *found->second.connection;
        marks.push_back({id, connection.outputEnd(), connection.takeHasChanged()});
    }
    if (!isWritten)
        cutChanged(marks);
    const qint64 end = m_store->logEnd();
    if (isWritten && !marks.empty() && !m_store->isSafe(end)) {
        m_store->whenSafe(end, this, [this, marks](bool isSafe) {
            if (!isSafe)
                cutChanged(marks);
            release(marks);
        });
    } else {
        release(marks);
    }
}

void ConnectionPool::release(const std::vector<Mark> &marks)
{
    for (const Mark &mark : marks) {
        if (Connection *connection = find(mark.id))
            connection->release(mark.outputEnd);
    }
}

/// What they have changed is not on disk: they must not be told that it was done.
void ConnectionPool::cutChanged(const std::vector<Mark> &marks)
{
    for (const Mark &mark : marks) {
        if (Connection *connection = find(mark.id); connection && mark.hasChanged)
            connection->close(ClientLink::Close::Now);
    }
}

void ConnectionPool::removeBuried()
{
    if (m_buried.empty())
        return;
    for (const qint64 id : std::exchange(m_buried, {}))
        m_connections.erase(id);
    Q_EMIT countChanged();
}

/// Once a second while there are clients.
QCoro::Task<void> ConnectionPool::checkTimes()
{
    while (!m_connections.empty()) {
        const bool passed = co_await clock().sleep(checkInterval, m_scope.token());
        if (!passed)
            co_return;
        m_turnTime = clock().monotonic();
        for (const auto &[id, slot] : m_connections)
            slot.connection->checkTimes(m_turnTime);
    }
    m_isChecking = false;
}

bool ConnectionPool::holdsBack(const ClientContext &client, const QList<QByteArray> &words) const
{
    if (m_isEnding)
        return true;
    if (m_pausedUntil <= m_turnTime)
        return false;
    if (m_pause == Pause::All)
        return true;
    const auto writes = [](const QList<QByteArray> &command) {
        const CommandSpec *spec = findCommand(command.constFirst());
        return spec && mayWrite(*spec);
    };
    const bool isExec = client.isInTransaction && words.constFirst().compare("exec", Qt::CaseInsensitive) == 0;
    return writes(words) || (isExec && std::any_of(client.queued.cbegin(), client.queued.cend(), writes));
}

void ConnectionPool::pause(Pause kind, Milliseconds duration)
{
    const Monotonic now = clock().monotonic();
    const bool isPaused = m_pausedUntil > now;
    m_pause = isPaused && m_pause == Pause::All ? Pause::All : kind;
    m_pausedUntil = std::max(m_pausedUntil, now + duration);
    m_scope.spawn(endPause(m_pausedUntil));
}

void ConnectionPool::unpause()
{
    m_pausedUntil = Monotonic{0};
    for (const auto &[id, slot] : m_connections)
        slot.connection->resume();
}

void ConnectionPool::sleep(Milliseconds duration)
{
    pause(Pause::All, duration);
}

QCoro::Task<void> ConnectionPool::endPause(Monotonic at)
{
    const bool passed = co_await clock().sleep(at - clock().monotonic(), m_scope.token());
    if (passed && m_pausedUntil <= at)
        unpause();
}

QByteArray ConnectionPool::changeSettings(const Settings &wanted, QByteArray *offender)
{
    EndpointLimits changed = m_limits;
    for (const auto &[name, value] : wanted) {
        const QByteArray error = changeLimit(changed, name, value);
        if (!error.isEmpty()) {
            *offender = name;
            return error;
        }
    }
    if (possibleClients(changed.clients) < changed.clients) {
        *offender = "maxclients";
        return "The operating system is not able to handle the specified number of clients";
    }
    m_limits = changed;
    for (const auto &[id, slot] : m_connections)
        slot.connection->applyLimits();
    return {};
}

/// Inside a turn, in which the connection of `running` is at work: it and what the turn walks through stay as they are.
void ConnectionPool::serveWhileBusy(const ClientContext &running)
{
    m_isBusy = true;
    m_busyScratch.resize(busyScratchSize);
    m_turnTime = clock().monotonic();
    if (!m_dirty.empty())
        sendReplies(); // of what was complete before the script
    Q_EMIT busy();
    epoll_event events[64];
    const int count = m_poller.take(events);
    for (const epoll_event &event : std::span(events, size_t(count))) {
        Connection *connection = find(qint64(event.data.u64));
        if (connection && &connection->client() != &running)
            connection->onEvents(event.events);
    }
    for (const qint64 id : std::exchange(m_queue, {})) {
        const auto found = m_connections.find(id);
        if (found == m_connections.end())
            continue;
        found->second.isQueued = false;
        Connection *connection = found->second.connection.get();
        if (&connection->client() == &running || connection->runWhileBusy())
            enqueue(connection);
    }
    m_isBusy = false;
}

bool ConnectionPool::requestShutdown()
{
    if (!m_mayShutDown)
        return false;
    m_isEnding |= m_isBusy; // a script ends in the middle: nobody may see what it leaves
    QMetaObject::invokeMethod(this, &ConnectionPool::shutdownRequested, Qt::QueuedConnection);
    return true;
}

} // namespace ym::embedded
