#include "core/store/embedded/lua_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace ym::embedded {

void LuaMemory::reset()
{
    std::fill(std::begin(m_free), std::end(m_free), nullptr);
    m_chunks.clear();
    m_chunkUsed = chunkSize;
    m_used = 0;
}

/// A new small block from the current chunk; null when there is no memory.
void *LuaMemory::carve(size_t size)
{
    const size_t rounded = (classOf(size) + 1) * grain;
    if (m_chunkUsed + rounded > chunkSize) {
        auto *chunk = new (std::nothrow) std::byte[chunkSize];
        if (!chunk)
            return nullptr;
        m_chunks.emplace_back(chunk);
        m_chunkUsed = 0;
    }
    void *block = m_chunks.back().get() + m_chunkUsed;
    m_chunkUsed += rounded;
    return block;
}

void *LuaMemory::take(size_t size)
{
    if (size > largestSmall)
        return std::malloc(size);
    Free *&list = m_free[classOf(size)];
    if (!list)
        return carve(size);
    Free *block = list;
    list = block->next;
    return block;
}

void LuaMemory::give(void *block, size_t size)
{
    if (size > largestSmall)
        return std::free(block);
    Free *&list = m_free[classOf(size)];
    list = new (block) Free{list};
}

void *LuaMemory::move(void *block, size_t oldSize, size_t newSize)
{
    if (oldSize > largestSmall && newSize > largestSmall)
        return std::realloc(block, newSize);
    if (oldSize <= largestSmall && newSize <= largestSmall && classOf(oldSize) == classOf(newSize))
        return block;
    void *moved = take(newSize);
    if (!moved)
        return nullptr;
    std::memcpy(moved, block, std::min(oldSize, newSize));
    give(block, oldSize);
    return moved;
}

void *LuaMemory::allocate(void *self, void *block, size_t oldSize, size_t newSize)
{
    auto *memory = static_cast<LuaMemory *>(self);
    if (!block || oldSize == 0) {
        block = nullptr;
        oldSize = 0;
    }
    if (newSize == 0) {
        if (block)
            memory->give(block, oldSize);
        memory->m_used -= oldSize;
        return nullptr;
    }
    if (memory->m_isLimited && newSize > oldSize && memory->m_used + (newSize - oldSize) > memory->m_limit)
        return nullptr;
    void *moved = block ? memory->move(block, oldSize, newSize) : memory->take(newSize);
    if (moved)
        memory->m_used += newSize - oldSize;
    return moved;
}

} // namespace ym::embedded
