// Which live workers there are for a target, for completing and previewing it in forms.
#pragma once

#include "core/job/change_set.h"

#include <QObject>
#include <QStringList>

namespace ym {

/// Answers from the newest list of workers. Workers that are quiet, unreadable or about to expire count as live only
/// for completion, not for listeners. GUI thread.
class PresenceIndex : public QObject {
    Q_OBJECT
public:
    explicit PresenceIndex(QObject *parent = nullptr);

    /// Takes changes.workers when present.
    void apply(const ChangeSet &changes);
    void clear();

    /// Each list sorted, without duplicates. Empty arguments mean "any".
    QStringList types() const;
    QStringList groups(const QByteArray &type) const;
    QStringList instances(const QByteArray &type, const QByteArray &group) const;
    /// Workers that would take a job with this target: same type, and group and instance where the target names them.
    QList<WorkerInfo> listeners(const Target &target) const;

Q_SIGNALS:
    void changed();

private:
    QList<WorkerInfo> m_workers;
};

} // namespace ym
