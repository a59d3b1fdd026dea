#include "core/store/redis/redis_store.h"

#include "core/base/log.h"

#include <QCoreApplication>
#include <QEvent>

namespace ym {

namespace {

const QEvent::Type announceEvent = QEvent::Type(QEvent::registerEventType());
constexpr Milliseconds healthyAfter{
    30'000}; ///< a connection that lasted this long resets the backoff (RELIABILITY 6.2)
constexpr Milliseconds unblockAgain{2};
constexpr Milliseconds waitGrace{5'000}; ///< deadline of a wait beyond the time the server may hold it back

using Phase = StoreStatus::Phase;

QString say(const char *text)
{
    return QCoreApplication::translate("ym::Redis", text);
}

Error closedError()
{
    return {ErrorKind::Cancelled, say(QT_TRANSLATE_NOOP("ym::Redis", "The connection was closed.")), {}, false};
}

/// Throws the error that a reply carries.
void check(const Reply &reply)
{
    if (reply.isError())
        throw StoreError(errorFromReply(reply.string));
}

Command scriptCall(const char *verb, const QByteArray &what, const QList<QByteArray> &keys,
                   const QList<QByteArray> &args)
{
    Command command = cmd(verb, what, keys.size());
    command.addAll(keys).addAll(args);
    return command;
}

} // namespace

RedisStore::RedisStore(StoreAddress address, Options options, Clock *clock, QObject *parent)
    : Store(parent)
    , m_address(std::move(address))
    , m_options(std::move(options))
    , m_clock(clock)
    , m_scope("RedisStore")
    , m_backoff(m_options.backoff)
    , m_waits({connectionSettings(waitGrace), clientName("waits")}, clock, &m_cost)
    , m_subscriber({connectionSettings(m_options.commandDeadline), clientName("news"), m_options.backoff}, clock,
                   &m_cost)
{
}

RedisStore::~RedisStore()
{
    close();
}

RedisConnection::Settings RedisStore::connectionSettings(Milliseconds deadline) const
{
    RedisConnection::Settings settings;
    settings.address = m_address;
    settings.deadline = deadline;
    settings.maxReplyBytes = m_options.maxReplyBytes;
    return settings;
}

QString RedisStore::clientName(const char *purpose) const
{
    return m_options.clientName.isEmpty() ? QString() : m_options.clientName + u'-' + QLatin1String(purpose);
}

// Life: connecting, losing, trying again

QCoro::Task<void> RedisStore::open()
{
    if (m_closed)
        throw StoreError(closedError());
    if (m_status.phase == Phase::Ready)
        co_return;
    if (m_openers.empty())
        m_openTrouble.reset();
    const Completion<bool> opened;
    m_openers.push_back(opened);
    if (!std::exchange(m_running, true))
        m_scope.spawn(run());
    else
        std::exchange(m_pause, {}).request_stop(); // do not wait for the end of a pause
    co_await opened;
}

void RedisStore::close()
{
    if (std::exchange(m_closed, true))
        return;
    const QPointer<RedisStore> self(this);
    m_scope.stop();
    std::exchange(m_pause, {}).request_stop();
    StoreStatus status;
    status.server = m_status.server;
    setStatus(status);
    m_subscriber.close();
    if (const auto connection = std::exchange(m_main, {}))
        connection->drop(closedError());
    if (self)
        m_waits.close(closedError());
    if (self)
        announce();
}

QCoro::Task<void> RedisStore::run()
{
    while (!m_scope.isStopping()) {
        StoreStatus connecting = m_status;
        connecting.phase = Phase::Connecting;
        setStatus(connecting);
        bool wasReady = false;
        const Monotonic start = m_clock->monotonic();
        const Error trouble = co_await connectOnce(&wasReady);
        if (m_scope.isStopping())
            break;
        if (wasReady && m_clock->monotonic() - start >= healthyAfter)
            m_backoff.reset();
        m_subscriber.serverLost();
        m_waits.forgetIdle();
        qCInfo(logStore, "%s: %s", qUtf8Printable(displayName()), qUtf8Printable(trouble.text()));
        if (!wasReady && !isTransient(trouble.kind) && trouble.kind != ErrorKind::TooLarge) {
            StoreStatus refused;
            refused.phase = Phase::Refused;
            refused.trouble = trouble;
            m_running = false;
            setStatus(refused);
            co_return;
        }
        co_await pause(trouble);
    }
    m_running = false;
}

/// Connects, is ready, and returns why that ended or never began.
QCoro::Task<Error> RedisStore::connectOnce(bool *becameReady)
{
    const auto connection =
        std::make_shared<RedisConnection>(connectionSettings(m_options.commandDeadline), m_clock, &m_cost);
    m_main = connection;
    const Completion<Error> lost = connection->lost();
    ServerFacts facts;
    std::optional<Error> trouble;
    try {
        facts = co_await openConnection(connection, m_address, m_options.clientName, Ask::Everything);
    } catch (const StoreError &e) {
        trouble = e.error();
    }
    if (trouble) {
        connection->drop(*trouble);
        trouble->ambiguous = false;
        co_return *trouble;
    }
    *becameReady = true;
    becomeReady(facts);
    Error why = co_await lost;
    co_return why;
}

QCoro::Task<void> RedisStore::pause(Error trouble)
{
    StoreStatus waiting = m_status;
    waiting.phase = Phase::Waiting;
    waiting.trouble = trouble;
    waiting.retryIn = m_backoff.next();
    if (trouble.kind == ErrorKind::OutOfMemory || trouble.kind == ErrorKind::Busy)
        waiting.retryIn = std::max(waiting.retryIn, std::min(Milliseconds{1000}, m_options.backoff.cap));
    m_pause = std::stop_source{};
    const std::stop_token cutShort = m_pause.get_token();
    setStatus(waiting);
    if (!m_openers.empty() && !m_openTrouble)
        m_openTrouble = trouble;
    co_await m_clock->sleep(waiting.retryIn, cutShort);
}

void RedisStore::becomeReady(const ServerFacts &facts)
{
    m_serverIsReplica = facts.isReplica;
    m_mayEndWaits = false;
    m_main->onErrorReply([this](const Reply &reply) { react(reply); });
    StoreStatus ready;
    ready.phase = Phase::Ready;
    ready.server = facts.server;
    ready.warnings = facts.warnings;
    qCInfo(logStore, "%s: connected to %s", qUtf8Printable(displayName()), qUtf8Printable(facts.server));
    setStatus(ready);
    m_subscriber.serverReady();
}

/// What an error reply means for the connection itself (RELIABILITY 6.1); the caller gets the error anyway.
void RedisStore::react(const Reply &reply)
{
    const Error error = errorFromReply(reply.string);
    const bool demoted = error.kind == ErrorKind::ReadOnly && !m_serverIsReplica;
    const bool loggedOut = error.kind == ErrorKind::Authentication;
    const bool outOfStep = error.kind == ErrorKind::Protocol;
    if (outOfStep)
        qCCritical(logStore, "the server did not understand us: %s", qUtf8Printable(error.message));
    if (!demoted && !loggedOut && !outOfStep)
        return;
    StoreStatus waiting = m_status;
    waiting.phase = Phase::Waiting;
    waiting.trouble = error;
    setStatus(waiting);
    m_main->retire(error);
}

/// Takes over the status and tells the others in the next turn, when no coroutine of ours is on the stack: those who
/// are resumed then may delete the store.
void RedisStore::setStatus(StoreStatus status)
{
    if (m_status == status)
        return;
    m_status = std::move(status);
    if (m_closed || std::exchange(m_announcePosted, true))
        return;
    QCoreApplication::postEvent(this, new QEvent(announceEvent));
}

bool RedisStore::event(QEvent *event)
{
    if (event->type() != announceEvent)
        return Store::event(event);
    m_announcePosted = false;
    announce();
    return true;
}

void RedisStore::announce()
{
    const QPointer<RedisStore> self(this);
    Q_EMIT statusChanged();
    if (self && settleOpeners())
        settleWaiters();
}

/// False when the store is gone.
bool RedisStore::settleOpeners()
{
    const Phase phase = m_status.phase;
    const bool ready = phase == Phase::Ready;
    if (!m_closed && !ready && phase != Phase::Refused && !m_openTrouble)
        return true;
    const Error trouble = m_closed ? closedError() : m_openTrouble.value_or(m_status.trouble);
    m_openTrouble.reset();
    const QPointer<RedisStore> self(this);
    for (const auto &opener : std::exchange(m_openers, {})) {
        if (ready)
            opener.resolve(true);
        else
            opener.reject(std::make_exception_ptr(StoreError(trouble)));
    }
    return bool(self);
}

bool RedisStore::settleWaiters()
{
    const Phase phase = m_status.phase;
    if (!m_closed && phase != Phase::Ready && phase != Phase::Refused)
        return true;
    const QPointer<RedisStore> self(this);
    for (const auto &waiter : std::exchange(m_waiters, {}))
        waiter.resolve(phase == Phase::Ready);
    return bool(self);
}

QCoro::Task<bool> RedisStore::waitUntilReady(std::stop_token stop)
{
    if (m_status.phase == Phase::Ready)
        co_return true;
    if (m_closed || m_status.phase == Phase::Refused || stop.stop_requested())
        co_return false;
    const Completion<bool> ready;
    m_waiters.push_back(ready);
    const std::stop_callback onStop(stop, [ready] { ready.resolve(false); });
    co_return co_await ready;
}

// Commands

std::shared_ptr<RedisConnection> RedisStore::requireReady() const
{
    if (m_closed)
        throw StoreError(closedError());
    if (m_status.phase == Phase::Ready && m_main)
        return m_main;
    Error error{ErrorKind::Unavailable,
                say(QT_TRANSLATE_NOOP("ym::Redis", "There is no connection to the server.")),
                {},
                false};
    if (!m_status.trouble.message.isEmpty()) {
        error.message = m_status.trouble.message;
        error.advice = m_status.trouble.advice;
    }
    throw StoreError(error);
}

QCoro::Task<Reply> RedisStore::command(Command command)
{
    const auto connection = requireReady();
    Reply reply = co_await connection->call(command);
    check(reply);
    co_return reply;
}

QCoro::Task<std::vector<Reply>> RedisStore::pipeline(std::vector<Command> commands)
{
    const auto connection = requireReady();
    std::vector<Reply> replies = co_await connection->callAll(commands);
    co_return replies;
}

QCoro::Task<std::vector<Reply>> RedisStore::transaction(std::vector<Command> commands)
{
    const auto connection = requireReady();
    if (commands.empty())
        co_return std::vector<Reply>{};
    commands.insert(commands.begin(), cmd("MULTI"));
    commands.push_back(cmd("EXEC"));
    std::vector<Reply> replies = co_await connection->callAll(commands);
    // A command that could not even be queued explains more than the EXECABORT that follows from it.
    for (const Reply &reply : replies)
        check(reply);
    Reply &executed = replies.back();
    if (executed.isNil())
        throw StoreError(ErrorKind::Conflict,
                         say(QT_TRANSLATE_NOOP("ym::Redis", "Somebody else changed the data in between.")),
                         say(QT_TRANSLATE_NOOP("ym::Redis", "Try again.")));
    if (executed.toArray().size() != commands.size() - 2)
        throw StoreError(
            ErrorKind::Protocol,
            say(QT_TRANSLATE_NOOP("ym::Redis", "The server answered a transaction with the wrong number of replies.")));
    for (const Reply &element : executed.elements)
        check(element);
    co_return std::move(executed.elements);
}

QCoro::Task<Reply> RedisStore::script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args)
{
    const auto connection = requireReady();
    const Command bySha = scriptCall("EVALSHA", script->sha, keys, args);
    Reply reply = co_await connection->call(bySha);
    if (reply.isError() && errorFromReply(reply.string).kind == ErrorKind::NoScript) {
        const Command byText = scriptCall("EVAL", script->text, keys, args);
        reply = co_await connection->call(byText);
    }
    check(reply);
    co_return reply;
}

QCoro::Task<Reply> RedisStore::blocking(Command command, Milliseconds wait, std::stop_token stop)
{
    requireReady();
    Reply reply = co_await m_waits.run(std::move(command), wait, stop);
    check(reply);
    co_return reply;
}

QCoro::Task<Reply> RedisStore::waitThenScript(Command wait, Milliseconds most, Call then, std::stop_token stop)
{
    const auto connection = requireReady();
    if (!m_mayEndWaits) { // a wait that nobody may end would keep a worker from stopping
        const Command probe = cmd("CLIENT", "UNBLOCK", qint64{0});
        const Reply allowed = co_await connection->call(probe);
        check(allowed);
        m_mayEndWaits = true;
    }
    std::vector<Command> commands{std::move(wait), scriptCall("EVALSHA", then.script->sha, then.keys, then.args)};
    const std::weak_ptr<RedisConnection> main = connection;
    const auto unblock = [this, main](std::shared_ptr<const WaitPool::Wait> waiting) {
        if (const auto alive = main.lock())
            m_scope.spawn(endWait(alive, std::move(waiting)));
    };
    Reply reply = co_await m_waits.runAll(std::move(commands), most, stop, unblock);
    check(reply);
    co_return reply;
}

/// Lets a command that waits on another connection end now, as if its time had passed. It may still be on its way
/// there.
QCoro::Task<void> RedisStore::endWait(std::shared_ptr<RedisConnection> connection,
                                      std::shared_ptr<const WaitPool::Wait> wait)
{
    const Command unblock = cmd("CLIENT", "UNBLOCK", wait->clientId);
    while (!wait->isOver) {
        try {
            const Reply ended = co_await connection->call(unblock);
            if (ended.isError() || ended.integer > 0)
                co_return;
        } catch (const StoreError &e) {
            qCInfo(logStore, "a wait goes on until its time is over: %s", e.what());
            co_return;
        }
        co_await m_clock->sleep(unblockAgain, m_scope.token());
    }
}

std::unique_ptr<Subscription> RedisStore::subscribe(QList<QByteArray> channels, Match match)
{
    return m_subscriber.subscribe(std::move(channels), match);
}

} // namespace ym
