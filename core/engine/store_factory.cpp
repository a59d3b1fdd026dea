#include "core/engine/store_factory.h"

#include "core/engine/endpoint_path.h"
#include "core/engine/workspace_store.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"

#include <QCryptographicHash>

namespace ym {

std::unique_ptr<Store> makeStore(const StoreAddress &address, const Paths &paths, Clock *clock)
{
    switch (address.kind) {
    case StoreAddress::Kind::Memory:
        return std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, clock);
    case StoreAddress::Kind::Embedded: {
        const QString folder = address.folder.isEmpty() ? paths.defaultWorkspace() : address.folder;
        return std::make_unique<WorkspaceStore>(folder, workspaceEndpointPath(folder), clock);
    }
    case StoreAddress::Kind::Tcp:
    case StoreAddress::Kind::Tls:
    case StoreAddress::Kind::Unix:
        break;
    }
    return std::make_unique<RedisStore>(address, RedisStore::Options{}, clock);
}

QString folderFor(const StoreAddress &address, const QByteArray &protocol, const QString &base)
{
    if (address.kind == StoreAddress::Kind::Memory || base.isEmpty())
        return {};
    const QByteArray name =
        QCryptographicHash::hash(protocol + ' ' + toUrl(address).toUtf8(), QCryptographicHash::Sha1);
    return base + u'/' + QString::fromLatin1(name.toHex().left(16));
}

} // namespace ym
