#include "app/cli/commands/list_command.h"

#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"

#include <algorithm>

namespace ym::cli {

namespace {

/// Newest first; records without a time last, then by id so that the order is stable.
bool isNewer(const JobSummary &a, const JobSummary &b)
{
    if (a.createdAt != b.createdAt)
        return a.createdAt > b.createdAt;
    return a.id < b.id;
}

/// Keeps the newest `limit` of everything that is added (0 = all), each id once, in memory of that order. While the
/// server's table grows it may show a job twice; one that is not kept is then counted twice.
class Newest {
public:
    explicit Newest(size_t limit)
        : m_limit(limit)
    {
    }

    void add(JobSummary job)
    {
        ++m_seen;
        m_jobs.push_back(std::move(job));
        if (m_limit > 0 && m_jobs.size() >= 2 * m_limit + 256)
            cut();
    }

    size_t seen() const { return m_seen; }

    std::vector<JobSummary> take()
    {
        cut();
        return std::move(m_jobs);
    }

private:
    void cut()
    {
        std::sort(m_jobs.begin(), m_jobs.end(), isNewer);
        const auto end = std::unique(m_jobs.begin(), m_jobs.end(),
                                     [](const JobSummary &a, const JobSummary &b) { return a.id == b.id; });
        m_seen -= size_t(m_jobs.end() - end);
        m_jobs.erase(end, m_jobs.end());
        if (m_limit > 0 && m_jobs.size() > m_limit)
            m_jobs.resize(m_limit);
    }

    size_t m_limit;
    size_t m_seen = 0;
    std::vector<JobSummary> m_jobs;
};

void print(Console *console, const std::vector<JobSummary> &jobs)
{
    // Few jobs ask for more than their own folder: the column is there when one does.
    const bool hasAccess =
        std::any_of(jobs.begin(), jobs.end(), [](const JobSummary &job) { return !job.access.isEmpty(); });
    QStringList titles{tr("ID"), tr("STATE"), tr("TYPE"), tr("GROUP"), tr("TRY"), tr("CREATED"), tr("WORKER")};
    if (hasAccess)
        titles.append(tr("ACCESS"));
    Table table(titles);
    for (const JobSummary &job : jobs) {
        const QString state = job.invalid ? tr("invalid") : console->stateWord(job.state, job.statusText);
        QStringList cells{shownCell(job.id), state, shownCell(job.target.type), shownCell(job.target.group),
                          QString::number(job.attempt), shownTime(job.createdAt), shownCell(job.claimedBy)};
        if (hasAccess)
            cells.append(shownCell(accessText(job.access).toUtf8()));
        table.add(cells);
    }
    table.print(console);
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

QCoro::Task<int> ListCommand::run(Context *context)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const QByteArray type = m_type;
    Newest newest(static_cast<size_t>(m_limit));
    QByteArray cursor;
    do {
        const Inspector::JobPage page = co_await inspector->jobs(cursor);
        for (const JobSummary &job : page.jobs) {
            const bool wanted = (!m_state || job.state == *m_state) && (type.isEmpty() || job.target.type == type);
            if (wanted)
                newest.add(job);
        }
        cursor = page.cursor;
    } while (!cursor.isEmpty() && !context->interrupts->token().stop_requested());

    const std::vector<JobSummary> jobs = newest.take();
    Console *const console = context->console;
    if (console->isJson()) {
        Json array = Json::array();
        for (const JobSummary &job : jobs)
            array.push_back(toJson(job));
        console->json(array);
        co_return ExitOk;
    }
    if (jobs.empty()) {
        console->remark(tr("No jobs."));
        co_return ExitOk;
    }
    print(console, jobs);
    if (jobs.size() < newest.seen())
        console->remark(tr("%1 of %2 jobs; --limit 0 shows all.").arg(jobs.size()).arg(newest.seen()));
    co_return ExitOk;
}

} // namespace ym::cli
