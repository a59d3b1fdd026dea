// The protocol suite: what is done to jobs that are there – requeue, move, purge, remove and bring back.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class MoveSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    Target target(const QByteArray &type) const { return m.draft(type).target; }
    QList<QByteArray> queuesOf(const Target &to) const { return hero::KeyRoutes(m.options.keys).queuesFor(to, false); }
    /// True when every one of these queues holds these ids and no others.
    bool hold(const QList<QByteArray> &queues, const QList<QByteArray> &ids)
    {
        return std::all_of(queues.begin(), queues.end(), [&](const QByteArray &queue) { return m.list(queue) == ids; });
    }
    void runNext(const QByteArray &expected)
    {
        auto *const worker = m.worker();
        const auto claims = m.claim(worker);
        QCOMPARE(claims.size(), size_t(1));
        QCOMPARE(claims.front().job.id, expected);
        QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    }
    /// Three jobs, each behind the one before.
    QList<QByteArray> submitChain()
    {
        QList<QByteArray> ids;
        for (int i = 0; i < 3; ++i) {
            Job job = m.draft();
            if (i > 0)
                job.prerequisites = {ids.last()};
            ids.append(m.submit(job));
        }
        return ids;
    }

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
    void requeueOfAForeignRecord();
    void requeueInAutoFollowsWhoIsPresent();
    void requeueIsOnlyForTheRunThatWasSeen();
    void requeueIsRefusedWhereItMakesNoSense();
    void moveChangesTargetAndQueue();
    void moveFindsAJobThatOthersQueued();
    void moveOfAWaitingJobWaitsOn();
    void moveOfADelayedJobKeepsItsTime();
    void moveLooksPastAnotherThingWhereDelayedJobsWait();
    void retryIsRefusedWhereItCannotWait();
    void moveIsRefusedOnceItRuns();
    void moveChecksTheTarget();
    void aRemovedJobComesBackAsItWas_data();
    void aRemovedJobComesBackAsItWas();
    void aJobOfOthersComesBackToItsQueue();
    void aRestoredJobWaitsForItsPrerequisites();
    void whatFailedWithARemovedJobWaitsAgain();
    void aRemovedChainComesBack_data();
    void aRemovedChainComesBack();
    void aFinishedJobStandsAgainBeforeWhatNeededIt();
    void restoreOverwritesNothing();
    void restoreIsRefusedWhereItsQueueIsNoList();
    void restoreIsRefusedWhereItCannotWait_data();
    void restoreIsRefusedWhereItCannotWait();
    void aRecordOfThousandsOfFieldsComesBack();
    void takingFromAQueueTakesOnlyWhatWaitsThere();
};

void MoveSuite::requeueTakesARunAway()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    const QByteArray other = m.submit();
    QCOMPARE(await(m.producer->requeue(id, 1)).queueKeys, m.workKeys());
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
    QCOMPARE(m.places(id), 1);
    QVERIFY(hold(m.workKeys(), {other, id})); // served next
    QCOMPARE(await(worker->beat(claims)), QList<QByteArray>{id}); // its worker learns of it
    QCOMPARE(await(worker->finish(claims.front(), m.success("late"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
    runNext(id);
    runNext(other);
}

void MoveSuite::requeueOfAForeignRun()
{
    const QByteArray id = m.submit();
    for (const QByteArray &queue : m.workKeys())
        m.run(cmd("RPOP", queue));
    m.setField(id, "status", "started");
    await(m.producer->requeue(id, 0));
    QVERIFY(hold(m.workKeys(), {id}));
}

void MoveSuite::requeueOfAForeignRecord()
{
    const QByteArray id = m.submit();
    m.run(cmd("HDEL", hero::keys::job(id), "queues")); // others do not say where they queued it
    for (const QByteArray &queue : m.workKeys())
        m.run(cmd("RPOP", queue));
    m.setField(id, "status", "started");
    QCOMPARE(await(m.producer->requeue(id, 0)).queueKeys, QList<QByteArray>{m.workKey()});
    QCOMPARE(m.places(id), 1);
    runNext(id);
}

void MoveSuite::requeueInAutoFollowsWhoIsPresent()
{
    if (m.options.keys.mode != KeyMode::Auto)
        return; // the other modes ask nobody
    const QByteArray id = m.submit();
    m.run(cmd("HDEL", hero::keys::job(id), "queues"));
    m.run(cmd("RPOP", m.workKey()));
    m.setField(id, "status", "started");
    m.run(cmd("SET", hero::keys::presence("python", "default", "1"), R"({"pid":7,"hostname":"there"})", "EX", 15));
    const auto fresh = m.protocol.producer(m.store.get(), m.options, &Clock::system()); // knows nobody yet
    QCOMPARE(await(fresh->requeue(id, 0)).queueKeys, QList<QByteArray>{"hero:q:work:type:python"});
    m.setField(id, "status", "error");
    QCOMPARE(await(fresh->retry(id)).queueKeys, QList<QByteArray>{"hero:q:work:type:python"});
    QCOMPARE(m.places(id), 1);
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
    const Target to{"osis", "etl", "2", 0, "w9"};
    QVERIFY(await(m.producer->move(id, to)));
    QVERIFY(hold(m.workKeys(), {}));
    QVERIFY(hold(queuesOf(to), {id}));
    QCOMPARE(m.field(id, "script_type"), QByteArray("osis"));
    QCOMPARE(m.field(id, "group"), QByteArray("etl"));
    QCOMPARE(m.field(id, "priority"), QByteArray("0"));
    QCOMPARE(m.field(id, "worker_id"), QByteArray("w9"));
    QVERIFY(!await(m.producer->move(id, to))); // there already
    QCOMPARE(m.places(id, "osis"), 1);
    QVERIFY(await(m.producer->move(id, target("python"))));
    QVERIFY(hold(m.workKeys(), {id}));
    QVERIFY(m.field(id, "group").isEmpty() && m.field(id, "priority").isEmpty());
    QCOMPARE(m.places(id), 1);
    QCOMPARE(m.places(id, "osis"), 1);
    Target canonical = target("python");
    canonical.keys = KeyMode::Canonical; // of this job alone
    await(m.producer->move(id, canonical));
    QVERIFY(hold({"hero:q:work:type:python"}, {id}));
    QVERIFY(m.field(id, "queues").isEmpty());
    QCOMPARE(m.places(id), 1);
}

void MoveSuite::moveFindsAJobThatOthersQueued()
{
    const QByteArray id = m.submit();
    for (const QByteArray &queue : m.workKeys())
        m.run(cmd("DEL", queue));
    m.run(cmd("HDEL", hero::keys::job(id), "queues"));
    m.run(cmd("LPUSH", hero::keys::legacyWork(LegacyQueue::Worker, target("python")), id));
    m.setField(id, "worker_id", "python-worker");
    Target to = target("python");
    to.legacyWorker = "python-worker";
    to.keys = KeyMode::Canonical; // where its record says that it is
    QVERIFY(await(m.producer->move(id, to)));
    QVERIFY(hold({"hero:q:work:type:python"}, {id}));
    QCOMPARE(m.places(id), 1);
}

void MoveSuite::moveOfAWaitingJobWaitsOn()
{
    const QByteArray first = m.submit();
    Job waits = m.draft();
    waits.prerequisites = {first};
    m.submit(waits);
    QVERIFY(await(m.producer->move(waits.id, target("osis"))));
    QVERIFY(!await(m.producer->move(waits.id, target("osis"))));
    QCOMPARE(m.field(waits.id, "status"), QByteArray("waiting_for_prerequisites"));
    runNext(first);
    QVERIFY(hold(m.workKeys("osis"), {waits.id}));
}

void MoveSuite::moveOfADelayedJobKeepsItsTime()
{
    Job draft = m.draft();
    draft.retries = 1;
    const QByteArray id = m.submit(draft);
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    m.run(cmd("ZADD", hero::keys::delayed(), "9e15", id));
    QVERIFY(await(m.producer->move(id, target("osis"))));
    QCOMPARE(m.zset(hero::keys::delayed()), QList<QByteArray>{id});
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    await(worker->recover());
    QVERIFY(hold(m.workKeys("osis"), {id}));
}

void MoveSuite::moveLooksPastAnotherThingWhereDelayedJobsWait()
{
    const QByteArray id = m.submit();
    m.run(cmd("SET", hero::keys::delayed(), "no sorted set"));
    QVERIFY(await(m.producer->move(id, target("osis"))));
    QVERIFY(hold(m.workKeys("osis"), {id}));
}

void MoveSuite::retryIsRefusedWhereItCannotWait()
{
    const QByteArray first = m.submit();
    Job draft = m.draft();
    draft.prerequisites = {first};
    const QByteArray id = m.submit(draft);
    await(m.producer->stop(id));
    const Reply before = m.run(cmd("HGETALL", hero::keys::job(id)));
    m.run(cmd("SET", hero::keys::waiting(), "no sorted set"));
    QCOMPARE(failureOf(m.producer->retry(id)), ErrorKind::WrongType);
    QCOMPARE(m.run(cmd("HGETALL", hero::keys::job(id))), before);
}

void MoveSuite::moveIsRefusedOnceItRuns()
{
    const QByteArray id = m.submit();
    m.claim(m.worker());
    QCOMPARE(failureOf(m.producer->move(id, target("osis"))), ErrorKind::Conflict);
    QCOMPARE(m.field(id, "script_type"), QByteArray("python"));
    QCOMPARE(failureOf(m.producer->move(newJobId(), target("osis"))), ErrorKind::NotFound);
}

void MoveSuite::moveChecksTheTarget()
{
    const QByteArray id = m.submit();
    QCOMPARE(failureOf(m.producer->move(id, {"no type!", {}, {}, 1, {}})), ErrorKind::Usage);
    QCOMPARE(failureOf(m.producer->move(id, {"python", {}, {}, 7, {}})), ErrorKind::Usage);
    if (m.options.keys.mode == KeyMode::Legacy && m.options.keys.legacy != LegacyQueue::Type)
        QCOMPARE(failureOf(m.producer->move(id, {"osis", {}, {}, 1, {}})), ErrorKind::Usage); // no worker is named
    m.run(cmd("SET", m.workKey("v"), "no list"));
    QCOMPARE(failureOf(m.producer->move(id, target("v"))), ErrorKind::WrongType);
    QVERIFY(hold(m.workKeys(), {id}));
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
    QVERIFY(hold(queuesOf(draft.target), {}));
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.field(id, "status"), state);
    QCOMPARE(m.field(id, "of_somebody"), QByteArray("\0\xff", 2));
    QCOMPARE(m.field(id, "script"), draft.script);
    QCOMPARE(m.places(id), 1);
    QVERIFY(hold(queuesOf(draft.target), state == "dispatched" ? QList<QByteArray>{id} : QList<QByteArray>()));
}

void MoveSuite::aJobOfOthersComesBackToItsQueue()
{
    const QByteArray id = m.submit();
    m.run(cmd("HDEL", hero::keys::job(id), "queues"));
    const auto taken = await(m.producer->take(id, {}));
    QVERIFY(hold(m.workKeys(), {}));
    QVERIFY(await(m.producer->restore(*taken)));
    QVERIFY(hold(m.workKeys(), {id}));
    QCOMPARE(m.places(id), 1);
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
    runNext(first);
    QVERIFY(hold(m.workKeys(), {waits.id}));
    QCOMPARE(m.places(waits.id), 1);
}

void MoveSuite::whatFailedWithARemovedJobWaitsAgain()
{
    const QList<QByteArray> chain = submitChain();
    Job other = m.draft();
    other.prerequisites = {chain[0]};
    m.submit(other);
    await(m.producer->stop(other.id)); // failed for a reason of its own
    const auto taken = await(m.producer->take(chain[0], {}));
    QCOMPARE(m.field(chain[1], "status"), QByteArray("error"));
    QCOMPARE(m.field(chain[2], "status"), QByteArray("error"));
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.field(other.id, "error"), QByteArray("stopped"));
    for (const QByteArray &id : chain) {
        QCOMPARE(m.places(id), 1);
        runNext(id);
    }
    QVERIFY(m.field(chain[2], "error").isEmpty());
}

void MoveSuite::aRemovedChainComesBack_data()
{
    QTest::addColumn<QList<int>>("order");
    QTest::newRow("first to last") << QList<int>{0, 1, 2};
    QTest::newRow("last to first") << QList<int>{2, 1, 0};
    QTest::newRow("the middle first") << QList<int>{1, 2, 0};
}

void MoveSuite::aRemovedChainComesBack()
{
    QFETCH(QList<int>, order);
    const QList<QByteArray> chain = submitChain();
    std::vector<RemovedJob> removed;
    for (const int place : order)
        removed.push_back(*await(m.producer->take(chain[place], {})));
    for (auto job = removed.rbegin(); job != removed.rend(); ++job)
        QVERIFY(await(m.producer->restore(*job)));
    for (const QByteArray &id : chain) {
        QCOMPARE(m.places(id), 1);
        runNext(id);
    }
}

void MoveSuite::aFinishedJobStandsAgainBeforeWhatNeededIt()
{
    const QList<QByteArray> chain = submitChain();
    runNext(chain[0]);
    const auto taken = await(m.producer->take(chain[0], {}));
    QVERIFY(m.field(chain[1], "prerequisites") == "[]");
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.field(chain[1], "prerequisites"), "[\"" + chain[0] + "\"]");
    QCOMPARE(m.field(chain[1], "status"), QByteArray("dispatched"));
    QCOMPARE(m.places(chain[1]), 1);
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

void MoveSuite::restoreIsRefusedWhereItsQueueIsNoList()
{
    const QByteArray id = m.submit();
    const auto taken = await(m.producer->take(id, {}));
    m.run(cmd("SET", m.workKey(), "no list"));
    QCOMPARE(failureOf(m.producer->restore(*taken)), ErrorKind::WrongType);
    QCOMPARE(m.exists(hero::keys::job(id)), 0);
    m.run(cmd("DEL", m.workKey()));
    QVERIFY(await(m.producer->restore(*taken)));
    QVERIFY(hold(m.workKeys(), {id}));
}

void MoveSuite::restoreIsRefusedWhereItCannotWait_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("for its time") << hero::keys::delayed();
    QTest::newRow("for its prerequisite") << hero::keys::waiting();
}

void MoveSuite::restoreIsRefusedWhereItCannotWait()
{
    QFETCH(QByteArray, key);
    Job draft = m.draft();
    if (key == hero::keys::delayed())
        draft.notBefore = Clock::system().now() + std::chrono::hours{1};
    else
        draft.prerequisites = {m.submit()};
    const QByteArray id = m.submit(draft);
    const auto taken = await(m.producer->take(id, {}));
    m.run(cmd("SET", key, "no sorted set"));
    QCOMPARE(failureOf(m.producer->restore(*taken)), ErrorKind::WrongType);
    QCOMPARE(m.exists(hero::keys::job(id)), 0);
    m.run(cmd("DEL", key));
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.places(id), 1);
}

void MoveSuite::aRecordOfThousandsOfFieldsComesBack()
{
    const QByteArray id = m.submit();
    Command more = cmd("HSET", hero::keys::job(id));
    for (int i = 0; i < 10'000; ++i)
        more.add("field_" + QByteArray::number(i)).add("x");
    m.run(more);
    const auto taken = await(m.producer->take(id, {}));
    QVERIFY(await(m.producer->restore(*taken)));
    QCOMPARE(m.run(cmd("HLEN", hero::keys::job(id))).toInteger(), qint64(taken->fields.size()));
    QCOMPARE(m.field(id, "field_9999"), QByteArray("x"));
}

void MoveSuite::takingFromAQueueTakesOnlyWhatWaitsThere()
{
    const QByteArray here = m.submit();
    const QByteArray elsewhere = m.submit(m.draft("osis"));
    const QByteArray runs = m.submit();
    m.run(cmd("LREM", m.workKey(), 0, here));
    m.claim(m.worker());
    m.run(cmd("LPUSH", m.workKey(), here, runs, "nobody", here)); // stale entries, one without a job, one twice
    const QByteArray key = m.workKey();
    QVERIFY(await(m.producer->take(here, key)).has_value());
    QVERIFY(!await(m.producer->take(here, key)).has_value());
    QVERIFY(!await(m.producer->take(elsewhere, key)).has_value());
    QVERIFY(!await(m.producer->take(runs, key)).has_value());
    QVERIFY(!await(m.producer->take("nobody", key)).has_value());
    QVERIFY(hold(m.workKeys(), {})); // the twin of the other family, too
    QCOMPARE(m.places(elsewhere, "osis"), 1);
    QCOMPARE(m.field(runs, "status"), QByteArray("started"));
    QCOMPARE(m.places(runs), 1);
}

QTEST_GUILESS_MAIN(MoveSuite)
#include "tst_moves.moc"
