#include "app/cli/commands/stop_command.h"

#include "app/cli/each_job.h"
#include "app/cli/words.h"

namespace ym::cli {

namespace {

QCoro::Task<Outcome> stopOne(Producer *producer, QByteArray id)
{
    const Producer::StopOutcome outcome = co_await producer->stop(id);
    switch (outcome) {
    case Producer::StopOutcome::StoppedInQueue:
        co_return Outcome{"stopped", tr("stopped before it ran")};
    case Producer::StopOutcome::RequestSent:
        co_return Outcome{"requested", tr("asked to stop; its worker ends it")};
    case Producer::StopOutcome::AlreadyOver:
        co_return Outcome{"already_over", tr("was over already")};
    case Producer::StopOutcome::NotFound:
        break;
    }
    co_return Outcome{"not_found", tr("there is no such job"), true};
}

} // namespace

void StopCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->notes("A queued job is taken out of its queue; for a running one the request goes to its worker.");
}

QCoro::Task<int> StopCommand::run(Context *context)
{
    co_return co_await eachJob(context, m_ids, stopOne);
}

} // namespace ym::cli
