// The heart of a worker: claim, run, finish.
#pragma once

#include "core/base/backoff.h"
#include "core/base/task_scope.h"
#include "core/worker/executor.h"
#include "core/worker/result_spool.h"
#include "core/worker/run_record.h"
#include "core/worker/slot_plan.h"
#include "core/worker/worker_runner.h"

#include <QHash>
#include <QObject>

namespace ym {

/// What a worker works with; all of it must outlive the worker's loops.
struct WorkerParts {
    Store *store = nullptr;
    Consumer *consumer = nullptr;
    Executor *executor = nullptr;
    Clock *clock = nullptr;
};

/// Claims jobs as slots become free and runs each in a coroutine of its own. When a job ends, its finish and the next
/// claim are issued in the same event-loop turn, so that both leave in one write. One thread, the store's.
class WorkerLoop : public QObject {
    Q_OBJECT
public:
    WorkerLoop(WorkerParts parts, WorkerRunner::Spec spec, QObject *parent = nullptr);
    ~WorkerLoop() override;

    /// Begins to claim; emits drained() once when the queues are empty and the spec says to end then.
    void start();
    /// Quiet: claims nothing, also gives up a claim that waits. What runs goes on.
    void setQuiet(bool quiet);
    bool isQuiet() const { return m_quiet || m_claiming.isStopping(); }
    /// Claims nothing any more, for good.
    void endClaiming();

    /// The claims whose scripts run now.
    std::vector<Claim> running() const;
    QList<QByteArray> busyIds() const;
    /// True while a job runs or its result is on its way.
    bool isBusy() const { return m_open > 0; }
    quint64 doneCount() const { return m_doneCount; }
    QString trouble() const { return m_trouble; }
    ResultSpool *spool() { return &m_spool; }

    /// Ends the runs of this job id. False when there is none.
    bool stopJob(const QByteArray &id, StopReason reason);
    void endRuns(StopReason reason);
    /// Ends the runs of these very claims, because they are no longer ours.
    void loseClaims(const std::vector<Claim> &claims);
    /// Of the runs whose scripts said something new of it since the last call.
    std::vector<ProgressReport> takeProgress();
    /// The leases of these claims were renewed now.
    void renewed(const std::vector<Claim> &claims);

    /// Returns when nothing runs, or when `stop` is requested.
    QCoro::Task<void> untilIdle(std::stop_token stop);
    /// Ends claiming and returns when every coroutine has ended.
    QCoro::Task<void> drain();

Q_SIGNALS:
    void changed();
    void drained();
    void jobStarted(const ym::Job &job);
    void jobOutput(const ym::OutputChunk &chunk);
    void jobEnded(const QByteArray &id, const ym::Execution &execution);
    void lateResult(const QByteArray &id, const ym::Execution &execution);
    void claimsLost(const std::vector<ym::Claim> &claims);

private:
    struct Run;
    QCoro::Task<void> claimJobs();
    QCoro::Task<int> untilWanted();
    QCoro::Task<bool> isDrained(bool foundNothing);
    enum class Patience : quint8 { None, Some }; ///< whether a claim waits for jobs
    bool isLate(Monotonic asked, Timestamp askedAt) const;
    QCoro::Task<std::vector<Claim>> stillOurs(std::vector<Claim> claims);
    QCoro::Task<std::vector<Claim>> claimOnce(int count, Patience patience);
    SlotPlan::Wish wish() const;
    bool isBacklog(const std::vector<Claim> &claims, int asked) const;
    QCoro::Task<void> turnEnd();
    bool mayRun() const { return !m_quiet && !m_claiming.isStopping(); }
    QCoro::Task<std::vector<Claim>> place(std::vector<Claim> claims);
    QCoro::Task<void> run(std::vector<Claim> placed);
    QCoro::Task<void> giveBackAll(std::vector<Claim> claims);
    QCoro::Task<void> giveBack(Claim claim);
    QCoro::Task<void> runOne(Claim claim);
    QCoro::Task<void> settle(Claim claim, Execution execution, StopReason reason, Timestamp until);
    std::shared_ptr<Run> runOf(const Claim &claim) const;
    QCoro::Task<void> waitAfter(Error error);
    RunRecord::Places recordPlaces(const Claim &claim);
    void wake();
    void setTrouble(const QString &text);
    Timestamp leaseEnd() const;

    WorkerParts m_parts;
    WorkerRunner::Spec m_spec;
    SlotPlan m_plan;
    AuditLog m_audit;
    ResultSpool m_spool;
    Backoff m_backoff;
    QMultiHash<QByteArray, std::shared_ptr<Run>> m_runs; ///< by job id; a claim that was lost may still be ending
    bool m_quiet = false;
    int m_open = 0; ///< jobs that run or whose result is on its way
    quint64 m_doneCount = 0;
    QString m_trouble;
    std::stop_source m_wake; ///< replaced at each wake
    std::stop_source m_claimStop; ///< of the claim that waits now
    TaskScope m_claiming{"claims of a worker"};
    TaskScope m_jobs{"jobs of a worker"};
};

} // namespace ym
