// yardmaster worker: takes jobs and runs them.
#pragma once

#include "app/cli/command.h"
#include "app/cli/local_executor.h"

#include "core/base/task_scope.h"
#include "core/worker/worker_runner.h"

#include <string>
#include <vector>

namespace ym::cli {

class WorkerCommand final : public Command {
public:
    void define(CLI::App *app) override;
    Result<void> check(const Paths &paths) override;
    bool worksInMemory() const override { return true; }
    bool waitsForStore() const override { return true; }
    QCoro::Task<int> run(Context *context) override;

private:
    void connectRunner(Console *console);
    void onInterrupt(Console *console, int count);
    QCoro::Task<void> stopRunner(Milliseconds patience);

    std::vector<std::string> m_types;
    std::string m_group = "default";
    std::string m_instance;
    int m_slots = 1;
    bool m_drains = false;
    std::unique_ptr<LocalExecutor> m_local;
    std::unique_ptr<WorkerRunner> m_runner;
    TaskScope m_scope{"yardmaster worker"};
};

} // namespace ym::cli
