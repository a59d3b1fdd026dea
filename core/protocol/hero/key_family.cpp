#include "core/protocol/hero/key_family.h"

#include "core/protocol/hero/keys.h"

namespace ym::hero {

namespace {

/// The queues of one place at one priority; the one without a suffix ranks as priority 1.
QList<QByteArray> queuesAt(Target place, int priority)
{
    place.priority = priority;
    QList<QByteArray> list{keys::work(place)};
    if (priority == 1)
        list.append(keys::work(place, keys::Suffix::Explicit));
    return list;
}

class CanonicalFamily final : public KeyFamily {
public:
    QByteArray name() const override { return "canonical"; }

    QByteArray queueFor(const Target &target) const override { return keys::work(target); }

    QList<QByteArray> servedUpTo(const Target &target) const override
    {
        QList<QByteArray> list;
        for (int priority = 0; priority < target.priority; ++priority)
            list += queuesAt(target, priority);
        list.append(queueFor(target));
        return list;
    }

    QList<ServedQueue> servedBy(const WorkerIdentity &worker) const override
    {
        QList<ServedQueue> list;
        for (int priority = 0; priority <= 2; ++priority) {
            for (int level = 0; level < (worker.servesOnlyInstance ? 1 : 3); ++level)
                addLevel(list, worker, level, priority);
        }
        return list;
    }

    QList<QByteArray> controlsOf(const WorkerIdentity &worker) const override
    {
        QList<QByteArray> list;
        for (const QByteArray &type : worker.types)
            list << keys::control({type, worker.group, worker.instance, 1, {}}) << keys::control({type, {}, {}, 1, {}});
        return list;
    }

    bool listens(const Target &worker, const Target &target) const override
    {
        if (worker.type != target.type)
            return false;
        const QByteArray group =
            target.group.isEmpty() && !target.instance.isEmpty() ? keys::defaultGroup : target.group;
        return (group.isEmpty() || group == worker.group)
            && (target.instance.isEmpty() || target.instance == worker.instance);
    }

private:
    /// Level 0 is the instance, 1 its group, 2 the type.
    static void addLevel(QList<ServedQueue> &list, const WorkerIdentity &worker, int level, int priority)
    {
        for (qsizetype i = 0; i < worker.types.size(); ++i) {
            Target place;
            place.type = worker.types[i];
            place.group = level <= 1 ? worker.group : QByteArray();
            place.instance = level == 0 ? worker.instance : QByteArray();
            for (const QByteArray &key : queuesAt(place, priority))
                list.append({key, i});
        }
    }
};

} // namespace

const KeyFamily &canonicalFamily()
{
    static const CanonicalFamily family;
    return family;
}

} // namespace ym::hero
