// The protocol suite: stopping jobs.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class StopSuite : public QObject {
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

    void aQueuedJobIsStoppedAtOnce();
    void aDelayedJobIsStoppedAtOnce();
    void aWaitingJobIsStoppedAtOnce();
    void aRunningJobIsAskedOnTheListOfItsClaimer();
    void aJobOfAForeignWorkerIsAskedOnTheListOfItsType();
    void aForeignRunAfterOursIsAskedOnTheListOfItsType();
    void aJobThatSomebodyHasJustPoppedIsAsked();
    void aRequestBeforeTheClaimStartsNothing_data();
    void aRequestBeforeTheClaimStartsNothing();
    void aRetryIsNotStoppedByAnOldRequest();
    void aRunThatIsAskedToStopIsNotRetried();
    void aClaimThatIsAskedToStopIsNotGivenBack();
    void anEndedJobIsLeftAlone();
    void anUnknownJobIsNotFound();
    void aWorkerFollowsOnlyItsOwnRequests();
    void requestsForEndedJobsDoNotPileUp();
    void finishingRemovesTheRequest();
    void aLongControlListCostsOneTrip();
    void aRequestThatNobodyFollowsCostsOthersNothing();
};

void StopSuite::aQueuedJobIsStoppedAtOnce()
{
    const QByteArray id = m.submit();
    const QByteArray other = m.submit();
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::StoppedInQueue);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("stopped"));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{other});
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"stopped"});
    QCOMPARE(m.places(id), 1);
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::AlreadyOver);
}

void StopSuite::aDelayedJobIsStoppedAtOnce()
{
    Job draft = m.draft();
    draft.retries = 1;
    m.submit(draft);
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    QCOMPARE(await(m.producer->stop(draft.id)), Producer::StopOutcome::StoppedInQueue);
    QVERIFY(m.zset(hero::keys::delayed()).isEmpty());
    QCOMPARE(m.field(draft.id, "error"), QByteArray("stopped"));
    QCOMPARE(await(m.inspector->summaries({draft.id})).front().state, JobState::Failed);
}

void StopSuite::aWaitingJobIsStoppedAtOnce()
{
    const QByteArray first = m.submit();
    Job second = m.draft();
    second.prerequisites = {first};
    m.submit(second);
    Job third = m.draft();
    third.prerequisites = {second.id};
    m.submit(third);
    QCOMPARE(await(m.producer->stop(second.id)), Producer::StopOutcome::StoppedInQueue);
    QCOMPARE(m.field(third.id, "error"), QByteArray("prerequisite " + second.id + " failed"));
    QVERIFY(m.zset(hero::keys::waiting()).isEmpty());
    QCOMPARE(m.field(first, "status"), QByteArray("dispatched"));
}

void StopSuite::aRunningJobIsAskedOnTheListOfItsClaimer()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker("python", "3", "io");
    const auto claims = m.claim(worker);
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
    QCOMPARE(m.list("hero:q:ctl:type:python:group:io:inst:3"), QList<QByteArray>{id});
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{id});
    // It stays until the job is over: this worker may die before it has stopped the run.
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{id});
    await(worker->finish(claims.front(), m.failure("", Execution::Fate::Stopped)));
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:io:inst:3"), 0);
    QCOMPARE(m.field(id, "error"), QByteArray("stopped_by_request"));
}

void StopSuite::aJobOfAForeignWorkerIsAskedOnTheListOfItsType()
{
    const QByteArray id = m.submit();
    m.run(cmd("BLPOP", m.workKey(), 1));
    m.setField(id, "status", "started");
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{id});
}

/// Ours had it before and lost it: where that one listened nobody hears of it.
void StopSuite::aForeignRunAfterOursIsAskedOnTheListOfItsType()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    m.claim(worker);
    m.endLease(id);
    QCOMPARE(await(worker->recover()), 1);
    m.run(cmd("BLPOP", m.workKey(), 1));
    m.setField(id, "status", "started");
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{id});
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:default:inst:1"), 0);
}

/// A worker of others writes `started` after its pop, whatever stands there by then: the job is not said to be stopped.
void StopSuite::aJobThatSomebodyHasJustPoppedIsAsked()
{
    const QByteArray id = m.submit();
    Job second = m.draft();
    second.prerequisites = {id};
    m.submit(second);
    m.run(cmd("BLPOP", m.workKey(), 1));
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
        QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
        QCOMPARE(m.field(second.id, "status"), QByteArray("waiting_for_prerequisites"));
        QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{id});
        for (const QByteArray &queue : m.workKeys())
            QVERIFY(m.list(queue).isEmpty());
    }
    m.setField(id, "status", "started"); // now it looks, and finds the request
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{id});
    m.setField(id, "status", "finished");
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::AlreadyOver);
    QCOMPARE(m.exists("hero:q:ctl:type:python"), 0);
}

void StopSuite::aRequestBeforeTheClaimStartsNothing_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::newRow("for the type") << QByteArray("hero:q:ctl:type:python");
    QTest::newRow("for the instance") << QByteArray("hero:q:ctl:type:python:group:default:inst:1");
    QTest::newRow("for a legacy worker") << QByteArray("hero:stop_queue:python-worker");
}

/// As other producers stop: they only push the request, wherever the job is (the first document, step 4 of a worker).
void StopSuite::aRequestBeforeTheClaimStartsNothing()
{
    QFETCH(QByteArray, list);
    Job draft = m.draft();
    draft.target.legacyWorker = m.workerId("python");
    const QByteArray id = m.submit(draft);
    Job second = m.draft();
    second.prerequisites = {id};
    m.submit(second);
    const QByteArray other = m.submit();
    m.run(cmd("LPUSH", list, "of somebody else", id, id));
    auto *worker = m.worker();
    const auto claims = m.claim(worker, 5);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, other);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("stopped"));
    QVERIFY(m.field(id, "started_at").isEmpty());
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"stopped"});
    QCOMPARE(m.field(second.id, "error"), QByteArray("prerequisite " + id + " failed"));
    QCOMPARE(m.list(list), QList<QByteArray>{"of somebody else"});
    QCOMPARE(m.places(id), 1);
}

/// One that came when the job was over already is not for its next run.
void StopSuite::aRetryIsNotStoppedByAnOldRequest()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", id));
    m.run(cmd("LPUSH", "hero:q:ctl:type:python:group:default:inst:1", id));
    await(m.producer->retry(id));
    QCOMPARE(m.claim(worker).size(), size_t(1));
}

/// The request came while it ran, and it failed before its worker looked.
void StopSuite::aRunThatIsAskedToStopIsNotRetried()
{
    Job draft = m.draft();
    draft.retries = 5;
    const QByteArray id = m.submit(draft);
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(await(worker->finish(claim, m.failure("boom"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("boom"));
    QVERIFY(m.zset(hero::keys::delayed()).isEmpty());
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:default:inst:1"), 0);
}

/// The worker ends and has not seen the request: whoever takes the job next would never look there.
void StopSuite::aClaimThatIsAskedToStopIsNotGivenBack()
{
    const QByteArray id = m.submit();
    Job second = m.draft();
    second.prerequisites = {id};
    m.submit(second);
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    await(worker->giveBack(claim));
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("stopped_by_request"));
    QCOMPARE(m.field(second.id, "error"), QByteArray("prerequisite " + id + " failed"));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"stopped_by_request"});
    QVERIFY(m.list(m.workKey()).isEmpty());
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:default:inst:1"), 0);
    QCOMPARE(m.places(id), 1);
}

void StopSuite::anEndedJobIsLeftAlone()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("ok")));
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", id, "other"));
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::AlreadyOver);
    QCOMPARE(m.field(id, "status"), QByteArray("finished"));
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{"other"});
}

void StopSuite::anUnknownJobIsNotFound()
{
    QCOMPARE(await(m.producer->stop(newJobId())), Producer::StopOutcome::NotFound);
    QCOMPARE(m.run(cmd("DBSIZE")).toInteger(), 0);
}

void StopSuite::aWorkerFollowsOnlyItsOwnRequests()
{
    const QByteArray mine = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    const QByteArray elsewhere = m.submit();
    m.setField(elsewhere, "status", "started");
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", elsewhere, mine, mine));
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{mine});
    await(worker->finish(claims.front(), m.success("ok")));
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{elsewhere});
}

void StopSuite::requestsForEndedJobsDoNotPileUp()
{
    m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    const QByteArray over = m.submit();
    m.setField(over, "status", "Finished");
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", over, "never-was", "{}", over));
    QVERIFY(await(worker->stopRequested(claims)).isEmpty());
    QCOMPARE(m.exists("hero:q:ctl:type:python"), 0);
}

void StopSuite::finishingRemovesTheRequest()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    await(m.producer->stop(id));
    QCOMPARE(await(worker->finish(claim, m.success("too late"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:default:inst:1"), 0);
}

void StopSuite::aLongControlListCostsOneTrip()
{
    const QByteArray mine = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    Command fill = cmd("LPUSH", "hero:q:ctl:type:python");
    for (int i = 0; i < 20'000; ++i)
        fill.add("unknown-" + QByteArray::number(i));
    m.run(fill);
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", mine));
    const quint64 before = m.store->cost().commands;
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{mine});
    QVERIFY(m.store->cost().commands - before <= 2); // EVALSHA, and once EVAL
}

/// A job of a worker that died is never over, so the request lies there: the others are not looked for one by one.
void StopSuite::aRequestThatNobodyFollowsCostsOthersNothing()
{
    if (!m.isCanonical())
        QSKIP("jobs of the first document are looked at one by one");
    const QByteArray stuck = newJobId();
    m.run(cmd("HSET", hero::keys::job(stuck), "status", "started", "script_type", "python"));
    QCOMPARE(await(m.producer->stop(stuck)), Producer::StopOutcome::RequestSent);
    const QByteArray asked = m.submit();
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", asked));
    QSet<QByteArray> ids;
    for (int i = 0; i < 20; ++i)
        ids.insert(m.submit());
    auto *worker = m.worker();
    if (m.server)
        m.run(cmd("CONFIG", "RESETSTAT"));
    const auto claims = m.claim(worker, 30);
    QSet<QByteArray> claimed;
    for (const Claim &claim : claims)
        claimed.insert(claim.job.id);
    QCOMPARE(claimed, ids);
    QCOMPARE(m.field(asked, "error"), QByteArray("stopped"));
    std::vector<QCoro::Task<Consumer::FinishOutcome>> ends;
    for (const Claim &claim : claims)
        ends.push_back(worker->finish(claim, m.success("ok")));
    for (auto &end : ends)
        QCOMPARE(await(std::move(end)), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{stuck});
    if (!m.server)
        return;
    const QByteArray stats = m.run(cmd("INFO", "commandstats")).toBytes();
    for (const QByteArray name : {"lpos", "lrem"}) {
        const qsizetype at = stats.indexOf("cmdstat_" + name + ":calls=");
        const int calls = at < 0 ? 0 : stats.mid(at + name.size() + 15, 12).split(',').first().toInt();
        QVERIFY2(calls < 10, (name + ' ' + QByteArray::number(calls)).constData());
    }
}

QTEST_GUILESS_MAIN(StopSuite)
#include "tst_stop.moc"
