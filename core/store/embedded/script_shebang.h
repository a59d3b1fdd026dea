// The first line `#!lua flags=…` of a script.
#pragma once

#include <QByteArray>

namespace ym::embedded {

struct ScriptShebang {
    qsizetype size = 0; ///< bytes before the line feed; 0 = there is none
    bool isReadOnly = false; ///< flags=no-writes
};

/// Throws CommandError for an engine or a flag that Redis 7.0 does not know.
ScriptShebang readShebang(const QByteArray &text);

} // namespace ym::embedded
