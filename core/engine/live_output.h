// The output of jobs that run in this process, kept until somebody looks.
#pragma once

#include "core/engine/output_window.h"

#include <QHash>

#include <deque>

namespace ym {

/// Keeps the beginning and the end of the output of every local run and of the last few that ended, so that a pane that
/// opens late sees what was written before. Core thread.
class LiveOutput {
public:
    static constexpr qsizetype headBytes = 256 * 1024;
    static constexpr qsizetype tailBytes = 768 * 1024;
    static constexpr size_t endedJobs = 16;
    static constexpr qsizetype endedBytes = 2 << 20; ///< of all runs that ended together; the store has their results

    void begin(const QByteArray &jobId);
    void append(const OutputChunk &chunk);
    void end(const QByteArray &jobId);
    /// What is kept of a job, oldest first; empty when it never ran here.
    std::vector<OutputChunk> of(const QByteArray &jobId) const;

private:
    QHash<QByteArray, std::shared_ptr<OutputWindow>> m_jobs;
    std::deque<QByteArray> m_ended;
};

} // namespace ym
