// The protocol suite: what two do to one job at the same time, or one after the other in an order that nobody meant.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class InterleavingSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    /// What is there now: waits for nothing.
    std::vector<Claim> look(Consumer *consumer)
    {
        std::stop_source once;
        auto claiming = consumer->claim(1, once.get_token());
        once.request_stop();
        return await(std::move(claiming));
    }
    /// What became of a request that was sent together with another one.
    template <typename T> static std::optional<T> outcomeOf(QCoro::Task<T> task)
    {
        try {
            return await(std::move(task));
        } catch (const StoreError &) {
            return std::nullopt;
        }
    }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void aLateResultAfterARetryIsStale();
    void aRemovedJobIsNotQueuedWhenItIsDue();
    void aJobThatIsRestoredTwiceIsOne();
    void aClaimAndAStopAtOnce();
    void aFinishAndARequeueAtOnce();
    void aMoveAndAClaimAtOnce();
    void aRemovalAndAReleaseAtOnce();
    void aGraphThatTwoFinishIsOne();
    void aGraphThatRunsOutOfMemoryIsThereLater();
};

/// A worker that was given up comes back, when a person has tried once more and somebody else has the job.
void InterleavingSuite::aLateResultAfterARetryIsStale()
{
    m.options.maxRescues = 0;
    const QByteArray id = m.submit();
    auto *slow = m.worker("python", "1");
    const Claim late = m.claim(slow).front();
    m.endLease(id);
    await(slow->recover());
    QCOMPARE(m.field(id, "error"), QByteArray("worker lost"));
    await(m.producer->retry(id));
    QCOMPARE(await(slow->finish(late, m.success("old"))), Consumer::FinishOutcome::Stale);
    auto *quick = m.worker("python", "2");
    const Claim fresh = m.claim(quick).front();
    QCOMPARE(await(slow->beat({late})), QList<QByteArray>{id});
    QCOMPARE(await(slow->finish(late, m.failure("old"))), Consumer::FinishOutcome::Stale);
    await(slow->giveBack(late));
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
    QCOMPARE(await(quick->finish(fresh, m.success("new"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "output"), QByteArray("new"));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"new"});
}

void InterleavingSuite::aRemovedJobIsNotQueuedWhenItIsDue()
{
    Job draft = m.draft();
    draft.retries = 1;
    const QByteArray id = m.submit(draft);
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    auto removing = m.producer->remove(id);
    auto recovering = worker->recover();
    QVERIFY(await(std::move(removing)));
    await(std::move(recovering));
    QCOMPARE(m.exists(hero::keys::job(id)), 0);
    QVERIFY(m.list(m.workKey()).isEmpty());
    QVERIFY(m.zset(hero::keys::delayed()).isEmpty());
}

void InterleavingSuite::aJobThatIsRestoredTwiceIsOne()
{
    const QByteArray id = m.submit();
    const auto removed = await(m.producer->take(id, {}));
    QVERIFY(removed.has_value());
    auto one = m.producer->restore(*removed);
    auto two = m.producer->restore(*removed);
    QCOMPARE(int(await(std::move(one))) + int(await(std::move(two))), 1);
    QCOMPARE(m.places(id), 1);
}

void InterleavingSuite::aClaimAndAStopAtOnce()
{
    auto *worker = m.worker();
    for (int i = 0; i < 6; ++i) {
        const QByteArray id = m.submit();
        auto stopping = m.producer->stop(id);
        std::vector<Claim> claims;
        Producer::StopOutcome outcome;
        if (i % 2 == 0) {
            claims = look(worker);
            outcome = await(std::move(stopping));
        } else {
            outcome = await(std::move(stopping));
            claims = look(worker);
        }
        QCOMPARE(claims.empty(), outcome == Producer::StopOutcome::StoppedInQueue);
        if (!claims.empty()) {
            QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{id});
            await(worker->finish(claims.front(), m.failure("", Execution::Fate::Stopped)));
        }
        QCOMPARE(m.field(id, "status"), QByteArray("error"));
        QCOMPARE(m.places(id), 1);
        QCOMPARE(m.list(hero::keys::reply(id)).size(), 1);
    }
}

void InterleavingSuite::aFinishAndARequeueAtOnce()
{
    auto *worker = m.worker();
    for (const bool finishFirst : {true, false}) {
        const QByteArray id = m.submit();
        const Claim claim = look(worker).front();
        std::optional<Consumer::FinishOutcome> finished;
        std::optional<Producer::Receipt> requeued;
        if (finishFirst) {
            finished = outcomeOf(worker->finish(claim, m.success("done")));
            requeued = outcomeOf(m.producer->requeue(id, 1));
        } else {
            requeued = outcomeOf(m.producer->requeue(id, 1));
            finished = outcomeOf(worker->finish(claim, m.success("done")));
        }
        QCOMPARE(finished, std::optional(finishFirst ? Consumer::FinishOutcome::Committed : Consumer::FinishOutcome::Stale));
        QCOMPARE(requeued.has_value(), !finishFirst);
        QCOMPARE(m.places(id), 1);
    }
}

void InterleavingSuite::aMoveAndAClaimAtOnce()
{
    auto *here = m.worker("python", "1");
    auto *there = m.worker("osis", "1");
    for (int i = 0; i < 4; ++i) {
        const QByteArray id = m.submit();
        Target elsewhere = m.draft("osis").target;
        auto moving = m.producer->move(id, elsewhere);
        const auto claims = look(here);
        const std::optional<bool> moved = outcomeOf(std::move(moving));
        QCOMPARE(moved.has_value(), claims.empty());
        Consumer *const owner = claims.empty() ? there : here;
        const auto owned = claims.empty() ? look(there) : claims;
        QCOMPARE(owned.size(), size_t(1));
        QCOMPARE(await(owner->finish(owned.front(), m.success("x"))), Consumer::FinishOutcome::Committed);
        QCOMPARE(m.places(id, "osis"), 1);
        QCOMPARE(m.places(id, "python"), 1);
    }
}

/// Who waits is freed by the one end of what it waits for, or fails with its removal: never both, and not neither.
void InterleavingSuite::aRemovalAndAReleaseAtOnce()
{
    auto *worker = m.worker();
    for (const bool removeFirst : {true, false}) {
        const QByteArray first = m.submit();
        const Claim claim = look(worker).front();
        Job draft = m.draft();
        draft.prerequisites = {first};
        const QByteArray second = m.submit(draft);
        std::optional<bool> removed;
        if (removeFirst)
            removed = outcomeOf(m.producer->remove(first));
        await(worker->finish(claim, m.success("x")));
        if (!removeFirst)
            removed = outcomeOf(m.producer->remove(first));
        QCOMPARE(removed.has_value(), !removeFirst); // a job that runs stays
        QCOMPARE(m.field(second, "status"), QByteArray("dispatched"));
        QCOMPARE(m.places(second), 1);
        await(worker->finish(look(worker).front(), m.success("x")));
    }
}

void InterleavingSuite::aGraphThatTwoFinishIsOne()
{
    std::vector<Job> drafts;
    for (int i = 0; i < 1'000; ++i) {
        Job draft = m.draft();
        if (i > 0)
            draft.prerequisites = {drafts.front().id};
        drafts.push_back(draft);
    }
    const auto one = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    const auto two = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    auto submitting = m.producer->submitGraph(drafts);
    auto recovering = one->recover();
    auto again = two->recover();
    auto same = m.producer->submitGraph(drafts);
    await(std::move(submitting));
    await(std::move(recovering));
    await(std::move(again));
    await(std::move(same));
    QCOMPARE(m.run(cmd("LLEN", m.workKey())).toInteger(), 1);
    QCOMPARE(m.zset(hero::keys::waiting()).size(), 999);
    QVERIFY(m.zset(hero::keys::graphs()).isEmpty());
    QCOMPARE(m.run(cmd("KEYS", "hero:q:staged:*")).toList().size(), 0);
    auto *worker = m.worker();
    await(worker->finish(look(worker).front(), m.success("x")));
    QCOMPARE(m.run(cmd("LLEN", m.workKey())).toInteger(), 999);
}

/// The server refuses what needs memory between two parts, or while the graph grows.
void InterleavingSuite::aGraphThatRunsOutOfMemoryIsThereLater()
{
    QFETCH_GLOBAL(QString, storeKind);
    if (!storeKind.startsWith(QLatin1String("redis")))
        QSKIP("only a server has a memory limit");
    std::vector<Job> drafts;
    for (int i = 0; i < 600; ++i)
        drafts.push_back(m.draft());
    auto submitting = m.producer->submitGraph(drafts);
    m.run(cmd("CONFIG", "SET", "maxmemory", "1"));
    const bool isThere = outcomeOf([](QCoro::Task<void> task) -> QCoro::Task<bool> {
                             co_await task;
                             co_return true;
                         }(std::move(submitting)))
                             .has_value();
    const qint64 queued = m.run(cmd("LLEN", m.workKey())).toInteger();
    m.run(cmd("CONFIG", "SET", "maxmemory", "0"));
    QVERIFY(!isThere);
    QCOMPARE(queued, 0); // all or none, and none yet
    await(m.producer->submitGraph(drafts));
    QCOMPARE(m.run(cmd("LLEN", m.workKey())).toInteger(), 600);
    QCOMPARE(m.run(cmd("KEYS", "hero:q:staged:*")).toList().size(), 0);
}

QTEST_GUILESS_MAIN(InterleavingSuite)
#include "tst_interleavings.moc"
