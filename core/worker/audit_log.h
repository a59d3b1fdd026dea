// What was executed here: one line of JSON per run, for ever as far as the disk allows.
#pragma once

#include "core/base/error.h"
#include "core/job/execution.h"
#include "core/job/job.h"
#include "core/worker/rotating_file.h"

#include <optional>

namespace ym {

/// Appends to one file (0600, rotated). Never the script, its output or its environment: the script's SHA-256 says what
/// it was. Opens the file at the first run and keeps it; several workers and processes may write to the same one. One
/// thread.
class AuditLog {
public:
    /// `path` empty: records nothing.
    explicit AuditLog(QString path);

    /// Who ran it, and under which limits.
    struct By {
        QByteArray worker; ///< {type}:{group}:{instance}
        std::optional<RunLimits> limits{}; ///< nothing: not known
    };
    Result<void> record(Timestamp when, const Job &job, const By &by, const Execution &execution);

private:
    Result<void> open();

    QString m_path;
    std::optional<RotatingFile> m_file;
};

} // namespace ym
