#include "core/store/embedded/lua_memory.h"

#include <cstdlib>

namespace ym::embedded {

void *LuaMemory::allocate(void *self, void *block, size_t oldSize, size_t newSize)
{
    auto *memory = static_cast<LuaMemory *>(self);
    if (!block)
        oldSize = 0;
    if (newSize == 0) {
        std::free(block);
        memory->m_used -= oldSize;
        return nullptr;
    }
    if (memory->m_isLimited && newSize > oldSize && memory->m_used + (newSize - oldSize) > memory->m_limit)
        return nullptr;
    void *moved = std::realloc(block, newSize);
    if (moved)
        memory->m_used += newSize - oldSize;
    return moved;
}

} // namespace ym::embedded
