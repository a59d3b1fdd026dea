// Connections for commands that wait inside the server: one for each wait, never shared, used again afterwards.
#pragma once

#include "core/store/redis/handshake.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace ym {

/// Part of RedisStore. A wait that is stopped takes its connection with it: the server might still answer the blocked
/// command with an element, and nobody would be there to take it.
class WaitPool {
public:
    struct Options {
        RedisConnection::Settings connection;
        QString clientName;
    };
    WaitPool(Options options, Clock *clock, StoreCost *cost);
    ~WaitPool();

    /// Runs the command on a connection of its own. `wait`: how long the server may hold it back.
    QCoro::Task<Reply> run(Command command, Milliseconds wait, std::stop_token stop);

    /// A wait that is not to be cut off, because something stands behind it.
    struct Wait {
        qint64 clientId = 0; ///< the server's name for its connection
        bool isOver = false;
    };
    /// Sends several commands together of which the first one waits, and returns the reply of the last one. A stop
    /// leaves the connection alone and calls `unblock`, which has the server end the wait: what is behind it runs then.
    QCoro::Task<Reply> runAll(std::vector<Command> commands, Milliseconds wait, std::stop_token stop,
                              std::function<void(std::shared_ptr<const Wait>)> unblock);

    /// Throws away idle connections, after the server was lost: it may be another one now.
    void forgetIdle();
    /// Ends all waits with `why`; later ones fail with it too.
    void close(const Error &why);

    qsizetype idleCount() const { return qsizetype(m_shared->idle.size()); }

private:
    using Connection = std::shared_ptr<RedisConnection>;
    /// Outlives the pool while a wait is being resumed.
    struct Shared {
        std::vector<Connection> idle;
        std::vector<std::weak_ptr<RedisConnection>> busy;
        int generation = 0;
        std::optional<Error> closed;
    };
    static constexpr size_t maxIdle = 16;

    Connection take();
    Connection begin();
    static void giveBack(const std::shared_ptr<Shared> &shared, const Connection &connection, int generation);

    Options m_options;
    Clock *m_clock;
    StoreCost *m_cost;
    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
};

} // namespace ym
