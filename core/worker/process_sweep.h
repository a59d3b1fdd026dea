// Ends the processes of a run whose launcher was killed and can no longer do it.
#pragma once

#include "core/base/clock.h"

#include <QByteArray>

namespace ym {

/// SIGKILL to every process of ours in the session `session`, and to every one whose environment has TMPDIR=`folder`
/// (daemons that left the session), until none is left or `limit` is over. Returns how many it killed.
QCoro::Task<int> sweepRun(Clock *clock, qint64 session, QByteArray folder, Milliseconds limit);

} // namespace ym
