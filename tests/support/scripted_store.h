// A store and an inspector that a test plays by hand.
#pragma once

#include "core/base/completion.h"
#include "core/protocol/protocol.h"

#include <map>

namespace ym::test {

/// Ready or lost, as the test says; knows no commands.
class ScriptedStore : public Store {
public:
    void setReady(bool ready)
    {
        m_status.phase = ready ? StoreStatus::Phase::Ready : StoreStatus::Phase::Waiting;
        for (const auto &waiter : ready ? std::exchange(m_waiters, {}) : std::vector<Completion<bool>>{})
            waiter.resolve(true);
        Q_EMIT statusChanged();
    }
    void tellEvent(const QByteArray &channel)
    {
        if (m_subscription)
            Q_EMIT m_subscription->message(channel, "hset");
    }
    bool isSubscribed() const { return m_subscription; }
    QByteArray eventFlags; ///< answer to CONFIG GET notify-keyspace-events

    QCoro::Task<void> open() override { co_return; }
    void close() override { }
    StoreStatus status() const override { return m_status; }
    StoreCost cost() const override { return {}; }
    QString displayName() const override { return QStringLiteral("scripted"); }
    QCoro::Task<Reply> command(Command) override
    {
        std::vector<Reply> answer;
        answer.push_back(Reply::bulk("notify-keyspace-events"));
        answer.push_back(Reply::bulk(eventFlags));
        co_return Reply::array(std::move(answer));
    }
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command>) override { co_return std::vector<Reply>{}; }
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command>) override { co_return std::vector<Reply>{}; }
    QCoro::Task<Reply> script(const Script *, QList<QByteArray>, QList<QByteArray>) override { co_return Reply{}; }
    QCoro::Task<Reply> blocking(Command, Milliseconds, std::stop_token) override { co_return Reply{}; }
    std::unique_ptr<Subscription> subscribe(QList<QByteArray>, Match) override
    {
        auto subscription = std::make_unique<Subscription>();
        m_subscription = subscription.get();
        return subscription;
    }
    QCoro::Task<bool> waitUntilReady(std::stop_token stop) override
    {
        if (m_status.phase == StoreStatus::Phase::Ready)
            co_return true;
        const Completion<bool> ready;
        m_waiters.push_back(ready);
        const std::stop_callback onStop(stop, [ready] { ready.resolve(false); });
        co_return co_await ready;
    }

private:
    StoreStatus m_status;
    std::vector<Completion<bool>> m_waiters;
    QPointer<Subscription> m_subscription;
};

/// Jobs in a map; counts what is asked. Throws Unavailable while `store` is not ready.
class ScriptedInspector : public Inspector {
public:
    explicit ScriptedInspector(ScriptedStore *store)
        : m_store(store)
    {
    }

    void put(const QByteArray &id, JobState state)
    {
        JobSummary job;
        job.id = id;
        job.state = state;
        all[id] = job;
    }

    std::map<QByteArray, JobSummary> all;
    QList<QueueInfo> queueList;
    QList<WorkerInfo> workerList;
    QList<QByteArray> hot;
    QList<QList<QByteArray>> asked; ///< every call of summaries()
    /// What the store does not tell, by the name of the function: "queues".
    std::map<QByteArray, Error> refusals;
    int listings = 0;
    int overviews = 0;
    size_t pageSize = 2;

    QCoro::Task<JobPage> jobs(QByteArray cursor) override
    {
        requireReady();
        if (cursor.isEmpty())
            ++listings;
        requireRight("jobs");
        JobPage page;
        auto next = cursor.isEmpty() ? all.begin() : all.lower_bound(cursor);
        for (size_t i = 0; i < pageSize && next != all.end(); ++i, ++next)
            page.jobs.push_back(next->second);
        page.cursor = next == all.end() ? QByteArray() : next->first;
        co_return page;
    }
    QCoro::Task<qint64> estimateJobs() override { co_return qint64(all.size()); }
    QCoro::Task<FieldPart> fieldPart(QByteArray, QByteArray, qint64, qint64) override { co_return FieldPart{}; }
    QCoro::Task<std::vector<JobSummary>> summaries(QList<QByteArray> ids) override
    {
        requireReady();
        asked.append(ids);
        std::vector<JobSummary> found;
        for (const QByteArray &id : ids) {
            if (const auto job = all.find(id); job != all.end())
                found.push_back(job->second);
        }
        co_return found;
    }
    QCoro::Task<Detail> job(QByteArray, qint64) override { co_return Detail{}; }
    QCoro::Task<QList<QueueInfo>> queues() override
    {
        requireReady();
        ++overviews;
        requireRight("queues");
        co_return QList<QueueInfo>(queueList); // g++ 12 moves a member that is returned
    }
    QCoro::Task<QList<WorkerInfo>> workers() override
    {
        requireRight("workers");
        co_return QList<WorkerInfo>(workerList);
    }
    QCoro::Task<QList<QByteArray>> queueContent(QByteArray, qint64, qint64) override { co_return QList<QByteArray>{}; }
    QCoro::Task<QList<QByteArray>> hotIds() override { co_return QList<QByteArray>(hot); }
    QByteArray jobEventPattern(int) const override { return "event:*"; }
    QByteArray jobOfEvent(QByteArray channel) const override { return channel.mid(6); }

private:
    void requireReady() const
    {
        if (m_store->status().phase != StoreStatus::Phase::Ready)
            throw StoreError(ErrorKind::Unavailable, QStringLiteral("lost"));
    }

    void requireRight(const QByteArray &what) const
    {
        if (const auto refusal = refusals.find(what); refusal != refusals.end())
            throw StoreError(refusal->second);
    }

    ScriptedStore *m_store;
};

} // namespace ym::test
