#include "core/store/embedded/lua_sandbox.h"

#include "core/store/embedded/lua_api.h"

#include <lua.hpp>

#include <optional>

extern "C" {
int luaopen_cjson(lua_State *lua);
int luaopen_bit(lua_State *lua);
}

namespace ym::embedded {

namespace {

constexpr char readOnlyError[] = "Attempt to modify a readonly table";
/// Marks the metatable of a read-only front.
constexpr char frontMark[] = "__front";

int refuseWrite(lua_State *lua)
{
    return luaL_error(lua, "%s", readOnlyError);
}

int refuseUnknownGlobal(lua_State *lua)
{
    return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'", lua_tostring(lua, 2));
}

bool isFront(lua_State *lua, int index)
{
    if (!lua_istable(lua, index) || !lua_getmetatable(lua, index))
        return false;
    lua_pushstring(lua, frontMark);
    lua_rawget(lua, -2);
    const bool isMarked = lua_toboolean(lua, -1);
    lua_pop(lua, 2);
    return isMarked;
}

/// What getmetatable gives for a read-only front: an empty table that refuses writes, too.
void pushShownMetatable(lua_State *lua)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 3);
    lua_pushcfunction(lua, refuseWrite);
    lua_setfield(lua, -2, "__newindex");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, frontMark);
    lua_setmetatable(lua, -2);
}

/// Replaces the table on top by an empty one that reads from it and refuses writes.
void pushFront(lua_State *lua)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 4);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, refuseWrite);
    lua_setfield(lua, -2, "__newindex");
    pushShownMetatable(lua);
    lua_setfield(lua, -2, "__metatable");
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, frontMark);
    lua_setmetatable(lua, -2);
    lua_remove(lua, -2);
}

/// Calls the original function, which is the upvalue, unless the first argument is a read-only front.
int callUnlessFront(lua_State *lua)
{
    if (isFront(lua, 1)) {
        lua_pushstring(lua, readOnlyError);
        return lua_error(lua);
    }
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
    return lua_gettop(lua);
}

/// pcall that hands on the text of an error table, as scripts written for Redis expect.
int callProtected(lua_State *lua)
{
    luaL_checkany(lua, 1);
    lua_pushboolean(lua, 1);
    lua_insert(lua, 1);
    if (lua_pcall(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0) != 0) {
        lua_remove(lua, 1);
        if (lua_istable(lua, -1)) {
            lua_getfield(lua, -1, "err");
            if (lua_isstring(lua, -1))
                lua_replace(lua, -2);
            else
                lua_pop(lua, 1);
        }
        lua_pushboolean(lua, 0);
        lua_insert(lua, 1);
    }
    return lua_gettop(lua);
}

/// The value of a text of at most 15 digits; nothing for any other.
std::optional<double> digitsValue(const char *text, size_t size)
{
    if (size == 0 || size > 15)
        return std::nullopt;
    qint64 value = 0;
    for (size_t i = 0; i < size; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return std::nullopt;
        value = value * 10 + (text[i] - '0');
    }
    return double(value);
}

/// tonumber, which scripts call on most of their arguments: plain digits are read here, everything else by the
/// original, which is the upvalue.
int toNumber(lua_State *lua)
{
    if (lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING) {
        size_t size = 0;
        const char *text = lua_tolstring(lua, 1, &size);
        if (const auto value = digitsValue(text, size)) {
            lua_pushnumber(lua, *value);
            return 1;
        }
    }
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 1);
    return 1;
}

/// loadstring for text only: precompiled code could break out of the interpreter.
int loadText(lua_State *lua)
{
    size_t size = 0;
    const char *text = luaL_checklstring(lua, 1, &size);
    const char *name = luaL_optstring(lua, 2, text);
    if (size > 0 && *text == *LUA_SIGNATURE) {
        lua_pushnil(lua);
        lua_pushliteral(lua, "precompiled code is not allowed");
        return 2;
    }
    if (luaL_loadbuffer(lua, text, size, name) == 0)
        return 1;
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
}

void openLibraries(lua_State *lua)
{
    static constexpr luaL_Reg libraries[] = {
        {"", luaopen_base},
        {LUA_TABLIBNAME, luaopen_table},
        {LUA_STRLIBNAME, luaopen_string},
        {LUA_MATHLIBNAME, luaopen_math},
        {"bit", luaopen_bit},
    };
    for (const luaL_Reg &library : libraries) {
        lua_pushcfunction(lua, library.func);
        lua_pushstring(lua, library.name);
        lua_call(lua, 1, 0);
    }
    lua_pushcfunction(lua, luaopen_cjson);
    lua_call(lua, 0, 1);
    lua_setglobal(lua, "cjson");
}

void removeDangerous(lua_State *lua)
{
    for (const char *name :
         {"print", "dofile", "loadfile", "newproxy", "getfenv", "setfenv", "load", "module", "require"}) {
        lua_pushnil(lua);
        lua_setglobal(lua, name);
    }
}

void replaceFunctions(lua_State *lua)
{
    for (const char *name : {"rawset", "setmetatable"}) {
        lua_getglobal(lua, name);
        lua_pushcclosure(lua, callUnlessFront, 1);
        lua_setglobal(lua, name);
    }
    lua_getglobal(lua, "tonumber");
    lua_pushcclosure(lua, toNumber, 1);
    lua_setglobal(lua, "tonumber");
    lua_pushcfunction(lua, callProtected);
    lua_setglobal(lua, "pcall");
    lua_pushcfunction(lua, loadText);
    lua_setglobal(lua, "loadstring");
}

void protectLibraries(lua_State *lua)
{
    for (const char *name : {"table", "string", "math", "coroutine", "bit", "cjson", "redis"}) {
        lua_getglobal(lua, name);
        pushFront(lua);
        lua_setglobal(lua, name);
    }
    // "text":method() goes to the real string library; nobody else may get at it.
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 2);
}

} // namespace

void pushSandbox(lua_State *lua, LuaHost *host)
{
    openLibraries(lua);
    removeDangerous(lua);
    replaceFunctions(lua);
    LuaApi::push(lua, host);
    lua_setglobal(lua, "redis");
    protectLibraries(lua);

    lua_pushvalue(lua, LUA_GLOBALSINDEX);
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, refuseUnknownGlobal);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pushvalue(lua, -1);
    pushFront(lua);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -3, "_G");
    lua_replace(lua, LUA_GLOBALSINDEX);
}

} // namespace ym::embedded
