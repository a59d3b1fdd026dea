// A Lua script that runs inside the store.
#pragma once

#include <QByteArray>

namespace ym {

/// Text and SHA-1 of one script; lives as long as the process. Scripts stand in resources/lua, one file each.
struct Script {
    QByteArray name; ///< "hero/claim", for traces and errors
    QByteArray text;
    QByteArray sha;  ///< lower-case hex SHA-1 of the text

    /// Reads `:/lua/{name}.lua` once and keeps it. A missing file is a programming error and aborts.
    static const Script &load(const char *name);
};

} // namespace ym
