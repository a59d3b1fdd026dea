// yardmaster worker: takes jobs and runs them.
#pragma once

#include "app/cli/command.h"
#include "app/cli/containment_option.h"
#include "app/cli/draft_options.h"
#include "app/cli/local_executor.h"

#include "core/base/task_scope.h"
#include "core/worker/worker_runner.h"

namespace ym::cli {

class WorkerCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    bool worksInMemory() const override { return true; }
    bool waitsForStore() const override { return true; }
    QCoro::Task<int> run(Context *context) override;

private:
    Result<void> checkPlace() const;
    QCoro::Task<Result<void>> startRunner(Context *context);
    void connectRunner(Context *context);
    void tellTrouble(Console *console);
    void onInterrupt(Context *context, int count);
    QCoro::Task<void> stopRunner(Milliseconds patience);
    QCoro::Task<void> leaveSilentStore(Store *store, Clock *clock);
    QCoro::Task<void> keepLost(Context *context, std::vector<Claim> claims);

    QList<QByteArray> m_types;
    RunGrant m_grant;
    QByteArray m_group = "default";
    QByteArray m_instance;
    QByteArray m_project;
    QByteArray m_workerId;
    int m_slots = 1;
    int m_leaseSeconds = 30;
    AccessOptions m_access;
    ContainmentOption m_containment;
    bool m_drains = false;
    bool m_isIsolated = false;
    std::unique_ptr<LocalExecutor> m_local;
    std::unique_ptr<WorkerRunner> m_runner;
    QString m_trouble; ///< that was told last
    TaskScope m_scope{"yardmaster worker"};
};

} // namespace ym::cli
