// Jobs that wait for one another, as a plan: who comes first, who waits for whom, and what is wrong with it.
#pragma once

#include "core/job/job.h"

#include <vector>

namespace ym {

/// What planGraph() found out about a list of drafts. Jobs are named by their place in that list.
struct GraphPlan {
    std::vector<int> order; ///< every job, each behind what it waits for; otherwise in the order of the drafts
    std::vector<int> level; ///< how many jobs stand before it on its longest way; 0 = waits for none of these
    std::vector<QList<QByteArray>> dependents; ///< ids of these drafts that wait for it
    std::vector<QList<QByteArray>> outside; ///< its prerequisites that are none of these drafts
    QList<QByteArray> cycle; ///< ids along one circle, each waiting for the next and the last for the first
    QList<QByteArray> duplicates; ///< ids that more than one draft has

    bool isSound() const { return cycle.isEmpty() && duplicates.isEmpty(); }
};

/// Plans drafts that have ids, in time proportional to jobs and dependencies. With a cycle or a duplicate the plan is not
/// complete.
GraphPlan planGraph(const std::vector<Job> &drafts);

} // namespace ym
