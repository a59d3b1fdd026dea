// Keeps the jobs of a store moving (DESIGN, Hero: recover and reconcile).
#pragma once

#include "core/protocol/lease_grace.h"
#include "core/protocol/protocol.h"

#include <QHash>
#include <QSet>

namespace ym::hero {

/// Lives in the store's thread. What it finds is only a suspicion; the scripts look again and decide, so that many of
/// them at work are one.
class HeroRescuer final : public Rescuer {
public:
    HeroRescuer(Store *store, ProtocolOptions options, Clock *clock);

    QCoro::Task<int> recover() override;
    QCoro::Task<int> reconcile(std::stop_token stop) override;
    QCoro::Task<bool> takeTurn(Milliseconds interval) override;

private:
    struct Suspects {
        QHash<QByteArray, QList<QByteArray>> unlisted; ///< by the queue where they should be
        QList<QByteArray> others; ///< that wait or run
    };
    QCoro::Task<Suspects> findSuspects(std::stop_token stop);
    QCoro::Task<QSet<QByteArray>> legacyContent(std::stop_token stop);
    QCoro::Task<QSet<QByteArray>> contentOf(QByteArray queue, std::stop_token stop);
    QCoro::Task<int> repair(QList<QByteArray> ids, std::stop_token stop);

    Store *m_store;
    ProtocolOptions m_options;
    LeaseGrace m_grace;
    QSet<QByteArray> m_types; ///< of the jobs that were seen
};

} // namespace ym::hero
