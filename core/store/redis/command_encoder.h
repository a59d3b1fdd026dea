// Commands into RESP bytes.
#pragma once

#include "core/store/command.h"

namespace ym {

/// Appends the command to `out` as a RESP array of bulk strings.
void appendCommand(QByteArray &out, const Command &command);

} // namespace ym
