// Who lives: presence keys, found without ever listing a whole database at once.
#pragma once

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

    QSet<QByteArray> types() const;

private:
    struct Pool {
        QByteArray type;
        QByteArray group;
        bool operator==(const Pool &) const = default;
    };
    void addPool(const QByteArray &type, const QByteArray &group);
    QList<QByteArray> candidates() const;
    qint64 highestNumber(const Pool &pool) const;

    Store *m_store;
    QSet<QByteArray> m_known;
    QList<Pool> m_pools;
};

} // namespace ym::hero
