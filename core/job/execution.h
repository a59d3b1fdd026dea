// What became of one run of a script.
#pragma once

#include "core/base/clock.h"

#include <QByteArray>

namespace ym {

/// The end of a run. `output` and `error` are what the protocol stores.
struct Execution {
    enum class Fate : quint8 {
        Finished,
        Failed, ///< the script failed: error says how
        Stopped, ///< on request (PROTOCOLS, Hero stop: error "stopped_by_request")
        TimedOut, ///< over its timeout (error "timeout")
        Abandoned, ///< the claim was lost or the worker ends: nothing to commit
    };
    Fate fate = Fate::Failed;
    int exitCode = -1; ///< -1: none (signal, or it never started)
    int signal = 0; ///< 0: none
    QByteArray output; ///< standard output, head and tail when over the cap
    QByteArray error; ///< standard error or the reason
    qint64 outputBytes = 0; ///< of everything that was written, also what was cut
    qint64 errorBytes = 0;
    Milliseconds duration{0};
    Milliseconds cpuTime{0}; ///< user and system, of the interpreter and the children it waited for
    qint64 maxRssKb = 0; ///< largest resident size of one of them
    QByteArray containment; ///< level and opt-ins under which it ran: "bubblewrap", "confined, network"; empty: it never ran
    int leftProcesses = 0; ///< processes that the script left behind and that were ended for it

    bool operator==(const Execution &) const = default;
};

} // namespace ym
