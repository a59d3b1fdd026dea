// Runs one script; the worker loop neither knows nor cares how.
#pragma once

#include "core/base/error.h"
#include "core/job/change_set.h"
#include "core/job/containment.h"
#include "core/job/execution.h"
#include "core/job/job.h"

#include <functional>
#include <optional>
#include <stop_token>

#include <QCoroTask>

namespace ym {

/// What an executor needs to know of a run.
struct ExecutionRequest {
    Job job; ///< id, script, env, timeout, callerId, contextId, attempt, target.type
    Milliseconds stopGrace{2'000}; ///< SIGTERM → SIGKILL, when it is ended early
    RunGrant grant{}; ///< what the worker's owner allows
};

/// Receives output while the job runs, in order; called in the executor's thread.
using OutputSink = std::function<void(OutputChunk)>;

/// Why a running job is asked to end; decides its Fate.
enum class StopReason : quint8 { None, Request, ClaimLost, WorkerStops };

/// The handle with which the loop ends a run early. Copies share it.
class RunControl {
public:
    RunControl();
    /// First reason wins. The process group gets SIGTERM, after the grace SIGKILL.
    void stop(StopReason reason) const;
    StopReason reason() const;
    std::stop_token token() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

class Executor {
public:
    virtual ~Executor() = default;

    /// An empty Result when a job of this type could be started now, else what is missing and what to do
    /// ("rhai-run was not found; set it in Settings › Interpreters"). Asked before a worker claims and by `run`.
    virtual Result<void> canRun(const QByteArray &type) const = 0;

    /// An empty Result when jobs can be run under this grant, else why not and what to do. May take a moment the first
    /// time. Asked before a worker announces itself.
    virtual QCoro::Task<Result<void>> prepare(RunGrant grant)
    {
        Q_UNUSED(grant);
        co_return Result<void>();
    }

    /// The limits under which this job would run; nothing when they are not known.
    virtual std::optional<RunLimits> limitsOf(const Job &job) const
    {
        Q_UNUSED(job);
        return std::nullopt;
    }

    /// One line for people about how runs are contained; empty until that is known.
    virtual QString containmentLine() const { return {}; }

    /// Runs to the end. Never throws: a run that cannot start is a Failed execution. When the task returns, no process
    /// of the run is left.
    virtual QCoro::Task<Execution> run(ExecutionRequest request, OutputSink sink, RunControl control) = 0;
};

} // namespace ym
