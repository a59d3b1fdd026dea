// How the process treats memory that it no longer needs.
#pragma once

namespace ym {

/// Lets large blocks go back to the system as soon as they are freed, and keeps threads from having heaps of their own.
/// Without it the allocator raises its threshold with the first large block that is freed and keeps all later ones: a
/// flood of output would be remembered for ever. To be called first in main(), before there are threads.
void giveBackLargeBlocks();

} // namespace ym
