#include "app/cli/commands/wait_command.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/job_lookup.h"
#include "app/cli/words.h"

#include "core/base/task_scope.h"
#include "core/base/text.h"

namespace ym::cli {

namespace {

constexpr qsizetype mostWatched = 16; ///< each with a connection of its own; of more the records tell, a little later

/// Two endings in one exit code: equal ones stay, of different failures only that something failed is left.
int combined(int before, int next)
{
    if (before == ExitOk || before == next)
        return next;
    return next == ExitOk ? before : ExitFailed;
}

} // namespace

void WaitCommand::define(OptionSet *options)
{
    options->arguments("ID", &m_ids, "The jobs");
    options->number("--timeout", &m_timeout, 0, 10'000'000, "Give up after so many seconds; 0 = never");
    options->notes("Prints each job as it ends: \"ID  state\", with --json one whole job a line.\n"
                   "Exit code 0 when all have finished, 1 when one failed, 124 when the time was over.\n\n"
                   "Example:\n  yardmaster wait \"$id\" --timeout 60 && yardmaster output \"$id\"");
}

QCoro::Task<int> WaitCommand::run(Context *context)
{
    const std::unique_ptr<Producer> producer = context->producer();
    TaskScope scope("yardmaster wait");
    for (const QByteArray &id : m_ids)
        scope.spawn(waitForOne(context, producer.get(), id));
    co_await scope.drain();
    if (m_trouble)
        throw StoreError(*m_trouble);
    co_return int(m_exitCode);
}

QCoro::Task<void> WaitCommand::waitForOne(Context *context, Producer *producer, QByteArray id)
{
    const Milliseconds limit = std::chrono::seconds{m_timeout};
    const auto replies = m_ids.size() <= mostWatched ? Producer::Replies::Watch : Producer::Replies::Ignore;
    const Result<Job> job = co_await attempt(producer->waitUntilOver(id, limit, context->interrupts->token(), replies));
    Console *const console = context->console;
    const auto remark = [console](const QString &text) { console->isJson() ? console->error(text) : console->remark(text); };
    if (job) {
        if (console->isJson())
            console->json(toJson(*job));
        else
            console->line(shownText(id) + QStringLiteral("  ") + console->stateWord(job->state, job->statusText));
        m_exitCode = combined(m_exitCode, exitCodeOf(*job));
    } else if (job.error().kind == ErrorKind::Timeout && m_timeout > 0) {
        remark(tr("%1  is not over yet").arg(shownText(id)));
        m_exitCode = combined(m_exitCode, ExitTimeout);
    } else if (job.error().kind == ErrorKind::NotFound) {
        remark(tr("%1  there is no such job").arg(shownText(id)));
        m_exitCode = combined(m_exitCode, ExitFailed);
    } else {
        m_trouble = job.error();
    }
}

} // namespace ym::cli
