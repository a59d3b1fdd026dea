#include "core/protocol/hero/key_family.h"

#include "core/protocol/hero/keys.h"

#include <QCoreApplication>

#include <algorithm>

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

    QList<QByteArray> controlsOf(const WorkerIdentity &worker, const QList<QByteArray> &) const override
    {
        QList<QByteArray> list;
        for (const QByteArray &type : worker.types)
            list << keys::control({type, worker.group, worker.instance, 1, {}}) << keys::control({type, {}, {}, 1, {}});
        return list;
    }

    QByteArray replyTo(const QByteArray &id) const override { return keys::reply(id); }

    bool listens(const WorkerInfo &info, const Target &target) const override
    {
        const Target &worker = info.target;
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

/// The queues of one kind. They know neither group nor priority, and a worker of theirs registers nowhere.
class LegacyFamily final : public KeyFamily {
public:
    explicit LegacyFamily(LegacyQueue kind)
        : m_kind(kind)
    {
    }

    QByteArray queueFor(const Target &target) const override { return keys::legacyWork(m_kind, target); }

    QList<QByteArray> servedUpTo(const Target &target) const override
    {
        const QByteArray queue = queueFor(target);
        return queue.isEmpty() ? QList<QByteArray>() : QList<QByteArray>{queue};
    }

    QList<ServedQueue> servedBy(const WorkerIdentity &worker) const override
    {
        QList<ServedQueue> list;
        if (worker.servesOnlyInstance)
            return list;
        const bool isByType = m_kind == LegacyQueue::Type;
        for (qsizetype i = 0; i < (isByType ? worker.types.size() : 1); ++i) {
            Target place;
            place.type = worker.types.value(i);
            place.legacyWorker = worker.legacyId;
            const QByteArray queue = queueFor(place);
            if (!queue.isEmpty())
                list.append({queue, isByType ? i : -1});
        }
        return list;
    }

    QList<QByteArray> controlsOf(const WorkerIdentity &worker, const QList<QByteArray> &workerIds) const override
    {
        QList<QByteArray> list;
        for (const QByteArray &id : QList<QByteArray>{worker.legacyId} + workerIds) {
            if (!id.isEmpty() && !list.contains(keys::legacyStop(id)))
                list.append(keys::legacyStop(id));
        }
        return list;
    }

    QByteArray replyTo(const QByteArray &id) const override { return keys::legacyReply(id); }

    bool listens(const WorkerInfo &worker, const Target &target) const override
    {
        return worker.legacyQueues.contains(queueFor(target));
    }

private:
    LegacyQueue m_kind;
};

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroKeys", text);
}

} // namespace

const KeyFamily &canonicalFamily()
{
    static const CanonicalFamily family;
    return family;
}

const KeyFamily &legacyFamily(LegacyQueue kind)
{
    static const LegacyFamily families[]{LegacyFamily(LegacyQueue::Worker), LegacyFamily(LegacyQueue::Type),
                                         LegacyFamily(LegacyQueue::Actor)};
    return families[size_t(kind)];
}

bool KeyRoutes::dependsOnPresence(const Target &target) const
{
    return target.keys.value_or(m_choice.mode) == KeyMode::Auto && !m_legacy.queueFor(target).isEmpty();
}

QList<const KeyFamily *> KeyRoutes::familiesFor(const Target &target, bool isPresent) const
{
    const KeyFamily *const canonical = &canonicalFamily();
    const KeyFamily *const legacy = m_legacy.queueFor(target).isEmpty() ? nullptr : &m_legacy;
    switch (target.keys.value_or(m_choice.mode)) {
    case KeyMode::Auto:
        return {legacy && !isPresent ? legacy : canonical};
    case KeyMode::Canonical:
        return {canonical};
    case KeyMode::Legacy:
        break;
    case KeyMode::Dual:
        return legacy ? QList{canonical, legacy} : QList{canonical};
    }
    if (!legacy)
        throw StoreError(
            ErrorKind::Usage,
            say(QT_TRANSLATE_NOOP(
                "ym::HeroKeys", "The legacy queue of this connection is that of one worker, and the job names none.")),
            say(QT_TRANSLATE_NOOP("ym::HeroKeys", "Give the worker id, or use the legacy queues of types.")));
    return {legacy};
}

QList<QByteArray> KeyRoutes::queuesFor(const Target &target, bool isPresent) const
{
    QList<QByteArray> queues;
    for (const KeyFamily *family : familiesFor(target, isPresent))
        queues.append(family->queueFor(target));
    return queues;
}

QList<QByteArray> KeyRoutes::servedUpTo(const Target &target, bool isPresent) const
{
    return familiesFor(target, isPresent).constFirst()->servedUpTo(target);
}

bool KeyRoutes::listens(const WorkerInfo &worker, const Target &target, bool isPresent) const
{
    const QList<const KeyFamily *> families = familiesFor(target, isPresent);
    return std::any_of(families.begin(), families.end(),
                       [&](const KeyFamily *family) { return family->listens(worker, target); });
}

bool KeyRoutes::isLegacyOnly(const Target &target, bool isPresent) const
{
    return familiesFor(target, isPresent).constFirst() == &m_legacy;
}

QList<ServedQueue> KeyRoutes::servedBy(const WorkerIdentity &worker) const
{
    QList<ServedQueue> list;
    if (usesCanonical())
        list += canonicalFamily().servedBy(worker);
    if (usesLegacy())
        list += m_legacy.servedBy(worker);
    if (list.isEmpty())
        throw StoreError(
            ErrorKind::Usage,
            say(QT_TRANSLATE_NOOP(
                "ym::HeroKeys",
                "The legacy queue of this connection is that of one worker, and this worker has no such id.")),
            say(QT_TRANSLATE_NOOP("ym::HeroKeys", "Give it a worker id, or use the legacy queues of types.")));
    return list;
}

QList<QByteArray> KeyRoutes::controlsOf(const WorkerIdentity &worker, const QList<QByteArray> &workerIds) const
{
    // Our own windows ask on the canonical list of the claimer, whichever queue the job came from.
    QList<QByteArray> list = canonicalFamily().controlsOf(worker, workerIds);
    if (usesLegacy())
        list += m_legacy.controlsOf(worker, workerIds);
    return list;
}

QList<QByteArray> KeyRoutes::repliesTo(const QByteArray &id) const
{
    QList<QByteArray> list{canonicalFamily().replyTo(id)};
    if (usesLegacy())
        list.append(m_legacy.replyTo(id));
    return list;
}

QList<QByteArray> KeyRoutes::legacyQueuesOf(const WorkerIdentity &worker) const
{
    QList<QByteArray> list;
    for (const ServedQueue &queue : usesLegacy() ? m_legacy.servedBy(worker) : QList<ServedQueue>())
        list.append(queue.key);
    return list;
}

} // namespace ym::hero
