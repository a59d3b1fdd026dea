#include "core/protocol/hero/hero_protocol.h"

#include "core/protocol/hero/access_rules.h"
#include "core/protocol/hero/hero_consumer.h"
#include "core/protocol/hero/hero_inspector.h"
#include "core/protocol/hero/hero_producer.h"
#include "core/protocol/hero/hero_rescuer.h"

#include <QCoreApplication>

namespace ym {

namespace {

QString say(const char *text)
{
    return QCoreApplication::translate("ym::HeroProtocol", text);
}

} // namespace

QString HeroProtocol::title() const
{
    return QStringLiteral("Hero");
}

Capabilities HeroProtocol::capabilities() const
{
    Capabilities all;
    all.flags = Capability::Submit | Capability::Stop | Capability::Remove | Capability::Retry
        | Capability::Prerequisites | Capability::Priority | Capability::Environment | Capability::LogFile
        | Capability::Presence | Capability::Reply | Capability::Schedule | Capability::KeyModes;
    all.targetFields = {
        {"type", say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "Type")),
         say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "The kind of script: python, v, osis, sal or your own")), true},
        {"group", say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "Group")),
         say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "Only workers of this group; empty for any")), false},
        {"instance", say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "Instance")),
         say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "Only this worker of the group; empty for any")), false},
        {"worker", say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "Worker ID")),
         say(QT_TRANSLATE_NOOP("ym::HeroProtocol", "The worker that legacy queues are named after")), false},
    };
    return all;
}

QList<QByteArray> HeroProtocol::accessRules(AccessRole role, const WorkerIdentity &who) const
{
    return hero::accessRules(role, who);
}

std::unique_ptr<Producer> HeroProtocol::producer(Store *store, ProtocolOptions options, Clock *clock) const
{
    return std::make_unique<hero::HeroProducer>(store, options, clock);
}

std::unique_ptr<Consumer> HeroProtocol::consumer(Store *store, ProtocolOptions options, Clock *clock,
                                                 WorkerIdentity who) const
{
    return std::make_unique<hero::HeroConsumer>(store, options, clock, std::move(who));
}

std::unique_ptr<Inspector> HeroProtocol::inspector(Store *store, ProtocolOptions options, Clock *) const
{
    return std::make_unique<hero::HeroInspector>(store, options);
}

std::unique_ptr<Rescuer> HeroProtocol::rescuer(Store *store, ProtocolOptions options, Clock *clock) const
{
    return std::make_unique<hero::HeroRescuer>(store, options, clock);
}

} // namespace ym
