#include "core/engine/audit_reader.h"

#include "core/worker/limit_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QtConcurrentRun>

#include <nlohmann/json.hpp>

namespace ym {

namespace {

using Json = nlohmann::json;

constexpr int mostFiles = 5; ///< as they are rotated
constexpr qint64 mostBytes = qint64{16} << 20; ///< of one file

QByteArray text(const Json &entry, const char *name)
{
    const auto value = entry.find(name);
    return value != entry.end() && value->is_string() ? QByteArray::fromStdString(value->get<std::string>())
                                                      : QByteArray();
}

qint64 number(const Json &entry, const char *name, qint64 otherwise)
{
    const auto value = entry.find(name);
    return value != entry.end() && value->is_number_integer() ? value->get<qint64>() : otherwise;
}

std::optional<AuditEntry> read(const QByteArray &line)
{
    const Json json = Json::parse(line.begin(), line.end(), nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    AuditEntry entry;
    entry.time = parseTimestamp(text(json, "time"));
    entry.job = text(json, "job");
    entry.attempt = int(number(json, "attempt", 0));
    entry.type = text(json, "type");
    entry.worker = text(json, "worker");
    entry.caller = text(json, "caller");
    entry.sha256 = text(json, "sha256");
    entry.containment = text(json, "contained");
    if (const auto limits = json.find("limits"); limits != json.end() && limits->is_object())
        entry.limits = limitsText(limitsFromJson(*limits)).toUtf8();
    entry.fate = text(json, "fate");
    entry.exitCode = int(number(json, "exit", -1));
    entry.signal = int(number(json, "signal", 0));
    entry.durationMs = number(json, "duration_ms", -1);
    entry.cpuMs = number(json, "cpu_ms", -1);
    entry.peakKb = number(json, "max_rss_kb", -1);
    return entry;
}

/// False when the file is not there.
bool readFile(const QString &path, qsizetype most, QList<AuditEntry> &entries)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return file.exists();
    file.seek(std::max<qint64>(0, file.size() - mostBytes));
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (auto line = lines.crbegin(); line != lines.crend() && entries.size() < most; ++line) {
        if (const std::optional<AuditEntry> entry = line->isEmpty() ? std::nullopt : read(*line))
            entries.append(*entry);
    }
    return true;
}

Result<QList<AuditEntry>> readAll(const QString &path, qsizetype most)
{
    QFile newest(path);
    if (newest.exists() && !newest.open(QIODevice::ReadOnly))
        return failure(ErrorKind::Io,
                       QCoreApplication::translate("ym::AuditReader", "The audit log cannot be read: %1.")
                           .arg(newest.errorString()));
    newest.close();
    QList<AuditEntry> entries;
    for (int number = 0; number < mostFiles && entries.size() < most; ++number) {
        if (!readFile(number == 0 ? path : path + u'.' + QString::number(number), most, entries))
            break;
    }
    return entries;
}

} // namespace

QFuture<Result<QList<AuditEntry>>> readAuditLog(QString path, qsizetype most)
{
    return QtConcurrent::run([path = std::move(path), most] { return readAll(path, most); });
}

} // namespace ym
