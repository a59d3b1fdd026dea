#include "core/engine/lost_jobs.h"

#include "core/base/log.h"

namespace ym {

namespace {

QCoro::Task<QList<QByteArray>> goneOf(Inspector *inspector, std::vector<Claim> claims)
{
    QList<QByteArray> ids;
    for (const Claim &claim : claims)
        ids.append(claim.job.id);
    try {
        const std::vector<JobSummary> there = co_await inspector->summaries(ids);
        for (const JobSummary &summary : there)
            ids.removeAll(summary.id);
        co_return QList<QByteArray>(ids);
    } catch (const StoreError &e) {
        qCInfo(logEngine, "whether lost jobs are still there is not known: %s", e.what());
    }
    co_return QList<QByteArray>();
}

} // namespace

QCoro::Task<LostJobs> keepLost(Producer *producer, Inspector *inspector, RemovalJournal *journal,
                               std::vector<Claim> claims)
{
    LostJobs lost;
    lost.ids = co_await goneOf(inspector, claims);
    if (lost.ids.isEmpty())
        co_return LostJobs();
    const Result<std::unique_ptr<RemovalJournal::Batch>> batch = journal->begin();
    bool isKept = batch && *batch;
    for (const Claim &claim : claims) {
        if (isKept && lost.ids.contains(claim.job.id))
            isKept = (*batch)->add(producer->recordOf(claim)).has_value();
    }
    if (batch && *batch)
        lost.kept = (*batch)->close();
    co_return LostJobs(lost);
}

} // namespace ym
