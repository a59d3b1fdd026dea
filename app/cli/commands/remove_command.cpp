#include "app/cli/commands/remove_command.h"

#include "app/cli/each_job.h"
#include "app/cli/words.h"

#include "core/engine/purge.h"

namespace ym::cli {

namespace {

QCoro::Task<Outcome> removeOne(Producer *producer, QByteArray id, RemovalJournal::Batch *batch)
{
    const std::optional<RemovedJob> job = co_await removeAndKeep(producer, id, QByteArray(), batch);
    co_return job ? Outcome{"removed", tr("removed")} : Outcome{"not_found", tr("there is no such job"), true};
}

} // namespace

void RemoveCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->notes("A running job is refused: stop it first. `yardmaster restore` brings back what was removed last.");
}

QCoro::Task<int> RemoveCommand::run(Context *context)
{
    RemovalJournal journal(context->removedFolder, context->clock);
    Result<std::unique_ptr<RemovalJournal::Batch>> begun = journal.begin();
    if (!begun)
        throw StoreError(begun.error());
    const std::shared_ptr<RemovalJournal::Batch> batch = std::move(*begun);
    const auto one = [batch](Producer *producer, QByteArray id) { return removeOne(producer, id, batch.get()); };
    co_return co_await eachJob(context, m_ids, one);
}

} // namespace ym::cli
