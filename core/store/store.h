// The first narrow waist: bytes and commands. A store knows no jobs.
#pragma once

#include "core/base/clock.h"
#include "core/store/command.h"
#include "core/store/reply.h"
#include "core/store/script.h"

#include <QObject>

#include <memory>
#include <vector>

#include <QCoroTask>

namespace ym {

/// How a store is doing; for the status bar and for loops that wait.
struct StoreStatus {
    enum class Phase : quint8 {
        Closed,     ///< not opened yet, or closed for good
        Connecting,
        Ready,
        Waiting,    ///< lost; tries again after a delay
        Refused,    ///< will not try again without a person: wrong password, not a Redis, cluster
    };
    Phase phase = Phase::Closed;
    Error trouble;             ///< why, in Waiting and Refused
    Milliseconds retryIn{0};   ///< in Waiting
    QString server;            ///< "redis 7.0.15", "embedded"
    QStringList warnings;      ///< "not durable: AOF is off", one sentence each

    bool operator==(const StoreStatus &) const = default;
};

/// What a store has cost so far; counters only rise.
struct StoreCost {
    quint64 commands = 0;
    quint64 writes = 0;    ///< writes to the socket: round trips at most
    quint64 bytesOut = 0;
    quint64 bytesIn = 0;
};

/// Receives published messages until it is destroyed. Lives in the store's thread.
class Subscription : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
Q_SIGNALS:
    /// `channel` is the concrete channel also for pattern subscriptions.
    void message(const QByteArray &channel, const QByteArray &payload);
    /// Messages may have been missed: the connection was re-established. Look again.
    void resumed();
};

/// A Redis, or the embedded store. One thread with an event loop; every method is called there.
/// Commands that are issued in one event-loop turn leave in one write, in order. All parameters by value, because the
/// methods are coroutines. Errors are thrown at the co_await as StoreError:
///  * Unavailable / Timeout when there is no connection or no answer in time; `ambiguous` tells whether a command that
///    changes something may have been executed. Nothing is ever sent twice by the store itself, but for scripts after
///    NOSCRIPT;
///  * Cancelled after close();
///  * the kind of RELIABILITY 6.1 for an error reply.
class Store : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Starts connecting (or loads the log). Returns when ready, or throws the first failure; a Redis store that
    /// failed transiently goes on trying in the background, see status().
    virtual QCoro::Task<void> open() = 0;
    /// Ends everything: each waiting command is resumed with Cancelled. Idempotent.
    virtual void close() = 0;

    virtual StoreStatus status() const = 0;
    virtual StoreCost cost() const = 0;
    /// The address for people: no password.
    virtual QString displayName() const = 0;

    /// Sends one command and returns its reply; an error reply is thrown.
    virtual QCoro::Task<Reply> command(Command command) = 0;

    /// Sends several commands together. Error replies are returned in place, only transport failures are thrown.
    virtual QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command> commands) = 0;

    /// MULTI … EXEC around the commands: all or none. Returns one reply per command. Any error reply is thrown.
    virtual QCoro::Task<std::vector<Reply>> transaction(std::vector<Command> commands) = 0;

    /// Runs a script by EVALSHA, and by EVAL when the server does not know it (RELIABILITY GM7).
    virtual QCoro::Task<Reply> script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args) = 0;

    /// A command that waits in the server for at most `wait` (≤ 5 s, RELIABILITY 6.2), on a connection that carries
    /// nothing else meanwhile. The command must carry the same wait itself. The reply is nil when the time passed.
    /// Ends early with Cancelled when `stop` is requested.
    virtual QCoro::Task<Reply> blocking(Command command, Milliseconds wait, std::stop_token stop) = 0;

    /// Subscribes to channels or, with `Patterns`, to glob patterns.
    enum class Match : quint8 { Channels, Patterns };
    virtual std::unique_ptr<Subscription> subscribe(QList<QByteArray> channels, Match match) = 0;

    /// Returns when status().phase is Ready (true), or when `stop` is requested or the store is closed or Refused (false).
    virtual QCoro::Task<bool> waitUntilReady(std::stop_token stop) = 0;

Q_SIGNALS:
    void statusChanged();
};

} // namespace ym
