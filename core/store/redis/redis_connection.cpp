#include "core/store/redis/redis_connection.h"

#include "core/store/redis/command_encoder.h"

#include <QCoreApplication>
#include <QEvent>

namespace ym {

namespace {

const QEvent::Type flushEvent = QEvent::Type(QEvent::registerEventType());
constexpr qsizetype keptBuffer = 1 << 20; ///< a write buffer that grew beyond this is given back
constexpr qsizetype earlyWrite = 4096; ///< so much leaves before the turn ends: the server works while more is made
constexpr int chunksPerTurn = 64; ///< 1 MiB
constexpr Milliseconds secondLook{100}; ///< a reply may lie unread in the socket after the machine has slept

QString say(const char *text)
{
    return QCoreApplication::translate("ym::Redis", text);
}

Error notConnected()
{
    return {ErrorKind::Unavailable,
            say(QT_TRANSLATE_NOOP("ym::Redis", "There is no connection to the server.")),
            {},
            false};
}

/// After these the server hangs up, and they are the reason.
bool isFarewell(const QByteArray &error)
{
    return error.startsWith("ERR max number of clients") || error.startsWith("ERR Protocol error");
}

} // namespace

bool SingleExchange::await_suspend(std::coroutine_handle<> waiter)
{
    m_pending.waiter = waiter;
    return m_connection->enqueue(&m_pending, {m_command, 1});
}

bool BatchExchange::await_suspend(std::coroutine_handle<> waiter)
{
    m_pending.waiter = waiter;
    m_pending.many.reserve(m_commands.size());
    return m_connection->enqueue(&m_pending, m_commands);
}

std::vector<Reply> BatchExchange::await_resume()
{
    m_pending.throwTrouble();
    if (m_pending.expected == 1)
        m_pending.many.push_back(std::move(m_pending.single));
    return std::move(m_pending.many);
}

RedisConnection::RedisConnection(Settings settings, Clock *clock, StoreCost *cost)
    : m_settings(std::move(settings))
    , m_clock(clock)
    , m_cost(cost)
    , m_socket(m_settings.address, [this] { read(); })
    , m_reader(m_settings.maxReplyBytes)
{
    connect(&m_socket, &RedisSocket::connected, this, [this] { m_connected.resolve(true); });
    connect(&m_socket, &RedisSocket::lost, this, [this](const Error &why) {
        // What the server said before it closed comes first: it explains the loss.
        const QPointer<RedisConnection> self(this);
        if (m_phase == Phase::Open || m_phase == Phase::Retiring)
            read();
        if (self)
            drop(why);
    });
}

RedisConnection::~RedisConnection()
{
    drop({ErrorKind::Cancelled, say(QT_TRANSLATE_NOOP("ym::Redis", "The connection was closed.")), {}, false});
    if (m_deleted)
        *m_deleted = true;
}

QCoro::Task<void> RedisConnection::connectToServer()
{
    Q_ASSERT(m_phase == Phase::New || m_phase == Phase::Dropped);
    const Completion<bool> connected = m_connected;
    const QPointer<RedisConnection> self(this);
    if (m_phase == Phase::New) {
        m_phase = Phase::Connecting;
        m_openedAt = m_heardAt = m_now = m_clock->monotonic();
        watch(self, m_clock, m_stop.get_token());
        m_socket.open();
    }
    co_await connected; // throws what drop() was told
    if (!self || m_phase != Phase::Connecting)
        throw StoreError(notConnected());
    m_phase = Phase::Open;
    m_openedAt = m_heardAt = m_now = m_clock->monotonic();
}

void RedisConnection::receivePushes(std::function<void(Reply)> receiver)
{
    m_receiver = std::move(receiver);
}

void RedisConnection::post(const Command &command)
{
    if (m_phase != Phase::Open || !m_receiver)
        return;
    appendCommand(m_out, command);
    ++m_cost->commands;
    scheduleFlush();
}

/// False when the coroutine need not wait because there is nobody to wait for.
bool RedisConnection::enqueue(PendingReplies *pending, std::span<const Command> commands)
{
    if (m_phase != Phase::Open || m_receiver) {
        pending->trouble = notConnected();
        return false;
    }
    for (const Command &command : commands)
        appendCommand(m_out, command);
    m_cost->commands += commands.size();
    if (!m_reading)
        m_now = m_clock->monotonic();
    pending->deadline = m_now + m_settings.deadline + pending->allowance;
    (m_last ? m_last->next : m_first) = pending;
    m_last = pending;
    if (!m_firstUnwritten)
        m_firstUnwritten = pending;
    if (m_out.size() >= earlyWrite)
        flush();
    else
        scheduleFlush();
    return true;
}

/// The little that is issued in one turn of the event loop leaves in one write. Inside read() the end of that function is
/// the end of the turn.
void RedisConnection::scheduleFlush()
{
    if (m_reading || std::exchange(m_flushScheduled, true))
        return;
    QCoreApplication::postEvent(this, new QEvent(flushEvent), Qt::HighEventPriority);
}

bool RedisConnection::event(QEvent *event)
{
    if (event->type() != flushEvent)
        return QObject::event(event);
    m_flushScheduled = false;
    flush();
    return true;
}

void RedisConnection::flush()
{
    if (m_out.isEmpty() || m_phase == Phase::Dropped)
        return;
    for (PendingReplies *p = std::exchange(m_firstUnwritten, nullptr); p; p = p->next)
        p->written = true;
    ++m_cost->writes;
    m_cost->bytesOut += quint64(m_out.size());
    m_socket.write(m_out);
    if (m_out.capacity() > keptBuffer)
        m_out = {};
    else
        m_out.resize(0);
}

void RedisConnection::read()
{
    if (m_reading || m_phase == Phase::Dropped)
        return;
    bool deleted = false;
    m_deleted = &deleted;
    m_reading = true;
    m_heardAt = m_now = m_clock->monotonic();
    m_overdue = false;
    const bool goOn = readChunks(deleted);
    if (deleted)
        return;
    m_reading = false;
    if (goOn)
        flush();
    m_deleted = nullptr;
    checkRetired();
}

/// False when the connection is dropped or gone.
bool RedisConnection::readChunks(const bool &deleted)
{
    char chunk[ReplyReader::maxFeed];
    int chunks = 0;
    for (qint64 count = sizeof chunk; count == sizeof chunk;) {
        if (++chunks > chunksPerTurn) { // an endless sender must not keep the thread to itself
            QMetaObject::invokeMethod(this, &RedisConnection::read, Qt::QueuedConnection);
            break;
        }
        count = m_socket.read(chunk, sizeof chunk);
        if (deleted || m_phase == Phase::Dropped)
            return false;
        m_cost->bytesIn += quint64(count);
        m_reader.feed(chunk, count);
        Reply reply;
        while (m_reader.next(reply)) {
            if (!deliver(std::move(reply), deleted))
                return false;
        }
        if (m_reader.error()) {
            drop(*m_reader.error());
            return false;
        }
    }
    return true;
}

bool RedisConnection::deliver(Reply reply, const bool &deleted)
{
    if (m_receiver) {
        const auto receiver = m_receiver; // it may drop us, and with us itself
        receiver(std::move(reply));
        return !deleted && m_phase != Phase::Dropped;
    }
    if (!m_first) {
        // Servers say why they hang up ("max number of clients reached") before they are asked.
        drop(reply.isError()
                 ? errorFromReply(reply.string)
                 : Error{ErrorKind::Protocol,
                         say(QT_TRANSLATE_NOOP("ym::Redis", "The server sent a reply that nobody asked for.")),
                         {},
                         false});
        return false;
    }
    if (reply.isError() && m_errorObserver)
        m_errorObserver(reply);
    if (reply.isError() && isFarewell(reply.string)) {
        drop(errorFromReply(reply.string));
        return false;
    }
    PendingReplies *const head = m_first;
    head->take(std::move(reply));
    if (!head->isComplete())
        return true;
    m_first = head->next;
    if (!m_first)
        m_last = nullptr;
    if (head != &m_keepAlive)
        head->waiter.resume();
    return !deleted && m_phase != Phase::Dropped;
}

void RedisConnection::drop(const Error &why)
{
    if (std::exchange(m_phase, Phase::Dropped) == Phase::Dropped)
        return;
    // Resuming may delete this object: everything needed afterwards is local.
    const Error reason = why;
    m_socket.abort();
    m_out.clear();
    m_receiver = {};
    m_errorObserver = {};
    PendingReplies *pending = takePending();
    const Completion<bool> connected = m_connected;
    const Completion<Error> lost = m_lost;
    for (PendingReplies *p = pending; p; p = p->next) {
        p->trouble = reason;
        p->trouble->ambiguous = p->written;
    }
    std::stop_source stop = m_stop;
    stop.request_stop();
    lost.resolve(reason);
    connected.reject(std::make_exception_ptr(StoreError(reason)));
    while (pending) {
        PendingReplies *const next = pending->next;
        pending->waiter.resume();
        pending = next;
    }
}

/// The queue without our own PING, which nobody waits for.
PendingReplies *RedisConnection::takePending()
{
    PendingReplies *first = std::exchange(m_first, nullptr);
    m_last = m_firstUnwritten = nullptr;
    for (PendingReplies **link = &first; *link; link = &(*link)->next) {
        if (*link == &m_keepAlive) {
            *link = m_keepAlive.next;
            break;
        }
    }
    return first;
}

void RedisConnection::retire(const Error &why)
{
    if (m_phase != Phase::Open)
        return;
    m_phase = Phase::Retiring;
    m_retireReason = why;
    if (!m_reading)
        checkRetired();
}

void RedisConnection::checkRetired()
{
    if (m_phase == Phase::Retiring && !m_first)
        drop(m_retireReason);
}

/// One timer per connection. It never sleeps longer than the shortest deadline, so it need not be told about commands
/// that start while it sleeps. Ended by drop().
QCoro::Task<void> RedisConnection::watch(QPointer<RedisConnection> connection, Clock *clock, std::stop_token stop)
{
    Milliseconds pause = connection->shortestWait();
    for (;;) {
        const bool passed = co_await clock->sleep(pause, stop);
        if (!passed || !connection)
            break;
        pause = connection->checkTime();
    }
}

/// Drops the connection when the server owes an answer for too long; else the time until the next look.
Milliseconds RedisConnection::checkTime()
{
    const Monotonic now = m_clock->monotonic();
    const Monotonic due = m_phase == Phase::Connecting ? m_openedAt + m_settings.deadline
        : m_first                                      ? m_first->deadline
                                                       : m_heardAt + m_settings.idle;
    if (now < due)
        return std::min<Milliseconds>(shortestWait(), due - now);
    if (m_phase == Phase::Open && !m_first && (!m_receiver || now < due + m_settings.deadline)) {
        sendKeepAlive();
        return shortestWait();
    }
    if (!std::exchange(m_overdue, true))
        return secondLook;
    drop(overdueError());
    return secondLook;
}

Error RedisConnection::overdueError() const
{
    Error error{ErrorKind::Timeout,
                say(QT_TRANSLATE_NOOP("ym::Redis", "The server did not answer within %1 s."))
                    .arg(double(m_settings.deadline.count()) / 1000),
                {},
                false};
    if (m_phase == Phase::Connecting && m_settings.address.kind == StoreAddress::Kind::Tls)
        error.advice =
            say(QT_TRANSLATE_NOOP("ym::Redis", "If it does not use TLS, write redis:// instead of rediss://."));
    return error;
}

void RedisConnection::sendKeepAlive()
{
    const Command ping = cmd("PING");
    if (m_receiver)
        return post(ping);
    m_keepAlive = PendingReplies{};
    enqueue(&m_keepAlive, {&ping, 1});
}

} // namespace ym
