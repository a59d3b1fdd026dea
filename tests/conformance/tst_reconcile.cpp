// The protocol suite: repairs by whoever has the store open, with no worker of ours in sight.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class ReconcileSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;
    std::unique_ptr<Rescuer> m_rescuer;

    int reconcile() { return await(m_rescuer->reconcile({})); }
    /// As a worker that pops, says nothing and dies.
    void loseByForeignPop() { m.run(cmd("BRPOP", m.workKey(), 1)); }
    /// Where a record goes that says neither its queues nor its worker, as foreign hands write it: in every key mode.
    static QByteArray canonicalQueue(const char *type) { return hero::keys::workPrefix + QByteArray(type); }
    void makeOld(const QByteArray &id) { m.setField(id, "updated_at", "2001-01-01T00:00:00Z"); }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
        if (m.options.keys.mode == KeyMode::Dual)
            QSKIP("a job whose twin is left is not lost");
        m_rescuer = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    }
    void cleanup()
    {
        m_rescuer.reset();
        m.stop();
    }

    void recoverFindsEveryTypeThatWasLeased();
    void recoverMovesWhatIsDelayedWithNobodyWorking();
    void whatIsDelayedAndHasNoUsableQueueSaysWhy();
    void aJobLostByAForeignPopIsPushedOnceMore();
    void aLostJobThatWasAskedToStopEnds();
    void aYoungOneIsLeftAlone();
    void whatIsQueuedOrDelayedStaysAsItIs();
    void aJobThatIsLostTwiceIsGivenUp();
    void severalRescuersAreOne();
    void aRunWithoutALeaseGetsOne();
    void aForeignRunIsNotTouched();
    void aForeignRunAfterOneOfOursIsNotTouched();
    void aJobThatOthersLeftForMoreWorkersIsNotLost_data();
    void aJobThatOthersLeftForMoreWorkersIsNotLost();
    void aRecordWithoutAUsefulTimeHasItsGraceFromNowOn_data();
    void aRecordWithoutAUsefulTimeHasItsGraceFromNowOn();
    void aRunInBetweenMakesTheNextLossTheFirst();
    void aForeignWaitingJobIsLookedAfter();
    void recordsThatCannotBeReadStopNothing();
    void theyTakeTurns();
};

void ReconcileSuite::recoverFindsEveryTypeThatWasLeased()
{
    const QByteArray a = m.submit(m.draft("python"));
    const QByteArray b = m.submit(m.draft("osis"));
    m.claim(m.worker("python"));
    m.claim(m.worker("osis"));
    m.endLease(a);
    m.endLease(b, "osis");
    QCOMPARE(await(m_rescuer->recover()), 2);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{a});
    QCOMPARE(m.list(m.workKey("osis")), QList<QByteArray>{b});
}

void ReconcileSuite::recoverMovesWhatIsDelayedWithNobodyWorking()
{
    const QByteArray id = m.submit();
    m.run(cmd("LREM", m.workKey(), 0, id));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    QCOMPARE(await(m_rescuer->recover()), 1);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
}

void ReconcileSuite::whatIsDelayedAndHasNoUsableQueueSaysWhy()
{
    m.run(cmd("SET", canonicalQueue("v"), "no list"));
    m.run(cmd("HSET", hero::keys::job("wrong"), "status", "dispatched", "script_type", "v"));
    m.run(cmd("HSET", hero::keys::job("none"), "status", "dispatched"));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, "wrong", 1, "none"));
    QCOMPARE(await(m_rescuer->recover()), 2);
    QCOMPARE(m.field("wrong", "error"), "no usable queue: " + canonicalQueue("v") + " holds a string");
    QCOMPARE(m.field("wrong", "dead_reason"), m.field("wrong", "error"));
    QCOMPARE(m.field("none", "error"), QByteArray("no usable queue: the record names none"));
}

void ReconcileSuite::aJobLostByAForeignPopIsPushedOnceMore()
{
    const QByteArray lost = m.submit();
    loseByForeignPop();
    const QByteArray other = m.submit();
    makeOld(lost);
    makeOld(other);
    QCOMPARE(reconcile(), 1);
    QCOMPARE(m.list(m.workKey()), (QList<QByteArray>{other, lost})); // served next
    QVERIFY(!m.field(lost, "requeued_at").isEmpty());
    makeOld(lost);
    QCOMPARE(reconcile(), 0);
    QCOMPARE(m.places(lost), 1);
}

void ReconcileSuite::aYoungOneIsLeftAlone()
{
    m.submit();
    loseByForeignPop(); // its worker may be about to write "started"
    QCOMPARE(reconcile(), 0);
    QVERIFY(m.list(m.workKey()).isEmpty());
}

/// Whoever popped it never ran it: nobody shall run it now.
void ReconcileSuite::aLostJobThatWasAskedToStopEnds()
{
    const QByteArray id = m.submit();
    Job behind = m.draft();
    behind.prerequisites = {id};
    m.submit(behind);
    loseByForeignPop();
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::RequestSent);
    QCOMPARE(reconcile(), 0);
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
    makeOld(id);
    QCOMPARE(reconcile(), 1);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("stopped"));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"stopped"});
    QCOMPARE(m.field(behind.id, "error"), QByteArray("prerequisite " + id + " failed"));
    QCOMPARE(m.exists("hero:q:ctl:type:python"), 0);
    QCOMPARE(m.places(id), 1);
}

void ReconcileSuite::whatIsQueuedOrDelayedStaysAsItIs()
{
    Job targeted = m.draft();
    targeted.target.group = "g";
    targeted.target.instance = "1";
    targeted.target.priority = 0;
    m.submit(targeted);
    const QByteArray moved = m.submit(); // in another priority's queue than its record says
    m.run(cmd("LREM", m.workKey(), 0, moved));
    m.run(cmd("LPUSH", m.workKey() + ":prio:2", moved));
    const QByteArray delayed = m.submit();
    m.run(cmd("LREM", m.workKey(), 0, delayed));
    m.run(cmd("ZADD", hero::keys::delayed(), "9e15", delayed));
    for (const QByteArray &id : {targeted.id, moved, delayed})
        makeOld(id);
    QCOMPARE(reconcile(), 0);
    for (const QByteArray &id : {targeted.id, moved, delayed})
        QCOMPARE(m.places(id), 1);
}

void ReconcileSuite::aJobThatIsLostTwiceIsGivenUp()
{
    const QByteArray id = m.submit();
    Job behind = m.draft();
    behind.prerequisites = {id};
    m.submit(behind);
    for (int i = 0; i < 2; ++i) {
        loseByForeignPop();
        makeOld(id);
        QCOMPARE(reconcile(), 1);
    }
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), QByteArray("lost twice on its way to a worker"));
    QCOMPARE(m.list(hero::keys::dead("python")), QList<QByteArray>{id});
    QCOMPARE(m.field(behind.id, "error"), QByteArray("prerequisite " + id + " failed"));
    await(m.producer->retry(id)); // a person may try again, from the beginning
    QVERIFY(m.field(id, "requeued_at").isEmpty());
}

void ReconcileSuite::severalRescuersAreOne()
{
    QList<QByteArray> ids;
    for (int i = 0; i < 25; ++i)
        ids.append(m.submit());
    for (const QByteArray &id : ids) {
        loseByForeignPop();
        makeOld(id);
    }
    auto second = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    auto third = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    auto one = m_rescuer->reconcile({});
    auto two = second->reconcile({});
    auto three = third->reconcile({});
    QCOMPARE(await(std::move(one)) + await(std::move(two)) + await(std::move(three)), 25);
    for (const QByteArray &id : ids)
        QCOMPARE(m.places(id), 1);
}

void ReconcileSuite::aRunWithoutALeaseGetsOne()
{
    const QByteArray id = m.submit();
    m.claim(m.worker());
    m.run(cmd("DEL", hero::keys::lease("python"), hero::keys::claims("python"))); // by somebody's hand
    QCOMPARE(reconcile(), 1);
    QCOMPARE(await(m_rescuer->recover()), 1);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
    QCOMPARE(m.field(id, "rescues"), QByteArray("1"));
}

void ReconcileSuite::aForeignRunIsNotTouched()
{
    const QByteArray id = m.submit();
    loseByForeignPop();
    m.setField(id, "status", "started");
    makeOld(id);
    QCOMPARE(reconcile(), 0);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
}

/// Ours failed and left its token in the record; the retry went to a worker of others, which works on it.
void ReconcileSuite::aForeignRunAfterOneOfOursIsNotTouched()
{
    Job draft = m.draft();
    draft.retries = 3;
    const QByteArray id = m.submit(draft);
    auto *worker = m.worker();
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    QCOMPARE(await(m_rescuer->recover()), 1);
    loseByForeignPop();
    m.setField(id, "status", "started");
    makeOld(id);
    QCOMPARE(reconcile(), 0);
    QCOMPARE(await(m_rescuer->recover()), 0);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
    QVERIFY(m.list(m.workKey()).isEmpty());
}

void ReconcileSuite::aJobThatOthersLeftForMoreWorkersIsNotLost_data()
{
    QTest::addColumn<QByteArray>("queue");
    QTest::newRow("the group") << QByteArray("hero:q:work:type:python:group:g");
    QTest::newRow("the type") << QByteArray("hero:q:work:type:python");
    QTest::newRow("the type, another priority") << QByteArray("hero:q:work:type:python:prio:0");
}

/// Its instance does not live, so the other dispatcher fell back to a queue that more workers serve. To queue it once
/// more where its record points would run it twice.
void ReconcileSuite::aJobThatOthersLeftForMoreWorkersIsNotLost()
{
    QFETCH(QByteArray, queue);
    Job draft = m.draft();
    draft.target.group = "g";
    draft.target.instance = "7";
    draft.target.keys = KeyMode::Canonical;
    const QByteArray id = m.submit(draft);
    m.run(cmd("RPOPLPUSH", "hero:q:work:type:python:group:g:inst:7", queue));
    makeOld(id);
    QCOMPARE(reconcile(), 0);
    QCOMPARE(m.list(queue), QList<QByteArray>{id});
    QCOMPARE(m.places(id), 1);
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::StoppedInQueue);
    QCOMPARE(m.exists(queue), 0);
}

void ReconcileSuite::aRecordWithoutAUsefulTimeHasItsGraceFromNowOn_data()
{
    QTest::addColumn<QByteArray>("time");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("no time") << QByteArray("yesterday");
    QTest::newRow("of a clock far ahead") << QByteArray("2999-01-01T00:00:00Z");
}

/// Its worker may have popped it this very moment.
void ReconcileSuite::aRecordWithoutAUsefulTimeHasItsGraceFromNowOn()
{
    QFETCH(QByteArray, time);
    const QByteArray id = m.submit();
    const QByteArray listed = m.submit();
    for (const QByteArray &each : {id, listed})
        m.setField(each, "updated_at", time);
    loseByForeignPop();
    QCOMPARE(reconcile(), 0);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{listed});
    QVERIFY(parseTimestamp(m.field(id, "updated_at")).has_value());
    QCOMPARE(m.field(listed, "updated_at"), time); // what is where it should be stays as it is
    QCOMPARE(reconcile(), 0);
    makeOld(id);
    QCOMPARE(reconcile(), 1);
    QVERIFY(m.list(m.workKey()).contains(id));
}

void ReconcileSuite::aRunInBetweenMakesTheNextLossTheFirst()
{
    Job draft = m.draft();
    draft.retries = 1;
    const QByteArray id = m.submit(draft);
    loseByForeignPop();
    makeOld(id);
    QCOMPARE(reconcile(), 1);
    auto *worker = m.worker();
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    QCOMPARE(await(m_rescuer->recover()), 1);
    loseByForeignPop();
    makeOld(id);
    QCOMPARE(reconcile(), 1);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id}); // and not the dead list
}

void ReconcileSuite::aForeignWaitingJobIsLookedAfter()
{
    const QByteArray before = m.submit();
    m.run(cmd("HSET", hero::keys::job("foreign"), "status", "waiting_for_prerequisites", "script_type", "osis",
              "dependencies", before));
    reconcile();
    QCOMPARE(m.zset(hero::keys::waiting()), QList<QByteArray>{"foreign"});
    m.setField(before, "status", "finished");
    await(m_rescuer->recover());
    QCOMPARE(m.list(canonicalQueue("osis")), QList<QByteArray>{"foreign"});
}

void ReconcileSuite::recordsThatCannotBeReadStopNothing()
{
    m.run(cmd("SET", hero::keys::job("text"), "x"));
    m.run(cmd("RPUSH", hero::keys::job("list"), "x"));
    m.run(cmd("HSET", hero::keys::job("no-type"), "status", "dispatched"));
    m.run(cmd("HSET", hero::keys::job("odd"), "status", "dispatched", "script_type", QByteArray(70, 'x')));
    m.run(cmd("SET", canonicalQueue("v"), "no list"));
    m.run(cmd("HSET", hero::keys::job("nowhere"), "status", "dispatched", "script_type", "v"));
    makeOld("nowhere");
    const QByteArray id = m.submit();
    loseByForeignPop();
    makeOld(id);
    QCOMPARE(reconcile(), 2);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{id});
    const QByteArray why = "no usable queue: " + canonicalQueue("v") + " holds a string";
    QCOMPARE(m.field("nowhere", "error"), why);
    QCOMPARE(m.field("nowhere", "dead_reason"), why);
}

void ReconcileSuite::theyTakeTurns()
{
    const auto second = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    QVERIFY(await(m_rescuer->takeTurn(Milliseconds{60'000})));
    QVERIFY(!await(second->takeTurn(Milliseconds{60'000})));
    QVERIFY(!await(m_rescuer->takeTurn(Milliseconds{60'000})));
    m.run(cmd("DEL", hero::keys::reconciled())); // the time is over
    QVERIFY(await(second->takeTurn(Milliseconds{60'000})));
    QVERIFY(m.run(cmd("PTTL", hero::keys::reconciled())).toInteger() > 0);
    m.run(cmd("DEL", hero::keys::reconciled()));
    m.run(cmd("RPUSH", hero::keys::reconciled(), "x")); // what never expires is no turn of anybody
    QVERIFY(await(m_rescuer->takeTurn(Milliseconds{60'000})));
    QVERIFY(!await(second->takeTurn(Milliseconds{60'000})));
}

QTEST_GUILESS_MAIN(ReconcileSuite)
#include "tst_reconcile.moc"
