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

/// The name of a folder for what belongs to one store and protocol and no other, below `base`. Empty for a store that dies
/// with the process, and when `base` is.
QString folderFor(const StoreAddress &address, const QByteArray &protocol, const QString &base);

} // namespace ym
