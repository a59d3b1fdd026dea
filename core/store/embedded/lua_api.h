// The `redis` library of scripts.
#pragma once

struct lua_State;

namespace ym::embedded {

class LuaHost;

/// Functions that scripts call. Each is a plain C function with the host as its upvalue; a Lua error leaves it by a
/// long jump, so none may own anything at that moment.
class LuaApi {
public:
    /// Pushes the library as a table.
    static void push(lua_State *lua, LuaHost *host);

private:
    static LuaHost &host(lua_State *lua);
    static int call(lua_State *lua);
    static int pcall(lua_State *lua);
    static int errorReply(lua_State *lua);
    static int statusReply(lua_State *lua);
    static int sha1hex(lua_State *lua);
    static int log(lua_State *lua);
    static int setresp(lua_State *lua);
    static int replicateCommands(lua_State *lua);
    static int setRepl(lua_State *lua);
    static int aclCheckCmd(lua_State *lua);

    static const char *readArguments(lua_State *lua, LuaHost &host);
    static void execute(LuaHost &host);
    static int perform(lua_State *lua, bool raises);
};

} // namespace ym::embedded
