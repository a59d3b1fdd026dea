// All clients of an endpoint, and the turns in which they are served.
#pragma once

#include "core/base/task_scope.h"
#include "core/store/embedded/endpoint/connection.h"
#include "core/store/embedded/endpoint/limit_settings.h"
#include "core/store/embedded/endpoint/poller.h"

#include <QObject>

#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace ym {
class EmbeddedStore;
}

namespace ym::embedded {

/// Serves connections in turns of the event loop: those that have something to say get their share of a time slice one
/// after the other; then the log is written, once; then the replies go out, one write for each client. One thread.
class ConnectionPool final : public QObject, public ClientHub {
    Q_OBJECT
public:
    /// `store` must outlive the pool and be open while there are clients.
    ConnectionPool(EmbeddedStore *store, EndpointLimits limits, QObject *parent = nullptr);
    ~ConnectionPool() override;

    /// Takes over a connected socket; a client too many gets Redis's answer and is closed.
    void take(int descriptor, Connection::Origin origin);
    enum class Whom : quint8 { Everybody, ThroughPort };
    void closeAll(Whom whom);
    /// False when there is no such client.
    bool cut(qint64 id);
    int count() const { return int(m_connections.size()); }
    std::vector<const Connection *> connections() const;
    void setPassword(QByteArray password) { m_password = std::move(password); }
    const QByteArray &password() const { return m_password; }
    const EndpointLimits &limits() const { return m_limits; }
    void setMayShutDown(bool on) { m_mayShutDown = on; }

    HubStats stats() const override { return m_stats; }
    void resetStats() override { m_stats = {}; }
    Settings settings() const override { return limitSettings(m_limits); }
    QByteArray changeSettings(const Settings &wanted, QByteArray *offender) override;
    void pause(Pause kind, Milliseconds duration) override;
    void unpause() override;
    void sleep(Milliseconds duration) override;
    void serveWhileBusy(const ClientContext &running) override;
    bool requestShutdown() override;

    // For connections and listeners.
    Poller &poller() { return m_poller; }
    Executor &executor();
    Clock &clock();
    qint64 logEnd() const;
    RequestLimits requestLimits(bool isTrusted) const;
    /// Room for what is read from a socket; it is free again when the connection has parked.
    std::span<char> scratch() { return m_isBusy ? m_busyScratch : m_scratch; }
    /// The time of this turn.
    Monotonic turnTime() const { return m_turnTime; }
    /// True when a pause is on that this command must wait for.
    bool holdsBack(const ClientContext &client, const QList<QByteArray> &words) const;
    /// It has something to run.
    void enqueue(Connection *connection);
    /// It has something to send.
    void markDirty(Connection *connection);
    /// It is to be destroyed at the end of the turn.
    void bury(Connection *connection);
    void countInput(qint64 bytes)
    {
        ++m_stats.reads;
        m_stats.inputBytes += bytes;
    }
    void countOutput(qint64 bytes)
    {
        ++m_stats.writes;
        m_stats.outputBytes += bytes;
    }

Q_SIGNALS:
    void countChanged();
    /// Nobody gets to the event loop: whoever knocks should be let in now.
    void busy();
    void shutdownRequested();

private:
    /// A client's output up to here may go out, once the log is safe.
    struct Mark {
        qint64 id;
        qint64 outputEnd;
        bool hasChanged;
    };
    struct Slot {
        std::unique_ptr<Connection> connection;
        bool isQueued = false;
        bool isDirty = false;
    };

    void onReady(std::span<const epoll_event> events);
    void scheduleTurn();
    void turn();
    void serve();
    void finishTurn();
    void sendReplies();
    void release(const std::vector<Mark> &marks);
    void cutChanged(const std::vector<Mark> &marks);
    void removeBuried();
    Connection *find(qint64 id) const;
    QCoro::Task<void> checkTimes();
    QCoro::Task<void> endPause(Monotonic at);

    EmbeddedStore *m_store;
    EndpointLimits m_limits;
    QByteArray m_password;
    bool m_mayShutDown = false;
    Poller m_poller;
    std::vector<char> m_scratch;
    std::vector<char> m_busyScratch; ///< the other one is still in use by whom the script runs for
    std::unordered_map<qint64, Slot> m_connections;
    std::deque<qint64> m_queue;
    std::vector<qint64> m_dirty;
    std::vector<qint64> m_buried;
    HubStats m_stats;
    Monotonic m_turnTime{0};
    bool m_isInTurn = false;
    bool m_isBusy = false; ///< inside serveWhileBusy()
    bool m_isEnding = false; ///< nothing is run any more
    bool m_isTurnDue = false;
    bool m_isChecking = false;
    Monotonic m_pausedUntil{0};
    Pause m_pause = Pause::All;
    TaskScope m_scope{"ConnectionPool"};
};

} // namespace ym::embedded
