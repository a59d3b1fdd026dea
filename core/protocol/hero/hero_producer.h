// Puts Hero jobs in, stops, removes and retries them, and waits for their end.
#pragma once

#include "core/base/turn_batch.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/key_family.h"
#include "core/protocol/hero/presence_watch.h"

namespace ym::hero {

/// Every change is one script, so it takes place as a whole or not at all. Lives in the store's thread.
class HeroProducer final : public Producer {
public:
    HeroProducer(Store *store, ProtocolOptions options, Clock *clock);

    QCoro::Task<Receipt> submit(Job draft) override;
    QCoro::Task<void> submitGraph(std::vector<Job> drafts) override;
    QCoro::Task<StopOutcome> stop(QByteArray id) override;
    QCoro::Task<std::optional<RemovedJob>> take(QByteArray id, QByteArray onlyFrom) override;
    QCoro::Task<std::optional<RemovedJob>> look(QByteArray id) override;
    QCoro::Task<bool> restore(RemovedJob job) override;
    RemovedJob recordOf(const Claim &claim) const override;
    QCoro::Task<Receipt> requeue(QByteArray id, int seenAttempt) override;
    QCoro::Task<bool> move(QByteArray id, Target to) override;
    QCoro::Task<Receipt> retry(QByteArray id) override;
    QCoro::Task<RoutePreview> preview(Target target) override;
    QCoro::Task<Job> waitUntilOver(QByteArray id, Milliseconds limit, std::stop_token stop, Replies replies) override;

private:
    QCoro::Task<bool> isWorkerPresent(Target target);
    /// A job that waits for nothing, on its way to the queue of its target.
    struct PlainJob {
        QByteArray id;
        QByteArray queue;
        QList<ByteField> fields;
    };
    enum class Queued : quint8 { No, Yes };
    QCoro::Task<Queued> queueOne(PlainJob job, qsizetype cost);
    QCoro::Task<std::vector<Queued>> queueAll(std::vector<PlainJob> jobs);
    using Group = std::vector<size_t>; ///< places of jobs that look alike
    static std::vector<Group> groupsOf(const std::vector<PlainJob> &jobs);
    static QList<QByteArray> wordsOf(const std::vector<PlainJob> &jobs, const Group &group);
    QByteArray legacyQueue() const;
    QCoro::Task<QByteArray> meansLegacy(QByteArray id);

    Store *m_store;
    ProtocolOptions m_options;
    Clock *m_clock;
    KeyRoutes m_routes;
    PresenceWatch m_presence;
    TurnBatch<PlainJob, Queued> m_plainJobs;
    int m_plainOnWay = 0;
};

} // namespace ym::hero
