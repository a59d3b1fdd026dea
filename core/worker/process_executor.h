// Runs scripts as processes: one small launcher per job, nothing left behind.
#pragma once

#include "core/worker/executor.h"
#include "core/worker/interpreter_table.h"
#include "core/worker/interpreter_probe.h"
#include "core/worker/launch.h"
#include "core/worker/sandbox.h"
#include "core/worker/warm_pool.h"

namespace ym {

class JobFolder;

/// Runs a job's script with the interpreter of its type. Each run has a fresh private folder as working directory,
/// HOME, a clean environment, and a launcher that ends every process of the run, also daemons and also when this
/// application is killed, all in the best containment that this machine allows (Sandbox). Any number of runs at once,
/// in one thread, without blocking it. The script is passed as a file or on standard input, never in argv.
class ProcessExecutor final : public Executor {
public:
    struct Options {
        QString tempRoot; ///< private root of job folders; empty = JobFolder::defaultRoot()
        QString launcher; ///< empty = YARDMASTER_LAUNCHER, else yardmaster-launch beside the program
        qint64 headBytes = 1 << 20; ///< of each stream, kept in the result (RELIABILITY 7.3)
        qint64 tailBytes = 7 << 20; ///< likewise, of its end; 8 MiB together
        int niceness = 10;
        bool isWarm = false; ///< Python jobs are forked from an interpreter that has started and imported already
        ContainmentLevel bestLevel = ContainmentLevel::Bubblewrap; ///< better ones are not used
    };

    /// What was found out about this machine; finds out at the first call.
    QCoro::Task<Containment> containment() { return m_sandbox.probe(); }

    /// `table` and `clock` must outlive the executor, the executor its runs.
    ProcessExecutor(const InterpreterTable *table, Options options, Clock *clock);

    Result<void> canRun(const QByteArray &type) const override;
    /// Permission when jobs cannot be contained as far as the grant demands.
    QCoro::Task<Result<void>> prepare(RunGrant grant) override;
    /// Runs the interpreter once, contained as its jobs would be, so that it says its version.
    QCoro::Task<InterpreterStatus> examine(Interpreter row);
    QString containmentLine() const override;
    std::optional<RunLimits> limitsOf(const Job &job) const override;
    QCoro::Task<Execution> run(ExecutionRequest request, OutputSink sink, RunControl control) override;

private:
    struct Prepared;
    static Options withDefaults(Options options);
    QCoro::Task<Result<Prepared>> prepareRun(Job job, RunGrant grant);
    Result<Prepared> ordered(const Job &job, const Interpreter &row, const InterpreterFacts &facts,
                             const Containment &containment) const;
    static QByteArray containmentOf(const Prepared &prepared);
    LaunchOrder contained(const Prepared &prepared, LaunchOrder order, const RunLimits &limits) const;
    std::unique_ptr<Launch> launchFor(const Prepared &prepared, Launch::Output output);
    QCoro::Task<LaunchEnd> launched(Launch *launch, const Prepared *prepared, Launch::Output output);

    const InterpreterTable *m_table;
    Options m_options;
    Clock *m_clock;
    Sandbox m_sandbox;
    InterpreterProbe m_interpreters;
    WarmPool m_warm;
};

} // namespace ym
