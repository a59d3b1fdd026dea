#include "core/store/embedded/lua_api.h"

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/lua_convert.h"
#include "core/store/embedded/lua_host.h"

#include <QCryptographicHash>

#include <lua.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>

namespace ym::embedded {

namespace {

constexpr double replNone = 0;
constexpr double replAof = 1;
constexpr double replReplica = 2;
constexpr double replAll = 3;
constexpr int logLevels = 4; ///< LOG_DEBUG, LOG_VERBOSE, LOG_NOTICE, LOG_WARNING

/// An error of the library itself, raised with its place in the script added later.
int fail(lua_State *lua, const char *text)
{
    pushErrorTable(lua, text);
    return lua_error(lua);
}

void sha1Into(char *hex, const char *bytes, size_t size)
{
    const QByteArray digest =
        QCryptographicHash::hash(QByteArray::fromRawData(bytes, qsizetype(size)), QCryptographicHash::Sha1).toHex();
    std::copy(digest.begin(), digest.end(), hex);
}

/// As `%.17g` writes it; that writes whole numbers of up to 17 digits plainly, and most numbers are such.
QByteArray numberText(double number)
{
    char text[64];
    if (std::abs(number) < 1e15 && number == std::trunc(number) && !std::signbit(number))
        return {text, std::to_chars(text, text + sizeof text, qint64(number)).ptr - text};
    return {text, std::snprintf(text, sizeof text, "%.17g", number)};
}

/// What redis.error_reply makes of a text: a first word alone gets the general code.
void errorTextInto(char *to, size_t room, const char *text)
{
    if (*text == '-')
        ++text;
    std::snprintf(to, room, "%s%s", std::strchr(text, ' ') ? "" : "ERR ", text);
}

} // namespace

LuaHost &LuaApi::host(lua_State *lua)
{
    return *static_cast<LuaHost *>(lua_touserdata(lua, lua_upvalueindex(1)));
}

/// Takes the words of redis.call from the stack into the host; an error text when they are no command.
const char *LuaApi::readArguments(lua_State *lua, LuaHost &host)
{
    const int count = lua_gettop(lua);
    host.m_callArgs.clear();
    if (count == 0)
        return "ERR Please specify at least one argument for this redis lib call";
    for (int i = 1; i <= count; ++i) {
        if (lua_type(lua, i) == LUA_TNUMBER) {
            host.m_callArgs.append(numberText(lua_tonumber(lua, i)));
        } else if (lua_type(lua, i) == LUA_TSTRING) {
            size_t size = 0;
            const char *bytes = lua_tolstring(lua, i, &size);
            host.m_callArgs.append(host.bytesOf(bytes, size));
        } else {
            host.m_callArgs.clear();
            return "ERR Lua redis lib command arguments must be strings or integers";
        }
    }
    return nullptr;
}

/// Runs the host's words as a command into the host's reply.
void LuaApi::execute(LuaHost &host)
{
    QByteArray error;
    const CommandSpec *spec = findCommand(host.m_callArgs[0]);
    if (spec && !spec->subcommands.empty() && host.m_callArgs.size() > 1)
        spec = findSubcommand(*spec, host.m_callArgs[1]);
    if (!spec)
        error = "ERR Unknown Redis command called from script";
    else if (!spec->takes(host.m_callArgs.size()))
        error = "ERR Wrong number of args calling Redis command from script";
    else if (spec->is(CommandFlag::NoScript))
        error = "ERR This Redis command is not allowed from script";
    else if (spec->is(CommandFlag::Write) && host.m_running->isReadOnly)
        error = "ERR Write commands are not allowed from read-only scripts.";
    else if (spec->is(CommandFlag::Write))
        error = host.m_executor.writeRefusal();
    host.m_running->hasWritten |= error.isEmpty() && spec->is(CommandFlag::Write);
    host.m_callReply =
        error.isEmpty() ? host.m_executor.executeNested(host.m_client, *spec, host.m_callArgs) : Reply::error(error);
}

int LuaApi::perform(lua_State *lua, bool raises)
{
    LuaHost &self = host(lua);
    if (!self.m_running)
        return fail(lua, "ERR redis.call can only be called inside a script invocation");
    if (const char *error = readArguments(lua, self)) {
        pushErrorTable(lua, error);
        return raises ? lua_error(lua) : 1;
    }
    lua_settop(lua, 0); // makes room: there may be thousands of words
    execute(self);
    pushReply(lua, self.m_callReply, LuaProtocol(self.m_running->protocol));
    return raises && self.m_callReply.isError() ? lua_error(lua) : 1;
}

int LuaApi::call(lua_State *lua)
{
    return perform(lua, true);
}

int LuaApi::pcall(lua_State *lua)
{
    return perform(lua, false);
}

int LuaApi::errorReply(lua_State *lua)
{
    if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
        pushErrorTable(lua, "ERR wrong number or type of arguments");
        return 1;
    }
    const size_t room = lua_objlen(lua, 1) + 8;
    char *text = static_cast<char *>(lua_newuserdata(lua, room));
    errorTextInto(text, room, lua_tostring(lua, 1));
    lua_createtable(lua, 0, 1);
    lua_pushstring(lua, text);
    lua_setfield(lua, -2, "err");
    return 1;
}

int LuaApi::statusReply(lua_State *lua)
{
    if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
        pushErrorTable(lua, "ERR wrong number or type of arguments");
        return 1;
    }
    lua_createtable(lua, 0, 1);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, -2, "ok");
    return 1;
}

int LuaApi::sha1hex(lua_State *lua)
{
    if (lua_gettop(lua) != 1)
        return fail(lua, "ERR wrong number of arguments");
    size_t size = 0;
    const char *bytes = lua_tolstring(lua, 1, &size);
    char hex[40];
    sha1Into(hex, bytes ? bytes : "", bytes ? size : 0);
    lua_pushlstring(lua, hex, sizeof hex);
    return 1;
}

int LuaApi::log(lua_State *lua)
{
    if (lua_gettop(lua) < 2)
        return fail(lua, "ERR redis.log() requires two arguments or more.");
    if (!lua_isnumber(lua, 1))
        return fail(lua, "ERR First argument must be a number (log level).");
    const double level = lua_tonumber(lua, 1);
    if (level < 0 || level >= logLevels)
        return fail(lua, "ERR Invalid debug level.");
    for (int i = 2; i <= lua_gettop(lua); ++i) {
        size_t size = 0;
        if (const char *bytes = lua_tolstring(lua, i, &size))
            qCDebug(logStore).noquote() << "script:"
                                        << shownText(QByteArray(bytes, qsizetype(size)), Lines::Flatten, 500);
    }
    return 0;
}

int LuaApi::setresp(lua_State *lua)
{
    if (lua_gettop(lua) != 1)
        return fail(lua, "ERR redis.setresp() requires one argument.");
    const double version = lua_tonumber(lua, 1);
    if (version != 2 && version != 3)
        return fail(lua, "ERR RESP version must be 2 or 3.");
    LuaHost &self = host(lua);
    if (self.m_running)
        self.m_running->protocol = int(version);
    return 0;
}

/// Effects are what is logged, always.
int LuaApi::replicateCommands(lua_State *lua)
{
    lua_pushboolean(lua, 1);
    return 1;
}

int LuaApi::setRepl(lua_State *lua)
{
    if (!host(lua).m_running)
        return fail(lua, "ERR redis.set_repl can only be called inside a script invocation");
    if (lua_gettop(lua) != 1)
        return fail(lua, "ERR redis.set_repl() requires two arguments.");
    const double flags = lua_tonumber(lua, 1);
    if (flags < replNone || flags > replAll)
        return fail(lua, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
    if (flags != replAll && flags != replAof)
        return fail(lua, "ERR what a script changes is always logged here");
    return 0;
}

/// There is one user, who may do everything: only whether there is such a command is to be found out.
int LuaApi::aclCheckCmd(lua_State *lua)
{
    LuaHost &self = host(lua);
    if (!self.m_running)
        return fail(lua, "ERR redis.acl_check_cmd can only be called inside a script invocation");
    if (const char *error = readArguments(lua, self))
        return fail(lua, error);
    const CommandSpec *spec = findCommand(self.m_callArgs[0]);
    if (spec && !spec->subcommands.empty() && self.m_callArgs.size() > 1)
        spec = findSubcommand(*spec, self.m_callArgs[1]);
    if (!spec)
        return fail(lua, "ERR Invalid command passed to redis.acl_check_cmd()");
    lua_pushboolean(lua, 1);
    return 1;
}

void LuaApi::push(lua_State *lua, LuaHost *host)
{
    static constexpr luaL_Reg functions[] = {
        {"call", call},
        {"pcall", pcall},
        {"error_reply", errorReply},
        {"status_reply", statusReply},
        {"sha1hex", sha1hex},
        {"log", log},
        {"setresp", setresp},
        {"replicate_commands", replicateCommands},
        {"set_repl", setRepl},
        {"acl_check_cmd", aclCheckCmd},
    };
    struct Number {
        const char *name;
        double value;
    };
    static constexpr Number numbers[] = {{"LOG_DEBUG", 0},
                                         {"LOG_VERBOSE", 1},
                                         {"LOG_NOTICE", 2},
                                         {"LOG_WARNING", 3},
                                         {"REDIS_VERSION_NUM", 0x0007000f},
                                         {"REPL_NONE", replNone},
                                         {"REPL_AOF", replAof},
                                         {"REPL_SLAVE", replReplica},
                                         {"REPL_REPLICA", replReplica},
                                         {"REPL_ALL", replAll}};
    lua_newtable(lua);
    for (const luaL_Reg &function : functions) {
        lua_pushlightuserdata(lua, host);
        lua_pushcclosure(lua, function.func, 1);
        lua_setfield(lua, -2, function.name);
    }
    for (const Number &number : numbers) {
        lua_pushnumber(lua, number.value);
        lua_setfield(lua, -2, number.name);
    }
    lua_pushliteral(lua, "7.0.15");
    lua_setfield(lua, -2, "REDIS_VERSION");
}

} // namespace ym::embedded
