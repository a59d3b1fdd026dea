#include "core/store/embedded/endpoint/connection.h"

#include "core/base/log.h"
#include "core/store/embedded/endpoint/connection_pool.h"
#include "core/store/embedded/resp.h"

#include <algorithm>
#include <cerrno>
#include <limits>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ym::embedded {

namespace {

constexpr quint32 always = EPOLLIN | EPOLLRDHUP;
constexpr quint32 peerGone = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
constexpr qsizetype keptCapacity = 64 * 1024; ///< an output buffer may stay so large while it is empty

/// A browser that was told to talk to us: whatever it says next was not meant by the user.
bool isForeignProtocol(const QByteArray &verb)
{
    return (verb.size() == 4 && verb.compare("post", Qt::CaseInsensitive) == 0)
        || (verb.size() == 5 && verb.compare("host:", Qt::CaseInsensitive) == 0);
}

/// Reading may change the log, too: by what it finds expired. That acknowledges nothing.
bool isWrite(const CommandSpec *spec)
{
    return spec && !spec->is(CommandFlag::ReadOnly);
}

} // namespace

Connection::Connection(ConnectionPool *pool, int descriptor, Origin origin)
    : m_pool(pool)
    , m_descriptor(descriptor)
    , m_origin(std::move(origin))
    , m_since(pool->clock().monotonic())
    , m_lastActive(m_since)
{
    m_client.link = this;
    m_client.mayBlock = true;
    m_client.isAuthenticated = !m_origin.needsPassword;
    m_client.onServed = [this](const Reply &served) {
        reply(served);
        m_pool->enqueue(this);
    };
    m_client.onMessage = [this](const Reply &message) { push(message); };
    applyLimits();
    m_pool->executor().introduce(m_client);
    m_events = always;
    if (!m_pool->poller().add(m_descriptor, m_events, quint64(m_client.id)))
        close(Close::Now);
}

Connection::~Connection()
{
    m_pool->executor().forget(m_client);
    m_pool->poller().remove(m_descriptor);
    ::close(m_descriptor);
}

ClientHub &Connection::hub()
{
    return *m_pool;
}

void Connection::onEvents(quint32 events)
{
    if (m_isClosing)
        return;
    if (events & EPOLLERR || (events & EPOLLHUP && m_isLast) || (events & peerGone && m_client.waiting))
        return close(Close::Now);
    if (events & EPOLLOUT)
        send();
    if (!(events & (EPOLLIN | peerGone)) || m_isClosing)
        return;
    if (!isHeld())
        return m_pool->enqueue(this);
    // Nothing is read now; what there is must not wake us again and again.
    watch((m_events & EPOLLOUT) | (m_client.waiting ? quint32(EPOLLRDHUP) : 0U));
    if (events & EPOLLHUP) { // which cannot be masked
        m_pool->poller().remove(m_descriptor);
        m_events = 0;
    }
}

void Connection::watch(quint32 events)
{
    if (events == m_events)
        return;
    if (m_events == 0)
        m_pool->poller().add(m_descriptor, events, quint64(m_client.id)); // or it is there already, with no events
    m_events = events;
    m_pool->poller().change(m_descriptor, m_events, quint64(m_client.id));
}

void Connection::resume()
{
    if (!m_isPaused)
        return;
    m_isPaused = false;
    m_pool->enqueue(this);
}

bool Connection::run(qint64 until)
{
    if (isHeld())
        return false;
    watch(m_events | always);
    if (!m_hasMore && !receive())
        return false;
    process(until);
    m_parser.park();
    return m_hasMore && !isHeld();
}

bool Connection::runWhileBusy()
{
    const bool mayAnswer = m_released >= outputEnd();
    const bool hasMore = run(std::numeric_limits<qint64>::max());
    if (mayAnswer)
        release(outputEnd());
    return hasMore;
}

bool Connection::receive()
{
    const std::span<char> room = m_pool->scratch();
    ssize_t count = -1;
    do
        count = ::recv(m_descriptor, room.data(), room.size(), 0);
    while (count < 0 && errno == EINTR);
    if (count > 0) {
        m_pool->countInput(count);
        m_parser.feed(QByteArrayView(room.data(), qsizetype(count)));
        return true;
    }
    if (count == 0 && outputEnd() > m_outBase + m_outSent)
        close(Close::AfterReply); // it says no more, and may still listen
    else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
        close(Close::Now);
    return false;
}

void Connection::process(qint64 until)
{
    m_hasMore = true;
    while (!isHeld()) {
        if (!m_hasRequest) {
            switch (m_parser.next()) {
            case RequestParser::Outcome::Complete:
                break;
            case RequestParser::Outcome::Incomplete:
                m_hasMore = false;
                return;
            case RequestParser::Outcome::Broken:
                m_hasMore = false;
                return breakOff();
            }
            m_hasRequest = true;
        }
        if (m_pool->executor().now() >= until)
            return;
        if (m_pool->holdsBack(m_client, m_parser.words())) {
            m_isPaused = true;
            return;
        }
        m_hasRequest = false;
        execute();
    }
}

void Connection::execute()
{
    const QList<QByteArray> &words = m_parser.words();
    if (isForeignProtocol(words.constFirst())) {
        qCWarning(logStore) << "a client that does not speak RESP was cut";
        return close(Close::Now);
    }
    m_lastActive = m_pool->turnTime();
    const qint64 before = m_pool->logEnd();
    const Executor::Outcome outcome = m_pool->executor().execute(m_client, words);
    m_hasChanged |= m_pool->logEnd() != before && isWrite(m_client.lastCommand);
    if (m_client.isAuthenticated != m_isTrustedNow)
        applyLimits();
    if (m_client.queuedBytes > m_pool->limits().request.request) {
        qCWarning(logStore) << "a client whose transaction grew beyond the limit of requests was cut";
        return close(Close::Now);
    }
    if (!outcome.isBlocked)
        answer(outcome.reply);
}

/// What SUBSCRIBE and its kin say is a message, also for a client that wants no replies.
void Connection::answer(const Reply &reply)
{
    const CommandSpec *spec = m_client.lastCommand;
    const bool isMessage = spec && spec->is(CommandFlag::PubSub) && spec->is(CommandFlag::WhileListening)
        && !m_client.isInTransaction && !reply.isError();
    if (!isMessage)
        return this->reply(reply);
    m_skip = std::max(0, m_skip - 1);
    push(reply);
}

void Connection::applyLimits()
{
    m_isTrustedNow = m_client.isAuthenticated;
    m_parser.setLimits(m_pool->requestLimits(m_isTrustedNow));
}

void Connection::reply(const Reply &reply)
{
    if (m_isOff || m_isClosing)
        return;
    if (m_skip > 0) {
        --m_skip;
        return;
    }
    push(reply);
}

/// Adds to the output, also what a client that wants no replies gets.
void Connection::push(const Reply &reply)
{
    if (m_isClosing)
        return;
    appendReply(m_out, reply);
    checkOutput();
    m_pool->markDirty(this);
}

/// Tells what is wrong with the bytes and closes.
void Connection::breakOff()
{
    if (m_parser.error().isEmpty())
        return close(Close::Now);
    reply(Reply::error("ERR Protocol error: " + m_parser.error()));
    close(Close::AfterReply);
}

const OutputLimit &Connection::outputLimit() const
{
    return m_client.isListening() ? m_pool->limits().messages : m_pool->limits().replies;
}

void Connection::checkOutput()
{
    const OutputLimit &limit = outputLimit();
    if (limit.hard > 0 && unsentBytes() > limit.hard) {
        qCWarning(logStore) << "a client that does not fetch its replies was cut";
        return close(Close::Now);
    }
    if (limit.soft <= 0 || unsentBytes() <= limit.soft)
        m_softSince.reset();
    else if (!m_softSince)
        m_softSince = m_pool->turnTime();
}

void Connection::checkTimes(Monotonic now)
{
    const EndpointLimits &limits = m_pool->limits();
    const bool isLate = !m_client.isAuthenticated && now - m_since >= limits.timeToAuthenticate;
    const bool isIdle =
        limits.idle.count() > 0 && !m_client.waiting && !m_client.isListening() && now - m_lastActive >= limits.idle;
    const bool isSlow = m_softSince && now - *m_softSince >= outputLimit().softTime;
    if (isLate || isIdle || isSlow)
        close(Close::Now);
}

void Connection::release(qint64 end)
{
    m_released = std::max(m_released, end);
    if (!m_isClosing)
        send();
}

/// Hands the operating system what may go out.
void Connection::send()
{
    const qsizetype end = qsizetype(m_released - m_outBase);
    while (m_outSent < end) {
        const ssize_t taken =
            ::send(m_descriptor, m_out.constData() + m_outSent, size_t(end - m_outSent), MSG_NOSIGNAL);
        if (taken > 0) {
            m_outSent += taken;
            m_pool->countOutput(taken);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno != EINTR) {
            return close(Close::Now);
        }
    }
    const bool isStuck = m_outSent < end;
    if (m_outSent == m_out.size()) {
        m_outBase += m_outSent;
        m_outSent = 0;
        if (m_out.capacity() > keptCapacity)
            m_out = QByteArray();
        else
            m_out.resize(0);
        m_softSince.reset();
        if (m_isLast)
            return close(Close::Now);
    } else if (m_outSent > m_out.size() / 2) { // the front is of no use any more
        m_out.remove(0, m_outSent);
        m_outBase += m_outSent;
        m_outSent = 0;
    }
    watch(isStuck ? m_events | EPOLLOUT : m_events & ~quint32(EPOLLOUT));
}

void Connection::close(Close when)
{
    if (m_isClosing)
        return;
    if (when == Close::AfterReply) {
        m_isLast = true;
        m_pool->markDirty(this);
        return;
    }
    m_isClosing = true;
    m_pool->executor().cancelWaiting(m_client); // what comes now is for others
    m_pool->bury(this);
}

void Connection::setReplies(Replies replies)
{
    switch (replies) {
    case Replies::On:
        m_isOff = false;
        m_skip = 0;
        return;
    case Replies::Off:
        m_isOff = true;
        return;
    case Replies::SkipNext:
        if (!m_isOff)
            m_skip = 2; // the one of CLIENT REPLY SKIP itself, and the next
        return;
    }
}

bool Connection::hasPassword() const
{
    return !m_pool->password().isEmpty();
}

/// Takes the same time whatever is wrong with it.
bool Connection::isPassword(const QByteArray &password) const
{
    const QByteArray &right = m_pool->password();
    int difference = right.isEmpty() || right.size() != password.size() ? 1 : 0;
    for (qsizetype i = 0; i < password.size(); ++i)
        difference |= password[i] ^ (i < right.size() ? right[i] : '\0');
    return difference == 0;
}

ClientFacts Connection::facts() const
{
    const Monotonic now = m_pool->clock().monotonic();
    ClientFacts facts;
    facts.address = m_origin.peer;
    facts.localAddress = m_origin.local;
    facts.descriptor = m_descriptor;
    facts.age = (now - m_since).count() / 1000;
    facts.idle = (now - m_lastActive).count() / 1000;
    facts.queryBytes = m_parser.heldBytes();
    facts.replyBytes = unsentBytes();
    facts.repliesHeld = unsentBytes() > 0 ? 1 : 0;
    facts.totalBytes = qint64(sizeof *this) + m_out.capacity() + m_parser.heldBytes() + m_client.queuedBytes;
    facts.isUnixSocket = m_origin.isUnixSocket;
    facts.isBeingClosed = m_isClosing || m_isLast;
    facts.isWritable = m_events & EPOLLOUT;
    return facts;
}

} // namespace ym::embedded
