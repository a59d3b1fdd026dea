// The embedded store: Redis semantics inside the process, no server.
#pragma once

#include "core/base/task_scope.h"
#include "core/store/store.h"

#include <QPointer>

#include <functional>
#include <memory>

namespace ym {

namespace embedded {
class Executor;
}

/// A store that lives in this process: in memory, or durable in a folder (DESIGN, "The embedded store"). Commands run
/// at once in the calling thread; those who wait for a list or a message are resumed from the event loop, after the
/// command that served them is complete. A folder belongs to one process at a time.
class EmbeddedStore final : public Store {
    Q_OBJECT
public:
    /// When changes reach the disk. Always: before a command is acknowledged.
    enum class Fsync : quint8 { EverySecond, Always, Never };
    struct Options {
        QString folder; ///< empty = memory only
        Fsync fsync = Fsync::EverySecond;
        /// The log is compacted when it has grown by so many per cent over its size after the last time (0 = never)
        /// and has at least so many bytes.
        int rewritePercentage = 100;
        qint64 rewriteMinSize = 16 * 1024 * 1024;
    };

    EmbeddedStore(Options options, Clock *clock, QObject *parent = nullptr);
    ~EmbeddedStore() override;

    /// Locks the folder and loads the log. Conflict when another process has it; Io when it cannot be read or is
    /// damaged.
    QCoro::Task<void> open() override;
    void close() override;

    /// Tells other processes where this store answers: the path of a unix socket, empty = nowhere (FolderLock::owner).
    /// Nothing happens in memory.
    Result<void> publishEndpoint(const QString &socket);

    StoreStatus status() const override;
    StoreCost cost() const override;
    QString displayName() const override;

    QCoro::Task<Reply> command(Command command) override;
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command> commands) override;
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command> commands) override;
    QCoro::Task<Reply> script(const Script *script, QList<QByteArray> keys, QList<QByteArray> args) override;
    QCoro::Task<Reply> blocking(Command command, Milliseconds wait, std::stop_token stop) override;
    std::unique_ptr<Subscription> subscribe(QList<QByteArray> channels, Match match) override;
    QCoro::Task<bool> waitUntilReady(std::stop_token stop) override;

    // For an endpoint, which runs the commands of its clients itself, in this thread, while the store is Ready. When a
    // turn is over it calls commit() and answers its clients.

    embedded::Executor &executor() const;
    /// How much has been logged, in bytes; 0 in memory.
    qint64 logEnd() const;
    /// Writes what was logged. False when that failed: changes since the last commit() must not be acknowledged.
    bool commit();
    /// True when everything before `end` may be acknowledged now.
    bool isSafe(qint64 end) const;
    /// Calls `done` when everything before `end` may be acknowledged (true) or cannot be made safe (false), unless
    /// `context` is gone by then.
    void whenSafe(qint64 end, QObject *context, std::function<void(bool)> done);

private:
    struct Private;
    friend class EmbeddedSubscription;

    void checkOpen() const;
    Reply execute(const QList<QByteArray> &args);
    QCoro::Task<void> load();
    qint64 logMark() const;
    QCoro::Task<void> tellWhenSafe(qint64 end, QPointer<QObject> context, std::function<void(bool)> done);
    QCoro::Task<void> acknowledge(qint64 before);
    void setPhase(StoreStatus::Phase phase, Error trouble = {});
    void scheduleEndOfTurn();
    void endTurn();
    void armTick();
    QCoro::Task<void> tickAfter(Milliseconds duration, std::stop_token stop);

    std::unique_ptr<Private> d;
};

} // namespace ym
