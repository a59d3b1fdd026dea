// Writes one stored field, however long it is.
#pragma once

#include "app/cli/console.h"

#include "core/protocol/protocol.h"

namespace ym::cli {

/// Byte for byte, piece by piece, so that neither side has to hold it twice. Throws Conflict when the field changes
/// meanwhile: the pieces would not fit together; and what Inspector::fieldPart() throws. All parameters outlive it.
QCoro::Task<void> writeField(Inspector *inspector, QByteArray id, QByteArray field, Console *console, Console::Stream stream);

} // namespace ym::cli
