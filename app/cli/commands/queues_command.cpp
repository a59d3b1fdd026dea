#include "app/cli/commands/queues_command.h"

#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

namespace ym::cli {

void QueuesCommand::define(OptionSet *options)
{
    options->notes(
        "NEXT is the job that is taken next, from the end that the workers of the queue take from. Workers of\n"
        "legacy queues do not register: ? stands for their number. An empty queue does not exist.");
}

QCoro::Task<int> QueuesCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const QList<QueueInfo> queues = co_await inspector->queues();
    Console *const console = context->console;
    if (console->isJson()) {
        Json array = Json::array();
        for (const QueueInfo &queue : queues)
            array.push_back(toJson(queue));
        console->json(array);
        co_return ExitOk;
    }
    if (queues.isEmpty()) {
        console->remark(tr("No queues: nothing waits."));
        co_return ExitOk;
    }
    Table table({tr("QUEUE"), tr("DEPTH"), tr("WORKERS"), tr("OLDEST"), tr("NEXT")});
    for (const QueueInfo &queue : queues)
        table.add({shownCell(queue.key), queue.invalid ? tr("invalid") : QString::number(queue.depth),
                   queue.kind == QueueKind::Legacy && queue.listeners == 0 ? QStringLiteral("?")
                                                                           : QString::number(queue.listeners),
                   shownTime(queue.oldest), shownCell(queue.nextJob)});
    table.print(console);
    co_return ExitOk;
}

} // namespace ym::cli
