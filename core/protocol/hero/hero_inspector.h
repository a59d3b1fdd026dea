// Looks at Hero jobs, queues and workers, and changes nothing.
#pragma once

#include "core/protocol/hero/key_census.h"
#include "core/protocol/hero/key_family.h"
#include "core/protocol/hero/queue_order.h"
#include "core/protocol/hero/scan_limit.h"

namespace ym::hero {

/// No command of it takes more than a millisecond of the server, however many jobs there are: SCAN in pages, HMGET of
/// the small fields only, values cut in the server. Lives in the store's thread.
class HeroInspector final : public Inspector {
public:
    HeroInspector(Store *store, ProtocolOptions options);

    QCoro::Task<JobPage> jobs(QByteArray cursor) override;
    QCoro::Task<qint64> estimateJobs() override;
    QCoro::Task<std::vector<JobSummary>> summaries(QList<QByteArray> ids) override;
    QCoro::Task<Detail> job(QByteArray id, qint64 preview) override;
    QCoro::Task<FieldPart> fieldPart(QByteArray id, QByteArray field, qint64 from, qint64 count) override;
    QCoro::Task<QList<QueueInfo>> queues() override;
    QCoro::Task<QList<WorkerInfo>> workers() override;
    QCoro::Task<QList<QByteArray>> queueContent(QByteArray key, qint64 offset, qint64 count) override;
    QCoro::Task<QList<QByteArray>> hotIds() override;
    QByteArray jobEventPattern(int database) const override { return keys::jobEventPattern(database); }
    QByteArray jobOfEvent(QByteArray channel) const override { return keys::jobOfEvent(channel); }

private:
    QCoro::Task<Reply> look(const Script *script, QByteArray key, QList<QByteArray> args);
    QCoro::Task<QList<QueueInfo>> measure(QList<QByteArray> queueKeys, QList<WorkerInfo> living);
    QCoro::Task<void> addAges(QList<QueueInfo> *queues, QList<QByteArray> oldestIds);

    Store *m_store;
    ProtocolOptions m_options;
    ScanLimit m_limit; ///< of jobs(), which one caller walks at a time
    KeyCensus m_census;
    QueueOrders m_orders;
};

} // namespace ym::hero
