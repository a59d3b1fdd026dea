#include "app/cli/commands/submit_command.h"

#include "app/cli/graph_submit.h"
#include "app/cli/job_json.h"
#include "app/cli/job_lookup.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/job/end_text.h"
#include "core/protocol/schedule.h"
#include "core/worker/interpreter_table.h"

#include <QUuid>

namespace ym::cli {

void SubmitCommand::define(OptionSet *options)
{
    m_options.define(options);
    options->text("-g,--group", &m_group, "Only workers of this group");
    options->text("-i,--instance", &m_instance, "Only this worker of the group");
    options->text("--worker-id", &m_workerId, "The worker that legacy queues are named after");
    options->number("-p,--priority", &m_priority, 0, 2, "0 is served first, 2 last; legacy queues know none");
    options->number("--delay", &m_delay, 0, 366 * 86400, "Seconds before which it is not queued");
    options->texts("-a,--after", &m_after, "Id of a job that must finish first; may be repeated");
    options->flag("--concurrent", &m_isConcurrent, "May run beside other jobs in one worker");
    options->text("--id", &m_id, "Id of the new job, a UUID; submitting the same job twice with one id is one job");
    options->flag("-w,--wait", &m_waits, "Wait for the end, print the output, and exit as run does");
    options->flag("--graph", &m_isGraph, "FILE is JSON that describes jobs which wait for one another: all or none");
    options->flag("--dry-run", &m_isDry, "Of a graph: print the plan and submit nothing");
    options->notes("Prints the id of the new job.\n\n"
                   "A graph is {\"defaults\": {…}, \"jobs\": [{\"name\": \"load\", \"file\": \"load.py\", \"after\": [\"fetch\"]}, …]}.\n"
                   "A job has a name, a script or a file, and what submit's options say: type, group, instance, worker_id,\n"
                   "keys, priority, delay, timeout, retries, env, concurrent, log, caller, context, network, read, write;\n"
                   "after names jobs of the file or ids. Options given with --graph are for what its jobs leave out.\n\n"
                   "Examples:\n"
                   "  yardmaster submit report.py --timeout 600 --retries 2\n"
                   "  yardmaster --store redis://queue.example submit load.py --group etl --env DAY=2026-11-21 --wait\n"
                   "  yardmaster submit --graph night.json --dry-run\n"
                   "  yardmaster submit second.py --after \"$(yardmaster submit first.py)\"");
}

Result<void> SubmitCommand::check(const Paths &paths)
{
    InterpreterTable table;
    if (const Result<void> read = table.load(paths.interpretersFile()); !read)
        return read;
    if (m_isGraph) {
        if (!m_id.isEmpty() || !m_after.isEmpty())
            return failure(ErrorKind::Usage, tr("--id and --after are for one job."),
                           tr("Write “after” into the jobs of the graph; they get ids of their own."));
        Result<Job> defaults = m_options.defaults();
        if (!defaults)
            return tl::unexpected(defaults.error());
        describe(&*defaults);
        Result<GraphFile> graph = readGraphFile(m_options.file, table, *defaults);
        if (!graph)
            return tl::unexpected(graph.error());
        m_graph = std::move(*graph);
        return {};
    }
    if (m_isDry)
        return failure(ErrorKind::Usage, tr("--dry-run is for graphs."), tr("Add --graph."));
    Result<Job> draft = m_options.draft(table);
    if (!draft)
        return tl::unexpected(draft.error());
    m_draft = *draft;
    const QUuid id = m_id.isEmpty() ? QUuid() : QUuid::fromString(QLatin1String(m_id));
    if (!m_id.isEmpty() && id.isNull())
        return failure(ErrorKind::Usage, tr("“%1” is no UUID.").arg(shownText(m_id)),
                       tr("Leave --id out, or make one with uuidgen."));
    m_draft.id = id.isNull() ? newJobId() : id.toByteArray(QUuid::WithoutBraces);
    describe(&m_draft);
    m_draft.prerequisites = m_after;
    return checkDraft(m_draft);
}

/// What submit knows of a job beyond what run does.
void SubmitCommand::describe(Job *job) const
{
    job->target.group = m_group;
    job->target.instance = m_instance;
    job->target.legacyWorker = m_workerId;
    job->target.priority = m_priority;
    if (m_delay > 0)
        job->notBefore = Clock::system().now() + std::chrono::seconds{m_delay};
    job->concurrent = m_isConcurrent;
}

QCoro::Task<int> SubmitCommand::run(Context *context)
{
    if (m_isGraph && m_isDry)
        co_return co_await planGraphFile(context, m_graph);
    if (m_isGraph) {
        const int submitted = co_await submitGraphFile(context, m_graph);
        if (!m_waits)
            co_return submitted;
        co_return co_await waitForGraph(context, m_graph);
    }
    const std::unique_ptr<Producer> producer = context->producer();
    Console *const console = context->console;
    if (context->options.keys.mode == KeyMode::Dual)
        console->remark(tr("Dual keys: where workers of both kinds listen, the job may run twice."));
    std::vector<Job> drafts(1, m_draft);
    drafts = co_await byStoreClock(context->store, context->clock, std::move(drafts));
    const Producer::Receipt receipt = co_await producer->submit(drafts.front());
    if (!console->isJson())
        console->line(shownText(receipt.id));
    if (m_waits)
        co_return co_await waitForEnd(context, producer.get(), receipt.id);
    if (console->isJson()) {
        Json json;
        json["id"] = toJson(receipt.id);
        json["queues"] = Json::array();
        for (const QByteArray &key : receipt.queueKeys)
            json["queues"].push_back(toJson(key));
        console->json(json);
    }
    co_return ExitOk;
}

QCoro::Task<int> SubmitCommand::waitForEnd(Context *context, Producer *producer, QByteArray id)
{
    const Job job = co_await producer->waitUntilOver(id, Milliseconds{0}, context->interrupts->token());
    if (context->console->isJson()) {
        context->console->json(toJson(job));
    } else {
        context->console->output(Console::Stream::Out, job.output);
        const QString early = endText(job);
        if (early.isEmpty())
            context->console->output(Console::Stream::Err, job.error);
        else
            context->console->remark(early);
    }
    co_return exitCodeOf(job);
}

} // namespace ym::cli
