#include "app/cli/commands/run_command.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/job/end_text.h"

namespace ym::cli {

using namespace std::chrono_literals;

namespace {

// The group of the one-job workers of this command; each serves an instance queue that only it knows.
constexpr auto ownGroup = "run";
// For the last steps of a worker whose job is over.
constexpr Milliseconds tidyUp{5'000};

Json event(const char *name, const QByteArray &id)
{
    Json json;
    json["event"] = name;
    json["id"] = toJson(id);
    return json;
}

} // namespace

void RunCommand::define(OptionSet *options)
{
    m_options.define(options);
    m_containment.define(options);
    options->text("--project", &m_project, "A file with rows for script types, as in yardmaster.json");
    options->flag("--explain", &m_explains, "Say how the job would be contained, and run nothing");
    options->notes("The job is submitted, run by this process alone, and kept in the store with its output. The first "
                   "Ctrl+C stops it\n"
                   "gracefully, the second at once. It is contained as well as this machine allows (--explain): without "
                   "network, with\n"
                   "a folder of its own, and it sees nothing of yours but what --read and --write name.\n\n"
                   "Exit code: 0 the job finished, 1 it failed, 124 it was over its time, 130 it was interrupted.\n\n"
                   "Examples:\n"
                   "  yardmaster run resources/samples/hello.py\n"
                   "  echo 'print(6 * 7)' | yardmaster --store memory: run - --type python\n"
                   "  yardmaster run report.py --env MONTH=2026-11 --timeout 60");
}

Result<void> RunCommand::check(const Paths &paths)
{
    if (const Result<void> valid = m_containment.check(); !valid)
        return valid;
    // Cold: one job does not make up for a warm start.
    Result<std::unique_ptr<LocalExecutor>> local =
        LocalExecutor::make(paths, {m_containment.best(), false, m_project});
    if (!local)
        return tl::unexpected(local.error());
    m_local = std::move(*local);
    Result<Job> draft = m_options.draft(m_local->table);
    if (!draft)
        return tl::unexpected(draft.error());
    m_draft = *draft;
    m_draft.id = newJobId();
    m_draft.target.group = ownGroup;
    m_draft.target.instance = m_draft.id;
    if (const Result<void> valid = checkDraft(m_draft); !valid)
        return valid;
    return m_local->executor.canRun(m_draft.target.type);
}

QCoro::Task<int> RunCommand::run(Context *context)
{
    m_context = context;
    if (m_explains) {
        co_await explain();
        co_return ExitOk;
    }
    context->options.keys.mode = KeyMode::Canonical; // a queue of its own, which only this process knows
    m_producer = context->producer();
    WorkerRunner::Spec spec;
    spec.identity.types = {m_draft.target.type};
    spec.identity.group = m_draft.target.group;
    spec.identity.instance = m_draft.target.instance;
    spec.identity.servesOnlyInstance = true;
    spec.logFolder = context->paths.logs();
    spec.spoolFolder = context->spoolFolder;
    spec.grant = {m_draft.access, m_containment.isConsent()};
    spec.auditFile = context->paths.auditFile();
    spec.presenceInterval = context->options.presenceTtl / 3;
    m_runner = std::make_unique<WorkerRunner>(context->store, context->consumer(spec.identity), &m_local->executor,
                                              context->clock, spec);
    connectRunner();
    context->interrupts->setHandled(true);

    const Result<Job> over = co_await attempt(serve());
    co_await m_scope.drain();
    co_await m_runner->stop(over ? tidyUp : 0ms);
    if (!over) {
        co_await attempt(m_producer->stop(m_draft.id)); // given back or never claimed: nobody else serves its queue
        throw StoreError(over.error());
    }
    printEnd(*over);
    co_return exitCode(*over);
}

QCoro::Task<void> RunCommand::explain()
{
    const Containment found = co_await m_local->executor.containment();
    const Interpreter row = m_local->table.find(m_draft.target.type).value_or(Interpreter());
    printContainment(m_context->console, found, row, {m_draft.access, m_containment.isConsent()});
}

QCoro::Task<Job> RunCommand::serve()
{
    const std::stop_token token = m_context->interrupts->token();
    co_await m_runner->start();
    if (m_context->interrupts->count() > 0)
        throw StoreError(ErrorKind::Cancelled, tr("Interrupted."));
    co_await m_producer->submit(m_draft);
    if (m_context->console->isJson())
        m_context->console->json(event("submitted", m_draft.id));
    if (m_context->interrupts->count() > 0)
        m_scope.spawn(stopInStore());
    co_return co_await m_producer->waitUntilOver(m_draft.id, 0ms, token);
}

void RunCommand::connectRunner()
{
    Console *const console = m_context->console;
    WorkerRunner *const runner = m_runner.get();
    QObject::connect(runner, &WorkerRunner::jobStarted, runner, [console](const Job &job) {
        if (!console->isJson())
            return;
        Json json = event("started", job.id);
        json["attempt"] = job.attempt;
        console->json(json);
    });
    QObject::connect(runner, &WorkerRunner::jobOutput, runner,
                     [this](const OutputChunk &chunk) { printOutput(chunk); });
    QObject::connect(runner, &WorkerRunner::jobEnded, runner,
                     [this](const QByteArray &id, const Execution &execution) { onEnded(id, execution); });
    QObject::connect(m_context->interrupts, &Interrupts::requested, runner, [this](int count) { onInterrupt(count); });
}

/// A script may end in the middle of a character: what was kept of it belongs to this attempt.
void RunCommand::onEnded(const QByteArray &jobId, const Execution &execution)
{
    printText(jobId, OutputChunk::Stream::Out, m_out.rest());
    printText(jobId, OutputChunk::Stream::Err, m_err.rest());
    m_last = execution;
}

void RunCommand::onInterrupt(int count)
{
    if (count == 1 && !m_runner->stopJob(m_draft.id))
        m_scope.spawn(stopInStore());
}

QCoro::Task<void> RunCommand::stopInStore()
{
    co_await m_producer->stop(m_draft.id);
}

void RunCommand::printOutput(const OutputChunk &chunk)
{
    const bool isOut = chunk.stream == OutputChunk::Stream::Out;
    Console *const console = m_context->console;
    if (!console->isJson()) {
        console->output(isOut ? Console::Stream::Out : Console::Stream::Err, chunk.bytes);
        return;
    }
    printText(chunk.jobId, chunk.stream, (isOut ? m_out : m_err).take(chunk.bytes));
}

/// One line of JSON; `bytes` that are empty give none.
void RunCommand::printText(const QByteArray &jobId, OutputChunk::Stream stream, const QByteArray &bytes) const
{
    if (bytes.isEmpty())
        return;
    Json json = event("output", jobId);
    json["stream"] = stream == OutputChunk::Stream::Out ? "out" : "err";
    json["text"] = toJson(bytes);
    m_context->console->json(json);
}

void RunCommand::printEnd(const Job &job) const
{
    Console *const console = m_context->console;
    if (console->isJson()) {
        Json json = event("ended", job.id);
        json["state"] = stateName(job.state);
        json["attempt"] = job.attempt;
        if (m_last)
            json.update(toJson(*m_last));
        json["error"] = toJson(job.error);
        console->json(json);
        return;
    }
    const QString early = m_last ? endText(job, *m_last) : endText(job);
    if (!early.isEmpty())
        console->remark(early);
    else if (const QByteArray said = m_last ? addedText(*m_last) : job.error; job.state != JobState::Finished && !said.isEmpty())
        console->remark(shownText(said));
    const double seconds = m_last ? double(m_last->duration.count()) / 1000 : 0;
    console->remark(tr("Job %1 %2 after %3 s.")
                        .arg(shownText(job.id), QLatin1String(stateName(job.state)), QString::number(seconds, 'f', 1)));
}

int RunCommand::exitCode(const Job &job) const
{
    if (job.state == JobState::Finished)
        return ExitOk;
    if (m_context->interrupts->count() > 0)
        return ExitInterrupted;
    return m_last && m_last->fate == Execution::Fate::TimedOut ? ExitTimeout : ExitFailed;
}

} // namespace ym::cli
