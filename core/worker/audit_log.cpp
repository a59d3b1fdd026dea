#include "core/worker/audit_log.h"

#include "core/worker/rotating_file.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <nlohmann/json.hpp>

namespace ym {

namespace {

const char *fateName(Execution::Fate fate)
{
    switch (fate) {
    case Execution::Fate::Finished:
        return "finished";
    case Execution::Fate::Failed:
        return "failed";
    case Execution::Fate::Stopped:
        return "stopped";
    case Execution::Fate::TimedOut:
        return "timeout";
    case Execution::Fate::Abandoned:
        return "abandoned";
    }
    return "";
}

QByteArray line(Timestamp when, const Job &job, const QByteArray &worker, const Execution &execution)
{
    const QByteArray sha = QCryptographicHash::hash(job.script, QCryptographicHash::Sha256).toHex();
    nlohmann::ordered_json entry;
    entry["time"] = toRfc3339(when).toStdString();
    entry["job"] = job.id.toStdString();
    entry["attempt"] = job.attempt;
    entry["type"] = job.target.type.toStdString();
    entry["worker"] = worker.toStdString();
    entry["caller"] = job.callerId.toStdString();
    entry["sha256"] = sha.toStdString();
    entry["contained"] = execution.containment.toStdString();
    entry["fate"] = fateName(execution.fate);
    entry["exit"] = execution.exitCode;
    entry["signal"] = execution.signal;
    entry["duration_ms"] = execution.duration.count();
    entry["cpu_ms"] = execution.cpuTime.count();
    entry["max_rss_kb"] = execution.maxRssKb;
    // Ids are other people's bytes: what is not UTF-8 is replaced, never thrown at.
    return QByteArray::fromStdString(entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) + '\n';
}

} // namespace

AuditLog::AuditLog(QString path)
    : m_path(std::move(path))
{
}

Result<void> AuditLog::record(Timestamp when, const Job &job, const QByteArray &worker,
                              const Execution &execution) const
{
    if (m_path.isEmpty())
        return {};
    using Access = ConfinedFolder::Access;
    const QFileInfo where(m_path);
    const auto folder = ConfinedFolder::open(where.absolutePath(), Access::Append);
    if (!folder)
        return tl::unexpected(folder.error());
    Result<ConfinedFolder::Place> place = folder->locate(QFile::encodeName(where.fileName()), Access::Append);
    if (!place)
        return tl::unexpected(place.error());
    Result<RotatingFile> file = RotatingFile::open(std::move(*place), {});
    if (!file)
        return tl::unexpected(file.error());
    return file->append(line(when, job, worker, execution));
}

} // namespace ym
