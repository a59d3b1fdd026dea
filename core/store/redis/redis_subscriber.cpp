#include "core/store/redis/redis_subscriber.h"

#include "core/base/log.h"

#include <QSet>

#include <algorithm>

namespace ym {

/// What a caller holds; taking it away unsubscribes.
class RedisSubscription final : public Subscription {
public:
    RedisSubscription(RedisSubscriber *owner, QList<QByteArray> names, Store::Match match)
        : m_owner(owner)
        , m_names(std::move(names))
        , m_match(match)
    {
    }
    ~RedisSubscription() override
    {
        if (m_owner)
            m_owner->remove(this);
    }

    const QList<QByteArray> &names() const { return m_names; }
    Store::Match match() const { return m_match; }
    bool has(const QByteArray &name, Store::Match match) const { return m_match == match && m_names.contains(name); }

    void awaitConfirmation() { m_unconfirmed = QSet<QByteArray>(m_names.begin(), m_names.end()); }
    /// True when this was the last name to be confirmed.
    bool confirm(const QByteArray &name) { return m_unconfirmed.remove(name) && m_unconfirmed.isEmpty(); }

private:
    QPointer<RedisSubscriber> m_owner;
    QList<QByteArray> m_names;
    Store::Match m_match;
    QSet<QByteArray> m_unconfirmed;
};

namespace {

const char *verbFor(Store::Match match)
{
    return match == Store::Match::Patterns ? "PSUBSCRIBE" : "SUBSCRIBE";
}

} // namespace

RedisSubscriber::RedisSubscriber(Options options, Clock *clock, StoreCost *cost)
    : m_options(std::move(options))
    , m_clock(clock)
    , m_cost(cost)
    , m_scope("RedisSubscriber")
    , m_backoff(m_options.backoff)
{
}

RedisSubscriber::~RedisSubscriber()
{
    close();
}

void RedisSubscriber::close()
{
    m_scope.stop();
    if (const auto connection = std::exchange(m_connection, {}))
        connection->drop({ErrorKind::Cancelled, QStringLiteral("closed"), {}, false});
    wake();
}

void RedisSubscriber::wake()
{
    const Completion<bool> waiting = std::exchange(m_wake, {});
    waiting.resolve(true);
}

void RedisSubscriber::serverReady()
{
    m_serverReady = true;
    if (!std::exchange(m_running, true) && !m_scope.isStopping())
        m_scope.spawn(run());
    else
        wake();
}

std::unique_ptr<Subscription> RedisSubscriber::subscribe(QList<QByteArray> names, Store::Match match)
{
    auto subscription = std::make_unique<RedisSubscription>(this, std::move(names), match);
    m_subscriptions.push_back(subscription.get());
    subscription->awaitConfirmation();
    send(verbFor(match), subscription->names());
    wake();
    return subscription;
}

void RedisSubscriber::send(const char *verb, const QList<QByteArray> &names)
{
    if (!m_connection || names.isEmpty())
        return;
    Command command = cmd(verb);
    command.addAll(names);
    m_connection->post(command);
}

void RedisSubscriber::remove(RedisSubscription *subscription)
{
    std::erase(m_subscriptions, subscription);
    QList<QByteArray> unused;
    for (const QByteArray &name : subscription->names()) {
        const bool used = std::any_of(m_subscriptions.begin(), m_subscriptions.end(),
                                      [&](const auto *other) { return other->has(name, subscription->match()); });
        if (!used)
            unused << name;
    }
    send(subscription->match() == Store::Match::Patterns ? "PUNSUBSCRIBE" : "UNSUBSCRIBE", unused);
}

QCoro::Task<void> RedisSubscriber::run()
{
    while (!m_scope.isStopping()) {
        if (!m_serverReady || m_subscriptions.empty()) {
            const Completion<bool> woken = m_wake;
            co_await woken;
            continue;
        }
        std::optional<Error> trouble;
        try {
            co_await connectOnce();
        } catch (const StoreError &e) {
            trouble = e.error();
        }
        if (m_scope.isStopping())
            co_return;
        if (trouble && !isTransient(trouble->kind)) {
            qCWarning(logStore, "no subscriptions: %s", qUtf8Printable(trouble->text()));
            m_serverReady = false; // until the command connection has found a usable server again
            continue;
        }
        co_await m_clock->sleep(m_backoff.next(), m_scope.token());
    }
}

/// One connection from its beginning to its end.
QCoro::Task<void> RedisSubscriber::connectOnce()
{
    const auto connection = std::make_shared<RedisConnection>(m_options.connection, m_clock, m_cost);
    m_connection = connection;
    co_await openConnection(connection, m_options.connection.address, m_options.clientName, Ask::Nothing);
    if (m_scope.isStopping())
        co_return;
    m_backoff.reset();
    connection->receivePushes([this](Reply reply) { receive(reply); });
    for (RedisSubscription *subscription : m_subscriptions) {
        subscription->awaitConfirmation();
        send(verbFor(subscription->match()), subscription->names());
    }
    const Completion<Error> lost = connection->lost();
    co_await lost;
}

/// ["message", channel, payload], ["pmessage", pattern, channel, payload], ["subscribe", channel, count], …
void RedisSubscriber::receive(const Reply &reply)
{
    if (reply.isError()) {
        qCWarning(logStore, "subscription refused: %s", qUtf8Printable(errorFromReply(reply.string).text()));
        return;
    }
    const std::vector<Reply> &parts = reply.elements;
    if (parts.size() < 2)
        return;
    const QByteArray &kind = parts[0].string;
    if (kind == "message" && parts.size() == 3)
        publish(parts[1].string, Store::Match::Channels, parts[1].string, parts[2].string);
    else if (kind == "pmessage" && parts.size() == 4)
        publish(parts[1].string, Store::Match::Patterns, parts[2].string, parts[3].string);
    else if (kind == "subscribe")
        confirm(parts[1].string, Store::Match::Channels);
    else if (kind == "psubscribe")
        confirm(parts[1].string, Store::Match::Patterns);
}

/// Receivers may take away any subscription, also their own, and even the store.
void RedisSubscriber::publish(const QByteArray &name, Store::Match match, const QByteArray &channel,
                              const QByteArray &payload)
{
    QList<QPointer<RedisSubscription>> receivers;
    for (RedisSubscription *subscription : m_subscriptions) {
        if (subscription->has(name, match))
            receivers << subscription;
    }
    for (const auto &receiver : std::as_const(receivers)) {
        if (receiver)
            Q_EMIT receiver->message(channel, payload);
    }
}

void RedisSubscriber::confirm(const QByteArray &name, Store::Match match)
{
    QList<QPointer<RedisSubscription>> resumed;
    for (RedisSubscription *subscription : m_subscriptions) {
        if (subscription->match() == match && subscription->confirm(name))
            resumed << subscription;
    }
    for (const auto &receiver : std::as_const(resumed)) {
        if (receiver)
            Q_EMIT receiver->resumed();
    }
}

} // namespace ym
