// The Hero protocol with canonical keys (PROTOCOLS 1+2).
#pragma once

#include "core/protocol/protocol.h"

namespace ym {

/// Stateless; what it makes belongs to the store's thread and must not outlive the store or the clock.
class HeroProtocol final : public Protocol {
public:
    QByteArray name() const override { return "hero"; }
    QString title() const override;
    Capabilities capabilities() const override;
    QList<QByteArray> accessRules(AccessRole role, const WorkerIdentity &who) const override;

    std::unique_ptr<Producer> producer(Store *store, ProtocolOptions options, Clock *clock) const override;
    std::unique_ptr<Consumer> consumer(Store *store, ProtocolOptions options, Clock *clock,
                                       WorkerIdentity who) const override;
    std::unique_ptr<Inspector> inspector(Store *store, ProtocolOptions options, Clock *clock) const override;
    std::unique_ptr<Rescuer> rescuer(Store *store, ProtocolOptions options, Clock *clock) const override;
};

} // namespace ym
