#include "core/engine/store_factory.h"

#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"

namespace ym {

std::unique_ptr<Store> makeStore(const StoreAddress &address, const Paths &paths, Clock *clock)
{
    switch (address.kind) {
    case StoreAddress::Kind::Memory:
        return std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, clock);
    case StoreAddress::Kind::Embedded: {
        EmbeddedStore::Options options;
        options.folder = address.folder.isEmpty() ? paths.defaultWorkspace() : address.folder;
        return std::make_unique<EmbeddedStore>(options, clock);
    }
    case StoreAddress::Kind::Tcp:
    case StoreAddress::Kind::Tls:
    case StoreAddress::Kind::Unix:
        break;
    }
    return std::make_unique<RedisStore>(address, RedisStore::Options{}, clock);
}

} // namespace ym
