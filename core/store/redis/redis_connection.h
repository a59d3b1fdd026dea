// One connection to a server: commands out in one write a turn, replies back to the coroutines that wait for them.
#pragma once

#include "core/base/completion.h"
#include "core/store/redis/exchange.h"
#include "core/store/redis/redis_socket.h"
#include "core/store/redis/reply_reader.h"
#include "core/store/store.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <stop_token>

namespace ym {

/// Connects once, carries commands until it is lost or dropped, and is then thrown away: a later connection is a new
/// object, so a late reply can never meet a newer command. Lives in one thread. Whoever is resumed by it may delete it.
class RedisConnection final : public QObject {
    Q_OBJECT
public:
    struct Settings {
        StoreAddress address;
        Milliseconds deadline{10'000}; ///< for connecting and for each reply
        Milliseconds idle{10'000}; ///< silence after which a PING is sent (RELIABILITY 6.2)
        qint64 maxReplyBytes = 64LL << 20;
    };

    /// `cost` is counted up and must outlive the connection.
    RedisConnection(Settings settings, Clock *clock, StoreCost *cost);
    ~RedisConnection() override;

    /// Connects the socket (and does the TLS handshake). Throws the reason when that fails.
    QCoro::Task<void> connectToServer();

    /// Sends one command; `allowance` is the time that the command may wait inside the server. Throws what drop() was
    /// told when the connection is lost, with `ambiguous` set when the command had left.
    SingleExchange call(const Command &command, Milliseconds allowance = Milliseconds{0})
    {
        return SingleExchange(this, &command, allowance);
    }
    BatchExchange callAll(std::span<const Command> commands, Milliseconds allowance = Milliseconds{0})
    {
        return BatchExchange(this, commands, allowance);
    }

    /// From now on replies are not answers but news (SUBSCRIBE), and go to `receiver`.
    void receivePushes(std::function<void(Reply)> receiver);
    /// Sends without waiting for an answer. Does nothing before receivePushes() and after a loss.
    void post(const Command &command);

    /// Called for each error reply before its coroutine is resumed.
    void onErrorReply(std::function<void(const Reply &)> observer) { m_errorObserver = std::move(observer); }

    /// Ends the connection now: waiting coroutines are resumed with `why`. Idempotent.
    void drop(const Error &why);
    /// Takes no more commands and drops itself with `why` as soon as the last reply is in.
    void retire(const Error &why);

    bool isUsable() const { return m_phase == Phase::Open; }
    /// The server's name for this connection (CLIENT ID); 0 = not asked.
    qint64 clientId = 0;
    /// Resolved once, when the connection is lost or dropped, before the waiting coroutines are resumed.
    const Completion<Error> &lost() const { return m_lost; }
    Monotonic openedAt() const { return m_openedAt; }

protected:
    bool event(QEvent *event) override;

private:
    friend class SingleExchange;
    friend class BatchExchange;
    enum class Phase : quint8 { New, Connecting, Open, Retiring, Dropped };

    bool enqueue(PendingReplies *pending, std::span<const Command> commands);
    void scheduleFlush();
    void flush();
    void read();
    bool readChunks(const bool &deleted);
    bool deliver(Reply reply, const bool &deleted);
    void checkRetired();
    PendingReplies *takePending();
    static QCoro::Task<void> watch(QPointer<RedisConnection> connection, Clock *clock, std::stop_token stop);
    Milliseconds checkTime();
    Milliseconds shortestWait() const { return std::min(m_settings.deadline, m_settings.idle); }
    Error overdueError() const;
    void sendKeepAlive();

    Settings m_settings;
    Clock *m_clock;
    StoreCost *m_cost;
    RedisSocket m_socket;
    ReplyReader m_reader;
    Phase m_phase = Phase::New;
    Completion<Error> m_lost;
    Completion<bool> m_connected;
    std::stop_source m_stop;
    std::function<void(Reply)> m_receiver;
    std::function<void(const Reply &)> m_errorObserver;
    Error m_retireReason;

    PendingReplies *m_first = nullptr;
    PendingReplies *m_last = nullptr;
    PendingReplies *m_firstUnwritten = nullptr;
    PendingReplies m_keepAlive;

    QByteArray m_out;
    bool m_flushScheduled = false;
    bool m_reading = false;
    bool m_overdue = false;
    bool *m_deleted = nullptr;
    Monotonic m_openedAt{0};
    Monotonic m_heardAt{0};
    Monotonic m_now{0};
};

} // namespace ym
