// Every key of the Hero protocol, both families (PROTOCOLS 1 and 2): built here and read here, nowhere else.
// The scripts build the same keys in resources/lua/hero/lib/keys.lua; a test holds the two together.
#pragma once

#include "core/job/queue_info.h"
#include "core/job/target.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace ym::hero::keys {

inline constexpr char jobPrefix[] = "hero:job:";
inline constexpr char replyPrefix[] = "hero:q:reply:";
inline constexpr char workPrefix[] = "hero:q:work:type:";
inline constexpr char controlPrefix[] = "hero:q:ctl:type:";
inline constexpr char deadPrefix[] = "hero:q:dead:";
inline constexpr char leasePrefix[] = "hero:q:lease:";
inline constexpr char presencePrefix[] = "hero:meta:actor:inst:";
inline constexpr char defaultGroup[] = "default";

// The legacy family (PROTOCOLS 1): three kinds of work queue, of which a connection uses one.
inline constexpr char legacyWorkPrefix[] = "hero:work_queue:";
inline constexpr char legacyTypePrefix[] = "hero:job:actor_queue:";
inline constexpr char legacyStopPrefix[] = "hero:stop_queue:";
inline constexpr char legacyReplyPrefix[] = "hero:reply:";

// Jobs
inline QByteArray job(const QByteArray &id)
{
    return jobPrefix + id;
}
inline QByteArray reply(const QByteArray &id)
{
    return replyPrefix + id;
}
inline QByteArray jobPattern()
{
    return QByteArray(jobPrefix) + '*';
}

/// The id in a job key; empty when the key is none.
inline QByteArray jobId(const QByteArray &key)
{
    return key.startsWith(jobPrefix) ? key.mid(qsizetype(sizeof jobPrefix) - 1) : QByteArray();
}

// Queues
/// `{t}`, `{t}:group:{g}` or `{t}:group:{g}:inst:{i}`; an instance without a group is one of the default group.
inline QByteArray place(const Target &target)
{
    QByteArray text = target.type;
    const bool named = !target.instance.isEmpty();
    const QByteArray group = target.group.isEmpty() && named ? QByteArray(defaultGroup) : target.group;
    if (!group.isEmpty())
        text += ":group:" + group;
    if (named)
        text += ":inst:" + target.instance;
    return text;
}

/// Which suffix a work queue carries: jobs of normal priority go to the one without; `Explicit` is the one that names
/// priority 1 and ranks like it.
enum class Suffix : quint8 { Usual, Explicit };
inline QByteArray work(const Target &target, Suffix suffix = Suffix::Usual)
{
    const bool suffixed = target.priority != 1 || suffix == Suffix::Explicit;
    return workPrefix + place(target) + (suffixed ? ":prio:" + QByteArray::number(target.priority) : QByteArray());
}

// Legacy queues
/// The work queue of a target; empty when the target does not name what this kind of queue is named after.
inline QByteArray legacyWork(LegacyQueue kind, const Target &target)
{
    if ((kind == LegacyQueue::Type ? target.type : target.legacyWorker).isEmpty())
        return {};
    switch (kind) {
    case LegacyQueue::Worker:
        return legacyWorkPrefix + target.legacyWorker;
    case LegacyQueue::Type:
        return legacyTypePrefix + target.type;
    case LegacyQueue::Actor:
        return jobPrefix + target.legacyWorker;
    }
    return {};
}
inline QByteArray legacyStop(const QByteArray &workerId)
{
    return legacyStopPrefix + workerId;
}
inline QByteArray legacyReply(const QByteArray &id)
{
    return legacyReplyPrefix + id;
}

/// Stop requests for a type, or for one instance when the target names it.
inline QByteArray control(const Target &target)
{
    return controlPrefix + place(target);
}

// Ours, all under hero:q:
inline QByteArray lease(const QByteArray &type)
{
    return leasePrefix + type;
}
inline QByteArray claims(const QByteArray &type)
{
    return "hero:q:claims:" + type;
}
inline QByteArray dead(const QByteArray &type)
{
    return deadPrefix + type;
}
inline QByteArray delayed()
{
    return "hero:q:delayed";
}
/// Zset id → next look in ms: the jobs that wait for prerequisites, so that none is forgotten (RELIABILITY HD16).
inline QByteArray waiting()
{
    return "hero:q:waiting";
}

/// Set of the types that were ever leased, so that a rescuer need not search for them.
inline QByteArray types()
{
    return "hero:q:types";
}

/// List of the jobs of a graph that are staged and not real yet.
inline QByteArray graph(const QByteArray &name)
{
    return "hero:q:graph:" + name;
}
/// Zset of the committed graphs that still grow.
inline QByteArray graphs()
{
    return "hero:q:graphs";
}

/// Expires: while it is there, somebody has looked at every job lately.
inline QByteArray reconciled()
{
    return "hero:q:reconciled";
}

// Presence and counters
inline QByteArray presence(const QByteArray &type, const QByteArray &group, const QByteArray &instance)
{
    return presencePrefix + type + ':' + group + ':' + instance;
}
inline QByteArray stats(const QByteArray &workKey)
{
    const char *const shared = workKey.startsWith("hero:q:work:") ? "hero:q:work:" : "hero:";
    return "hero:meta:queue:stats:" + workKey.mid(workKey.startsWith(shared) ? qsizetype(qstrlen(shared)) : 0);
}
/// Matches every queue and every presence key at once, but for the lists that stand among the jobs.
inline QByteArray discoveryPattern()
{
    return "hero:[qmws]*";
}
/// Matches the legacy work queues; those among the jobs are lists.
inline QByteArray legacyPattern()
{
    return "hero:[jw]o*";
}
/// Matches the presence of a type; the type is plain text without wildcards.
inline QByteArray presencePattern(const QByteArray &type)
{
    return presencePrefix + type + ":*";
}

/// What a key is for by its name. Reply lists, leases, claims and the waiting set are not queues: nothing.
struct QueueKey {
    QueueKind kind = QueueKind::Work;
    Target target;
    bool operator==(const QueueKey &) const = default;
};
std::optional<QueueKey> parseQueue(const QByteArray &key);
/// The same for a key that holds a list: under `hero:job:` that is the legacy queue of an actor (RELIABILITY HD14).
std::optional<QueueKey> parseList(const QByteArray &key);

/// Type, group and instance of a presence key; nothing when it is none.
std::optional<Target> parsePresence(const QByteArray &key);

// News
inline QByteArray jobEventPattern(int database)
{
    return "__keyspace@" + QByteArray::number(database) + "__:" + jobPattern();
}
/// The id in a keyspace-event channel; empty when it speaks of no job.
inline QByteArray jobOfEvent(const QByteArray &channel)
{
    const qsizetype colon = channel.indexOf("__:");
    return colon < 0 ? QByteArray() : jobId(channel.mid(colon + 3));
}

} // namespace ym::hero::keys
