#include "app/cli/commands/workers_command.h"

#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

namespace ym::cli {

namespace {

QString shownWork(const WorkerInfo &worker)
{
    if (worker.invalid)
        return tr("invalid");
    const QString busy = worker.slotCount > 0 ? tr("%1 of %2").arg(worker.busy.size()).arg(worker.slotCount)
                                              : QString::number(worker.busy.size());
    return worker.quiet ? tr("%1, quiet").arg(busy) : busy;
}

} // namespace

void WorkersCommand::define(OptionSet *options)
{
    options->notes("A worker is listed while its presence lives, about 15 s after its last heartbeat.");
}

QCoro::Task<int> WorkersCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const QList<WorkerInfo> workers = co_await inspector->workers();
    Console *const console = context->console;
    if (console->isJson()) {
        Json array = Json::array();
        for (const WorkerInfo &worker : workers)
            array.push_back(toJson(worker));
        console->json(array);
        co_return ExitOk;
    }
    if (workers.isEmpty()) {
        console->remark(tr("No workers. Start one here with: yardmaster worker --type python"));
        co_return ExitOk;
    }
    Table table(
        {tr("TYPE"), tr("GROUP"), tr("INSTANCE"), tr("BUSY"), tr("HOST"), tr("PID"), tr("SINCE"), tr("HEARTBEAT")});
    for (const WorkerInfo &worker : workers)
        table.add({shownCell(worker.target.type), shownCell(worker.target.group), shownCell(worker.target.instance),
                   shownWork(worker), shownCell(worker.hostname), QString::number(worker.pid),
                   shownTime(worker.startedAt), shownTime(worker.lastHeartbeat)});
    table.print(console);
    co_return ExitOk;
}

} // namespace ym::cli
