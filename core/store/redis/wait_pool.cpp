#include "core/store/redis/wait_pool.h"

#include <QCoreApplication>
#include <QScopeGuard>

namespace ym {

namespace {

Error cancelled()
{
    return {ErrorKind::Cancelled, QCoreApplication::translate("ym::Redis", "The wait was cancelled."), {}, false};
}

} // namespace

WaitPool::WaitPool(Options options, Clock *clock, StoreCost *cost)
    : m_options(std::move(options))
    , m_clock(clock)
    , m_cost(cost)
{
}

WaitPool::~WaitPool()
{
    close(cancelled());
}

WaitPool::Connection WaitPool::take()
{
    std::vector<Connection> &idle = m_shared->idle;
    while (!idle.empty()) {
        const Connection connection = std::move(idle.back());
        idle.pop_back();
        if (connection->isUsable())
            return connection;
    }
    return std::make_shared<RedisConnection>(m_options.connection, m_clock, m_cost);
}

void WaitPool::giveBack(const std::shared_ptr<Shared> &shared, const Connection &connection, int generation)
{
    std::erase_if(shared->busy, [&](const auto &weak) { return weak.lock() == connection; });
    const bool fits = generation == shared->generation && shared->idle.size() < maxIdle;
    if (connection->isUsable() && fits && !shared->closed)
        shared->idle.push_back(connection);
}

/// A connection that close() ends.
WaitPool::Connection WaitPool::begin()
{
    if (m_shared->closed)
        throw StoreError(*m_shared->closed);
    const Connection connection = take();
    std::erase_if(m_shared->busy, [](const auto &weak) { return weak.expired(); });
    m_shared->busy.push_back(connection);
    return connection;
}

QCoro::Task<Reply> WaitPool::run(Command command, Milliseconds wait, std::stop_token stop)
{
    const std::shared_ptr<Shared> shared = m_shared;
    if (stop.stop_requested())
        throw StoreError(cancelled());
    const Connection connection = begin();
    const int generation = shared->generation;
    const std::stop_callback onStop(stop, [connection] { connection->drop(cancelled()); });
    if (!connection->isUsable())
        co_await openConnection(connection, m_options.connection.address, m_options.clientName, Ask::Nothing);
    Reply reply = co_await connection->call(command, wait);
    giveBack(shared, connection, generation);
    co_return reply;
}

QCoro::Task<Reply> WaitPool::runAll(std::vector<Command> commands, Milliseconds wait, std::stop_token stop,
                                    std::function<void(std::shared_ptr<const Wait>)> unblock)
{
    const std::shared_ptr<Shared> shared = m_shared;
    const Connection connection = begin();
    const int generation = shared->generation;
    {
        const std::stop_callback untilItWaits(stop, [connection] { connection->drop(cancelled()); });
        if (!connection->isUsable())
            co_await openConnection(connection, m_options.connection.address, m_options.clientName, Ask::Nothing);
        if (connection->clientId == 0) {
            const Command ask = cmd("CLIENT", "ID");
            const Reply id = co_await connection->call(ask);
            if (id.isError())
                throw StoreError(errorFromReply(id.string));
            connection->clientId = id.toInteger();
        }
    }
    if (stop.stop_requested()) {
        giveBack(shared, connection, generation);
        throw StoreError(cancelled());
    }
    const auto waiting = std::make_shared<Wait>(Wait{connection->clientId, false});
    const auto over = qScopeGuard([waiting] { waiting->isOver = true; });
    const std::stop_callback onStop(stop, [waiting, unblock] { unblock(waiting); });
    std::vector<Reply> replies = co_await connection->callAll(commands, wait);
    giveBack(shared, connection, generation);
    co_return std::move(replies.back());
}

void WaitPool::forgetIdle()
{
    ++m_shared->generation;
    std::exchange(m_shared->idle, {}).clear();
}

void WaitPool::close(const Error &why)
{
    const std::shared_ptr<Shared> shared = m_shared;
    if (shared->closed)
        return;
    shared->closed = why;
    const auto busy = std::exchange(shared->busy, {});
    const auto idle = std::exchange(shared->idle, {});
    for (const auto &weak : busy) {
        if (const Connection connection = weak.lock())
            connection->drop(why);
    }
}

} // namespace ym
