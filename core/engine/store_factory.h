// From an address to a store.
#pragma once

#include "core/engine/paths.h"
#include "core/store/store.h"
#include "core/store/store_address.h"

#include <memory>

namespace ym {

/// The store behind an address, not opened yet. `embedded:` without a folder is the default workspace of `paths`.
/// The clock must outlive the store.
std::unique_ptr<Store> makeStore(const StoreAddress &address, const Paths &paths, Clock *clock);

} // namespace ym
