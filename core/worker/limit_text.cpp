#include "core/worker/limit_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace ym {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ym::LimitText", text);
}

QString size(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes);
}

qint64 number(const nlohmann::json &json, const char *name)
{
    const auto value = json.find(name);
    return value != json.end() && value->is_number_integer() ? std::max<qint64>(0, value->get<qint64>()) : 0;
}

} // namespace

QString passedLimitText(const QByteArray &name, const RunLimits &limits)
{
    if (name == "memory")
        return tr("its processes held more than %1 of memory").arg(size(limits.memoryBytes));
    if (name == "processes")
        return tr("it had more than %1 processes and threads").arg(limits.processes);
    if (name == "disk")
        return tr("its folder held more than %1").arg(size(limits.diskBytes));
    return tr("its folder held more than %1 files").arg(limits.files);
}

QString limitsText(const RunLimits &limits)
{
    QStringList parts;
    const auto add = [&parts](qint64 value, const QString &text) {
        if (value > 0)
            parts.append(text);
    };
    add(limits.cpu.count(), tr("CPU %1 s").arg(limits.cpu.count()));
    add(limits.memoryBytes, tr("memory %1").arg(size(limits.memoryBytes)));
    add(limits.processes, tr("%1 processes").arg(limits.processes));
    add(limits.diskBytes, tr("disk %1").arg(size(limits.diskBytes)));
    add(limits.files, tr("%1 files").arg(limits.files));
    add(limits.fileBytes, tr("each file %1").arg(size(limits.fileBytes)));
    add(limits.openFiles, tr("%1 open files").arg(limits.openFiles));
    add(limits.addressBytes, tr("address space %1").arg(size(limits.addressBytes)));
    return parts.join(QStringLiteral(", "));
}

nlohmann::ordered_json limitsToJson(const RunLimits &limits)
{
    nlohmann::ordered_json json;
    json["cpu_s"] = limits.cpu.count();
    json["memory"] = limits.memoryBytes;
    json["address_space"] = limits.addressBytes;
    json["file"] = limits.fileBytes;
    json["disk"] = limits.diskBytes;
    json["files"] = limits.files;
    json["processes"] = limits.processes;
    json["open_files"] = limits.openFiles;
    return json;
}

RunLimits limitsFromJson(const nlohmann::json &json)
{
    const auto whole = [&json](const char *name) { return int(std::min<qint64>(number(json, name), INT_MAX)); };
    RunLimits limits;
    limits.cpu = std::chrono::seconds(number(json, "cpu_s"));
    limits.memoryBytes = number(json, "memory");
    limits.addressBytes = std::max(number(json, "address_space"), number(json, "address"));
    limits.fileBytes = number(json, "file");
    limits.diskBytes = number(json, "disk");
    limits.files = whole("files");
    limits.processes = whole("processes");
    limits.openFiles = std::max(whole("open_files"), whole("open"));
    return limits;
}

} // namespace ym
