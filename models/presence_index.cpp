#include "models/presence_index.h"

#include "core/base/text.h"

#include <algorithm>

namespace ym {

namespace {

bool fits(const QByteArray &wanted, const QByteArray &actual)
{
    return wanted.isEmpty() || wanted == actual;
}

/// The member of every worker that passes, sorted, each once, without the empty one.
template <typename Accept>
QStringList collected(const QList<WorkerInfo> &workers, QByteArray Target::*member, Accept accept)
{
    QStringList values;
    for (const WorkerInfo &worker : workers) {
        if (!worker.invalid && !(worker.target.*member).isEmpty() && accept(worker.target))
            values.append(shownText(worker.target.*member));
    }
    values.sort();
    values.removeDuplicates();
    return values;
}

} // namespace

PresenceIndex::PresenceIndex(QObject *parent)
    : QObject(parent)
{
}

void PresenceIndex::apply(const ChangeSet &changes)
{
    if (!changes.workers || *changes.workers == m_workers)
        return;
    m_workers = *changes.workers;
    Q_EMIT changed();
}

void PresenceIndex::clear()
{
    if (m_workers.isEmpty())
        return;
    m_workers.clear();
    Q_EMIT changed();
}

QStringList PresenceIndex::types() const
{
    return collected(m_workers, &Target::type, [](const Target &) { return true; });
}

QStringList PresenceIndex::groups(const QByteArray &type) const
{
    return collected(m_workers, &Target::group, [&](const Target &t) { return fits(type, t.type); });
}

QStringList PresenceIndex::instances(const QByteArray &type, const QByteArray &group) const
{
    return collected(m_workers, &Target::instance,
                     [&](const Target &t) { return fits(type, t.type) && fits(group, t.group); });
}

QList<WorkerInfo> PresenceIndex::listeners(const Target &target) const
{
    QList<WorkerInfo> found;
    for (const WorkerInfo &worker : m_workers) {
        const Target &t = worker.target;
        const bool serves = !worker.invalid && !worker.quiet && worker.ttlMs != 0;
        if (serves && t.type == target.type && fits(target.group, t.group) && fits(target.instance, t.instance))
            found.append(worker);
    }
    return found;
}

} // namespace ym
