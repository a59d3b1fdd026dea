// What a person can do about something that is stuck; the window makes a button of it, the command line a command.
#pragma once

#include "core/job/target.h"

#include <QList>

namespace ym {

struct Remedy {
    enum class Kind : quint8 {
        None, ///< nothing, or nothing that we can do
        StartWorker, ///< one that serves `target`
        Requeue, ///< the jobs: taken away from who has them and queued again
        Retry, ///< the jobs, which are over, once more
    };
    Kind kind = Kind::None;
    QList<QByteArray> jobs{};
    Target target{};

    bool operator==(const Remedy &) const = default;
};

} // namespace ym
