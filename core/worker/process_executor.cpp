#include "core/worker/process_executor.h"

#include "core/base/log.h"
#include "core/base/task_scope.h"
#include "core/job/signal_name.h"
#include "core/worker/failure_text.h"
#include "core/worker/job_environment.h"
#include "core/worker/job_folder.h"
#include "core/worker/output_capture.h"
#include "core/worker/process_sweep.h"
#include "core/worker/warm_python.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace ym {

namespace {

constexpr qsizetype maxVariableBytes = 131'071; ///< the kernel's limit for one entry (MAX_ARG_STRLEN)

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::ProcessExecutor", text);
}

/// Ends a run early: after its timeout, or when its control asks for it; gently first, then for good.
class Watchdog {
public:
    Watchdog(Launch *launch, Clock *clock, Milliseconds grace)
        : m_launch(launch)
        , m_clock(clock)
        , m_grace(grace)
    {
    }

    /// From now on it is this one.
    void watch(Launch *launch) { m_launch = launch; }
    void limit(Milliseconds timeout)
    {
        if (timeout > Milliseconds{0})
            m_scope.spawn(waitForTimeout(timeout));
    }
    void end()
    {
        if (!std::exchange(m_isEnding, true))
            m_scope.spawn(endGently());
    }
    bool timedOut() const { return m_timedOut; }
    QCoro::Task<void> drain() { return m_scope.drain(); }

private:
    QCoro::Task<void> waitForTimeout(Milliseconds timeout)
    {
        const bool passed = co_await m_clock->sleep(timeout, m_scope.token());
        if (!passed || m_isEnding)
            co_return;
        m_timedOut = true;
        end();
    }

    QCoro::Task<void> endGently()
    {
        m_launch->terminate();
        const bool passed = co_await m_clock->sleep(m_grace, m_scope.token());
        if (passed)
            m_launch->kill();
    }

    Launch *m_launch;
    Clock *m_clock;
    Milliseconds m_grace;
    bool m_isEnding = false;
    bool m_timedOut = false;
    TaskScope m_scope{"watchdog of a run"};
};

QString launcherPath(const QString &chosen)
{
    const QString fromEnvironment = qEnvironmentVariable("YARDMASTER_LAUNCHER");
    if (!chosen.isEmpty() || !fromEnvironment.isEmpty())
        return chosen.isEmpty() ? fromEnvironment : chosen;
    return QCoreApplication::applicationDirPath() + QStringLiteral("/yardmaster-launch");
}

Result<void> checkLauncher(const QString &path)
{
    if (QFileInfo(path).isExecutable())
        return {};
    return failure(ErrorKind::NotFound, tr("%1 was not found; install Yardmaster again").arg(path));
}

/// Whether jobs may be run as far as they can be contained here.
Result<void> checkContainment(const Containment &found, const RunGrant &grant)
{
    if (found.level == ContainmentLevel::Refused)
        return failure(ErrorKind::Permission, tr("Jobs cannot be contained here: %1.").arg(found.reason),
                       tr("Install the package bubblewrap."));
    if (found.level == ContainmentLevel::LimitsOnly && !grant.limitsOnly)
        return failure(ErrorKind::Permission,
                       tr("Jobs can only be limited here, they would see all your files: %1.").arg(found.reason),
                       tr("Install the package bubblewrap, or agree to it: where a worker is started in the window, "
                          "or with --containment limits."));
    return {};
}

/// A job that may run for long may use the processor for as long.
RunLimits limitsFor(const Interpreter &row, const Job &job)
{
    RunLimits limits = row.limits;
    if (limits.cpu.count() > 0)
        limits.cpu = std::max(limits.cpu, job.timeout);
    return limits;
}

Execution failed(const QString &why)
{
    Execution execution;
    execution.error = why.toUtf8();
    return execution;
}

/// Warm interpreters of one kind are contained alike; only its processor time is each job's own.
QByteArray kindOf(const QByteArray &program, const JobAccess &access, const RunLimits &limits)
{
    QByteArray kind = program + (access.network ? " network" : "");
    for (const qint64 limit : {limits.addressBytes, limits.memoryBytes, limits.fileBytes, limits.diskBytes,
                               qint64(limits.files), qint64(limits.processes), qint64(limits.openFiles)}) {
        kind += '\0';
        kind += QByteArray::number(limit);
    }
    return kind;
}

/// Of a program that was asked for its version and said nothing.
QString endOfProbe(const LaunchEnd &end)
{
    switch (end.how) {
    case LaunchEnd::How::Exit:
        return tr("it says nothing and ends with exit code %1").arg(end.code);
    case LaunchEnd::How::Signal:
        return tr("it is killed by %1").arg(signalText(end.code));
    case LaunchEnd::How::NotStarted:
        return qt_error_string(end.code);
    case LaunchEnd::How::LauncherFailed:
        break;
    }
    return end.complaint;
}

Execution::Fate fateOf(const LaunchEnd &end, bool stderrFails, bool wroteErrors)
{
    const bool ok = end.how == LaunchEnd::How::Exit && end.code == 0 && end.passedLimit.isEmpty()
        && !(stderrFails && wroteErrors);
    return ok ? Execution::Fate::Finished : Execution::Fate::Failed;
}

/// An early end decides over whatever the script said. Empty: it ended by itself.
std::optional<std::pair<Execution::Fate, QByteArray>> earlyEnd(StopReason reason, bool timedOut)
{
    if (timedOut)
        return {{Execution::Fate::TimedOut, "timeout"}};
    switch (reason) {
    case StopReason::None:
        return std::nullopt;
    case StopReason::Request:
        return {{Execution::Fate::Stopped, "stopped_by_request"}};
    case StopReason::ClaimLost:
    case StopReason::WorkerStops:
        return {{Execution::Fate::Abandoned, {}}};
    }
    return std::nullopt;
}

} // namespace

/// Everything a run needs before a process exists.
struct ProcessExecutor::Prepared {
    Interpreter row;
    std::optional<JobFolder> folder; ///< where the containment does not bring one along
    LaunchOrder order; ///< as it would run uncontained
    QStringList needs; ///< of the interpreter
    JobAccess access;
    RunLimits limits; ///< of this job
    Containment containment;
    QByteArray kind; ///< of the warm interpreter that forks it; empty: it starts cold
};

/// As it stands in the job's record.
QByteArray ProcessExecutor::containmentOf(const Prepared &prepared)
{
    const QByteArray name = levelName(prepared.containment.level);
    return prepared.access.isEmpty() ? name : name + ", " + accessText(prepared.access).toUtf8();
}

ProcessExecutor::ProcessExecutor(const InterpreterTable *table, Options options, Clock *clock)
    : m_table(table)
    , m_options(withDefaults(std::move(options)))
    , m_clock(clock)
    , m_sandbox({m_options.launcher, m_options.bestLevel, {}})
{
}

ProcessExecutor::Options ProcessExecutor::withDefaults(Options options)
{
    options.launcher = launcherPath(options.launcher);
    if (options.tempRoot.isEmpty())
        options.tempRoot = JobFolder::defaultRoot();
    return options;
}

Result<void> ProcessExecutor::canRun(const QByteArray &type) const
{
    const InterpreterStatus status = m_table->probe(type);
    if (!status.found)
        return failure(ErrorKind::NotFound, status.detail);
    return checkLauncher(m_options.launcher);
}

std::optional<RunLimits> ProcessExecutor::limitsOf(const Job &job) const
{
    const auto row = m_table->findForScript(job.target.type, job.script);
    return row ? std::optional(limitsFor(*row, job)) : std::nullopt;
}

QCoro::Task<Result<void>> ProcessExecutor::prepare(RunGrant grant)
{
    const Containment found = co_await m_sandbox.probe();
    Result<void> answer = checkContainment(found, grant);
    co_return answer;
}

QCoro::Task<InterpreterStatus> ProcessExecutor::examine(Interpreter row)
{
    InterpreterStatus status = InterpreterTable::probe(row);
    if (!status.found)
        co_return status;
    const Containment containment = co_await m_sandbox.probe();
    const InterpreterFacts facts = co_await m_interpreters.facts(status.path);
    row.command = QStringList{facts.program} + row.versionArguments;
    Job nothing;
    nothing.timeout = std::chrono::seconds{5};
    Result<Prepared> prepared = ordered(nothing, row, facts, containment);
    if (!prepared)
        co_return status;
    prepared->kind.clear();
    prepared->order.niceness = 0;
    QByteArray said;
    Launch launch([&said](OutputChunk::Stream, const QByteArray &bytes) { said += bytes.left(1000 - said.size()); });
    Watchdog watchdog(&launch, m_clock, Milliseconds{500});
    watchdog.limit(nothing.timeout);
    const LaunchEnd end = co_await launched(&launch, &*prepared, {});
    co_await watchdog.drain();
    status.isBroken = end.how != LaunchEnd::How::Exit || end.code != 0;
    status.version = QString::fromUtf8(said).section(u'\n', 0, 0).trimmed().left(100);
    if (watchdog.timedOut()) {
        status.isBroken = true;
        status.version.clear();
        status.detail = tr("%1 did not say its version within %2 s where jobs run").arg(status.path).arg(nothing.timeout.count());
    } else if (status.isBroken) {
        const QString why = status.version.isEmpty() ? endOfProbe(end) : status.version;
        status.detail = tr("%1 does not run where jobs run: %2").arg(status.path, why);
    }
    co_return status;
}

QString ProcessExecutor::containmentLine() const
{
    const std::optional<Containment> known = m_sandbox.known();
    return known ? containmentText(*known) : QString();
}

QCoro::Task<Result<ProcessExecutor::Prepared>> ProcessExecutor::prepareRun(Job job, RunGrant grant)
{
    using Answer = Result<Prepared>;
    const auto row = m_table->findForScript(job.target.type, job.script);
    const InterpreterStatus status = row ? InterpreterTable::probe(*row) : m_table->probe(job.target.type);
    if (!status.found)
        co_return Answer(failure(ErrorKind::NotFound, status.detail));
    if (const auto ok = checkLauncher(m_options.launcher); !ok)
        co_return Answer(tl::unexpected(ok.error()));
    const Containment containment = co_await m_sandbox.probe();
    if (const auto ok = checkContainment(containment, grant); !ok)
        co_return Answer(tl::unexpected(ok.error()));
    if (const QString refusal = notGranted(job.access, combined(row->access, grant.access)); !refusal.isEmpty())
        co_return Answer(failure(ErrorKind::Permission, refusal));
    const InterpreterFacts facts = co_await m_interpreters.facts(status.path);
    Answer prepared = ordered(job, *row, facts, containment);
    co_return prepared;
}

Result<ProcessExecutor::Prepared> ProcessExecutor::ordered(const Job &job, const Interpreter &row,
                                                           const InterpreterFacts &facts,
                                                           const Containment &containment) const
{
    Prepared prepared{row, std::nullopt, {}, facts.needs, combined(row.access, job.access), limitsFor(row, job),
                      containment, {}};
    LaunchOrder &order = prepared.order;
    order.folder = Sandbox::jobFolder(containment.level);
    if (order.folder.isEmpty()) {
        Result<JobFolder> made = JobFolder::create(m_options.tempRoot);
        if (!made)
            return tl::unexpected(made.error());
        order.folder = prepared.folder.emplace(std::move(*made)).path();
        order.removesFolder = true;
    }
    const QByteArray name = "script" + QFile::encodeName(row.fileSuffix);
    const QByteArray script = order.folder + '/' + name;
    order.files = {{name, preparedScript(row, job)}};
    order.launcher = m_options.launcher;
    order.command = {QFile::encodeName(facts.program)};
    for (const QString &word : row.command.mid(1))
        order.command.append(QFile::encodeName(word).replace("{file}", script));
    order.variables = jobEnvironment(job, order.folder);
    order.input = row.feed == Interpreter::Feed::StandardInput ? script : QByteArray();
    order.niceness = m_options.niceness;
    for (const QByteArray &variable : std::as_const(order.variables)) {
        if (variable.size() > maxVariableBytes)
            return failure(ErrorKind::TooLarge,
                           tr("The variable %1 is longer than the 128 KiB that an environment can carry")
                               .arg(QString::fromUtf8(variable.left(variable.indexOf('=')))));
    }
    // At the other levels each run has a folder of its own, and a warm interpreter could not be confined to it. A job
    // with folders of others beside its own leaves nothing to a next one.
    if (m_options.isWarm && containment.level == ContainmentLevel::Bubblewrap && prepared.access.readable.isEmpty()
        && prepared.access.writable.isEmpty() && canBeForked(row, job)) {
        order.script = script;
        order.imports = importedModules(job.script);
        prepared.kind = kindOf(order.command.constFirst(), prepared.access, row.limits);
    }
    return prepared;
}

LaunchOrder ProcessExecutor::contained(const Prepared &prepared, LaunchOrder order, const RunLimits &limits) const
{
    return m_sandbox.contained(std::move(order), prepared.containment, prepared.access, limits, prepared.needs);
}

/// A warm interpreter of the kind that is wanted, an idle one or a new one; not started for a job that starts cold.
std::unique_ptr<Launch> ProcessExecutor::launchFor(const Prepared &prepared, Launch::Output output)
{
    if (prepared.kind.isEmpty() || m_warm.isUseless(prepared.kind))
        return std::make_unique<Launch>(std::move(output));
    std::unique_ptr<Launch> launch = m_warm.take(prepared.kind);
    if (!launch) {
        launch = std::make_unique<Launch>();
        launch->start(contained(prepared, warmInterpreter(prepared.order, Sandbox::warmModule()), prepared.row.limits));
    }
    return launch;
}

/// Starts the job and waits for its end. When the launcher itself was killed, its duty is done here.
QCoro::Task<LaunchEnd> ProcessExecutor::launched(Launch *launch, const Prepared *prepared, Launch::Output output)
{
    LaunchOrder order;
    const bool isWarm = launch->isWarm();
    if (isWarm) {
        order = prepared->order;
        order.limits = {"cpu " + QByteArray::number(qint64(prepared->limits.cpu.count()))};
        launch->runNext(order, std::move(output));
    } else {
        order = contained(*prepared, prepared->order, prepared->limits);
        launch->start(order);
    }
    const Completion<LaunchEnd> ended = launch->ended();
    LaunchEnd end = co_await ended;
    if (end.how == LaunchEnd::How::LauncherFailed && launch->processId() > 0 && !isWarm && order.wrapper.isEmpty())
        end.leftProcesses =
            co_await sweepRun(m_clock, launch->processId(), prepared->order.folder, Milliseconds{10'000});
    co_return end;
}

QCoro::Task<Execution> ProcessExecutor::run(ExecutionRequest request, OutputSink sink, RunControl control)
{
    Execution execution;
    const auto endsBeforeItStarts = [&] {
        const auto early = earlyEnd(control.reason(), false);
        if (early)
            std::tie(execution.fate, execution.error) = *early;
        return early.has_value();
    };
    if (endsBeforeItStarts())
        co_return execution;
    Result<Prepared> prepared = co_await prepareRun(request.job, request.grant);
    if (endsBeforeItStarts()) // looking at an interpreter for the first time takes a while
        co_return execution;
    if (!prepared)
        co_return failed(prepared.error().text());

    OutputCapture out(m_options.headBytes, m_options.tailBytes);
    OutputCapture err(m_options.headBytes, m_options.tailBytes);
    const auto pass = [&](OutputChunk::Stream stream, QByteArray bytes) {
        (stream == OutputChunk::Stream::Out ? out : err).append(bytes);
        if (sink)
            sink({request.job.id, request.job.attempt, stream, std::move(bytes)});
    };
    std::unique_ptr<Launch> launch = launchFor(*prepared, pass);
    Watchdog watchdog(launch.get(), m_clock, request.stopGrace);
    const Monotonic begun = m_clock->monotonic();
    watchdog.limit(request.job.timeout);
    LaunchEnd end;
    {
        QCoro::Task<LaunchEnd> running = launched(launch.get(), &*prepared, pass);
        const std::stop_callback onStop(control.token(), [&watchdog] { watchdog.end(); });
        end = co_await running;
        // The warm interpreter had died, or cannot be one: nothing of the job has run yet.
        while (launch->isWarm() && end.how == LaunchEnd::How::NotStarted && control.reason() == StopReason::None) {
            if (launch->runCount() == 1)
                m_warm.setUseless(prepared->kind);
            launch = launchFor(*prepared, pass);
            watchdog.watch(launch.get());
            QCoro::Task<LaunchEnd> again = launched(launch.get(), &*prepared, pass);
            end = co_await again;
        }
    }
    co_await watchdog.drain();
    if (end.mayRunAgain && control.reason() == StopReason::None)
        m_warm.giveBack(prepared->kind, std::move(launch));

    const bool stderrFails = prepared->row.failure == Interpreter::Failure::ExitCodeOrStderr;
    execution.fate = fateOf(end, stderrFails, err.total() > 0);
    execution.exitCode = end.how == LaunchEnd::How::Exit ? end.code : -1;
    execution.signal = end.how == LaunchEnd::How::Signal ? end.code : 0;
    execution.output = out.text();
    execution.error = err.text();
    execution.outputBytes = out.total();
    execution.errorBytes = err.total();
    execution.duration = m_clock->monotonic() - begun;
    execution.cpuTime = end.cpuTime;
    execution.maxRssKb = end.maxRssKb;
    execution.leftProcesses = end.leftProcesses;
    execution.containment = containmentOf(*prepared);
    if (end.how == LaunchEnd::How::NotStarted || end.how == LaunchEnd::How::LauncherFailed)
        execution.error = notStartedText(end, prepared->order.command.constFirst());
    else if (execution.fate == Execution::Fate::Failed)
        execution.error = failureText(end, prepared->limits, execution.error);
    if (const auto early = earlyEnd(control.reason(), watchdog.timedOut()))
        std::tie(execution.fate, execution.error) = *early;
    if (end.isStuck)
        qCWarning(logWorker, "job %s: a process hangs in the kernel and could not be ended",
                  request.job.id.constData());
    co_return execution;
}

} // namespace ym
