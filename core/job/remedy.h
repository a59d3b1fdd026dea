// What a person can do about something that is stuck; the window makes a button of it, the command line a command.
#pragma once

#include "core/job/target.h"

namespace ym {

struct Remedy {
    enum class Kind : quint8 {
        None, ///< nothing, or nothing that we can do
        StartWorker, ///< one that serves `target`
        Requeue, ///< the job `job`: taken away from who has it and queued again
        Retry, ///< the job `job`, which is over, once more
    };
    Kind kind = Kind::None;
    QByteArray job{};
    Target target{};

    bool operator==(const Remedy &) const = default;
};

} // namespace ym
