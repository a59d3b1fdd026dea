#include "core/store/embedded/lua_convert.h"

#include "core/store/embedded/numbers.h"

#include <lua.hpp>

#include <limits>

namespace ym::embedded {

namespace {

void pushBytes(lua_State *lua, const QByteArray &bytes)
{
    lua_pushlstring(lua, bytes.constData(), size_t(bytes.size()));
}

/// The field of the table on top when it has the wanted type; pops nothing.
std::optional<QByteArray> textField(lua_State *lua, const char *name)
{
    lua_pushstring(lua, name);
    lua_rawget(lua, -2);
    std::optional<QByteArray> text;
    if (lua_type(lua, -1) == LUA_TSTRING) {
        size_t size = 0;
        const char *bytes = lua_tolstring(lua, -1, &size);
        text = QByteArray(bytes, qsizetype(size));
    }
    lua_pop(lua, 1);
    return text;
}

QByteArray oneLine(QByteArray text)
{
    return text.replace('\r', ' ').replace('\n', ' ');
}

QByteArray errorLine(QByteArray text)
{
    if (text.startsWith('-'))
        text.remove(0, 1);
    while (text.endsWith('\n') || text.endsWith('\r'))
        text.chop(1);
    return oneLine(text);
}

/// True when the table on top has a table under `name`, which is pushed then.
bool pushTableField(lua_State *lua, const char *name)
{
    lua_pushstring(lua, name);
    lua_rawget(lua, -2);
    if (lua_istable(lua, -1))
        return true;
    lua_pop(lua, 1);
    return false;
}

/// The pairs of the table on top: keys and values for a map, keys for a set.
Reply pairsReply(lua_State *lua, bool withValues)
{
    Reply reply = Reply::array({});
    lua_pushnil(lua);
    while (lua_next(lua, -2)) {
        lua_pushvalue(lua, -2);
        reply.elements.push_back(popReply(lua));
        if (withValues)
            reply.elements.push_back(popReply(lua));
        else
            lua_pop(lua, 1);
    }
    return reply;
}

qint64 toInteger(double number)
{
    // Beyond 64 bits the processor's conversion gives the lowest number, and so does Redis.
    if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0))
        return std::numeric_limits<qint64>::min();
    return qint64(number);
}

Reply tableReply(lua_State *lua)
{
    if (const auto error = textField(lua, "err"))
        return Reply::error(errorLine(*error));
    if (const auto status = textField(lua, "ok"))
        return Reply::status(oneLine(*status));
    lua_pushliteral(lua, "double");
    lua_rawget(lua, -2);
    const bool isDouble = lua_type(lua, -1) == LUA_TNUMBER;
    const double number = lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    if (isDouble)
        return Reply::bulk(writeDouble(number));
    for (const bool isMap : {true, false}) {
        if (!pushTableField(lua, isMap ? "map" : "set"))
            continue;
        Reply reply = pairsReply(lua, isMap);
        lua_pop(lua, 1);
        return reply;
    }
    if (const auto big = textField(lua, "big_number"))
        return Reply::bulk(oneLine(*big));
    if (pushTableField(lua, "verbatim_string")) {
        const auto text = textField(lua, "string");
        lua_pop(lua, 1);
        if (text)
            return Reply::bulk(*text);
    }
    Reply reply = Reply::array({});
    reply.elements.reserve(lua_objlen(lua, -1));
    for (int i = 1;; ++i) {
        lua_rawgeti(lua, -1, i);
        if (lua_isnil(lua, -1))
            break;
        reply.elements.push_back(popReply(lua));
    }
    lua_pop(lua, 1);
    return reply;
}

} // namespace

void pushErrorTable(lua_State *lua, const char *text)
{
    lua_createtable(lua, 0, 2);
    lua_pushstring(lua, text);
    lua_setfield(lua, -2, "err");
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, "ignore_error_stats_update");
}

void pushReply(lua_State *lua, const Reply &reply, LuaProtocol protocol)
{
    luaL_checkstack(lua, 8, "reply nested too deep");
    switch (reply.type) {
    case Reply::Type::Nil:
        if (protocol == LuaProtocol::Resp3)
            lua_pushnil(lua);
        else
            lua_pushboolean(lua, 0);
        return;
    case Reply::Type::Status:
        lua_createtable(lua, 0, 1);
        pushBytes(lua, reply.string);
        lua_setfield(lua, -2, "ok");
        return;
    case Reply::Type::Error:
        pushErrorTable(lua, reply.string.constData());
        return;
    case Reply::Type::Integer:
        lua_pushnumber(lua, double(reply.integer));
        return;
    case Reply::Type::Bulk:
        pushBytes(lua, reply.string);
        return;
    case Reply::Type::Array:
        lua_createtable(lua, int(reply.elements.size()), 0);
        for (size_t i = 0; i < reply.elements.size(); ++i) {
            pushReply(lua, reply.elements[i], protocol);
            lua_rawseti(lua, -2, int(i + 1));
        }
        return;
    }
}

Reply popReply(lua_State *lua)
{
    Reply reply;
    if (!lua_checkstack(lua, 4)) {
        lua_pop(lua, 1);
        return Reply::error("ERR reached lua stack limit");
    }
    switch (lua_type(lua, -1)) {
    case LUA_TSTRING: {
        size_t size = 0;
        const char *bytes = lua_tolstring(lua, -1, &size);
        reply = Reply::bulk(QByteArray(bytes, qsizetype(size)));
        break;
    }
    case LUA_TBOOLEAN:
        reply = lua_toboolean(lua, -1) ? Reply::number(1) : Reply::nil();
        break;
    case LUA_TNUMBER:
        reply = Reply::number(toInteger(lua_tonumber(lua, -1)));
        break;
    case LUA_TTABLE:
        reply = tableReply(lua);
        break;
    default:
        break;
    }
    lua_pop(lua, 1);
    return reply;
}

} // namespace ym::embedded
