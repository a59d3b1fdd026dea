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
        const ClientContext *caller = nullptr; ///< for whom it runs
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

    /// There is one thread. A script of an endpoint's client is asked now and then whether its time is over: from
    /// Executor::scriptTimeLimit() on it lets the other clients call SCRIPT KILL, and after longestRun it ends by
    /// itself, so that the application gets its thread back. Any other script ends at the time limit. One that ends so
    /// fails like one with an error, and what it has written stays.
    static constexpr std::chrono::seconds longestRun{60};

    bool isRunning() const { return m_running.has_value(); }
    /// Runs for longer than the time limit, and others are served meanwhile.
    bool isBusy() const { return m_running && m_running->isBusy; }
    /// Ends a running script that has not written. Throws CommandError when there is none or it has.
    void kill();
    /// Ends a running script, and nothing of it reaches the log.
    void abort();

    /// Runs a script that was added. Its effects are recorded by the commands it calls. Throws CommandError.
    Reply run(const QByteArray &sha, const Arguments &arguments);

private:
    struct Script {
        int function = 0; ///< in the registry
        bool hasShebang = false;
        bool isReadOnly = false;
    };
    using Time = std::chrono::steady_clock::time_point;
    enum class Ending : quint8 { Own, Killed, Aborted };
    struct Running {
        QByteArray sha;
        bool isReadOnly = false;
        const ClientContext *caller = nullptr;
        const QList<QByteArray> *args = nullptr;
        Time busyFrom; ///< from when on others are served
        Time end;
        int protocol = 2; ///< RESP version of redis.call
        bool hasWritten = false;
        bool isBusy = false;
        Ending ending = Ending::Own;
    };
    friend class LuaApi;

    void open();
    Running begin(const QByteArray &sha, const Arguments &arguments) const;
    static void checkTime(lua_State *lua, lua_Debug *);
    void serveOthers() noexcept;
    /// What a script says, as bytes of ours; a large argument that it hands on is not copied.
    QByteArray bytesOf(const char *bytes, size_t size);
    /// Forgets the arguments of a script, and collects the garbage when there is much of it.
    void tidyUp();

    Executor &m_executor;
    LuaMemory m_memory;
    size_t m_tidyHeap = 0; ///< what the scripts took when everything else was collected
    lua_State *m_lua = nullptr;
    int m_globals = 0; ///< the real table of globals, in the registry
    int m_errorHandler = 0; ///< in the registry
    QHash<QByteArray, Script> m_scripts;
    ClientContext m_client;
    std::optional<Running> m_running;
    // Kept here because a Lua error leaves C++ frames without running their destructors.
    QList<QByteArray> m_callArgs;
    WordCache m_words;
    Reply m_callReply;
};

} // namespace ym::embedded
