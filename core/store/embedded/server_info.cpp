#include "core/store/embedded/server_info.h"

#include "core/store/embedded/client_link.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/persistence.h"

#include <QCoreApplication>

#include <algorithm>

#include <malloc.h>
#include <sys/resource.h>

namespace ym::embedded {

namespace {

using Rows = QList<std::pair<QByteArray, QByteArray>>;

QByteArray number(qint64 value)
{
    return QByteArray::number(value);
}

Rows serverRows(const Executor &executor)
{
    const qint64 uptime = (executor.now() - executor.startedAt().time_since_epoch().count()) / 1000;
    return {{"redis_version", "7.0.15"},           {"redis_mode", "standalone"},
            {"server_name", "yardmaster"},         {"process_id", number(QCoreApplication::applicationPid())},
            {"uptime_in_seconds", number(uptime)}, {"uptime_in_days", number(uptime / 86400)}};
}

Rows clientRows(const Executor &executor)
{
    int connected = 0;
    int blocked = 0;
    for (const ClientContext *client : executor.clients()) {
        connected += client->link ? 1 : 0;
        blocked += client->link && client->waiting ? 1 : 0;
    }
    Rows rows = {{"connected_clients", number(connected)}, {"cluster_connections", "0"}};
    if (executor.hub()) {
        for (const auto &[name, value] : executor.hub()->settings()) {
            if (name == "maxclients")
                rows.append({name, value});
        }
    }
    return rows << Rows{{"blocked_clients", number(blocked)}, {"tracking_clients", "0"}};
}

/// 512B, 1.21K, 3.40M, 2.05G: as Redis writes it.
QByteArray humanSize(qint64 bytes)
{
    constexpr char units[] = {'K', 'M', 'G', 'T'};
    if (bytes < 1024)
        return number(bytes) + 'B';
    double size = double(bytes) / 1024;
    size_t unit = 0;
    for (; size >= 1024 && unit + 1 < sizeof units; ++unit)
        size /= 1024;
    return QByteArray::number(size, 'f', 2) + units[unit];
}

/// Of the whole process: the store has no memory of its own to count.
Rows memoryRows(const Executor &executor)
{
    const struct mallinfo2 heap = ::mallinfo2();
    const qint64 used = qint64(heap.uordblks + heap.hblkhd);
    struct rusage usage { };
    ::getrusage(RUSAGE_SELF, &usage);
    const qint64 peak = std::max(qint64(usage.ru_maxrss) * 1024, used);
    return {{"used_memory", number(used)},
            {"used_memory_human", humanSize(used)},
            {"used_memory_peak", number(peak)},
            {"used_memory_peak_human", humanSize(peak)},
            {"maxmemory", "0"},
            {"maxmemory_policy", "noeviction"},
            {"number_of_cached_scripts", number(executor.scriptCount())}};
}

QByteArray okOrErr(bool worked)
{
    return worked ? "ok" : "err";
}

Rows persistenceRows(const Executor &executor)
{
    Rows rows = {{"loading", "0"}, {"async_loading", "0"}};
    const Persistence *persistence = executor.persistence();
    rows.emplaceBack("aof_enabled", persistence ? "1" : "0");
    if (!persistence)
        return rows;
    const PersistenceFacts facts = persistence->facts();
    return rows << Rows{{"rdb_bgsave_in_progress", "0"},
                        {"rdb_last_save_time", number(facts.lastSave)},
                        {"rdb_last_bgsave_status", okOrErr(facts.lastWriteWorked)},
                        {"aof_rewrite_in_progress", facts.isRewriting ? "1" : "0"},
                        {"aof_rewrite_scheduled", "0"},
                        {"aof_last_rewrite_time_sec", number(facts.lastRewriteTime)},
                        {"aof_current_rewrite_time_sec", number(facts.currentRewriteTime)},
                        {"aof_last_bgrewrite_status", okOrErr(facts.lastRewriteWorked)},
                        {"aof_rewrites", number(facts.rewriteCount)},
                        {"aof_last_write_status", okOrErr(facts.lastWriteWorked)},
                        {"aof_current_size", number(facts.currentSize)},
                        {"aof_base_size", number(facts.baseSize)},
                        {"aof_buffer_length", number(facts.bufferSize)}};
}

Rows statRows(const Executor &executor)
{
    const HubStats hub = executor.hub() ? executor.hub()->stats() : HubStats();
    return {{"total_connections_received", number(hub.accepted)},
            {"total_commands_processed", number(qint64(executor.commandCount()))},
            {"total_net_input_bytes", number(hub.inputBytes)},
            {"total_net_output_bytes", number(hub.outputBytes)},
            {"rejected_connections", number(hub.refused)},
            {"total_reads_processed", number(hub.reads)},
            {"total_writes_processed", number(hub.writes)},
            {"pubsub_channels", number(executor.pubSub().channels().size())},
            {"pubsub_patterns", number(executor.pubSub().patternCount())}};
}

Rows replicationRows(const Executor &)
{
    return {{"role", "master"}, {"connected_slaves", "0"}};
}

Rows clusterRows(const Executor &)
{
    return {{"cluster_enabled", "0"}};
}

Rows keyspaceRows(const Executor &executor)
{
    Rows rows;
    for (const Keyspace &keys : executor.databases()) {
        if (keys.size() > 0)
            rows.append({"db" + number(keys.index()),
                         "keys=" + number(keys.size()) + ",expires=" + number(keys.expiringCount()) + ",avg_ttl=0"});
    }
    return rows;
}

struct Section {
    const char *title;
    Rows (*rows)(const Executor &executor);
};

constexpr Section allSections[] = {
    {"Server", serverRows},           {"Clients", clientRows},    {"Memory", memoryRows},
    {"Persistence", persistenceRows}, {"Stats", statRows},        {"Replication", replicationRows},
    {"Cluster", clusterRows},         {"Keyspace", keyspaceRows},
};

} // namespace

QByteArray serverInfo(const Executor &executor, const QList<QByteArray> &sections)
{
    const bool wantsAll = sections.isEmpty() || sections.contains("all") || sections.contains("default")
        || sections.contains("everything");
    QByteArray text;
    for (const Section &section : allSections) {
        if (!wantsAll && !sections.contains(QByteArray(section.title).toLower()))
            continue;
        if (!text.isEmpty())
            text += "\r\n";
        text += QByteArray("# ") + section.title + "\r\n";
        for (const auto &[name, value] : section.rows(executor))
            text += name + ':' + value + "\r\n";
    }
    return text;
}

QList<std::pair<QByteArray, QByteArray>> serverConfig(const Executor &executor)
{
    const Persistence *persistence = executor.persistence();
    const PersistenceFacts facts = persistence ? persistence->facts() : PersistenceFacts();
    QList<std::pair<QByteArray, QByteArray>> rows = {
        {"appendonly", persistence ? "yes" : "no"},
        {"appendfsync", persistence ? facts.fsync : "everysec"},
        {"auto-aof-rewrite-min-size", number(facts.rewriteMinSize)},
        {"auto-aof-rewrite-percentage", number(facts.rewritePercentage)},
        {"databases", number(Executor::databaseCount)},
        {"busy-reply-threshold", number(executor.scriptTimeLimit().count())},
        {"lua-time-limit", number(executor.scriptTimeLimit().count())},
        {"maxmemory", "0"},
        {"maxmemory-policy", "noeviction"},
        {"save", ""}};
    if (executor.hub())
        rows += executor.hub()->settings();
    return rows;
}

} // namespace ym::embedded
