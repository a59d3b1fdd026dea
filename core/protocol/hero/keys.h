// Every key of the Hero protocol, canonical family (PROTOCOLS 2): built here and read here, nowhere else.
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

// Presence and counters
inline QByteArray presence(const QByteArray &type, const QByteArray &group, const QByteArray &instance)
{
    return presencePrefix + type + ':' + group + ':' + instance;
}
inline QByteArray stats(const QByteArray &workKey)
{
    constexpr char all[] = "hero:q:work:";
    return "hero:meta:queue:stats:" + (workKey.startsWith(all) ? workKey.mid(qsizetype(sizeof all) - 1) : workKey);
}
/// Matches every queue and every presence key at once.
inline QByteArray discoveryPattern()
{
    return "hero:[qm]*";
}

/// What a key under hero:q: is for. Reply lists, leases, claims and the waiting set are not queues: nothing.
struct QueueKey {
    QueueKind kind = QueueKind::Work;
    Target target;
    bool operator==(const QueueKey &) const = default;
};
std::optional<QueueKey> parseQueue(const QByteArray &key);

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
