#include "app/cli/commands/retry_command.h"

#include "app/cli/each_job.h"
#include "app/cli/words.h"

namespace ym::cli {

namespace {

QCoro::Task<Outcome> retryOne(Producer *producer, QByteArray id)
{
    const Producer::Receipt receipt = co_await producer->retry(id);
    co_return receipt.queueKeys.isEmpty() ? Outcome{"waiting", tr("waits for its prerequisites again")}
                                          : Outcome{"queued", tr("queued again")};
}

} // namespace

void RetryCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->notes("A job that is over goes into its queue again, as a new attempt. One that is not over yet is refused.\n\n"
                   "Example:\n"
                   "  yardmaster --json list --state failed | jq -r '.[].id' | xargs yardmaster retry");
}

QCoro::Task<int> RetryCommand::run(Context *context)
{
    co_return co_await eachJob(context, m_ids, retryOne);
}

} // namespace ym::cli
