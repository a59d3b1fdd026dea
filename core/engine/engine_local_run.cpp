#include "core/engine/engine_local_run.h"

#include "core/base/log.h"
#include "core/engine/change_batcher.h"
#include "core/worker/audit_log.h"
#include "core/worker/executor.h"

#include <QCoreApplication>
#include <QTimer>

namespace ym {

/// What both threads hold. `run` is only looked at in the GUI thread, the rest only in the core thread.
struct EngineLocalRun::Shared {
    QPointer<EngineLocalRun> run;
    Parts parts;
    RunControl control;
    OutputWindow output{ChangeBatcher::outputHead, ChangeBatcher::outputTail};

    template <typename Do> void tell(const std::shared_ptr<Shared> &self, Do what)
    {
        // The application outlives both threads' events; the run itself may be gone when this arrives.
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, what] {
                if (self->run)
                    what(self->run.data());
            },
            Qt::QueuedConnection);
    }

    void flush(const std::shared_ptr<Shared> &self)
    {
        if (output.isEmpty())
            return;
        tell(self, [chunks = output.take()](EngineLocalRun *listener) { Q_EMIT listener->wrote(chunks); });
    }
};

EngineLocalRun::EngineLocalRun(Parts parts, Job job)
    : m_shared(std::make_shared<Shared>())
    , m_context(parts.context)
{
    m_shared->run = this;
    m_shared->parts = std::move(parts);
    job.attempt = 1;
    if (job.id.isEmpty())
        job.id = newJobId();
    const auto start = [shared = m_shared, job] { shared->parts.scope->spawn(run(shared, job)); };
    QMetaObject::invokeMethod(m_context, start, Qt::QueuedConnection);
}

EngineLocalRun::~EngineLocalRun()
{
    stop();
}

void EngineLocalRun::stop()
{
    if (!m_context)
        return;
    QMetaObject::invokeMethod(
        m_context, [shared = m_shared] { shared->control.stop(StopReason::Request); }, Qt::QueuedConnection);
}

QCoro::Task<void> EngineLocalRun::run(std::shared_ptr<Shared> shared, Job job)
{
    QTimer flushing;
    flushing.setTimerType(Qt::PreciseTimer);
    flushing.setInterval(ChangeBatcher::outputInterval);
    connect(&flushing, &QTimer::timeout, &flushing, [shared] { shared->flush(shared); });
    const OutputSink sink = [&flushing, shared](const OutputChunk &chunk) {
        shared->output.append(chunk);
        if (!flushing.isActive()) {
            QTimer::singleShot(0, &flushing, [shared] { shared->flush(shared); });
            flushing.start();
        }
    };
    // The application ends: so does what is only tried out.
    const std::stop_callback onEnd(shared->parts.scope->token(),
                                   [shared] { shared->control.stop(StopReason::WorkerStops); });
    ExecutionRequest request;
    request.job = job;
    request.grant = {job.access, shared->parts.limitsOnly};
    const Execution execution =
        co_await shared->parts.executor()->run(std::move(request), sink, shared->control);
    flushing.stop();
    shared->flush(shared);
    AuditLog audit(shared->parts.auditFile);
    const AuditLog::By by{"trial", shared->parts.executor()->limitsOf(job)};
    const Result<void> recorded = audit.record(Clock::system().now(), job, by, execution);
    if (!recorded)
        qCWarning(logEngine, "the audit log was not written: %s", qPrintable(recorded.error().text()));
    shared->tell(shared, [execution](EngineLocalRun *listener) { Q_EMIT listener->ended(execution); });
}

} // namespace ym
