// Signals by their names.
#pragma once

#include <QString>

namespace ym {

/// "SIGKILL (9)"; "signal 99" for a number without a name.
QString signalText(int number);

} // namespace ym
