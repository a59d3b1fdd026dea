#include "core/protocol/hero/presence_codec.h"

#include "core/protocol/hero/json_reader.h"
#include "core/protocol/hero/keys.h"

namespace ym::hero {

namespace {

constexpr qsizetype presenceSizeLimit = 1024 * 1024;
constexpr qint64 pidLimit = 1LL << 32;
constexpr int slotLimit = 100'000;

std::optional<Timestamp> timeMember(const nlohmann::json &object, const char *name)
{
    const auto member = object.find(name);
    if (member == object.end())
        return std::nullopt;
    if (member->is_number_integer())
        return parseTimestamp(QByteArray::number(integerMember(object, name, 0, 1LL << 53, -1)));
    if (member->is_number_float()) {
        const double seconds = member->get<double>();
        return seconds > 0 && seconds < 1e14 ? parseTimestamp(QByteArray::number(qint64(seconds))) : std::nullopt;
    }
    return parseTimestamp(textMember(object, name));
}

nlohmann::ordered_json texts(const QList<QByteArray> &values)
{
    auto array = nlohmann::ordered_json::array();
    for (const QByteArray &value : values)
        array.push_back(value.toStdString());
    return array;
}

} // namespace

QByteArray writePresence(const Presence &presence)
{
    nlohmann::ordered_json object;
    object["pid"] = presence.pid;
    object["hostname"] = presence.hostname.toStdString();
    object["started_at"] = toRfc3339(presence.startedAt).toStdString();
    object["version"] = presence.version.toStdString();
    object["capabilities"] = texts(presence.capabilities);
    object["last_heartbeat"] = toRfc3339(presence.heartbeat).toStdString();
    object["slots"] = presence.slotCount;
    object["busy"] = texts(presence.busy);
    object["quiet"] = presence.quiet;
    object["order"] = presence.order == ServingOrder::Fifo ? "fifo" : "lifo";
    if (!presence.legacyId.isEmpty())
        object["worker_id"] = presence.legacyId.toStdString();
    if (!presence.legacyQueues.isEmpty())
        object["legacy_queues"] = texts(presence.legacyQueues);
    object["boot_id"] = presence.bootId.toStdString();
    return QByteArray::fromStdString(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

WorkerInfo readPresence(const QByteArray &key, const QByteArray &value, qint64 ttlMs)
{
    WorkerInfo worker;
    worker.key = key;
    worker.target = keys::parsePresence(key).value_or(Target{});
    worker.ttlMs = ttlMs;
    const auto json = parseJson(value, presenceSizeLimit);
    if (!json || !json->is_object()) {
        worker.invalid = true;
        return worker;
    }
    worker.pid = integerMember(*json, "pid", 1, pidLimit, 0);
    worker.hostname = textMember(*json, "hostname");
    worker.version = textMember(*json, "version");
    worker.capabilities = textsMember(*json, "capabilities");
    worker.startedAt = timeMember(*json, "started_at");
    worker.lastHeartbeat = timeMember(*json, "last_heartbeat");
    worker.slotCount = int(integerMember(*json, "slots", 0, slotLimit, 0));
    worker.busy = textsMember(*json, "busy");
    const QByteArray order = textMember(*json, "order");
    if (order == "fifo" || order == "lifo")
        worker.order = order == "fifo" ? ServingOrder::Fifo : ServingOrder::Lifo;
    worker.target.legacyWorker = textMember(*json, "worker_id");
    worker.legacyQueues = textsMember(*json, "legacy_queues");
    const auto quiet = json->find("quiet");
    worker.quiet = quiet != json->end() && quiet->is_boolean() && quiet->get<bool>();
    return worker;
}

} // namespace ym::hero
