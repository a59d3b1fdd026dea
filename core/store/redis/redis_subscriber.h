// Published messages over one connection that carries nothing else.
#pragma once

#include "core/base/backoff.h"
#include "core/base/task_scope.h"
#include "core/store/redis/handshake.h"

#include <QHash>

#include <memory>

namespace ym {

class RedisSubscription;

/// Part of RedisStore. Connects when there is a first subscription and a server, subscribes again after each loss.
/// A subscription hears resumed() whenever it begins to receive: at first, and after each reconnect.
class RedisSubscriber final : public QObject {
    Q_OBJECT
public:
    struct Options {
        RedisConnection::Settings connection;
        QString clientName;
        Backoff::Limits backoff;
    };
    RedisSubscriber(Options options, Clock *clock, StoreCost *cost);
    ~RedisSubscriber() override;

    std::unique_ptr<Subscription> subscribe(QList<QByteArray> names, Store::Match match);

    /// The command connection is ready: connect if anybody listens.
    void serverReady();
    /// Stops trying until serverReady(); an open connection is left to find out for itself.
    void serverLost() { m_serverReady = false; }
    void close();

private:
    friend class RedisSubscription;

    QCoro::Task<void> run();
    QCoro::Task<void> connectOnce();
    void wake();
    void send(const char *verb, const QList<QByteArray> &names);
    void remove(RedisSubscription *subscription);
    void receive(const Reply &reply);
    void publish(const QByteArray &name, Store::Match match, const QByteArray &channel, const QByteArray &payload);
    void confirm(const QByteArray &name, Store::Match match);

    Options m_options;
    Clock *m_clock;
    StoreCost *m_cost;
    TaskScope m_scope;
    bool m_running = false;
    bool m_serverReady = false;
    Completion<bool> m_wake;
    Backoff m_backoff;
    std::shared_ptr<RedisConnection> m_connection;
    std::vector<RedisSubscription *> m_subscriptions;
};

} // namespace ym
