#include "app/cli/commands/worker_command.h"

#include "app/cli/attempt.h"
#include "app/cli/job_json.h"
#include "app/cli/table.h"
#include "app/cli/words.h"

#include "core/base/text.h"
#include "core/engine/dispatcher.h"
#include "core/engine/lost_jobs.h"
#include "core/job/fate_name.h"

namespace ym::cli {

namespace {

// How long running jobs may go on after the first signal; then they are ended and given back.
constexpr Milliseconds patience{30'000};
// How long a store may leave a worker that ends and runs nothing waiting for its answer.
constexpr Milliseconds silence{1'000};
constexpr Milliseconds presenceLook{1'000};

/// A line of the worker's diary: JSON, or "time  what  id  …".
void note(Console *console, const char *event, const QString &shown, const QByteArray &id, Json details)
{
    if (!console->isJson()) {
        console->line(shownTime(Clock::system().now()) + QStringLiteral("  ") + shown.leftJustified(8) + u' ' + shownText(id));
        return;
    }
    Json json;
    json["event"] = event;
    json["at"] = toRfc3339(Clock::system().now()).toStdString();
    json["id"] = toJson(id);
    json.update(details);
    console->json(json);
}

QString shownEnd(const Execution &execution)
{
    QString end = QLatin1String(fateName(execution.fate));
    if (execution.signal != 0)
        end += tr(" (signal %1)").arg(execution.signal);
    else if (execution.exitCode > 0)
        end += tr(" (exit code %1)").arg(execution.exitCode);
    return end + QStringLiteral("  %1 s  ").arg(double(execution.duration.count()) / 1000, 0, 'f', 1);
}

} // namespace

void WorkerCommand::define(OptionSet *options)
{
    options->commaSeparated("-t,--type", &m_types, "Script types to serve, separated by commas");
    options->text("-g,--group", &m_group, "Group of this worker");
    options->text("-i,--instance", &m_instance, "Name within the group; without it a free number is chosen");
    options->text("--worker-id", &m_workerId, "The worker id as which it serves legacy queues");
    options->number("-n,--slots", &m_slots, 1, 64, "Jobs that may run at once");
    options->number("--lease", &m_leaseSeconds, 1, 3600,
                    "Seconds until the jobs of this worker go to others when it vanishes");
    m_access.define(options);
    m_containment.define(options);
    options->text("--project", &m_project, "A file with rows for script types, as in yardmaster.json");
    options->flag("--isolated", &m_isIsolated,
                  "Start an interpreter for each Python job, instead of forking it from one that has started already");
    options->flag("--drain", &m_drains, "End when the queues are empty and nothing runs");
    options->notes(
        "Runs what it finds in the store on this machine, contained as well as it allows; serve only stores whose users\n"
        "you trust. A job gets the network and other folders only when it asks for them and --network, --read or\n"
        "--write grant them.\n"
        "The first SIGINT or SIGTERM takes nothing new and lets running jobs finish for 30 s; the second ends them at\n"
        "once. What could not finish goes back to its queue.\n\n"
        "Examples:\n"
        "  yardmaster --store redis://queue.example worker --type python --slots 4\n"
        "  yardmaster worker --type python,v --drain");
}

Result<void> WorkerCommand::check(const Paths &paths)
{
    if (const Result<void> valid = m_containment.check(); !valid)
        return valid;
    const Result<JobAccess> access = m_access.access();
    if (!access)
        return tl::unexpected(access.error());
    m_grant = {*access, m_containment.isConsent()};
    if (const Result<void> valid = checkPlace(); !valid)
        return valid;
    Result<std::unique_ptr<LocalExecutor>> local = 
        LocalExecutor::make(paths, {m_containment.best(), !m_isIsolated, m_project});
    if (!local)
        return tl::unexpected(local.error());
    m_local = std::move(*local);
    for (const QByteArray &type : m_types) {
        if (const Result<void> possible = m_local->executor.canRun(type); !possible)
            return possible;
    }
    return {};
}

/// A worker stands where jobs are sent to: what is no target of a job is no place of a worker.
Result<void> WorkerCommand::checkPlace() const
{
    Job job;
    job.script = "-";
    job.target.group = m_group.isEmpty() ? QByteArray("default") : m_group;
    job.target.instance = m_instance;
    job.target.legacyWorker = m_workerId;
    for (const QByteArray &type : m_types) {
        job.target.type = type;
        if (const Result<void> valid = checkDraft(job); !valid)
            return valid;
    }
    return {};
}

QCoro::Task<int> WorkerCommand::run(Context *context)
{
    context->options.lease = std::chrono::seconds(m_leaseSeconds);
    WorkerRunner::Spec spec;
    spec.identity.types = m_types;
    spec.identity.group = m_group;
    spec.identity.instance = m_instance;
    spec.identity.slotCount = m_slots;
    spec.identity.legacyId = m_workerId;
    spec.logFolder = context->paths.logs();
    spec.spoolFolder = context->spoolFolder;
    spec.auditFile = context->paths.auditFile();
    spec.presenceInterval = context->options.presenceTtl / 3;
    spec.drain = m_drains;
    spec.grant = m_grant;
    Console *const console = context->console;
    m_runner = std::make_unique<WorkerRunner>(context->store, context->consumer(spec.identity), &m_local->executor,
                                              context->clock, spec);
    connectRunner(context);
    Interrupts *const interrupts = context->interrupts;
    interrupts->setHandled(true);
    QObject::connect(interrupts, &Interrupts::requested, m_runner.get(),
                     [this, context](int count) { onInterrupt(context, count); });
    Dispatcher dispatcher(context->store, context->protocol->rescuer(context->store, context->options, context->clock),
                          context->options.lease, context->clock);

    const Result<void> started = co_await startRunner(context);
    if (started) {
        for (const QString &warning : context->store->status().warnings)
            console->remark(warning);
        const LocalWorkerInfo info = m_runner->info();
        console->remark(tr("Serving %1 as %2:%3 with %4 slot(s) on %5.")
                            .arg(shownText(info.types.join(", ")), shownText(info.group), shownText(info.instance),
                                 QString::number(m_slots), context->store->displayName()));
        console->remark(tr("Its jobs are %1.").arg(m_local->executor.containmentLine()));
        dispatcher.start();
        co_await m_runner->finished();
    } else {
        co_await m_runner->stop(Milliseconds{0});
    }
    co_await dispatcher.drain();
    co_await m_scope.drain();
    if (!started)
        throw StoreError(started.error());
    co_return interrupts->count() > 1 ? ExitInterrupted : ExitOk;
}

/// The presence of a worker that was killed stays until it expires: one that takes its place waits for that.
QCoro::Task<Result<void>> WorkerCommand::startRunner(Context *context)
{
    Clock *const clock = context->clock;
    const Monotonic end = clock->monotonic() + context->options.presenceTtl + presenceLook;
    for (bool isTold = false;; isTold = true) {
        Result<void> started = co_await attempt(m_runner->start());
        const bool isTaken = !started && started.error().kind == ErrorKind::Conflict;
        if (!isTaken || clock->monotonic() >= end || context->interrupts->count() > 0)
            co_return started;
        if (!isTold)
            context->console->remark(started.error().message + u' ' + tr("Waiting to see whether it is still there."));
        co_await clock->sleep(presenceLook, context->interrupts->token());
    }
}

void WorkerCommand::connectRunner(Context *context)
{
    WorkerRunner *const runner = m_runner.get();
    Console *const console = context->console;
    QObject::connect(runner, &WorkerRunner::jobStarted, runner, [console](const Job &job) {
        Json details;
        details["type"] = toJson(job.target.type);
        details["attempt"] = job.attempt;
        note(console, "started", tr("started"), job.id, details);
    });
    QObject::connect(runner, &WorkerRunner::jobEnded, runner,
                     [console](const QByteArray &id, const Execution &execution) {
                         note(console, "ended", shownEnd(execution), id, toJson(execution));
                     });
    QObject::connect(runner, &WorkerRunner::lateResult, runner,
                     [console](const QByteArray &id, const Execution &execution) {
                         note(console, "late", tr("its result came too late and was not taken:"), id,
                              toJson(execution));
                     });
    QObject::connect(runner, &WorkerRunner::infoChanged, runner, [this, console] { tellTrouble(console); });
    QObject::connect(runner, &WorkerRunner::claimsLost, runner, [this, context](const std::vector<Claim> &claims) {
        m_scope.spawn(keepLost(context, claims));
    });
}

/// What keeps it from taking jobs, as soon as something does and when nothing does any more.
void WorkerCommand::tellTrouble(Console *console)
{
    if (m_runner->trouble() == m_trouble)
        return;
    m_trouble = m_runner->trouble();
    if (!console->isJson()) {
        console->remark(m_trouble.isEmpty() ? tr("It takes jobs again.") : tr("It cannot take jobs: %1").arg(m_trouble));
        return;
    }
    Json json;
    json["event"] = "trouble";
    json["at"] = toRfc3339(Clock::system().now()).toStdString();
    json["message"] = m_trouble.isEmpty() ? Json() : Json(m_trouble.toStdString());
    console->json(json);
}

void WorkerCommand::onInterrupt(Context *context, int count)
{
    if (count == 1) {
        context->console->remark(
            tr("Taking nothing new; running jobs may finish for 30 s. Interrupt again to end them now."));
        m_scope.spawn(stopRunner(patience));
        m_scope.spawn(leaveSilentStore(context->store, context->clock));
    } else if (count == 2) {
        m_scope.spawn(stopRunner(Milliseconds{0}));
    }
}

QCoro::Task<void> WorkerCommand::stopRunner(Milliseconds limit)
{
    co_await m_runner->stop(limit);
}

/// What runs nothing and is not gone a second later waits for a store that does not answer. Nothing is lost with it: what
/// it may have claimed in this moment goes to others after the lease.
QCoro::Task<void> WorkerCommand::leaveSilentStore(Store *store, Clock *clock)
{
    for (int idle = 0; idle < 2;) {
        const bool passed = co_await clock->sleep(silence / 2, m_scope.token());
        if (!passed)
            co_return;
        idle = m_runner->isBusy() ? 0 : idle + 1;
    }
    store->close();
}

QCoro::Task<void> WorkerCommand::keepLost(Context *context, std::vector<Claim> claims)
{
    const std::unique_ptr<Inspector> inspector = context->inspector();
    const std::unique_ptr<Producer> producer = context->producer();
    RemovalJournal journal(context->removedFolder, context->clock);
    const LostJobs lost = co_await ym::keepLost(producer.get(), inspector.get(), &journal, std::move(claims));
    for (const QByteArray &id : lost.ids)
        note(context->console, "lost", tr("its record is gone from the store:"), id, Json::object());
    if (lost.areKept())
        context->console->remark(tr("What was lost is kept here: yardmaster restore brings it back."));
}

} // namespace ym::cli
