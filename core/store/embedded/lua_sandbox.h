// What scripts can reach.
#pragma once

struct lua_State;

namespace ym::embedded {

class LuaHost;

/// Builds the globals of a fresh interpreter: the harmless parts of the standard library, cjson, bit and redis, each
/// behind a read-only front. Leaves the real table of globals on the stack, for KEYS and ARGV.
void pushSandbox(lua_State *lua, LuaHost *host);

} // namespace ym::embedded
