// Values between Lua and RESP, by the rules of Redis.
#pragma once

#include "core/store/reply.h"

struct lua_State;

namespace ym::embedded {

/// Which protocol redis.call answers in; only the form of nil differs here.
enum class LuaProtocol : quint8 { Resp2 = 2, Resp3 = 3 };

/// Pushes a reply: status and error as tables with `ok` and `err`, nil as false.
void pushReply(lua_State *lua, const Reply &reply, LuaProtocol protocol);

/// Pops the value on top: numbers are cut to integers, false is nil, a table ends at its first nil.
Reply popReply(lua_State *lua);

/// Pushes `{err = text}`; `text` begins with its code word. Call only where a Lua error may be raised afterwards.
void pushErrorTable(lua_State *lua, const char *text);

} // namespace ym::embedded
