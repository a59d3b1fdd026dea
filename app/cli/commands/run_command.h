// yardmaster run: one script as a job, here and now.
#pragma once

#include "app/cli/command.h"
#include "app/cli/draft_options.h"
#include "app/cli/containment_option.h"
#include "app/cli/local_executor.h"
#include "app/cli/utf8_chunks.h"

#include "core/base/task_scope.h"
#include "core/worker/worker_runner.h"

namespace ym::cli {

class RunCommand final : public Command {
public:
    void define(OptionSet *options) override;
    Result<void> check(const Paths &paths) override;
    bool worksInMemory() const override { return true; }
    QCoro::Task<int> run(Context *context) override;

private:
    void connectRunner();
    void onInterrupt(int count);
    void onEnded(const QByteArray &jobId, const Execution &execution);
    QCoro::Task<Job> serve();
    QCoro::Task<void> stopInStore();
    void printOutput(const OutputChunk &chunk);
    void printText(const QByteArray &jobId, OutputChunk::Stream stream, const QByteArray &bytes) const;
    void printEnd(const Job &job) const;
    int exitCode(const Job &job) const;

    QCoro::Task<void> explain();

    DraftOptions m_options;
    ContainmentOption m_containment;
    QByteArray m_project;
    bool m_explains = false;
    Job m_draft;
    std::unique_ptr<LocalExecutor> m_local;
    Context *m_context = nullptr;
    std::unique_ptr<Producer> m_producer;
    std::unique_ptr<WorkerRunner> m_runner;
    TaskScope m_scope{"yardmaster run"};
    Utf8Chunks m_out;
    Utf8Chunks m_err;
    std::optional<Execution> m_last; ///< of the latest attempt
};

} // namespace ym::cli
