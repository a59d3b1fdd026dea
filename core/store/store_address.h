// Store URLs.
#pragma once

#include "core/base/error.h"

namespace ym {

/// How to reach a store, as written on the command line or in a profile.
/// Forms: `embedded:`, `embedded:FOLDER`, `memory:`, `redis://[user[:password]@]host[:port][/db]`, `rediss://…`,
/// `unix:PATH?db=N`. Query parameters: db, ca, cert, key, sni, insecure.
struct StoreAddress {
    enum class Kind : quint8 { Embedded, Memory, Tcp, Tls, Unix };
    Kind kind = Kind::Embedded;
    QString folder;            ///< Embedded; empty = the default workspace
    QString path;              ///< Unix
    QString host;
    quint16 port = 6379;
    int database = 0;          ///< 0…65535
    QString user;
    QString password;          ///< never shown, never stored with the address
    QString caFile;
    QString certificateFile;
    QString keyFile;
    QString serverName;        ///< expected in the certificate; empty = host
    bool insecureTls = false;  ///< no verification; shown in red

    bool operator==(const StoreAddress &) const = default;
};

/// Reads a URL. Errors are of kind Usage and say what to write instead; a password in the text is never repeated.
Result<StoreAddress> parseStoreAddress(const QString &url);
/// The URL without the password.
QString toUrl(const StoreAddress &address);

} // namespace ym
