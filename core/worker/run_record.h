// What one run leaves on disk: its log file and its line in the audit log.
#pragma once

#include "core/worker/audit_log.h"
#include "core/worker/executor.h"
#include "core/worker/job_log.h"

#include <optional>

namespace ym {

/// Takes a run's output on its way to whoever watches. A log that cannot be written never fails the job: a note on its
/// standard error, as watchers see it, says why.
class RunRecord {
public:
    struct Places {
        QString logFolder; ///< empty: no log files
        AuditLog *audit = nullptr; ///< null: none; must outlive the record
        AuditLog::By by; ///< for the audit log
    };

    RunRecord(Places places, Job job, OutputSink watchers);

    void add(const OutputChunk &chunk);
    void end(Timestamp when, const Execution &execution);

private:
    void note(const QString &text);

    Places m_places;
    Job m_job;
    OutputSink m_watchers;
    std::optional<JobLog> m_log;
};

} // namespace ym
