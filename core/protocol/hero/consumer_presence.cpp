// HeroConsumer: being there. Presence is for discovery only; leases decide about jobs (RELIABILITY HC4).
#include "core/protocol/hero/hero_consumer.h"
#include "core/protocol/hero/keys.h"
#include "core/protocol/hero/presence_codec.h"
#include "core/protocol/hero/replies.h"
#include "core/protocol/hero/scripts.h"

#include <QCoreApplication>
#include <QSysInfo>

namespace ym::hero {

namespace {

constexpr qint64 instancesPerLook = 32;
constexpr qint64 mostInstances = 4'096;

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroConsumer", text);
}

QList<QByteArray> presenceKeys(const WorkerIdentity &who, const QByteArray &instance)
{
    QList<QByteArray> list;
    for (const QByteArray &type : who.types)
        list.append(keys::presence(type, who.group, instance));
    return list;
}

} // namespace

/// Presence sends jobs to the canonical queues: who does not serve them, or only what is sent to it alone, shows none.
bool HeroConsumer::showsPresence() const
{
    return m_routes.usesCanonical() && !m_who.servesOnlyInstance;
}

QCoro::Task<WorkerIdentity> HeroConsumer::announce()
{
    m_routes.servedBy(m_who); // throws when there is nothing that it could serve
    if (!showsPresence()) {
        if (m_who.instance.isEmpty())
            m_who.instance = m_bootId.left(8);
        co_return WorkerIdentity(m_who); // a copy: QCoro moves what it is given by name
    }
    const QList<QByteArray> idle;
    if (!m_who.instance.isEmpty()) {
        const bool taken = co_await takePresence(m_who.instance, idle, false);
        if (taken)
            co_return WorkerIdentity(m_who); // a copy: QCoro moves what it is given by name
        throw StoreError(
            ErrorKind::Conflict,
            say(QT_TRANSLATE_NOOP("ym::HeroConsumer", "Another living worker is instance %1 of this group."))
                .arg(QString::fromUtf8(m_who.instance)),
            say(QT_TRANSLATE_NOOP("ym::HeroConsumer", "Choose another instance.")));
    }
    for (qint64 from = 1; from <= mostInstances; from += instancesPerLook) {
        const QList<QByteArray> free = co_await freeInstances(from, instancesPerLook);
        for (const QByteArray &instance : free) {
            const bool taken = co_await takePresence(instance, idle, false);
            if (!taken)
                continue; // somebody was quicker
            m_who.instance = instance;
            co_return WorkerIdentity(m_who); // a copy: QCoro moves what it is given by name
        }
    }
    throw StoreError(ErrorKind::Conflict,
                     say(QT_TRANSLATE_NOOP("ym::HeroConsumer", "Every instance of this group is taken.")),
                     say(QT_TRANSLATE_NOOP("ym::HeroConsumer", "Choose another group.")));
}

/// Which of the instances `from` … `from + count - 1` nobody has, for any of our types.
QCoro::Task<QList<QByteArray>> HeroConsumer::freeInstances(qint64 from, qint64 count)
{
    std::vector<Command> looks;
    for (qint64 n = from; n < from + count; ++n) {
        Command look = cmd("EXISTS");
        looks.push_back(look.addAll(presenceKeys(m_who, QByteArray::number(n))));
    }
    const std::vector<Reply> found = co_await m_store->pipeline(looks);
    QList<QByteArray> free;
    for (size_t i = 0; i < found.size(); ++i) {
        if (checked(found[i]).toInteger() == 0)
            free.append(QByteArray::number(from + qint64(i)));
    }
    co_return free;
}

/// True when all our keys for this instance were free or ours already, and are now renewed.
QCoro::Task<bool> HeroConsumer::takePresence(QByteArray instance, QList<QByteArray> busy, bool quiet)
{
    Presence presence;
    presence.pid = QCoreApplication::applicationPid();
    presence.hostname = QSysInfo::machineHostName().toUtf8();
    presence.version = "yardmaster/" YM_VERSION;
    presence.capabilities = {"stop", "reply", "lease", "priority"};
    presence.startedAt = m_startedAt;
    presence.heartbeat = m_clock->now();
    presence.slotCount = m_who.slotCount;
    presence.busy = busy;
    presence.quiet = quiet;
    presence.bootId = m_bootId;
    presence.order = m_options.order;
    presence.legacyId = m_routes.usesLegacy() ? m_who.legacyId : QByteArray();
    presence.legacyQueues = m_routes.legacyQueuesOf(m_who);
    const QList<QByteArray> args{m_bootId, QByteArray::number(qint64(m_options.presenceTtl.count())),
                                 writePresence(presence)};
    const Reply taken = co_await m_store->script(script("presence"), presenceKeys(m_who, instance), args);
    co_return taken.toInteger() == 1;
}

QCoro::Task<void> HeroConsumer::refreshPresence(QList<QByteArray> busy, bool quiet)
{
    if (!showsPresence())
        co_return;
    const bool taken = co_await takePresence(m_who.instance, busy, quiet);
    if (!taken)
        throw StoreError(
            ErrorKind::Conflict,
            say(QT_TRANSLATE_NOOP("ym::HeroConsumer", "Another worker has taken over instance %1 of this group."))
                .arg(QString::fromUtf8(m_who.instance)),
            say(QT_TRANSLATE_NOOP("ym::HeroConsumer", "Stop one of the two workers.")));
}

QCoro::Task<void> HeroConsumer::withdraw()
{
    if (const std::unique_ptr<QueueWatch> watch = std::move(m_watch))
        co_await watch->end();
    if (!showsPresence())
        co_return;
    const QList<QByteArray> args{m_bootId};
    co_await m_store->script(script("withdraw"), presenceKeys(m_who, m_who.instance), args);
}

} // namespace ym::hero
