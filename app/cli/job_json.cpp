#include "app/cli/job_json.h"

#include "core/base/text.h"
#include "core/job/fate_name.h"
#include "core/job/secret_text.h"

#include <array>

namespace ym::cli {

namespace {

Json list(const QList<QByteArray> &values)
{
    Json array = Json::array();
    for (const QByteArray &value : values)
        array.push_back(toJson(value));
    return array;
}

Json targetFields(const Target &target)
{
    Json json;
    json["type"] = toJson(target.type);
    json["group"] = toJson(target.group);
    json["instance"] = toJson(target.instance);
    json["worker_id"] = toJson(target.legacyWorker);
    return json;
}

/// A member name must be text.
std::string memberName(const QByteArray &name)
{
    return isUtf8(name) ? name.toStdString() : shownText(name).toStdString();
}

const char *orderName(ServingOrder order)
{
    return order == ServingOrder::Fifo ? "fifo" : "lifo";
}

const char *queueKindName(QueueKind kind)
{
    static constexpr std::array names{"work", "control", "delayed", "dead", "reply", "legacy"};
    return names.at(size_t(kind));
}

} // namespace

Json toJson(const QByteArray &bytes)
{
    if (isUtf8(bytes))
        return bytes.toStdString();
    Json json;
    json["base64"] = bytes.toBase64().toStdString();
    return json;
}

Json toJson(const std::optional<Timestamp> &when)
{
    return when ? Json(toRfc3339(*when).toStdString()) : Json(nullptr);
}

Json toJson(const Job &job, SecretValues secrets)
{
    Json json;
    json["id"] = toJson(job.id);
    json["state"] = stateName(job.state);
    json["status"] = toJson(job.statusText);
    json.update(targetFields(job.target));
    json["priority"] = job.target.priority;
    json["caller_id"] = toJson(job.callerId);
    json["context_id"] = toJson(job.contextId);
    json["script"] = toJson(job.script);
    json["timeout"] = job.timeout.count();
    json["retries"] = job.retries;
    json["attempt"] = job.attempt;
    json["concurrent"] = job.concurrent;
    json["log_path"] = toJson(job.logPath);
    Json::object_t env; // names are there once; looking for each among very many takes a minute
    json["env_hidden"] = Json::array();
    for (const auto &[name, value] : job.env) {
        const bool isHidden = secrets == SecretValues::Hidden && namesSecret(name);
        env.emplace_back(memberName(name), isHidden ? Json(nullptr) : toJson(value));
        if (isHidden)
            json["env_hidden"].push_back(memberName(name));
    }
    json["env"] = std::move(env);
    json["prerequisites"] = list(job.prerequisites);
    json["dependents"] = list(job.dependents);
    json["created_at"] = toJson(job.createdAt);
    json["updated_at"] = toJson(job.updatedAt);
    json["started_at"] = toJson(job.startedAt);
    json["finished_at"] = toJson(job.finishedAt);
    json["not_before"] = toJson(job.notBefore);
    json["claimed_by"] = toJson(job.claimedBy);
    json["access"] = toJson(job.access);
    json["progress"] = toJson(job.progress);
    json["runs"] = Json::array();
    for (const PastRun &run : job.runs)
        json["runs"].push_back(toJson(run));
    json["output"] = toJson(job.output);
    json["error"] = toJson(job.error);
    json["problems"] = Json::array();
    for (const QString &problem : job.problems)
        json["problems"].push_back(problem.toStdString());
    return json;
}

Json toJson(const JobProgress &progress)
{
    if (!progress.isKnown())
        return nullptr;
    Json json;
    json["done"] = progress.done;
    json["total"] = progress.total;
    json["text"] = toJson(progress.text);
    return json;
}

Json toJson(const JobAccess &access)
{
    const auto texts = [](const QStringList &paths) {
        Json array = Json::array();
        for (const QString &path : paths)
            array.push_back(path.toStdString());
        return array;
    };
    Json json;
    json["network"] = access.network;
    json["read"] = texts(access.readable);
    json["write"] = texts(access.writable);
    return json;
}

Json toJson(const PastRun &run)
{
    const auto orNull = [](qint64 value) { return value < 0 ? Json(nullptr) : Json(value); };
    Json json;
    json["attempt"] = run.attempt;
    json["fate"] = toJson(run.fate);
    json["worker"] = toJson(run.worker);
    json["contained"] = toJson(run.containment);
    json["exit_code"] = orNull(run.exitCode);
    json["signal"] = run.signal == 0 ? Json(nullptr) : Json(run.signal);
    json["duration_ms"] = orNull(run.duration.count());
    json["cpu_ms"] = orNull(run.cpuTime.count());
    json["peak_kb"] = orNull(run.peakKb);
    json["output"] = toJson(run.output);
    json["error"] = toJson(run.error);
    return json;
}

Json toJson(const JobSummary &job)
{
    Json json;
    json["id"] = toJson(job.id);
    json["state"] = stateName(job.state);
    json["status"] = toJson(job.statusText);
    json.update(targetFields(job.target));
    json["caller_id"] = toJson(job.callerId);
    json["context_id"] = toJson(job.contextId);
    json["attempt"] = job.attempt;
    json["claimed_by"] = toJson(job.claimedBy);
    json["created_at"] = toJson(job.createdAt);
    json["updated_at"] = toJson(job.updatedAt);
    json["access"] = toJson(job.access);
    json["progress"] = toJson(job.progress);
    json["invalid"] = job.invalid;
    return json;
}

Json toJson(const QueueInfo &queue)
{
    Json json;
    json["key"] = toJson(queue.key);
    json["kind"] = queueKindName(queue.kind);
    json.update(targetFields(queue.target));
    json["depth"] = queue.depth;
    json["order"] = orderName(queue.order);
    json["observed"] = queue.observed;
    json["next"] = toJson(queue.nextJob);
    json["oldest"] = toJson(queue.oldest);
    json["listeners"] = queue.listeners;
    json["invalid"] = queue.invalid;
    return json;
}

Json toJson(const WorkerInfo &worker)
{
    Json json = targetFields(worker.target);
    json["pid"] = worker.pid;
    json["hostname"] = toJson(worker.hostname);
    json["version"] = toJson(worker.version);
    json["capabilities"] = list(worker.capabilities);
    json["started_at"] = toJson(worker.startedAt);
    json["last_heartbeat"] = toJson(worker.lastHeartbeat);
    json["ttl_ms"] = worker.ttlMs;
    json["slots"] = worker.slotCount;
    json["busy"] = list(worker.busy);
    json["quiet"] = worker.quiet;
    json["order"] = worker.order ? Json(orderName(*worker.order)) : Json(nullptr);
    json["legacy_queues"] = list(worker.legacyQueues);
    json["invalid"] = worker.invalid;
    return json;
}

Json toJson(const Execution &execution)
{
    Json json;
    json["fate"] = fateName(execution.fate);
    json["exit_code"] = execution.exitCode < 0 ? Json(nullptr) : Json(execution.exitCode);
    json["signal"] = execution.signal == 0 ? Json(nullptr) : Json(execution.signal);
    json["duration_ms"] = execution.duration.count();
    json["contained"] = toJson(execution.containment);
    json["cpu_ms"] = execution.cpuTime.count();
    json["peak_kb"] = execution.maxRssKb;
    json["output_bytes"] = execution.outputBytes;
    json["error_bytes"] = execution.errorBytes;
    return json;
}

} // namespace ym::cli
