// Who lives: presence keys, found without ever listing a whole database at once.
#pragma once

#include "core/base/clock.h"
#include "core/job/queue_info.h"
#include "core/store/store.h"

#include <QSet>

namespace ym::hero {

/// Remembers presence keys that were seen and tries those that are likely (instances are small numbers), so that a new
/// worker appears at once. Keys with other names come from whoever scans: add().
class PresenceWatch {
public:
    explicit PresenceWatch(Store *store);

    /// A presence key that somebody saw.
    void add(const QByteArray &key);
    /// A place where workers may be.
    void expect(const Target &target);
    /// Living workers, sorted by key: two pipelines. A worker that is gone is forgotten.
    QCoro::Task<QList<WorkerInfo>> look();

    /// True when a worker of this type lives, whatever its group: searches the keys when none is known, and remembers
    /// the answer for a second. A presence that never expires is nobody's.
    QCoro::Task<bool> hasWorker(QByteArray type, Monotonic now);

    QSet<QByteArray> types() const;

private:
    struct Pool {
        QByteArray type;
        QByteArray group;
        bool operator==(const Pool &) const = default;
    };
    void addPool(const QByteArray &type, const QByteArray &group);
    QList<QByteArray> candidates() const;
    QCoro::Task<void> search(QByteArray type);
    qint64 highestNumber(const Pool &pool) const;

    Store *m_store;
    QSet<QByteArray> m_known;
    QList<Pool> m_pools;
    struct Answer {
        bool isThere = false;
        Monotonic until{0};
    };
    QHash<QByteArray, Answer> m_answers; ///< of hasWorker(), by type
};

} // namespace ym::hero
