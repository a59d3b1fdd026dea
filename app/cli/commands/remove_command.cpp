#include "app/cli/commands/remove_command.h"

#include "app/cli/each_job.h"
#include "app/cli/words.h"

namespace ym::cli {

namespace {

QCoro::Task<Outcome> removeOne(Producer *producer, QByteArray id)
{
    const bool removed = co_await producer->remove(id);
    co_return removed ? Outcome{"removed", tr("removed")} : Outcome{"not_found", tr("there is no such job"), true};
}

} // namespace

void RemoveCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->notes("A running job is refused: stop it first. What is removed cannot be brought back.");
}

QCoro::Task<int> RemoveCommand::run(Context *context)
{
    co_return co_await eachJob(context, m_ids, removeOne);
}

} // namespace ym::cli
