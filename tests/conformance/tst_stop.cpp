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
    void anEndedJobIsLeftAlone();
    void anUnknownJobIsNotFound();
    void aWorkerTakesOnlyItsOwnRequests();
    void requestsForEndedJobsDoNotPileUp();
    void finishingRemovesTheRequest();
    void aLongControlListCostsOneTrip();
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
    QCOMPARE(await(worker->takeStopRequests(claims)), QList<QByteArray>{id});
    QCOMPARE(m.exists("hero:q:ctl:type:python:group:io:inst:3"), 0);
    QVERIFY(await(worker->takeStopRequests(claims)).isEmpty());
}

void StopSuite::aJobOfAForeignWorkerIsAskedOnTheListOfItsType()
{
    const QByteArray id = m.submit();
    m.run(cmd("BLPOP", m.workKey(), 1));
    m.setField(id, "status", "started");
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(m.list("hero:q:ctl:type:python"), QList<QByteArray>{id});
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

void StopSuite::aWorkerTakesOnlyItsOwnRequests()
{
    const QByteArray mine = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    const QByteArray elsewhere = m.submit();
    m.setField(elsewhere, "status", "started");
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", elsewhere, mine, mine));
    QCOMPARE(await(worker->takeStopRequests(claims)), QList<QByteArray>{mine});
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
    QVERIFY(await(worker->takeStopRequests(claims)).isEmpty());
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
    QCOMPARE(await(worker->takeStopRequests(claims)), QList<QByteArray>{mine});
    QVERIFY(m.store->cost().commands - before <= 2); // EVALSHA, and once EVAL
}

QTEST_GUILESS_MAIN(StopSuite)
#include "tst_stop.moc"
