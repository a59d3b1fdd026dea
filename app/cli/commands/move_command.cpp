#include "app/cli/commands/move_command.h"

#include "app/cli/each_job.h"
#include "app/cli/words.h"

namespace ym::cli {

namespace {

QCoro::Task<Outcome> moveOne(Inspector *inspector, Producer *producer, QByteArray id, Target to)
{
    const QList<QByteArray> ids{id};
    const std::vector<JobSummary> found = co_await inspector->summaries(ids);
    if (found.empty())
        co_return Outcome{"not_found", tr("there is no such job"), true};
    const Target &present = found.front().target;
    if (to.type.isEmpty())
        to.type = present.type;
    if (to.legacyWorker.isEmpty())
        to.legacyWorker = present.legacyWorker;
    const bool moved = co_await producer->move(id, to);
    co_return moved ? Outcome{"moved", tr("moved")} : Outcome{"same", tr("is there already")};
}

} // namespace

void MoveCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->text("-t,--type", &m_type, "The new type; without it the job keeps its own");
    options->text("-g,--group", &m_group, "Only workers of this group; without it any");
    options->text("-i,--instance", &m_instance, "Only this worker of the group; without it any");
    options->text("--worker-id", &m_worker, "The worker id of legacy queues; without it the job keeps its own");
    options->number("-p,--priority", &m_priority, 0, 2, "0 is served first, 2 last");
    options->notes("The target is the whole new one: a group, instance or priority that is not given is none. --keys says to\n"
                   "which family of queues. A job that a worker has taken is refused.\n\n"
                   "Example:\n"
                   "  yardmaster move 280b5919-4065-470d-bc47-9710ce4ae562 --group etl --priority 0");
}

QCoro::Task<int> MoveCommand::run(Context *context)
{
    Target to;
    to.type = m_type;
    to.group = m_group;
    to.instance = m_instance;
    to.priority = m_priority;
    to.legacyWorker = m_worker;
    const std::unique_ptr<Inspector> inspector = context->inspector();
    Inspector *const looks = inspector.get();
    const auto one = [looks, to](Producer *producer, QByteArray id) { return moveOne(looks, producer, id, to); };
    co_return co_await eachJob(context, m_ids, one);
}

} // namespace ym::cli
