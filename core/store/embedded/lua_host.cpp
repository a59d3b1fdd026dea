#include "core/store/embedded/lua_host.h"

#include "core/base/log.h"
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/lua_convert.h"
#include "core/store/embedded/lua_sandbox.h"
#include "core/store/embedded/script_shebang.h"

#include <QCryptographicHash>

#include <lua.hpp>

#include <algorithm>
#include <cstring>

namespace ym::embedded {

namespace {

constexpr int instructionsPerCheck = 100'000;
// The collector begins again when this many percent of what was alive are in use. Scripts leave little alive and much
// behind: with a small heap it is cheaper to wait.
constexpr int lazyPause = 1000;
constexpr int eagerPause = 200;
constexpr size_t fullHeap = 4 * 1024 * 1024; ///< scripts alone take less than half of it
constexpr size_t smallHeap = 16 * 1024 * 1024;
const char hostKey = 0; ///< its address names the host in the registry
constexpr char keysTable[] = R"(KEYS)"; ///< the Lua global, not the command

/// Adds where the error happened; turns a plain text into an error table.
int describeError(lua_State *lua)
{
    if (!lua_istable(lua, 1)) {
        const char *text = lua_tostring(lua, 1);
        lua_createtable(lua, 0, 3);
        lua_pushfstring(lua, "ERR %s", text ? text : luaL_typename(lua, 1));
        lua_setfield(lua, -2, "err");
    }
    lua_Debug where;
    bool isKnown = lua_getstack(lua, 1, &where) && lua_getinfo(lua, "Sl", &where);
    if (isKnown && *where.what == 'C')
        isKnown = lua_getstack(lua, 2, &where) && lua_getinfo(lua, "Sl", &where);
    if (isKnown) {
        lua_pushstring(lua, where.source);
        lua_setfield(lua, -2, "source");
        lua_pushinteger(lua, where.currentline);
        lua_setfield(lua, -2, "line");
    }
    return 1;
}

std::optional<QByteArray> rawText(lua_State *lua, const char *field)
{
    lua_pushstring(lua, field);
    lua_rawget(lua, -2);
    std::optional<QByteArray> text;
    if (lua_isstring(lua, -1))
        text = lua_tostring(lua, -1);
    lua_pop(lua, 1);
    return text;
}

/// The error reply for what a script has raised, which is on top of the stack.
QByteArray errorText(lua_State *lua, const QByteArray &sha)
{
    if (!lua_istable(lua, -1)) {
        const char *text = lua_tostring(lua, -1);
        return "ERR Error running script " + sha + ", " + QByteArray(text ? text : "execution failure").left(100);
    }
    QByteArray text = rawText(lua, "err").value_or("ERR unknown error");
    const auto source = rawText(lua, "source");
    const auto line = rawText(lua, "line");
    if (source && line)
        text += " script: " + sha + ", on " + *source + ':' + *line + '.';
    return text;
}

void setTexts(lua_State *lua, const char *name, const QList<QByteArray> &texts)
{
    lua_pushstring(lua, name);
    lua_createtable(lua, int(texts.size()), 0);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        lua_pushlstring(lua, texts[i].constData(), size_t(texts[i].size()));
        lua_rawseti(lua, -2, int(i + 1));
    }
    lua_rawset(lua, -3);
}

} // namespace

LuaHost::LuaHost(Executor &executor)
    : m_executor(executor)
    , m_memory(memoryLimit)
{
    m_client.name = "script";
    open();
}

LuaHost::~LuaHost()
{
    lua_close(m_lua);
}

void LuaHost::open()
{
    m_lua = lua_newstate(LuaMemory::allocate, &m_memory);
    if (!m_lua)
        throw std::bad_alloc();
    lua_pushlightuserdata(m_lua, const_cast<char *>(&hostKey));
    lua_pushlightuserdata(m_lua, this);
    lua_rawset(m_lua, LUA_REGISTRYINDEX);
    pushSandbox(m_lua, this);
    m_globals = luaL_ref(m_lua, LUA_REGISTRYINDEX);
    lua_pushcfunction(m_lua, describeError);
    m_errorHandler = luaL_ref(m_lua, LUA_REGISTRYINDEX);
}

QByteArray LuaHost::add(const QByteArray &text)
{
    const QByteArray sha = QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex();
    if (m_scripts.contains(sha))
        return sha;
    const ScriptShebang shebang = readShebang(text);
    const QByteArray body = text.sliced(shebang.size);
    if (body.startsWith(*LUA_SIGNATURE))
        throw CommandError("ERR Error compiling script (new function): precompiled code is not allowed");
    if (luaL_loadbuffer(m_lua, body.constData(), size_t(body.size()), "@user_script") != 0) {
        const QByteArray message = lua_tostring(m_lua, -1);
        lua_pop(m_lua, 1);
        throw CommandError("ERR Error compiling script (new function): " + message);
    }
    Script script;
    script.function = luaL_ref(m_lua, LUA_REGISTRYINDEX);
    script.hasShebang = shebang.size > 0;
    script.isReadOnly = shebang.isReadOnly;
    m_scripts.insert(sha, script);
    return sha;
}

void LuaHost::clear()
{
    m_scripts.clear();
    lua_close(m_lua);
    m_memory.reset();
    open();
}

Reply LuaHost::run(const QByteArray &sha, const Arguments &arguments)
{
    const Script script = m_scripts.value(sha);
    if (arguments.access == Access::ReadOnly && script.hasShebang && !script.isReadOnly)
        throw CommandError("ERR Can not execute a script with write flag using *_ro command.");
    lua_rawgeti(m_lua, LUA_REGISTRYINDEX, m_globals);
    setTexts(m_lua, keysTable, arguments.keys);
    setTexts(m_lua, "ARGV", arguments.args);
    lua_pop(m_lua, 1);
    m_client.database = arguments.database;
    m_running = begin(sha, arguments);
    lua_sethook(m_lua, checkTime, LUA_MASKCOUNT, instructionsPerCheck);
    lua_rawgeti(m_lua, LUA_REGISTRYINDEX, m_errorHandler);
    lua_rawgeti(m_lua, LUA_REGISTRYINDEX, script.function);
    lua_gc(m_lua, LUA_GCSETPAUSE, m_memory.used() < smallHeap ? lazyPause : eagerPause);
    m_memory.begin();
    const int status = lua_pcall(m_lua, 0, 1, -2);
    m_memory.end();
    lua_sethook(m_lua, nullptr, 0, 0);
    if (m_running->ending == Ending::Aborted)
        m_executor.dropEffects();
    m_running.reset();
    m_callArgs.clear();
    m_callReply = {};
    QByteArray error;
    Reply reply;
    if (status == 0) {
        reply = popReply(m_lua);
    } else {
        error = errorText(m_lua, sha);
        lua_pop(m_lua, 1);
    }
    lua_settop(m_lua, 0);
    if (m_memory.used() > std::max(fullHeap, 2 * m_tidyHeap))
        tidyUp();
    if (status != 0)
        throw CommandError(error);
    return reply;
}

QByteArray LuaHost::bytesOf(const char *bytes, size_t size)
{
    static constexpr size_t large = 64 * 1024;
    if (size < large || !m_running)
        return m_words.word(bytes, size);
    for (const QByteArray &text : *m_running->args) {
        if (size_t(text.size()) == size && std::memcmp(text.constData(), bytes, size) == 0)
            return text;
    }
    return {bytes, qsizetype(size)};
}

void LuaHost::tidyUp()
{
    lua_rawgeti(m_lua, LUA_REGISTRYINDEX, m_globals);
    setTexts(m_lua, keysTable, {});
    setTexts(m_lua, "ARGV", {});
    lua_pop(m_lua, 1);
    lua_gc(m_lua, LUA_GCRESTART, 0); // a script may have stopped it
    lua_gc(m_lua, LUA_GCCOLLECT, 0);
    m_tidyHeap = m_memory.used();
}

LuaHost::Running LuaHost::begin(const QByteArray &sha, const Arguments &arguments) const
{
    Running running;
    running.sha = sha;
    running.isReadOnly = m_scripts.value(sha).isReadOnly || arguments.access == Access::ReadOnly;
    running.caller = arguments.caller;
    running.args = &arguments.args;
    const Time now = std::chrono::steady_clock::now();
    const Milliseconds limit = m_executor.scriptTimeLimit();
    const bool isOfClient = arguments.caller && arguments.caller->link && m_executor.hub();
    const Time atLimit = limit.count() > 0 ? now + std::min<Milliseconds>(limit, std::chrono::hours(24)) : Time::max();
    running.busyFrom = isOfClient ? atLimit : Time::max();
    running.end = isOfClient ? now + longestRun : atLimit;
    return running;
}

void LuaHost::kill()
{
    if (!m_running)
        throw CommandError("NOTBUSY No scripts in execution right now.");
    if (m_running->hasWritten)
        throw CommandError("UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
                           "either wait the script termination or kill the server in a hard way using the SHUTDOWN "
                           "NOSAVE command.");
    m_running->ending = Ending::Killed;
}

void LuaHost::abort()
{
    if (m_running)
        m_running->ending = Ending::Aborted;
}

/// No exception may pass through Lua's own frames.
void LuaHost::serveOthers() noexcept
{
    if (!std::exchange(m_running->isBusy, true))
        qCWarning(logStore) << "a script runs for too long: clients are told that the store is busy";
    try {
        m_executor.hub()->serveWhileBusy(*m_running->caller);
    } catch (const std::exception &failure) {
        qCWarning(logStore) << "other clients cannot be served during a script:" << failure.what();
    }
}

/// Ends a script whose time is over. From then on every instruction fails, so that a pcall cannot hold it up.
void LuaHost::checkTime(lua_State *lua, lua_Debug *)
{
    lua_pushlightuserdata(lua, const_cast<char *>(&hostKey));
    lua_rawget(lua, LUA_REGISTRYINDEX);
    auto *host = static_cast<LuaHost *>(lua_touserdata(lua, -1));
    lua_pop(lua, 1);
    if (host->m_memory.used() >= smallHeap)
        lua_gc(lua, LUA_GCSETPAUSE, eagerPause);
    Running &running = *host->m_running;
    const Time now = std::chrono::steady_clock::now();
    if (running.ending == Ending::Own && now >= running.busyFrom)
        host->serveOthers();
    if (running.ending == Ending::Own && now < running.end)
        return;
    lua_sethook(lua, checkTime, LUA_MASKCOUNT, 1);
    if (running.ending == Ending::Own)
        luaL_error(lua, "Script exceeded its time limit");
    lua_pushliteral(lua, "Script killed by user with SCRIPT KILL.");
    lua_error(lua);
}

} // namespace ym::embedded
