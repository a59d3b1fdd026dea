#include "app/cli/commands/list_command.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/json_array.h"
#include "app/cli/newest_jobs.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"

namespace ym::cli {

namespace {

constexpr size_t jobsPerTurn = 1'000;

QStringList titles(bool hasAccess)
{
    QStringList titles{tr("ID"), tr("STATE"), tr("TYPE"), tr("GROUP"), tr("TRY"), tr("CREATED"), tr("WORKER")};
    if (hasAccess)
        titles.append(tr("ACCESS"));
    return titles;
}

QStringList cells(const Console *console, const JobSummary &job, bool hasAccess)
{
    const QString state = job.invalid ? tr("invalid") : console->stateWord(job.state, job.statusText);
    QStringList cells{shownCell(job.id), state, shownCell(job.target.type), shownCell(job.target.group),
                      QString::number(job.attempt), shownTime(job.createdAt), shownCell(job.claimedBy)};
    if (hasAccess)
        cells.append(shownCell(accessText(job.access).toUtf8()));
    return cells;
}

void print(Console *console, const NewestJobs &jobs)
{
    // Few jobs ask for more than their own folder: the column is there when one does.
    bool hasAccess = false;
    for (size_t place = 0; place < jobs.count() && !hasAccess; ++place)
        hasAccess = !jobs.at(place).access.isEmpty();
    Table table(titles(hasAccess));
    for (size_t place = 0; place < jobs.count(); ++place)
        table.measure(cells(console, jobs.at(place), hasAccess));
    table.printHeadings(console);
    for (size_t place = 0; place < jobs.count(); ++place)
        table.printRow(console, cells(console, jobs.at(place), hasAccess));
}

/// Ends early when nobody wants the rest: a million jobs take seconds.
QCoro::Task<void> printJson(Context *context, const NewestJobs *jobs)
{
    JsonArray array(context->console);
    for (size_t place = 0; place < jobs->count() && !context->console->isClosed(); ++place) {
        array.add(toJson(jobs->at(place)));
        if (place % jobsPerTurn == jobsPerTurn - 1)
            co_await context->clock->sleep(Milliseconds(0), {});
    }
}

} // namespace

void ListCommand::define(OptionSet *options)
{
    options->text("-s,--state", &m_stateName,
                  "Only jobs in this state (waiting, queued, running, finished, failed, …)");
    options->text("-t,--type", &m_type, "Only jobs of this script type");
    options->number("-n,--limit", &m_limit, 0, 100'000'000, "At most so many, the newest; 0 = all");
    options->notes("Examples:\n"
                   "  yardmaster list --state failed\n"
                   "  yardmaster --json list --limit 0 | jq -r '.[].id'");
}

Result<void> ListCommand::check(const Paths &)
{
    if (m_stateName.isEmpty())
        return {};
    m_state = stateFromName(m_stateName);
    if (m_state && m_state != JobState::Lost) // that only a window sees
        return {};
    return failure(ErrorKind::Usage, tr("“%1” is no state.").arg(shownText(m_stateName)),
                   tr("Write waiting, scheduled, queued, running, finished, failed, dead or unknown."));
}

/// Adds the jobs that are wanted, until all were looked at or the person has enough.
QCoro::Task<void> ListCommand::collect(Context *context, NewestJobs *newest)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const QByteArray type = m_type;
    QByteArray cursor;
    do {
        const Inspector::JobPage page = co_await inspector->jobs(cursor);
        for (const JobSummary &job : page.jobs) {
            const bool wanted = (!m_state || job.state == *m_state) && (type.isEmpty() || job.target.type == type);
            if (wanted)
                newest->add(job);
        }
        cursor = page.cursor;
    } while (!cursor.isEmpty() && !context->interrupts->token().stop_requested());
}

QCoro::Task<int> ListCommand::run(Context *context)
{
    NewestJobs newest(static_cast<size_t>(m_limit));
    const Result<void> collected = co_await attempt(collect(context, &newest));
    newest.arrange();
    Console *const console = context->console;
    if (console->isJson())
        co_await printJson(context, &newest); // a whole array, also of what came before an error
    if (!collected)
        throw StoreError(collected.error());
    const int code = context->interrupts->count() > 0 && !console->isClosed() ? ExitInterrupted : ExitOk;
    if (console->isJson())
        co_return code;
    if (newest.count() == 0) {
        console->remark(tr("No jobs."));
        co_return code;
    }
    print(console, newest);
    if (newest.count() < newest.seen())
        console->remark(tr("%1 of %2 jobs; --limit 0 shows all.").arg(newest.count()).arg(newest.seen()));
    co_return code;
}

} // namespace ym::cli
