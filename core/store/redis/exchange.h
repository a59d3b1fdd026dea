// What a coroutine waits on while its commands are on the way: no allocation, no task per command.
#pragma once

#include "core/base/clock.h"
#include "core/store/command.h"
#include "core/store/reply.h"

#include <coroutine>
#include <optional>
#include <span>
#include <vector>

namespace ym {

class RedisConnection;

/// Commands on the way and the coroutine that waits for their replies. Lives in that coroutine's frame and is linked
/// into the connection's queue from the moment it suspends until it is resumed.
struct PendingReplies {
    std::coroutine_handle<> waiter;
    PendingReplies *next = nullptr;
    size_t expected = 1;
    size_t received = 0;
    bool written = false; ///< handed to the socket: the server may have executed it
    Milliseconds allowance{0}; ///< time the server itself may take, beyond the connection's deadline
    Monotonic deadline{0};
    Reply single; ///< the reply when one is expected
    std::vector<Reply> many; ///< otherwise
    std::optional<Error> trouble;

    void take(Reply reply)
    {
        if (expected == 1)
            single = std::move(reply);
        else
            many.push_back(std::move(reply));
        ++received;
    }
    bool isComplete() const { return received == expected; }
    void throwTrouble() const
    {
        if (trouble)
            throw StoreError(*trouble);
    }
};

/// `const Reply r = co_await connection->call(command)`: one command, its reply in place also when it is an error.
class SingleExchange {
public:
    SingleExchange(RedisConnection *connection, const Command *command, Milliseconds allowance)
        : m_connection(connection)
        , m_command(command)
    {
        m_pending.allowance = allowance;
    }
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> waiter);
    Reply await_resume()
    {
        m_pending.throwTrouble();
        return std::move(m_pending.single);
    }

private:
    RedisConnection *m_connection;
    const Command *m_command;
    PendingReplies m_pending;
};

/// `co_await connection->callAll(commands)`: one write, all replies in order. At least two commands or none.
class BatchExchange {
public:
    BatchExchange(RedisConnection *connection, std::span<const Command> commands, Milliseconds allowance)
        : m_connection(connection)
        , m_commands(commands)
    {
        m_pending.expected = commands.size();
        m_pending.allowance = allowance;
    }
    bool await_ready() const noexcept { return m_commands.empty(); }
    bool await_suspend(std::coroutine_handle<> waiter);
    std::vector<Reply> await_resume();

private:
    RedisConnection *m_connection;
    std::span<const Command> m_commands;
    PendingReplies m_pending;
};

} // namespace ym
