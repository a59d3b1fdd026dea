// The output of jobs that run in this process, kept until somebody looks.
#pragma once

#include "core/job/change_set.h"

#include <QHash>

#include <deque>

namespace ym {

/// Keeps the last MiB of output of every local run and of the last few that ended, so that a pane that opens late sees
/// what was written before. Core thread.
class LiveOutput {
public:
    static constexpr qsizetype bytesPerJob = 1024 * 1024;
    static constexpr size_t endedJobs = 16;

    void begin(const QByteArray &jobId);
    void append(const OutputChunk &chunk);
    void end(const QByteArray &jobId);
    /// What is kept of a job, oldest first; empty when it never ran here.
    std::vector<OutputChunk> of(const QByteArray &jobId) const;

private:
    struct Kept {
        std::deque<OutputChunk> chunks;
        qsizetype bytes = 0;
    };
    QHash<QByteArray, Kept> m_jobs;
    std::deque<QByteArray> m_ended;
};

} // namespace ym
