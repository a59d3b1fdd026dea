#include "app/cli/commands/requeue_command.h"

#include "app/cli/each_job.h"
#include "app/cli/words.h"

namespace ym::cli {

namespace {

QCoro::Task<Outcome> requeueSeen(Inspector *inspector, Producer *producer, QByteArray id)
{
    const QList<QByteArray> ids{id};
    const std::vector<JobSummary> found = co_await inspector->summaries(ids);
    if (found.empty())
        co_return Outcome{"not_found", tr("there is no such job"), true};
    co_await producer->requeue(id, found.front().attempt);
    co_return Outcome{"queued", tr("queued again")};
}

} // namespace

void RequeueCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->notes("For jobs that are stuck: started by a worker that is gone and left no lease. Whoever still runs one loses it;\n"
                   "its result comes too late. A job that has moved on meanwhile is left alone.");
}

QCoro::Task<int> RequeueCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    Inspector *const looks = inspector.get();
    const auto one = [looks](Producer *producer, QByteArray id) { return requeueSeen(looks, producer, id); };
    co_return co_await eachJob(context, m_ids, one);
}

} // namespace ym::cli
