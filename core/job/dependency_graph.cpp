#include "core/job/dependency_graph.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <queue>

namespace ym {

namespace {

using Places = QHash<QByteArray, int>;

Places placesOf(const std::vector<Job> &drafts, GraphPlan &plan)
{
    Places places;
    for (size_t i = 0; i < drafts.size(); ++i) {
        if (places.contains(drafts[i].id))
            plan.duplicates.append(drafts[i].id);
        else
            places.insert(drafts[i].id, int(i));
    }
    return places;
}

/// Follows unfinished prerequisites until a job comes up again: from any job that could not be ordered there is a way
/// back to a circle.
QList<QByteArray> findCycle(const std::vector<std::vector<int>> &before, const std::vector<int> &open,
                            const std::vector<Job> &drafts)
{
    int at = 0;
    while (open[size_t(at)] == 0)
        ++at;
    std::vector<int> path;
    std::vector<bool> seen(drafts.size(), false);
    while (!seen[size_t(at)]) {
        seen[size_t(at)] = true;
        path.push_back(at);
        const auto &candidates = before[size_t(at)];
        at = *std::find_if(candidates.begin(), candidates.end(), [&](int place) { return open[size_t(place)] > 0; });
    }
    QList<QByteArray> cycle;
    for (auto place = std::find(path.begin(), path.end(), at); place != path.end(); ++place)
        cycle.append(drafts[size_t(*place)].id);
    return cycle;
}

} // namespace

GraphPlan planGraph(const std::vector<Job> &drafts)
{
    GraphPlan plan;
    const Places places = placesOf(drafts, plan);
    if (!plan.duplicates.isEmpty())
        return plan;

    plan.level.resize(drafts.size(), 0);
    plan.dependents.resize(drafts.size());
    plan.outside.resize(drafts.size());
    std::vector<std::vector<int>> before(drafts.size());
    std::vector<std::vector<int>> behind(drafts.size());
    std::vector<int> open(drafts.size(), 0); // prerequisites that are not ordered yet
    for (size_t i = 0; i < drafts.size(); ++i) {
        QSet<QByteArray> named;
        for (const QByteArray &id : drafts[i].prerequisites) {
            if (named.contains(id))
                continue;
            named.insert(id);
            const auto place = places.constFind(id);
            if (place == places.cend()) {
                plan.outside[i].append(id);
                continue;
            }
            before[i].push_back(*place);
            behind[size_t(*place)].push_back(int(i));
            plan.dependents[size_t(*place)].append(drafts[i].id);
            ++open[i];
        }
    }

    std::priority_queue<int, std::vector<int>, std::greater<int>> free;
    for (size_t i = 0; i < drafts.size(); ++i) {
        if (open[i] == 0)
            free.push(int(i));
    }
    while (!free.empty()) {
        const int place = free.top();
        free.pop();
        plan.order.push_back(place);
        for (const int next : behind[size_t(place)]) {
            plan.level[size_t(next)] = std::max(plan.level[size_t(next)], plan.level[size_t(place)] + 1);
            if (--open[size_t(next)] == 0)
                free.push(next);
        }
    }
    if (plan.order.size() < drafts.size())
        plan.cycle = findCycle(before, open, drafts);
    return plan;
}

} // namespace ym
