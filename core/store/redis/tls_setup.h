// TLS settings of an address applied to a socket.
#pragma once

#include "core/base/error.h"
#include "core/store/store_address.h"

QT_BEGIN_NAMESPACE
class QSslSocket;
QT_END_NAMESPACE

namespace ym {

/// Loads CA, client certificate and key, and sets how the server is verified. Usage when a file cannot be used.
Result<void> configureTls(QSslSocket &socket, const StoreAddress &address);

/// What a failed TLS handshake means; `words` are Qt's.
Error tlsHandshakeTrouble(const QString &words);

} // namespace ym
