// Connections for commands that wait inside the server: one for each wait, never shared, used again afterwards.
#pragma once

#include "core/store/redis/handshake.h"

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
    static void giveBack(const std::shared_ptr<Shared> &shared, const Connection &connection, int generation);

    Options m_options;
    Clock *m_clock;
    StoreCost *m_cost;
    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
};

} // namespace ym
