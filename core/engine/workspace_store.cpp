#include "core/engine/workspace_store.h"

#include "core/base/log.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/endpoint/endpoint.h"
#include "core/store/embedded/folder_lock.h"
#include "core/store/redis/redis_store.h"

#include <QCoreApplication>
#include <QPointer>
#include <QScopeGuard>

namespace ym {

using namespace std::chrono_literals;
using embedded::FolderLock;

namespace {

constexpr Milliseconds settlePatience = 5s; ///< for a host that is still loading
constexpr Milliseconds betweenLooks = 50ms;

void letGo(RedisStore *store)
{
    store->close();
    store->deleteLater();
}

} // namespace

/// Lives on when its store is replaced.
class WorkspaceStore::GuestSubscription final : public Subscription {
public:
    GuestSubscription(WorkspaceStore *workspace, QList<QByteArray> channels, Match match)
        : m_workspace(workspace)
        , m_channels(std::move(channels))
        , m_match(match)
    {
        connect(workspace, &WorkspaceStore::hostChanged, this, [this] {
            if (listen())
                Q_EMIT resumed();
        });
        listen();
    }

private:
    bool listen()
    {
        Store *const store = m_workspace->active();
        if (!store || store == m_listenedTo)
            return false;
        m_inner = store->subscribe(m_channels, m_match);
        m_listenedTo = store;
        connect(m_inner.get(), &Subscription::message, this, &Subscription::message);
        connect(m_inner.get(), &Subscription::resumed, this, &Subscription::resumed);
        return true;
    }

    WorkspaceStore *m_workspace;
    QList<QByteArray> m_channels;
    Match m_match;
    const Store *m_listenedTo = nullptr;
    std::unique_ptr<Subscription> m_inner;
};

WorkspaceStore::WorkspaceStore(QString folder, Result<QString> socket, Clock *clock, QObject *parent)
    : Store(parent)
    , m_folder(std::move(folder))
    , m_socket(std::move(socket))
    , m_clock(clock)
{
}

WorkspaceStore::~WorkspaceStore()
{
    close();
}

EmbeddedStore *WorkspaceStore::embedded() const
{
    return m_own && m_phase == StoreStatus::Phase::Ready ? m_own.get() : nullptr;
}

QString WorkspaceStore::socketPath() const
{
    if (m_endpoint)
        return m_endpoint->unixPath();
    return m_guest ? m_hostSocket : QString();
}

Store *WorkspaceStore::active() const
{
    if (m_own)
        return m_own.get();
    return m_guest.get();
}

QCoro::Task<void> WorkspaceStore::open()
{
    if (m_phase == StoreStatus::Phase::Ready || m_isSettling)
        co_return;
    m_phase = StoreStatus::Phase::Connecting;
    announce();
    std::optional<Error> trouble;
    try {
        co_await settle(settlePatience);
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (!trouble)
        co_return;
    if (!m_scope.isStopping()) {
        m_phase = StoreStatus::Phase::Refused;
        m_trouble = *trouble;
        announce();
    }
    throw StoreError(*trouble);
}

/// Takes the folder, or becomes the guest of whoever has it; whatever is possible first.
QCoro::Task<void> WorkspaceStore::settle(std::optional<Milliseconds> patience)
{
    m_isSettling = true;
    const auto over = qScopeGuard([this] { m_isSettling = false; });
    const Monotonic start = m_clock->monotonic();
    while (!m_scope.isStopping()) {
        std::optional<Error> trouble = co_await tryToHost();
        if (trouble && trouble->kind == ErrorKind::Conflict) {
            const std::optional<Error> refused = co_await tryToVisit();
            if (!refused)
                trouble.reset();
        } else if (trouble) {
            throw StoreError(*trouble);
        }
        if (!trouble)
            co_return;
        if (patience && m_clock->monotonic() - start > *patience)
            throw StoreError(*trouble);
        co_await m_clock->sleep(betweenLooks, m_scope.token());
    }
    throw StoreError(ErrorKind::Cancelled, tr("The workspace was closed."));
}

QCoro::Task<std::optional<Error>> WorkspaceStore::tryToHost()
{
    m_own = std::make_unique<EmbeddedStore>(EmbeddedStore::Options{m_folder}, m_clock);
    connect(m_own.get(), &Store::statusChanged, this, &WorkspaceStore::onInnerStatus);
    std::optional<Error> trouble;
    try {
        co_await m_own->open();
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (trouble) {
        m_own.release()->deleteLater();
        co_return trouble;
    }
    if (m_guest)
        m_guest->close();
    m_guest.reset();
    m_hostPid = QCoreApplication::applicationPid();
    answerOthers();
    m_phase = StoreStatus::Phase::Ready;
    qCInfo(logEngine, "this process has the workspace %s", qUtf8Printable(m_folder));
    Q_EMIT hostChanged();
    announce();
    co_return std::nullopt;
}

/// Opens the door. A workspace that cannot answer others works all the same.
void WorkspaceStore::answerOthers()
{
    m_endpointTrouble.clear();
    m_endpoint = std::make_unique<Endpoint>(m_own.get());
    Result<void> opened = m_socket ? m_endpoint->listenUnix(*m_socket) : tl::unexpected<Error>(m_socket.error());
    if (opened)
        opened = m_own->publishEndpoint(*m_socket);
    if (!opened)
        m_endpointTrouble = tr("Other programs cannot use this workspace meanwhile: %1").arg(opened.error().text());
}

QCoro::Task<std::optional<Error>> WorkspaceStore::tryToVisit()
{
    const std::optional<FolderLock::Owner> owner = FolderLock::owner(m_folder);
    if (!owner || owner->socket.isEmpty())
        co_return Error{ErrorKind::Unavailable, tr("The workspace does not answer."), {}, false};
    StoreAddress address;
    address.kind = StoreAddress::Kind::Unix;
    address.path = owner->socket;
    const std::shared_ptr<RedisStore> guest(new RedisStore(address, RedisStore::Options{}, m_clock), letGo);
    m_nextGuest = guest;
    std::optional<Error> trouble;
    try {
        co_await guest->open();
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    m_nextGuest.reset();
    if (trouble || m_scope.isStopping())
        co_return trouble.value_or(Error{ErrorKind::Cancelled, tr("The workspace was closed."), {}, false});
    if (m_guest)
        m_guest->close();
    m_guest = guest;
    m_hostPid = owner->pid;
    m_hostSocket = owner->socket;
    m_phase = StoreStatus::Phase::Ready;
    connect(guest.get(), &Store::statusChanged, this, &WorkspaceStore::onInnerStatus);
    qCInfo(logEngine, "process %lld has the workspace %s", m_hostPid, qUtf8Printable(m_folder));
    Q_EMIT hostChanged();
    announce();
    co_return std::nullopt;
}

void WorkspaceStore::onInnerStatus()
{
    const bool isLost = m_phase == StoreStatus::Phase::Ready && !m_own && m_guest
        && m_guest->status().phase != StoreStatus::Phase::Ready;
    if (isLost) {
        m_phase = StoreStatus::Phase::Waiting;
        m_trouble = m_guest->status().trouble;
        if (!m_isSettling)
            m_scope.spawn(lookForHost());
    }
    announce();
}

QCoro::Task<void> WorkspaceStore::lookForHost()
{
    std::optional<Error> trouble;
    try {
        co_await m_clock->sleep(0ms, m_scope.token()); // out of the guest's signal first
        co_await settle(std::nullopt);
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (!trouble || m_scope.isStopping())
        co_return;
    m_phase = StoreStatus::Phase::Refused;
    m_trouble = *trouble;
    announce();
}

void WorkspaceStore::close()
{
    if (m_scope.isStopping())
        return;
    m_scope.stop();
    m_phase = StoreStatus::Phase::Closed;
    if (m_endpoint)
        m_endpoint->close(); // its path goes before the lock does: the next host makes it anew
    if (m_own)
        m_own->close();
    for (const auto &guest : {m_guest, m_nextGuest}) {
        if (guest)
            guest->close();
    }
    announce();
}

void WorkspaceStore::announce()
{
    const QPointer<WorkspaceStore> self(this);
    Q_EMIT statusChanged();
    const bool isSettled = self && (m_phase == StoreStatus::Phase::Ready || m_phase == StoreStatus::Phase::Refused
                                    || m_phase == StoreStatus::Phase::Closed);
    if (!isSettled)
        return;
    const bool isReady = m_phase == StoreStatus::Phase::Ready;
    const auto waiters = std::exchange(m_readyWaiters, {});
    for (const Completion<bool> &waiter : waiters)
        waiter.resolve(isReady);
}

StoreStatus WorkspaceStore::status() const
{
    const Store *const inner = active();
    StoreStatus status = inner ? inner->status() : StoreStatus{};
    status.phase = m_phase;
    status.server = m_own || !m_guest ? QStringLiteral("embedded") : tr("embedded, in process %1").arg(m_hostPid);
    if (m_phase == StoreStatus::Phase::Refused || m_phase == StoreStatus::Phase::Waiting)
        status.trouble = m_trouble;
    if (!m_endpointTrouble.isEmpty())
        status.warnings.append(m_endpointTrouble);
    return status;
}

StoreCost WorkspaceStore::cost() const
{
    const Store *const inner = active();
    return inner ? inner->cost() : StoreCost{};
}

Error WorkspaceStore::absent() const
{
    if (m_scope.isStopping())
        return {ErrorKind::Cancelled, tr("The workspace was closed."), {}, false};
    if (m_phase == StoreStatus::Phase::Refused)
        return m_trouble;
    return {ErrorKind::Unavailable, tr("The workspace is not open yet."), {}, false};
}

/// A guest's store that is closed because another takes its place is a loss, not an end.
template <typename Call> std::invoke_result_t<Call, RedisStore *> WorkspaceStore::asGuest(Call call, std::stop_token stop)
{
    const std::shared_ptr<RedisStore> guest = m_guest;
    if (!guest)
        throw StoreError(absent());
    std::optional<Error> trouble;
    try {
        co_return co_await call(guest.get());
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (trouble->kind == ErrorKind::Cancelled && !m_scope.isStopping() && !stop.stop_requested())
        trouble->kind = ErrorKind::Unavailable;
    throw StoreError(*trouble);
}

QCoro::Task<Reply> WorkspaceStore::command(Command command)
{
    if (m_own)
        return m_own->command(std::move(command));
    return asGuest([command](RedisStore *guest) { return guest->command(command); }, {});
}

QCoro::Task<std::vector<Reply>> WorkspaceStore::pipeline(std::vector<Command> commands)
{
    if (m_own)
        return m_own->pipeline(std::move(commands));
    return asGuest([commands](RedisStore *guest) { return guest->pipeline(commands); }, {});
}

QCoro::Task<std::vector<Reply>> WorkspaceStore::transaction(std::vector<Command> commands)
{
    if (m_own)
        return m_own->transaction(std::move(commands));
    return asGuest([commands](RedisStore *guest) { return guest->transaction(commands); }, {});
}

QCoro::Task<Reply> WorkspaceStore::script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args)
{
    if (m_own)
        return m_own->script(script, std::move(keys), std::move(args));
    return asGuest([script, keys, args](RedisStore *guest) { return guest->script(script, keys, args); }, {});
}

QCoro::Task<Reply> WorkspaceStore::blocking(Command command, Milliseconds wait, std::stop_token stop)
{
    if (m_own)
        return m_own->blocking(std::move(command), wait, stop);
    return asGuest([command, wait, stop](RedisStore *guest) { return guest->blocking(command, wait, stop); }, stop);
}

std::unique_ptr<Subscription> WorkspaceStore::subscribe(QList<QByteArray> channels, Match match)
{
    if (m_own)
        return m_own->subscribe(std::move(channels), match);
    if (!m_guest)
        throw StoreError(absent());
    return std::make_unique<GuestSubscription>(this, std::move(channels), match);
}

QCoro::Task<bool> WorkspaceStore::waitUntilReady(std::stop_token stop)
{
    if (m_phase == StoreStatus::Phase::Ready)
        co_return true;
    if (m_phase == StoreStatus::Phase::Refused || m_scope.isStopping() || stop.stop_requested())
        co_return false;
    const Completion<bool> ready;
    m_readyWaiters.push_back(ready);
    const std::stop_callback onStop(stop, [ready] { ready.resolve(false); });
    co_return co_await ready;
}

} // namespace ym
