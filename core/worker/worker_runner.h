// A local worker: identity, slots and the life cycle running → quiet → stopping → stopped.
#pragma once

#include "core/base/task_scope.h"
#include "core/job/change_set.h"
#include "core/protocol/protocol.h"
#include "core/worker/executor.h"

#include <QObject>

#include <memory>

namespace ym {

/// One worker with any number of slots, on one store. Lives in the store's thread; owns its loops. Presence is renewed
/// every third of its TTL, leases every third of theirs. Losing the store never ends it: it waits and goes on.
class WorkerRunner : public QObject {
    Q_OBJECT
public:
    struct Spec {
        WorkerIdentity identity;
        QString logFolder; ///< root of the jobs' log files; empty = no log files
        Milliseconds stopGrace{2'000}; ///< SIGTERM → SIGKILL
        bool drain = false; ///< ends by itself when its queues are empty and nothing runs
        Milliseconds presenceInterval{5'000}; ///< a third of ProtocolOptions::presenceTtl
        RunGrant grant{}; ///< what the owner allows the jobs
        QString auditFile; ///< one line per execution; empty = none
        QString spoolFolder; ///< for results that cannot reach the store, one per connection; empty = memory
    };

    WorkerRunner(Store *store, std::unique_ptr<Consumer> consumer, Executor *executor, Clock *clock, Spec spec,
                 QObject *parent = nullptr);
    ~WorkerRunner() override;

    /// Announces and begins to claim. Throws what announce() throws and what canRun() says for each type.
    QCoro::Task<void> start();
    /// Takes nothing new; what runs goes on.
    void quiet();
    void resume();
    /// Takes nothing new, waits up to `patience` for what runs, then ends it and gives the jobs back; returns when all
    /// loops have ended and the presence is gone. Calling it again with less patience shortens the wait.
    QCoro::Task<void> stop(Milliseconds patience);
    /// Returns when the worker has stopped, by stop() or by draining.
    QCoro::Task<void> finished();

    /// Ends one running job as a stop request would. False when it does not run here.
    bool stopJob(const QByteArray &id);

    LocalWorkerInfo info() const;
    /// True while a job runs or its result is on its way.
    bool isBusy() const;
    /// Why it cannot take jobs now; empty while it can.
    QString trouble() const;

Q_SIGNALS:
    void infoChanged();
    void jobStarted(const ym::Job &job);
    void jobOutput(const ym::OutputChunk &chunk);
    /// The run is over and its result committed, given back or kept for later.
    void jobEnded(const QByteArray &id, const ym::Execution &execution);
    /// The result came too late: the job is somebody else's by now, nothing was changed in the store.
    void lateResult(const QByteArray &id, const ym::Execution &execution);
    /// These runs are ended, because the jobs are somebody else's by now, or not there any more.
    void claimsLost(const std::vector<ym::Claim> &claims);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
