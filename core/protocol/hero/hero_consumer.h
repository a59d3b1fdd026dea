// Takes Hero jobs out, for one worker (DESIGN, Hero: claims that lose nothing).
#pragma once

#include "core/base/turn_batch.h"
#include "core/protocol/hero/key_family.h"
#include "core/protocol/hero/queue_watch.h"
#include "core/protocol/lease_grace.h"
#include "core/store/wait_then_script.h"

namespace ym::hero {

/// Lives in the store's thread. withdraw() ends its waits; destroy it when none of its tasks runs any more.
class HeroConsumer final : public Consumer {
public:
    HeroConsumer(Store *store, ProtocolOptions options, Clock *clock, WorkerIdentity who);

    QCoro::Task<WorkerIdentity> announce() override;
    QCoro::Task<void> refreshPresence(QList<QByteArray> busy, bool quiet) override;
    QCoro::Task<void> withdraw() override;

    QCoro::Task<std::vector<Claim>> claim(int max, std::stop_token stop) override;
    QCoro::Task<QList<QByteArray>> beat(std::vector<Claim> claims) override;
    QCoro::Task<void> report(std::vector<ProgressReport> reports) override;
    Milliseconds beatInterval() const override;
    QCoro::Task<QList<QByteArray>> stopRequested(std::vector<Claim> running) override;
    QCoro::Task<FinishOutcome> finish(Claim claim, Execution execution) override;
    QCoro::Task<void> giveBack(Claim claim) override;
    QCoro::Task<int> recover() override;
    QCoro::Task<bool> isDrained() override;

private:
    struct Batch {
        std::vector<Claim> claims;
        bool mayHaveMore = false;
    };
    /// What a claim is asked with.
    struct Asked {
        QList<ServedQueue> queues;
        QByteArray token;
    };
    Asked freshClaim() const;
    QCoro::Task<Batch> claimNow(int max);
    QCoro::Task<Batch> claimWhenThere(int max, Milliseconds limit, std::stop_token stop);
    QCoro::Task<Batch> claimBehindWait(QByteArray queue, int max, Milliseconds limit, std::stop_source over);
    QList<QByteArray> claimWords(int max, const Asked &asked) const;
    Batch readBatch(const Reply &reply, const Asked &asked);
    void readClaims(const Reply &answer, const Asked &asked, std::vector<Claim> &claims) const;
    /// One run that ended, as words for the script.
    struct End {
        QByteArray type;
        QList<QByteArray> shared; ///< with other runs, perhaps
        QList<QByteArray> own;
    };
    End endOf(const Claim &claim, const Execution &execution) const;
    QCoro::Task<std::vector<FinishOutcome>> finishAll(std::vector<End> ends);
    QCoro::Task<std::vector<FinishOutcome>> finishTogether(std::vector<End> ends);
    QList<QByteArray> leaseKeys() const;
    QByteArray servedEnd() const;
    const QList<ServedQueue> &served() const;
    bool showsPresence() const;
    QCoro::Task<bool> takePresence(QByteArray instance, QList<QByteArray> busy, bool quiet);
    QCoro::Task<QList<QByteArray>> freeInstances(qint64 from, qint64 count);
    QCoro::Task<bool> isDelayedForUs();

    Store *m_store;
    ProtocolOptions m_options;
    Clock *m_clock;
    KeyRoutes m_routes;
    WorkerIdentity m_who;
    mutable QList<ServedQueue> m_served; ///< of m_servedInstance
    mutable std::optional<QByteArray> m_servedInstance;
    QByteArray m_bootId;
    Timestamp m_startedAt;
    LeaseGrace m_grace;
    std::unique_ptr<QueueWatch> m_watch;
    WaitThenScript *m_waiter; ///< the store, when it is one
    Monotonic m_waiterRests{0}; ///< until then it is not used, after trouble
    QByteArray m_likelyQueue; ///< where the last job came from
    TurnBatch<End, FinishOutcome> m_ends;
};

} // namespace ym::hero
