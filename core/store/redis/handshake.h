// What is said first on every new connection, and what the server tells about itself.
#pragma once

#include "core/store/redis/redis_connection.h"

#include <QStringList>

#include <memory>

namespace ym {

/// What the first answers say about a server.
struct ServerFacts {
    QString server; ///< "redis 7.0.15"; "redis" when the user may not ask
    QStringList warnings; ///< one sentence each
    bool isReplica = false;
};

/// Connects and introduces itself: AUTH, SELECT, CLIENT SETNAME, PING; with `Ask::Everything` also INFO. One write.
/// Throws Authentication (never tried again by itself), Cluster, Protocol or Usage when a person must act, and
/// Unavailable, Timeout or Busy when trying again may help. Missing rights for INFO, PING or CLIENT are no failure.
enum class Ask : quint8 { Nothing, Everything };
QCoro::Task<ServerFacts> openConnection(std::shared_ptr<RedisConnection> connection, StoreAddress address,
                                        QString clientName, Ask ask);

} // namespace ym
