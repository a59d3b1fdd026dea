// A Consumer in memory: queues, tokens and switches for what goes wrong.
#pragma once

#include "core/base/completion.h"
#include "core/protocol/protocol.h"

#include <QStringList>

#include <deque>

namespace ym::test {

/// Plays the store's side of a worker. Jobs are claimed from the front; a claim waits until a job comes or it is
/// stopped. Everything that is called is noted in `calls`, in order.
class FakeConsumer final : public Consumer {
public:
    explicit FakeConsumer(WorkerIdentity who = {{"python"}, "default", "1", 1, false})
        : m_who(std::move(who))
    {
    }

    // --- what a test says and sees
    void push(const Job &job)
    {
        queue.push_back(job);
        notify();
    }
    std::deque<Job> queue;
    QStringList calls; ///< "claim 2", "finish a", "give back b", …
    QHash<QByteArray, Execution> results; ///< by job id
    QList<QByteArray> stopRequests;
    QList<QByteArray> lostClaims; ///< what beat() reports
    QList<QByteArray> progress; ///< "id: 1 2", as it was reported
    QList<QByteArray> lastBusy;
    bool lastQuiet = false;
    bool isPresent = false;
    std::optional<ErrorKind> failClaim; ///< thrown while set, likewise below
    std::optional<ErrorKind> failFinish;
    std::optional<ErrorKind> failBeat;
    std::optional<ErrorKind> failAnnounce;
    FinishOutcome outcome = FinishOutcome::Committed;
    Milliseconds interval{10'000};
    int delayed = 0; ///< retries that are not due; keeps isDrained() false

    void notify()
    {
        if (m_waiting)
            Completion<bool>(*m_waiting).resolve(true);
    }

    // --- Consumer
    QCoro::Task<WorkerIdentity> announce() override
    {
        note("announce");
        refuse(failAnnounce);
        isPresent = true;
        co_return WorkerIdentity(m_who); // a copy: QCoro moves what it is given by name
    }
    QCoro::Task<void> refreshPresence(QList<QByteArray> busy, bool quiet) override
    {
        note("presence");
        lastBusy = busy;
        lastQuiet = quiet;
        co_return;
    }
    QCoro::Task<void> withdraw() override
    {
        note("withdraw");
        isPresent = false;
        co_return;
    }
    QCoro::Task<std::vector<Claim>> claim(int max, std::stop_token stop) override
    {
        note("claim " + QByteArray::number(max));
        refuse(failClaim);
        if (queue.empty() && !stop.stop_requested()) {
            const Completion<bool> woken = m_waiting.emplace();
            const std::stop_callback onStop(stop, [woken] { woken.resolve(false); });
            co_await woken;
            m_waiting.reset();
        }
        std::vector<Claim> claims;
        while (!queue.empty() && int(claims.size()) < max && !stop.stop_requested()) {
            Claim claim;
            claim.job = queue.front();
            claim.job.attempt += 1;
            claim.token = "token" + QByteArray::number(++m_tokens);
            queue.pop_front();
            claims.push_back(claim);
        }
        co_return claims;
    }
    QCoro::Task<QList<QByteArray>> beat(std::vector<Claim> claims) override
    {
        note("beat " + QByteArray::number(qsizetype(claims.size())));
        refuse(failBeat);
        co_return QList<QByteArray>(lostClaims);
    }
    QCoro::Task<void> report(std::vector<ProgressReport> reports) override
    {
        for (const ProgressReport &report : reports)
            progress.append(report.claim.job.id + ": " + writeProgress(report.progress));
        co_return;
    }
    Milliseconds beatInterval() const override { return interval; }
    QCoro::Task<QList<QByteArray>> stopRequested(std::vector<Claim> running) override
    {
        note("stops " + QByteArray::number(qsizetype(running.size())));
        co_return std::exchange(stopRequests, {});
    }
    QCoro::Task<FinishOutcome> finish(Claim claim, Execution execution) override
    {
        note("finish " + claim.job.id);
        refuse(failFinish);
        if (outcome != FinishOutcome::Stale)
            results.insert(claim.job.id, execution);
        co_return FinishOutcome(outcome);
    }
    QCoro::Task<void> giveBack(Claim claim) override
    {
        note("give back " + claim.job.id);
        claim.job.attempt -= 1;
        queue.push_front(claim.job);
        co_return;
    }
    QCoro::Task<int> recover() override
    {
        note("recover");
        co_return 0;
    }
    QCoro::Task<bool> isDrained() override
    {
        note("drained?");
        co_return queue.empty() && delayed == 0;
    }

private:
    void note(const QByteArray &call) { calls.append(QString::fromUtf8(call)); }
    static void refuse(const std::optional<ErrorKind> &kind)
    {
        if (kind)
            throw StoreError(*kind, QStringLiteral("the store is away"));
    }

    WorkerIdentity m_who;
    int m_tokens = 0;
    std::optional<Completion<bool>> m_waiting;
};

} // namespace ym::test
