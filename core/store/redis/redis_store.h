// A Redis as a Store.
#pragma once

#include "core/base/backoff.h"
#include "core/base/task_scope.h"
#include "core/store/redis/redis_subscriber.h"
#include "core/store/redis/wait_pool.h"
#include "core/store/store.h"
#include "core/store/store_address.h"
#include "core/store/wait_then_script.h"

namespace ym {

/// One server over three kinds of connection: one for commands, a pool for waits, one for subscriptions (RELIABILITY
/// 6.2). A lost command connection is established again with full-jitter backoff until close(), unless a person must
/// act first (wrong password, not a Redis, cluster): then the phase is Refused and open() tries again.
/// Lives in one thread. May be deleted by anyone whom it resumes, but not inside statusChanged().
class RedisStore final : public Store, public WaitThenScript {
    Q_OBJECT
public:
    struct Options {
        QString clientName = QStringLiteral("yardmaster");
        Milliseconds commandDeadline{10'000};
        qint64 maxReplyBytes = 64LL << 20;
        Backoff::Limits backoff;
    };

    RedisStore(StoreAddress address, Options options, Clock *clock, QObject *parent = nullptr);
    ~RedisStore() override;

    QCoro::Task<void> open() override;
    void close() override;

    StoreStatus status() const override { return m_status; }
    StoreCost cost() const override { return m_cost; }
    QString displayName() const override { return toUrl(m_address); }

    QCoro::Task<Reply> command(Command command) override;
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command> commands) override;
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command> commands) override;
    QCoro::Task<Reply> script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args) override;
    QCoro::Task<Reply> blocking(Command command, Milliseconds wait, std::stop_token stop) override;
    QCoro::Task<Reply> waitThenScript(Command wait, Milliseconds most, Call then, std::stop_token stop) override;
    std::unique_ptr<Subscription> subscribe(QList<QByteArray> channels, Match match) override;
    QCoro::Task<bool> waitUntilReady(std::stop_token stop) override;

protected:
    bool event(QEvent *event) override;

private:
    RedisConnection::Settings connectionSettings(Milliseconds deadline) const;
    QString clientName(const char *purpose) const;
    QCoro::Task<void> run();
    QCoro::Task<Error> connectOnce(bool *becameReady);
    QCoro::Task<void> pause(Error trouble);
    void becomeReady(const ServerFacts &facts);
    void react(const Reply &error);
    void setStatus(StoreStatus status);
    void announce();
    bool settleOpeners();
    bool settleWaiters();
    std::shared_ptr<RedisConnection> requireReady() const;
    QCoro::Task<void> endWait(std::shared_ptr<RedisConnection> connection, std::shared_ptr<const WaitPool::Wait> wait);

    StoreAddress m_address;
    Options m_options;
    Clock *m_clock;
    StoreCost m_cost;
    StoreStatus m_status;
    bool m_closed = false;
    bool m_running = false;
    bool m_announcePosted = false;
    bool m_serverIsReplica = false;
    bool m_mayEndWaits = false; ///< CLIENT UNBLOCK was allowed on this connection

    TaskScope m_scope;
    Backoff m_backoff;
    std::stop_source m_pause; ///< cuts the present pause short
    std::shared_ptr<RedisConnection> m_main;
    WaitPool m_waits;
    RedisSubscriber m_subscriber;

    std::vector<Completion<bool>> m_openers; ///< in open()
    std::optional<Error> m_openTrouble; ///< the first failure since the first opener came
    std::vector<Completion<bool>> m_waiters; ///< in waitUntilReady()
};

} // namespace ym
