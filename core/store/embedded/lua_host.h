// Lua 5.1 inside the store: EVAL and its kin.
#pragma once

#include "core/store/embedded/client_context.h"
#include "core/store/embedded/lua_memory.h"
#include "core/store/embedded/word_cache.h"
#include "core/store/reply.h"

#include <QByteArray>
#include <QHash>

#include <chrono>
#include <memory>

struct lua_State;
struct lua_Debug;

namespace ym::embedded {

class Executor;

/// One sandboxed interpreter with the scripts that were loaded into it. Scripts see no files, no processes and no
/// clock of their own; globals and libraries are read-only; run time and memory are limited. One thread.
class LuaHost {
public:
    enum class Access : quint8 { ReadWrite, ReadOnly };
    struct Arguments {
        QList<QByteArray> keys;
        QList<QByteArray> args;
        Access access = Access::ReadWrite;
        int database = 0; ///< where it begins; a SELECT of its own ends with it
    };
    static constexpr size_t memoryLimit = 256 * 1024 * 1024;

    explicit LuaHost(Executor &executor);
    ~LuaHost();
    LuaHost(const LuaHost &) = delete;
    LuaHost &operator=(const LuaHost &) = delete;

    /// Compiles a script and keeps it; returns its SHA-1 in hex. Throws CommandError.
    QByteArray add(const QByteArray &text);
    bool contains(const QByteArray &sha) const { return m_scripts.contains(sha); }
    void clear();
    qsizetype scriptCount() const { return m_scripts.size(); }

    bool isRunning() const { return m_running.has_value(); }
    /// How long a script may run, in ms; 0 = for ever. There is one thread, so nobody is answered meanwhile, SCRIPT KILL
    /// neither: at its end the script fails like one with an error, and what it has written stays.
    qint64 &timeLimit() { return m_timeLimit; }

    /// Runs a script that was added. Its effects are recorded by the commands it calls. Throws CommandError.
    Reply run(const QByteArray &sha, const Arguments &arguments);

private:
    struct Script {
        int function = 0; ///< in the registry
        bool hasShebang = false;
        bool isReadOnly = false;
    };
    struct Running {
        QByteArray sha;
        bool isReadOnly = false;
        int protocol = 2; ///< RESP version of redis.call
        std::chrono::steady_clock::time_point end;
    };
    friend class LuaApi;

    void open();
    static void checkTime(lua_State *lua, lua_Debug *);

    Executor &m_executor;
    LuaMemory m_memory;
    lua_State *m_lua = nullptr;
    int m_globals = 0; ///< the real table of globals, in the registry
    int m_errorHandler = 0; ///< in the registry
    QHash<QByteArray, Script> m_scripts;
    ClientContext m_client;
    qint64 m_timeLimit = 5000;
    std::optional<Running> m_running;
    // Kept here because a Lua error leaves C++ frames without running their destructors.
    QList<QByteArray> m_callArgs;
    WordCache m_words;
    Reply m_callReply;
};

} // namespace ym::embedded
