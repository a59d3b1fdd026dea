// What was executed on this computer, from the audit log that workers write.
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"

#include <QByteArray>
#include <QFuture>
#include <QList>
#include <QString>

#include <optional>

namespace ym {

/// One run. Texts are other people's bytes.
struct AuditEntry {
    std::optional<Timestamp> time; ///< of its end
    QByteArray job;
    int attempt = 0;
    QByteArray type;
    QByteArray worker;             ///< {type}:{group}:{inst}
    QByteArray caller;
    QByteArray sha256;             ///< of the script, hex
    QByteArray containment;
    QByteArray limits;             ///< for people; empty in older lines
    QByteArray fate;               ///< "finished", "failed", …
    int exitCode = -1;
    int signal = 0;
    qint64 durationMs = -1;
    qint64 cpuMs = -1;
    qint64 peakKb = -1;

    bool operator==(const AuditEntry &) const = default;
};

/// The latest runs, newest first, at most `most`; reads in a thread of its own, the file and those that were rotated
/// away. A line that cannot be read is left out; no file yet is an empty list.
QFuture<Result<QList<AuditEntry>>> readAuditLog(QString path, qsizetype most);

} // namespace ym
