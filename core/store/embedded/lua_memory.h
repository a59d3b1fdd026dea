// Memory of the interpreter, counted and limited.
#pragma once

#include <cstddef>

namespace ym::embedded {

/// An allocator for lua_newstate. Over the limit it refuses, which Lua turns into "not enough memory". The limit counts
/// only between begin() and end(): what the store itself puts into the interpreter never fails.
class LuaMemory {
public:
    explicit LuaMemory(size_t limit)
        : m_limit(limit)
    {
    }
    void begin() { m_isLimited = true; }
    void end() { m_isLimited = false; }
    size_t used() const { return m_used; }

    static void *allocate(void *self, void *block, size_t oldSize, size_t newSize);

private:
    size_t m_limit;
    size_t m_used = 0;
    bool m_isLimited = false;
};

} // namespace ym::embedded
