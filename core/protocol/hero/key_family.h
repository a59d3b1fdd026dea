// Where jobs are pushed and popped: one family of keys. The canonical one is here; a legacy family is another subclass
// and another row in families().
#pragma once

#include "core/job/target.h"
#include "core/protocol/protocol.h"

namespace ym::hero {

/// One queue that a worker serves.
struct ServedQueue {
    QByteArray key;
    qsizetype typeIndex = 0; ///< into WorkerIdentity::types
    bool operator==(const ServedQueue &) const = default;
};

/// The routing rules of one family. Stateless; lives as long as the process.
class KeyFamily {
public:
    virtual ~KeyFamily() = default;
    virtual QByteArray name() const = 0;

    /// The queue a job with this target is pushed to (PROTOCOLS, Routing).
    virtual QByteArray queueFor(const Target &target) const = 0;
    /// The queues that are served before a job with this target or together with it by one who serves its queue at this
    /// level, most urgent first; the last is queueFor(target) itself.
    virtual QList<QByteArray> servedUpTo(const Target &target) const = 0;
    /// What a worker serves, in the order in which it serves (PROTOCOLS, Consumption).
    virtual QList<ServedQueue> servedBy(const WorkerIdentity &worker) const = 0;
    /// The lists in which stop requests for this worker's jobs arrive.
    virtual QList<QByteArray> controlsOf(const WorkerIdentity &worker) const = 0;
    /// True when a worker at this place serves the queue of a job with that target.
    virtual bool listens(const Target &worker, const Target &target) const = 0;
};

const KeyFamily &canonicalFamily();

} // namespace ym::hero
