// Where jobs are pushed and popped: a family of keys, and what the choice of a connection makes of the two families.
// The scripts follow it: they get work queues from here and build none of their own, but where a record says so.
#pragma once

#include "core/job/target.h"
#include "core/protocol/protocol.h"

namespace ym::hero {

/// One queue that a worker serves.
struct ServedQueue {
    QByteArray key;
    qsizetype typeIndex = 0; ///< into WorkerIdentity::types; −1: its jobs may be of any type
    bool operator==(const ServedQueue &) const = default;
};

/// The routing rules of one family. Stateless; lives as long as the process.
class KeyFamily {
public:
    virtual ~KeyFamily() = default;

    /// The queue a job with this target is pushed to (PROTOCOLS, Routing); empty when this family has none for it.
    virtual QByteArray queueFor(const Target &target) const = 0;
    /// The queues that are served before a job with this target or together with it by one who serves its queue at this
    /// level, most urgent first; the last is queueFor(target) itself. Empty when that is.
    virtual QList<QByteArray> servedUpTo(const Target &target) const = 0;
    /// What a worker serves, in the order in which it serves (PROTOCOLS, Consumption).
    virtual QList<ServedQueue> servedBy(const WorkerIdentity &worker) const = 0;
    /// The lists in which stop requests arrive, for a worker and for jobs that were sent to these worker ids.
    virtual QList<QByteArray> controlsOf(const WorkerIdentity &worker, const QList<QByteArray> &workerIds) const = 0;
    /// The list that a client of this family waits on.
    virtual QByteArray replyTo(const QByteArray &id) const = 0;
    /// True when this worker serves the queue of a job with that target.
    virtual bool listens(const WorkerInfo &worker, const Target &target) const = 0;
};

const KeyFamily &canonicalFamily();
const KeyFamily &legacyFamily(LegacyQueue kind);

/// The families that a connection uses (PROTOCOLS, Which family a job goes to).
class KeyRoutes {
public:
    explicit KeyRoutes(KeyChoice choice)
        : m_choice(choice)
        , m_legacy(legacyFamily(choice.legacy))
    {
    }

    /// True when it has to be known whether a worker of the type is present before queuesFor() can be asked.
    bool dependsOnPresence(const Target &target) const;
    /// Where the id of a job with this target is pushed to: one queue, or two in the mode `dual`. Throws Usage when the
    /// target lacks what its only family needs.
    QList<QByteArray> queuesFor(const Target &target, bool isPresent) const;
    /// The queues that are served before such a job and its own, see KeyFamily; of the family it goes to first.
    QList<QByteArray> servedUpTo(const Target &target, bool isPresent) const;
    bool listens(const WorkerInfo &worker, const Target &target, bool isPresent) const;
    /// True when such a job goes to the legacy family alone.
    bool isLegacyOnly(const Target &target, bool isPresent) const;

    /// What our worker serves: instance → group → type by priority, then the legacy queues when it has them on. Throws
    /// Usage when that is nothing.
    QList<ServedQueue> servedBy(const WorkerIdentity &worker) const;
    QList<QByteArray> controlsOf(const WorkerIdentity &worker, const QList<QByteArray> &workerIds) const;
    /// The lists on which a reply may come (RELIABILITY HC6).
    QList<QByteArray> repliesTo(const QByteArray &id) const;
    /// The legacy queues of a worker, for its presence; empty when it has legacy off.
    QList<QByteArray> legacyQueuesOf(const WorkerIdentity &worker) const;

    bool usesCanonical() const { return m_choice.mode != KeyMode::Legacy; }
    bool usesLegacy() const { return m_choice.mode != KeyMode::Canonical; }
    KeyChoice choice() const { return m_choice; }

private:
    QList<const KeyFamily *> familiesFor(const Target &target, bool isPresent) const;

    KeyChoice m_choice;
    const KeyFamily &m_legacy;
};

} // namespace ym::hero
