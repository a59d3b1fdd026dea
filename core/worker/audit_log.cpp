#include "core/worker/audit_log.h"

#include "core/job/fate_name.h"
#include "core/worker/limit_text.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <nlohmann/json.hpp>

namespace ym {

namespace {

QByteArray line(Timestamp when, const Job &job, const AuditLog::By &by, const Execution &execution)
{
    const QByteArray sha = QCryptographicHash::hash(job.script, QCryptographicHash::Sha256).toHex();
    nlohmann::ordered_json entry;
    entry["time"] = toRfc3339(when).toStdString();
    entry["job"] = job.id.toStdString();
    entry["attempt"] = job.attempt;
    entry["type"] = job.target.type.toStdString();
    entry["worker"] = by.worker.toStdString();
    entry["caller"] = job.callerId.toStdString();
    entry["sha256"] = sha.toStdString();
    entry["contained"] = execution.containment.toStdString();
    if (by.limits)
        entry["limits"] = limitsToJson(*by.limits);
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

Result<void> AuditLog::record(Timestamp when, const Job &job, const By &by, const Execution &execution)
{
    if (m_path.isEmpty())
        return {};
    if (const Result<void> opened = m_file ? Result<void>() : open(); !opened)
        return opened;
    const Result<void> written = m_file->append(line(when, job, by, execution));
    if (!written)
        m_file.reset(); // the next run tries anew
    return written;
}

Result<void> AuditLog::open()
{
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
    m_file = std::move(*file);
    return {};
}

} // namespace ym
