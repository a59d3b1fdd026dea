// What was executed here: one line of JSON per run, for ever as far as the disk allows.
#pragma once

#include "core/base/error.h"
#include "core/job/execution.h"
#include "core/job/job.h"

namespace ym {

/// Appends to one file (0600, rotated). Never the script, its output or its environment: the script's SHA-256 says what
/// it was. Cheap to make; several workers and processes may write to the same file.
class AuditLog {
public:
    /// `path` empty: records nothing.
    explicit AuditLog(QString path);

    /// `worker` is {type}:{group}:{instance} of who ran it.
    Result<void> record(Timestamp when, const Job &job, const QByteArray &worker, const Execution &execution) const;

private:
    QString m_path;
};

} // namespace ym
