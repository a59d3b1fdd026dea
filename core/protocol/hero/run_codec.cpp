#include "core/protocol/hero/run_codec.h"

#include "core/job/fate_name.h"
#include "core/protocol/hero/json_reader.h"

#include <algorithm>
#include <limits>

namespace ym::hero {

namespace {

constexpr qsizetype keptOutput = 4096;
constexpr const char *runPrefix = "run_";

nlohmann::ordered_json toJson(const QStringList &paths)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const QString &path : paths)
        array.push_back(path.toStdString());
    return array;
}

/// Absolute paths without NUL; false when there is another one among them.
bool readPaths(const nlohmann::json &object, const char *name, QStringList &paths)
{
    if (!object.contains(name))
        return true;
    if (!object[name].is_array())
        return false;
    for (const nlohmann::json &value : object[name]) {
        const QString path = value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
        if (!path.startsWith(u'/') || path.contains(QChar::Null))
            return false;
        paths.append(path);
    }
    return true;
}

/// Bytes that are not UTF-8 are replaced: this is for people.
QByteArray dump(const nlohmann::ordered_json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// The members of a run by name, whichever way it was written.
nlohmann::json named(nlohmann::json json)
{
    static constexpr const char *names[] = {"fate", "worker", "contained", "exit",   "signal",
                                            "ms",   "cpu_ms", "peak_kb",   "output", "error"};
    if (!json.is_array())
        return json;
    nlohmann::json object = nlohmann::json::object();
    for (size_t i = 0; i < std::min(json.size(), std::size(names)); ++i)
        object[names[i]] = std::move(json[i]);
    return object;
}

PastRun readRun(int attempt, const nlohmann::json &json)
{
    constexpr qint64 most = std::numeric_limits<qint64>::max();
    const auto count = [&json](const char *name) { return integerMember(json, name, 0, most, -1); };
    PastRun run;
    run.attempt = attempt;
    run.fate = textMember(json, "fate");
    run.worker = textMember(json, "worker");
    run.containment = textMember(json, "contained");
    run.exitCode = int(integerMember(json, "exit", 0, 255, -1));
    run.signal = int(integerMember(json, "signal", 0, 127, 0));
    run.duration = Milliseconds{count("ms")};
    run.cpuTime = Milliseconds{count("cpu_ms")};
    run.peakKb = count("peak_kb");
    run.output = textMember(json, "output");
    run.error = textMember(json, "error");
    return run;
}

} // namespace

QByteArray writeAccess(const JobAccess &access)
{
    if (access.isEmpty())
        return {};
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (access.network)
        json["network"] = true;
    if (!access.readable.isEmpty())
        json["read"] = toJson(access.readable);
    if (!access.writable.isEmpty())
        json["write"] = toJson(access.writable);
    return dump(json);
}

std::optional<JobAccess> readAccess(const QByteArray &text)
{
    const auto json = parseJson(text, 64 * 1024);
    if (!json || !json->is_object() || (json->contains("network") && !(*json)["network"].is_boolean()))
        return std::nullopt;
    JobAccess access;
    access.network = json->value("network", false);
    if (!readPaths(*json, "read", access.readable) || !readPaths(*json, "write", access.writable))
        return std::nullopt;
    return access;
}

QByteArray writeRun(const Execution &execution, const QByteArray &worker)
{
    const nlohmann::ordered_json list{fateName(execution.fate),
                                      worker.toStdString(),
                                      execution.containment.toStdString(),
                                      execution.exitCode,
                                      execution.signal,
                                      execution.duration.count(),
                                      execution.cpuTime.count(),
                                      execution.maxRssKb,
                                      execution.output.right(keptOutput).toStdString(),
                                      execution.error.right(keptOutput).toStdString()};
    return dump(list);
}

QList<PastRun> readRuns(const QList<ByteField> &fields)
{
    QList<PastRun> runs;
    for (const auto &[name, value] : fields) {
        bool isNumber = false;
        const int attempt = name.startsWith(runPrefix) ? name.mid(qsizetype(strlen(runPrefix))).toInt(&isNumber) : 0;
        const auto json = isNumber && attempt > 0 ? parseJson(value, 64 * 1024) : std::nullopt;
        if (json && json->is_structured())
            runs.append(readRun(attempt, named(*json)));
    }
    std::sort(runs.begin(), runs.end(), [](const PastRun &a, const PastRun &b) { return a.attempt < b.attempt; });
    return runs;
}

} // namespace ym::hero
