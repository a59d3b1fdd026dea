// A workspace folder that several processes work on at once: one has it, the others come through its socket.
#pragma once

#include "core/base/task_scope.h"
#include "core/store/store.h"

#include <memory>
#include <vector>

namespace ym {

class EmbeddedStore;
class Endpoint;
class RedisStore;

/// The first process that opens a folder keeps it (EmbeddedStore) and answers others on a unix socket of this user; each
/// further one is a guest on that socket. When the host ends, a guest takes the folder over, or goes to whoever was
/// faster; what was on its way is answered with Unavailable, as when a Redis is started again. One thread.
class WorkspaceStore final : public Store {
    Q_OBJECT
public:
    /// `socket` is where this process answers when it has the folder; an error is told as a warning.
    WorkspaceStore(QString folder, Result<QString> socket, Clock *clock, QObject *parent = nullptr);
    ~WorkspaceStore() override;

    /// What other programs come in through while this process has the folder; else null.
    Endpoint *endpoint() const { return m_endpoint.get(); }
    /// The store itself while this process has the folder; else null.
    EmbeddedStore *embedded() const;
    /// The process that has the folder; 0 = not known.
    qint64 hostPid() const { return m_hostPid; }
    /// Why others cannot come in; empty when they can.
    QString endpointTrouble() const { return m_endpointTrouble; }
    /// Path of the socket where the workspace answers, here or in the host; empty = nowhere.
    QString socketPath() const;

    /// Conflict when another process has the folder and does not answer; else as EmbeddedStore::open().
    QCoro::Task<void> open() override;
    void close() override;

    StoreStatus status() const override;
    StoreCost cost() const override;
    QString displayName() const override { return m_folder; }

    QCoro::Task<Reply> command(Command command) override;
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command> commands) override;
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command> commands) override;
    QCoro::Task<Reply> script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args) override;
    QCoro::Task<Reply> blocking(Command command, Milliseconds wait, std::stop_token stop) override;
    std::unique_ptr<Subscription> subscribe(QList<QByteArray> channels, Match match) override;
    QCoro::Task<bool> waitUntilReady(std::stop_token stop) override;

Q_SIGNALS:
    /// Another process has the folder now, or this one.
    void hostChanged();

private:
    class GuestSubscription;

    QCoro::Task<void> settle(std::optional<Milliseconds> patience);
    QCoro::Task<std::optional<Error>> tryToHost();
    QCoro::Task<std::optional<Error>> tryToVisit();
    QCoro::Task<void> lookForHost();
    template <typename Call>
    std::invoke_result_t<Call, RedisStore *> asGuest(Call call, std::stop_token stop);
    Store *active() const;
    Error absent() const;
    void answerOthers();
    void onInnerStatus();
    void announce();

    QString m_folder;
    Result<QString> m_socket;
    Clock *m_clock;
    std::unique_ptr<EmbeddedStore> m_own;
    std::unique_ptr<Endpoint> m_endpoint;
    std::shared_ptr<RedisStore> m_guest;
    std::shared_ptr<RedisStore> m_nextGuest; ///< while it connects
    qint64 m_hostPid = 0;
    QString m_hostSocket;
    QString m_endpointTrouble;
    StoreStatus::Phase m_phase = StoreStatus::Phase::Closed;
    Error m_trouble;
    bool m_isSettling = false;
    std::vector<Completion<bool>> m_readyWaiters;
    TaskScope m_scope{"WorkspaceStore"};
};

} // namespace ym
