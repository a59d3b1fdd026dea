// Where a job that is not over stands, in one sentence with its evidence: what it waits for, who has it, what is odd.
#pragma once

#include "core/job/job.h"

namespace ym {

class JobTableModel;
class QueueModel;
class WorkerModel;

struct JobStanding {
    QString text; ///< empty: nothing to say
    bool isTrouble = false; ///< nothing will happen unless somebody does something, or something is lost
    bool operator==(const JobStanding &) const = default;
};

/// What the pages know of a connection. A list that was never told says nothing.
struct KnownPicture {
    const JobTableModel *jobs = nullptr;
    const QueueModel *queues = nullptr; ///< null: not known
    const WorkerModel *workers = nullptr; ///< null: not known
};

/// From what the window knows already; asks nobody.
JobStanding standingOf(const Job &job, const KnownPicture &picture, Timestamp now);

} // namespace ym
