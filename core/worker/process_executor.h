// Runs scripts as processes: one small launcher per job, nothing left behind.
#pragma once

#include "core/worker/executor.h"
#include "core/worker/interpreter_table.h"
#include "core/worker/launch.h"

namespace ym {

class JobFolder;

/// Runs a job's script with the interpreter of its type. Each run has a fresh private folder as working directory,
/// HOME and TMPDIR, a clean environment, its own process group, and a launcher that ends every process of the run,
/// also daemons and also when this application is killed. Any number of runs at once, in one thread, without blocking
/// it. The script is passed as a file or on standard input, never in argv.
class ProcessExecutor final : public Executor {
public:
    struct Options {
        QString tempRoot; ///< private root of job folders; empty = JobFolder::defaultRoot()
        QString launcher; ///< empty = YARDMASTER_LAUNCHER, else yardmaster-launch beside the program
        qint64 headBytes = 1 << 20; ///< of each stream, kept in the result (RELIABILITY 7.3)
        qint64 tailBytes = 7 << 20; ///< likewise, of its end; 8 MiB together
        int niceness = 10;
    };

    /// `table` and `clock` must outlive the executor, the executor its runs.
    ProcessExecutor(const InterpreterTable *table, Options options, Clock *clock);

    Result<void> canRun(const QByteArray &type) const override;
    QCoro::Task<Execution> run(ExecutionRequest request, OutputSink sink, RunControl control) override;

private:
    struct Prepared;
    Result<Prepared> prepare(const Job &job) const;
    QCoro::Task<LaunchEnd> launched(Launch *launch, LaunchOrder order);

    const InterpreterTable *m_table;
    Options m_options;
    Clock *m_clock;
};

} // namespace ym
