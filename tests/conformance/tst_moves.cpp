// The protocol suite: what is done to jobs that are there – requeue, move, purge, remove and bring back.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class MoveSuite : public QObject {
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

    void requeueTakesARunAway();
    void requeueOfAForeignRun();
    void requeueIsOnlyForTheRunThatWasSeen();
    void requeueIsRefusedWhereItMakesNoSense();
    void moveChangesTargetAndQueue();
    void moveOfAWaitingJobWaitsOn();
    void moveOfADelayedJobKeepsItsTime();
    void moveIsRefusedOnceItRuns();
    void moveChecksTheTarget();
    void aRemovedJobComesBackAsItWas_data();
    void aRemovedJobComesBackAsItWas();
    void aRestoredJobWaitsForItsPrerequisites();
    void restoreOverwritesNothing();
    void takingFromAQueueTakesOnlyWhatWaitsThere();
};

void MoveSuite::requeueTakesARunAway()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    const QByteArray other = m.submit();
    QCOMPARE(await(m.producer->requeue(id, 1)).queueKeys, QList<QByteArray>{m.workKey()});
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
    QCOMPARE(m.places(id), 1);
    QCOMPARE(m.list(m.workKey()), (QList<QByteArray>{other, id})); // served next
    QCOMPARE(await(worker->beat(claims)), QList<QByteArray>{id}); // its worker learns of it
    QCOMPARE(await(worker->finish(claims.front(), m.success("late"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
}

void MoveSuite::requeueOfAForeignRun()
{
    const QByteArray id = m.submit();
    m.run(cmd("BRPOP", m.workKey(), 1));
    m.setField(id, "status", "started");
    await(m.producer->requeue(id, 0));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
}

void MoveSuite::requeueIsOnlyForTheRunThatWasSeen()
{
    const QByteArray id = m.submit();
    m.claim(m.worker());
    QCOMPARE(failureOf(m.producer->requeue(id, 0)), ErrorKind::Conflict);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
    QCOMPARE(m.places(id), 1);
}

void MoveSuite::requeueIsRefusedWhereItMakesNoSense()
{
    const QByteArray over = m.submit();
    await(m.producer->stop(over));
    QCOMPARE(failureOf(m.producer->requeue(over, 0)), ErrorKind::Conflict);
    const QByteArray first = m.submit();
    Job waits = m.draft();
    waits.prerequisites = {first};
    m.submit(waits);
    QCOMPARE(failureOf(m.producer->requeue(waits.id, 0)), ErrorKind::Conflict);
    QCOMPARE(failureOf(m.producer->requeue(newJobId(), 0)), ErrorKind::NotFound);
}

void MoveSuite::moveChangesTargetAndQueue()
{
    const QByteArray id = m.submit();
    const Target to{"osis", "etl", "2", 0, {}};
    QVERIFY(await(m.producer->move(id, to)));
    QVERIFY(m.list(m.workKey()).isEmpty());
    QCOMPARE(m.list(hero::keys::work(to)), QList<QByteArray>{id});
    QCOMPARE(m.field(id, "script_type"), QByteArray("osis"));
    QCOMPARE(m.field(id, "group"), QByteArray("etl"));
    QCOMPARE(m.field(id, "priority"), QByteArray("0"));
    QVERIFY(!await(m.producer->move(id, to))); // there already
    QVERIFY(await(m.producer->move(id, {"python", {}, {}, 1, {}})));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
    QVERIFY(m.field(id, "group").isEmpty() && m.field(id, "priority").isEmpty());
    QCOMPARE(m.places(id), 1);
    QCOMPARE(m.places(id, "osis"), 1);
}

void MoveSuite::moveOfAWaitingJobWaitsOn()
{
    const QByteArray first = m.submit();
    Job waits = m.draft();
    waits.prerequisites = {first};
    m.submit(waits);
    QVERIFY(await(m.producer->move(waits.id, {"osis", {}, {}, 1, {}})));
    QCOMPARE(m.field(waits.id, "status"), QByteArray("waiting_for_prerequisites"));
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("ok")));
    QCOMPARE(m.list(m.workKey("osis")), QList<QByteArray>{waits.id});
}

void MoveSuite::moveOfADelayedJobKeepsItsTime()
{
    Job draft = m.draft();
    draft.retries = 1;
    const QByteArray id = m.submit(draft);
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    m.run(cmd("ZADD", hero::keys::delayed(), "9e15", id));
    QVERIFY(await(m.producer->move(id, {"osis", {}, {}, 1, {}})));
    QCOMPARE(m.zset(hero::keys::delayed()), QList<QByteArray>{id});
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    await(worker->recover());
    QCOMPARE(m.list(m.workKey("osis")), QList<QByteArray>{id});
}

void MoveSuite::moveIsRefusedOnceItRuns()
{
    const QByteArray id = m.submit();
    m.claim(m.worker());
    QCOMPARE(failureOf(m.producer->move(id, {"osis", {}, {}, 1, {}})), ErrorKind::Conflict);
    QCOMPARE(m.field(id, "script_type"), QByteArray("python"));
    QCOMPARE(failureOf(m.producer->move(newJobId(), {"osis", {}, {}, 1, {}})), ErrorKind::NotFound);
}

void MoveSuite::moveChecksTheTarget()
{
    const QByteArray id = m.submit();
    QCOMPARE(failureOf(m.producer->move(id, {"no type!", {}, {}, 1, {}})), ErrorKind::Usage);
    QCOMPARE(failureOf(m.producer->move(id, {"python", {}, {}, 7, {}})), ErrorKind::Usage);
    m.run(cmd("SET", m.workKey("v"), "no list"));
    QCOMPARE(failureOf(m.producer->move(id, {"v", {}, {}, 1, {}})), ErrorKind::WrongType);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
}

void MoveSuite::aRemovedJobComesBackAsItWas_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::newRow("queued") << QByteArray("dispatched");
    QTest::newRow("finished") << QByteArray("finished");
    QTest::newRow("failed") << QByteArray("error");
}

void MoveSuite::aRemovedJobComesBackAsItWas()
{
    QFETCH(QByteArray, state);
    Job draft = m.draft();
    draft.target.group = "g";
    draft.target.priority = 2;
    draft.env = {{"A", "1"}};
    const QByteArray id = m.submit(draft);
    m.setField(id, "of_somebody", QByteArray("\0\xff", 2)); // fields that are not ours come back too
    if (state != "dispatched") {
        auto *worker = m.worker("python", "1", "g");
        await(worker->finish(m.claim(worker).front(), state == "finished" ? m.success("out") : m.failure("bad")));
    }
    const auto before = m.run(cmd("HGETALL", hero::keys::job(id))).toList();
    const auto taken = await(m.producer->take(id, {}));
    QVERIFY(taken.has_value());
    QCOMPARE(taken->fields.size() * 2, before.size());
    QCOMPARE(m.exists(hero::keys::job(id)), 0);
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.field(id, "status"), state);
    QCOMPARE(m.field(id, "of_somebody"), QByteArray("\0\xff", 2));
    QCOMPARE(m.field(id, "script"), draft.script);
    QCOMPARE(m.places(id), 1);
    if (state == "dispatched")
        QCOMPARE(m.list(hero::keys::work(draft.target)), QList<QByteArray>{id});
}

void MoveSuite::aRestoredJobWaitsForItsPrerequisites()
{
    const QByteArray first = m.submit();
    Job waits = m.draft();
    waits.prerequisites = {first};
    m.submit(waits);
    const auto taken = await(m.producer->take(waits.id, {}));
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.field(waits.id, "status"), QByteArray("waiting_for_prerequisites"));
    QCOMPARE(m.field(first, "dependents"), "[\"" + waits.id + "\"]");
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("ok")));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{waits.id});
    QCOMPARE(m.places(waits.id), 1);
}

void MoveSuite::restoreOverwritesNothing()
{
    const QByteArray id = m.submit();
    const auto taken = await(m.producer->take(id, {}));
    Job again = m.draft();
    again.id = id;
    again.script = "print(2)";
    m.submit(again);
    QVERIFY(!await(m.producer->restore(*taken)));
    QCOMPARE(m.field(id, "script"), QByteArray("print(2)"));
    QCOMPARE(m.places(id), 1);
}

void MoveSuite::takingFromAQueueTakesOnlyWhatWaitsThere()
{
    const QByteArray here = m.submit();
    const QByteArray elsewhere = m.submit(m.draft("osis"));
    const QByteArray runs = m.submit();
    m.run(cmd("LREM", m.workKey(), 0, here));
    m.claim(m.worker());
    m.run(cmd("LPUSH", m.workKey(), here, runs, "nobody")); // a stale entry and one without a job beside it
    const QByteArray key = m.workKey();
    QVERIFY(await(m.producer->take(here, key)).has_value());
    QVERIFY(!await(m.producer->take(elsewhere, key)).has_value());
    QVERIFY(!await(m.producer->take(runs, key)).has_value());
    QVERIFY(!await(m.producer->take("nobody", key)).has_value());
    QVERIFY(m.list(key).isEmpty());
    QCOMPARE(m.places(elsewhere, "osis"), 1);
    QCOMPARE(m.field(runs, "status"), QByteArray("started"));
    QCOMPARE(m.places(runs), 1);
}

QTEST_GUILESS_MAIN(MoveSuite)
#include "tst_moves.moc"
