#include "app/cli/commands/purge_command.h"

#include "app/cli/job_json.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/engine/purge.h"

namespace ym::cli {

void PurgeCommand::define(OptionSet *options)
{
    options->argument("QUEUE", &m_queue, "The exact key, as queues --json prints it");
    options->flag("--yes", &m_isSure, "Do it; without it the count is told and nothing is done");
    options->notes(
        "Deletes the jobs that wait in this queue and no other; jobs that run stay. `yardmaster restore` brings them\n"
        "back for a week.\n\n"
        "Example:\n"
        "  yardmaster purge hero:q:work:type:python --yes");
}

QCoro::Task<int> PurgeCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const std::unique_ptr<Producer> producer = context->producer();
    Console *const console = context->console;
    const qint64 depth = co_await purgeableDepth(inspector.get(), m_queue);
    if (depth == 0)
        throw StoreError(ErrorKind::NotFound,
                         tr("There is nothing in a queue %1.").arg(shownText(m_queue, Lines::Flatten, 200)),
                         tr("yardmaster queues lists them."));
    if (!m_isSure)
        throw StoreError(
            ErrorKind::Usage,
            tr("%1 job(s) in %2 on %3 would be deleted.")
                .arg(QString::number(depth), shownText(m_queue, Lines::Flatten, 200), context->store->displayName()),
            tr("Add --yes to do it."));
    RemovalJournal journal(context->removedFolder, context->clock);
    const auto batch = journal.begin();
    if (!batch)
        throw StoreError(batch.error());
    const int purged =
        co_await purgeQueue(producer.get(), inspector.get(), m_queue, batch->get(), context->interrupts->token(), {});
    if (console->isJson()) {
        Json json;
        json["removed"] = purged;
        console->json(json);
    } else {
        console->line(tr("%1 job(s) removed").arg(purged));
    }
    co_return ExitOk;
}

} // namespace ym::cli
