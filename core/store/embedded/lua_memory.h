// Memory of the interpreter, counted and limited.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace ym::embedded {

/// An allocator for lua_newstate. Over the limit it refuses, which Lua turns into "not enough memory". The limit counts
/// only between begin() and end(): what the store itself puts into the interpreter never fails.
/// Small blocks, which come and go by the hundred in every script, are kept in lists by size and never given back before
/// the end.
class LuaMemory {
public:
    explicit LuaMemory(size_t limit)
        : m_limit(limit)
    {
    }
    LuaMemory(const LuaMemory &) = delete;
    LuaMemory &operator=(const LuaMemory &) = delete;

    void begin() { m_isLimited = true; }
    void end() { m_isLimited = false; }
    size_t used() const { return m_used; }
    /// Gives everything back; nothing may be in use any more.
    void reset();

    static void *allocate(void *self, void *block, size_t oldSize, size_t newSize);

private:
    static constexpr size_t grain = 16;
    static constexpr size_t largestSmall = 512; ///< up to here a block comes from the lists
    static constexpr size_t chunkSize = 64 * 1024;
    struct Free {
        Free *next;
    };

    static size_t classOf(size_t size) { return (size - 1) / grain; }
    void *take(size_t size);
    void give(void *block, size_t size);
    void *move(void *block, size_t oldSize, size_t newSize);
    void *carve(size_t size);

    size_t m_limit;
    size_t m_used = 0;
    bool m_isLimited = false;
    Free *m_free[largestSmall / grain] = {};
    std::vector<std::unique_ptr<std::byte[]>> m_chunks;
    size_t m_chunkUsed = chunkSize;
};

} // namespace ym::embedded
