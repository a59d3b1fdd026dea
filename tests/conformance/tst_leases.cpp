// The protocol suite: leases and rescue.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class LeaseSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void beatMovesTheDeadline();
    void beatTellsWhichClaimsAreLost();
    void progressIsWrittenByTheHolderAndGoesWithTheRun();
    void aLostJobGoesBackToTheQueueItCameFrom();
    void aLiveLeaseIsLeftAlone();
    void aStaleWorkerCannotCommitAfterTheRescue();
    void rescuesEndInTheDeadList();
    void aRequestedStopIsHonouredAtTheRescue();
    void severalRescuersAreAsGoodAsOne();
    void unreadableRecordsDoNotStopTheRescue();
    void moreThanABatchIsRescuedInOneCall();
    void anEndedJobsLeaseIsForgotten();
    void aRescuedJobIsFoundWhenItsQueueBroke();
    void drainedOnlyWhenNothingIsLeft();
    void aServerWhoseClockWentBackHoldsNoJobForEver();
    void aServerWhoseClockWentForwardLeavesTheHolderTimeToRenew();
};

/// P22: what was claimed before the jump seems to be leased for as long as the jump was wide.
void LeaseSuite::aServerWhoseClockWentBackHoldsNoJobForEver()
{
    const QByteArray id = m.submit();
    const QByteArray fresh = m.submit();
    const auto claims = m.claim(m.worker(), 2);
    QCOMPARE(claims.size(), size_t(2));
    const auto deadline = [this](const QByteArray &job) {
        return m.run(cmd("ZSCORE", hero::keys::lease("python"), job)).toBytes().toLongLong();
    };
    const qint64 untouched = deadline(fresh);
    const qint64 now = untouched - 30'000;
    constexpr qint64 tenHours = 36'000'000;
    m.run(cmd("ZADD", hero::keys::lease("python"), "XX", untouched + tenHours, id));
    m.setField(id, "started_at", toRfc3339(Timestamp{Milliseconds{now + tenHours}}));
    QCOMPARE(await(m.worker()->recover()), 0);
    QVERIFY2(deadline(id) <= now + 3'660'000, QByteArray::number(deadline(id) - now).constData());
    QCOMPARE(deadline(fresh), untouched);
    // Its worker, if there is one, renews it as ever, and ends it.
    QVERIFY(await(m.worker()->beat(claims)).isEmpty());
    QVERIFY(deadline(id) <= now + 90'000);
    for (const Claim &claim : claims)
        QCOMPARE(await(m.worker()->finish(claim, m.success("ok"))), Consumer::FinishOutcome::Committed);
}

/// By somebody's hand, or because the server stood still: more time has passed there than here.
void LeaseSuite::aServerWhoseClockWentForwardLeavesTheHolderTimeToRenew()
{
    ManualClock clock;
    ProtocolOptions quick = m.options;
    quick.lease = Milliseconds{60};
    const auto rescuer = m.protocol.rescuer(m.store.get(), quick, &clock);
    const QByteArray id = m.submit();
    m.claim(m.worker());
    QCOMPARE(await(rescuer->recover()), 0);
    const auto serverMs = [this] {
        const QList<QByteArray> time = m.run(cmd("TIME")).toList();
        return time[0].toLongLong() * 1'000 + time[1].toLongLong() / 1'000;
    };
    for (const qint64 start = serverMs(); serverMs() <= start + 45;) { }
    m.endLease(id);
    QCOMPARE(await(rescuer->recover()), 0);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
    for (const int rescued : {0, 0, 1}) {
        clock.advance(Milliseconds{20});
        QCOMPARE(await(rescuer->recover()), rescued);
    }
    QCOMPARE(m.places(id), 1);
}

void LeaseSuite::beatMovesTheDeadline()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(worker->beatInterval(), Milliseconds{10'000});
    m.endLease(id);
    QVERIFY(await(worker->beat(claims)).isEmpty());
    QCOMPARE(await(worker->recover()), 0);
    QVERIFY(m.run(cmd("ZSCORE", hero::keys::lease("python"), id)).toBytes().toLongLong() > 1'000'000);
}

void LeaseSuite::beatTellsWhichClaimsAreLost()
{
    m.submit(); // this one is kept
    const QByteArray rescued = m.submit();
    const QByteArray ended = m.submit();
    const QByteArray removed = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker, 4);
    m.endLease(rescued);
    await(m.worker("python", "2")->recover());
    m.setField(ended, "status", "error");
    m.run(cmd("DEL", hero::keys::job(removed)));
    QCOMPARE(await(worker->beat(claims)), (QList<QByteArray>{rescued, ended, removed}));
    QCOMPARE(m.run(cmd("EXISTS", hero::keys::job(removed))).toInteger(), 0);
}

void LeaseSuite::progressIsWrittenByTheHolderAndGoesWithTheRun()
{
    const QByteArray id = m.submit();
    auto *slow = m.worker("python", "1");
    auto *quick = m.worker("python", "2");
    const Claim first = m.claim(slow).front();
    await(slow->report({{first, {3, 10, "reading"}}}));
    QCOMPARE(m.field(id, "progress"), QByteArray("3 10 reading"));
    QCOMPARE(await(m.inspector->summaries({id})).front().progress, (JobProgress{3, 10, "reading"}));
    Claim wrong = first;
    wrong.token = "another";
    await(slow->report({{wrong, {9, 10, {}}}}));
    QCOMPARE(m.field(id, "progress"), QByteArray("3 10 reading"));
    m.endLease(id);
    await(quick->recover());
    QCOMPARE(m.field(id, "progress"), QByteArray()); // a new run begins without it
    const Claim second = m.claim(quick).front();
    await(slow->report({{first, {9, 10, {}}}})); // too late
    QCOMPARE(m.field(id, "progress"), QByteArray());
    await(quick->report({{second, {1, 2, {}}}}));
    await(quick->finish(second, m.success("done")));
    QCOMPARE(m.field(id, "progress"), QByteArray());
    m.setField(id, "progress", "1 2"); // left behind by somebody
    QVERIFY(!await(m.inspector->summaries({id})).front().progress.isKnown());
}

void LeaseSuite::aLostJobGoesBackToTheQueueItCameFrom()
{
    const QByteArray first = m.submit();
    const QByteArray second = m.submit();
    auto *worker = m.worker();
    m.claim(worker);
    m.endLease(first);
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.field(first, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(first, "rescues"), QByteArray("1"));
    QCOMPARE(m.list(m.workKey()), (QList<QByteArray>{second, first})); // served next
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
    QCOMPARE(m.exists(hero::keys::claims("python")), 0);
    QCOMPARE(m.places(first), 1);
    QCOMPARE(await(worker->recover()), 0);
}

void LeaseSuite::aLiveLeaseIsLeftAlone()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    m.claim(worker);
    QCOMPARE(await(worker->recover()), 0);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
}

void LeaseSuite::aStaleWorkerCannotCommitAfterTheRescue()
{
    const QByteArray id = m.submit();
    auto *slow = m.worker("python", "1");
    auto *quick = m.worker("python", "2");
    const Claim late = m.claim(slow).front();
    m.endLease(id);
    await(quick->recover());
    QCOMPARE(await(slow->finish(late, m.success("late"))), Consumer::FinishOutcome::Stale);
    const Claim second = m.claim(quick).front();
    QCOMPARE(await(slow->finish(late, m.success("late"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(await(slow->beat({late})), QList<QByteArray>{id});
    QCOMPARE(await(quick->finish(second, m.success("second"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(await(slow->finish(late, m.success("late"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(m.field(id, "output"), QByteArray("second"));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"second"});
}

void LeaseSuite::rescuesEndInTheDeadList()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    int runs = 0;
    while (m.field(id, "status") != "error") {
        QVERIFY(runs < 10);
        QCOMPARE(m.claim(worker).size(), size_t(1));
        ++runs;
        m.endLease(id);
        QCOMPARE(await(worker->recover()), 1);
    }
    QCOMPARE(runs, 4); // I5: 1 + 3 rescues
    QCOMPARE(m.field(id, "error"), QByteArray("worker lost"));
    QCOMPARE(m.list(hero::keys::dead("python")), QList<QByteArray>{id});
    QVERIFY(m.list(m.workKey()).isEmpty());
    QCOMPARE(await(m.inspector->summaries({id})).front().state, JobState::Dead);
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"worker lost"});
    await(m.producer->retry(id));
    QVERIFY(m.list(hero::keys::dead("python")).isEmpty());
    QCOMPARE(m.claim(worker).front().job.attempt, 5);
}

void LeaseSuite::aRequestedStopIsHonouredAtTheRescue()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{id}); // it knows, and dies
    m.endLease(id);
    await(worker->recover());
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("stopped_by_request"));
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:default:inst:1"), 0);
    QVERIFY(m.list(m.workKey()).isEmpty());
}

void LeaseSuite::severalRescuersAreAsGoodAsOne()
{
    QList<QByteArray> ids;
    for (int i = 0; i < 30; ++i)
        ids.append(m.submit());
    m.claim(m.worker(), 30);
    for (const QByteArray &id : ids)
        m.endLease(id);
    std::vector<QCoro::Task<int>> rescues;
    for (int i = 2; i <= 4; ++i)
        rescues.push_back(m.worker("python", QByteArray::number(i))->recover());
    int moved = 0;
    for (auto &rescue : rescues)
        moved += await(std::move(rescue));
    QCOMPARE(moved, 30);
    QList<QByteArray> queued = m.list(m.workKey());
    std::sort(queued.begin(), queued.end());
    std::sort(ids.begin(), ids.end());
    QCOMPARE(queued, ids);
}

void LeaseSuite::unreadableRecordsDoNotStopTheRescue()
{
    const QByteArray good = m.submit();
    auto *worker = m.worker();
    m.claim(worker);
    m.endLease(good);
    m.run(cmd("ZADD", hero::keys::lease("python"), 1, "gone"));
    m.run(cmd("ZADD", hero::keys::lease("python"), 1, "a-set"));
    m.run(cmd("SADD", hero::keys::job("a-set"), "x"));
    m.run(cmd("HSET", hero::keys::job("bare"), "status", "started", "attempt", "abc", "rescues", "-7"));
    m.run(cmd("ZADD", hero::keys::lease("python"), 1, "bare"));
    m.run(cmd("HSET", hero::keys::claims("python"), "bare", "no separator"));
    m.run(cmd("HSET", hero::keys::claims("python"), "gone", "t|hero:q:work:type:python"));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, "never-was"));
    m.run(cmd("ZADD", hero::keys::waiting(), 1, "never-was"));
    await(worker->recover());
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{good});
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
    QVERIFY(m.zset(hero::keys::delayed()).isEmpty());
    QVERIFY(m.zset(hero::keys::waiting()).isEmpty());
    QCOMPARE(m.exists(hero::keys::job("gone")), 0);
    QCOMPARE(m.run(cmd("HGET", hero::keys::job("bare"), "error")).toBytes(), QByteArray("worker lost")); // no queue
}

void LeaseSuite::moreThanABatchIsRescuedInOneCall()
{
    for (int i = 0; i < 250; ++i)
        m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker, 250);
    QCOMPARE(claims.size(), size_t(250));
    for (const Claim &claim : claims)
        m.endLease(claim.job.id);
    QCOMPARE(await(worker->recover()), 250);
    QCOMPARE(m.list(m.workKey()).size(), 250);
}

void LeaseSuite::anEndedJobsLeaseIsForgotten()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    m.claim(worker);
    m.setField(id, "status", "finished");
    m.endLease(id);
    QCOMPARE(await(worker->recover()), 0);
    QCOMPARE(m.field(id, "status"), QByteArray("finished"));
    QVERIFY(m.list(m.workKey()).isEmpty());
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
}

void LeaseSuite::aRescuedJobIsFoundWhenItsQueueBroke()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    m.claim(worker);
    m.endLease(id);
    m.run(cmd("SET", m.workKey(), "broken"));
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.field(id, "error"),
             "worker lost; it could not be queued again, because " + m.workKey() + " holds a string");
    QCOMPARE(m.list(hero::keys::dead("python")), QList<QByteArray>{id});
}

void LeaseSuite::drainedOnlyWhenNothingIsLeft()
{
    auto *worker = m.worker();
    QVERIFY(await(worker->isDrained()));
    Job draft = m.draft();
    draft.retries = 1;
    draft.target.priority = 2;
    m.submit(draft);
    QVERIFY(!await(worker->isDrained()));
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    QVERIFY(!await(worker->isDrained())); // its retry is delayed
    QVERIFY(await(m.worker("osis")->isDrained()));
    m.run(cmd("ZADD", hero::keys::delayed(), "XX", 1, draft.id)); // its draw may have been due at once
    await(worker->recover());
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    QVERIFY(await(worker->isDrained()));
}

QTEST_GUILESS_MAIN(LeaseSuite)
#include "tst_leases.moc"
