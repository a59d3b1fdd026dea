#include "core/base/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ym {

void giveBackLargeBlocks()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 512 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
    mallopt(M_ARENA_MAX, 2); // the window and the core
#endif
}

} // namespace ym
