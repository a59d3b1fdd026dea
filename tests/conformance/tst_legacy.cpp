// The protocol suite: the legacy family of keys, and what the modes make of the two families.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class LegacySuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    void startWith(KeyMode mode, LegacyQueue legacy = LegacyQueue::Worker)
    {
        QFETCH_GLOBAL(QString, storeKind);
        const QString store = storeKind.section(u' ', 0, 0);
        QVERIFY(
            m.start(store + u' ' + QLatin1String(keyModeName(mode)) + u' ' + QLatin1String(legacyQueueName(legacy))));
    }
    /// A record as the first protocol document has it, without a type, pushed by others.
    QByteArray foreignJob(const QByteArray &queue, const QList<QByteArray> &more = {})
    {
        const QByteArray id = newJobId();
        Command write = cmd("HSET", hero::keys::job(id), "id", id, "caller_id", "c", "context_id", "x", "script",
                            "print(1)", "timeout", "30", "retries", "0", "concurrent", "false", "status", "dispatched");
        m.run(write.addAll(more));
        m.run(cmd("LPUSH", queue, id));
        return id;
    }
    /// A canonical worker of others that lives for a while.
    void showForeignWorker(const QByteArray &group = "default", const QByteArray &instance = "1")
    {
        m.run(cmd("SET", hero::keys::presence("python", group, instance), R"({"pid":7,"hostname":"there"})", "EX", 15));
    }
    QueueInfo queue(const QByteArray &key)
    {
        for (const QueueInfo &each : await(m.inspector->queues())) {
            if (each.key == key)
                return each;
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addCanonicalRows(); }
    void cleanup() { m.stop(); }

    void eachKindOfQueueHasItsKey_data();
    void eachKindOfQueueHasItsKey();
    void autoGoesWhereAWorkerIsPresent();
    void whoServesOnlyItselfDrawsNothingToItsQueues();
    void autoStaysCanonicalForAJobThatNamesNoWorker();
    void legacyRefusesAJobThatNamesNoWorker();
    void legacyRefusesAWorkerWithoutId();
    void aJobMayChooseItsOwnMode();
    void dualPushesToBothAndAClaimTakesTheTwin();
    void twinsThatOthersPushedAreTakenToo();
    void aDualJobThatFailsIsQueuedInBothAgain();
    void canonicalQueuesAreServedBeforeLegacyOnes();
    void aRecordWithoutTypeRunsAsTheWorkersFirst();
    void aTypeThatTheWorkerLacksIsAnsweredWithAnError();
    void repliesGoToBothFamilies();
    void aReplyOnTheLegacyListEndsTheWait();
    void stopRequestsReachLegacyWorkersAndOurs();
    void aQueuedLegacyJobOfOthersIsStopped();
    void retryPutsAJobBackWhereItWas();
    void whoWaitsIsReleasedIntoItsFamily();
    void aGraphIsReleasedIntoItsFamily();
    void removeLeavesNothingBehind();
    void aLegacyWorkerShowsNoPresence();
    void theInspectorShowsBothFamilies();
    void theServedEndIsObserved();
    void aScheduledJobWaitsForItsTime();
    void unknownFieldsAreKept();
    void aHostileQueuesFieldNamesNoOtherKey();
    void reconcileFindsAJobInWhicheverFamilyItIs();
};

void LegacySuite::eachKindOfQueueHasItsKey_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("queue");
    QTest::newRow("of a worker") << int(LegacyQueue::Worker) << QByteArray("hero:work_queue:python-worker");
    QTest::newRow("of a type") << int(LegacyQueue::Type) << QByteArray("hero:job:actor_queue:python");
    QTest::newRow("of an actor") << int(LegacyQueue::Actor) << QByteArray("hero:job:python-worker");
}

void LegacySuite::eachKindOfQueueHasItsKey()
{
    QFETCH(int, kind);
    QFETCH(QByteArray, queue);
    startWith(KeyMode::Legacy, LegacyQueue(kind));
    const Job draft = m.draft();
    QCOMPARE(await(m.producer->submit(draft)).queueKeys, QList<QByteArray>{queue});
    QCOMPARE(m.list(queue), QList<QByteArray>{draft.id});
    QCOMPARE(m.field(draft.id, "worker_id"), QByteArray("python-worker"));
    QCOMPARE(await(m.producer->preview(draft.target)).queueKeys, QList<QByteArray>{queue});
    QCOMPARE(await(m.producer->preview(draft.target)).ahead, 1);
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().queue, queue);
    QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.run(cmd("HGET", hero::keys::stats(queue), "finished")).toBytes(), QByteArray("1"));
    QVERIFY(hero::keys::stats(queue).startsWith("hero:meta:queue:stats:"));
}

void LegacySuite::autoGoesWhereAWorkerIsPresent()
{
    startWith(KeyMode::Auto);
    QCOMPARE(await(m.producer->submit(m.draft())).queueKeys, QList<QByteArray>{"hero:work_queue:python-worker"});
    showForeignWorker("night shift", "42"); // neither the default group nor a small number
    m.producer = m.protocol.producer(m.store.get(), m.options, &Clock::system()); // knows nothing of before
    QCOMPARE(await(m.producer->submit(m.draft())).queueKeys, QList<QByteArray>{"hero:q:work:type:python"});
    QCOMPARE(await(m.producer->preview(m.draft().target)).queueKeys, QList<QByteArray>{"hero:q:work:type:python"});
    QCOMPARE(await(m.producer->submit(m.draft("osis"))).queueKeys, QList<QByteArray>{"hero:work_queue:osis-worker"});
    m.run(cmd("SET", hero::keys::presence("osis", "default", "1"), "{}")); // never expires: nobody's
    m.producer = m.protocol.producer(m.store.get(), m.options, &Clock::system());
    QCOMPARE(await(m.producer->submit(m.draft("osis"))).queueKeys, QList<QByteArray>{"hero:work_queue:osis-worker"});
    m.run(cmd("SET", hero::keys::presence("v", "default", "1"), "{\"quiet\":true}", "EX", 15)); // takes nothing more
    m.producer = m.protocol.producer(m.store.get(), m.options, &Clock::system());
    QCOMPARE(await(m.producer->submit(m.draft("v"))).queueKeys, QList<QByteArray>{"hero:work_queue:v-worker"});
}

/// As `run` does: it takes one job and nothing that is sent to a queue of several workers.
void LegacySuite::whoServesOnlyItselfDrawsNothingToItsQueues()
{
    startWith(KeyMode::Auto);
    WorkerIdentity who;
    who.types = {"python"};
    who.group = "run";
    who.instance = "one";
    who.servesOnlyInstance = true;
    auto *worker = m.worker(who);
    QCOMPARE(await(worker->announce()).instance, QByteArray("one"));
    await(worker->refreshPresence({}, false));
    QCOMPARE(await(m.producer->submit(m.draft())).queueKeys, QList<QByteArray>{"hero:work_queue:python-worker"});
    QVERIFY(await(m.inspector->workers()).isEmpty());
}

void LegacySuite::autoStaysCanonicalForAJobThatNamesNoWorker()
{
    startWith(KeyMode::Auto);
    Job draft = m.draft();
    draft.target.legacyWorker.clear();
    QCOMPARE(await(m.producer->submit(draft)).queueKeys, QList<QByteArray>{"hero:q:work:type:python"});
    QVERIFY(m.field(draft.id, "queues").isEmpty());
}

void LegacySuite::legacyRefusesAJobThatNamesNoWorker()
{
    startWith(KeyMode::Legacy);
    Job draft = m.draft();
    draft.target.legacyWorker.clear();
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::Usage);
    QCOMPARE(failureOf(m.producer->preview(draft.target)), ErrorKind::Usage);
    QCOMPARE(m.run(cmd("DBSIZE")).toInteger(), 0);
}

void LegacySuite::legacyRefusesAWorkerWithoutId()
{
    startWith(KeyMode::Legacy);
    WorkerIdentity who;
    who.types = {"python"};
    auto consumer = m.protocol.consumer(m.store.get(), m.options, &Clock::system(), who);
    QCOMPARE(failureOf(consumer->announce()), ErrorKind::Usage);
}

void LegacySuite::aJobMayChooseItsOwnMode()
{
    startWith(KeyMode::Canonical);
    Job draft = m.draft();
    draft.target.legacyWorker = "w1";
    draft.target.keys = KeyMode::Legacy;
    QCOMPARE(await(m.producer->submit(draft)).queueKeys, QList<QByteArray>{"hero:work_queue:w1"});
    draft.id = newJobId();
    draft.target.keys = KeyMode::Dual;
    QCOMPARE(await(m.producer->submit(draft)).queueKeys,
             (QList<QByteArray>{"hero:q:work:type:python", "hero:work_queue:w1"}));
    draft.id = newJobId();
    draft.target.keys.reset();
    QCOMPARE(await(m.producer->submit(draft)).queueKeys, QList<QByteArray>{"hero:q:work:type:python"});
}

void LegacySuite::dualPushesToBothAndAClaimTakesTheTwin()
{
    startWith(KeyMode::Dual);
    const QByteArray id = m.submit();
    QCOMPARE(m.list("hero:q:work:type:python"), QList<QByteArray>{id});
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{id});
    QCOMPARE(m.claim(m.worker()).size(), size_t(1));
    QVERIFY(m.list("hero:q:work:type:python").isEmpty());
    QVERIFY(m.list("hero:work_queue:python-worker").isEmpty());
    QCOMPARE(m.places(id), 1);

    const QByteArray other = m.submit();
    m.run(cmd("BLPOP", "hero:q:work:type:python", 1)); // a canonical worker of others was quicker and then died
    QCOMPARE(m.claim(m.worker()).front().job.id, other);
    QVERIFY(m.list("hero:work_queue:python-worker").isEmpty());
}

void LegacySuite::twinsThatOthersPushedAreTakenToo()
{
    startWith(KeyMode::Canonical);
    const QList<QByteArray> fields{"script_type", "python", "actor_id", "w1"};
    const QByteArray id = foreignJob("hero:q:work:type:python", fields);
    const QList<QByteArray> twins{"hero:job:actor_queue:python", "hero:job:w1", "hero:work_queue:w1"};
    for (const QByteArray &twin : twins)
        m.run(cmd("LPUSH", twin, "before", id, "after"));
    QCOMPARE(m.claim(m.worker()).front().job.id, id);
    for (const QByteArray &twin : twins)
        QCOMPARE(m.list(twin), (QList<QByteArray>{"after", "before"}));
}

void LegacySuite::aDualJobThatFailsIsQueuedInBothAgain()
{
    startWith(KeyMode::Dual);
    Job draft = m.draft();
    draft.retries = 1;
    m.submit(draft);
    auto *worker = m.worker();
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    m.run(cmd("ZADD", hero::keys::delayed(), 1, draft.id));
    QVERIFY(!await(worker->isDrained())); // which queues what is due
    for (const QByteArray &queue : m.workKeys())
        QCOMPARE(m.list(queue), QList<QByteArray>{draft.id});
}

void LegacySuite::canonicalQueuesAreServedBeforeLegacyOnes()
{
    startWith(KeyMode::Auto);
    const QByteArray old = foreignJob("hero:work_queue:python-worker", {"script_type", "python"});
    Job draft = m.draft();
    draft.target.legacyWorker.clear();
    draft.target.priority = 2;
    m.submit(draft);
    const auto claims = m.claim(m.worker(), 5);
    QCOMPARE(claims.size(), size_t(2));
    QCOMPARE(claims[0].job.id, draft.id);
    QCOMPARE(claims[1].job.id, old);
}

void LegacySuite::aRecordWithoutTypeRunsAsTheWorkersFirst()
{
    startWith(KeyMode::Legacy);
    const QByteArray id = foreignJob("hero:work_queue:python-worker", {"retries", "1"});
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.target.type, QByteArray("python"));
    QVERIFY(m.field(id, "script_type").isEmpty());
    QVERIFY(await(worker->beat(claims)).isEmpty());
    m.endLease(id);
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{id});
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    m.run(cmd("ZADD", hero::keys::delayed(), 1, id));
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{id});
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.success("42"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.list("hero:reply:" + id), QList<QByteArray>{"42"});
}

void LegacySuite::aTypeThatTheWorkerLacksIsAnsweredWithAnError()
{
    startWith(KeyMode::Legacy);
    const QByteArray id = foreignJob("hero:work_queue:python-worker", {"script_type", "osis"});
    const QByteArray good = m.submit();
    const auto claims = m.claim(m.worker(), 5);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, good);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QVERIFY(m.field(id, "error").contains("does not run"));
    QCOMPARE(m.list("hero:reply:" + id).size(), 1);
}

void LegacySuite::repliesGoToBothFamilies()
{
    startWith(KeyMode::Legacy, LegacyQueue::Type);
    const QByteArray id = foreignJob("hero:job:actor_queue:python", {"script_type", "python"});
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("42")));
    for (const QByteArray &reply : {"hero:reply:" + id, "hero:q:reply:" + id}) {
        QCOMPARE(m.list(reply), QList<QByteArray>{"42"});
        QVERIFY(m.run(cmd("PTTL", reply)).toInteger() > 0);
    }
    m.stop();
    startWith(KeyMode::Auto);
    Job draft = m.draft();
    draft.target.legacyWorker.clear();
    m.submit(draft);
    auto *both = m.worker();
    await(both->finish(m.claim(both).front(), m.success("43")));
    QCOMPARE(m.list("hero:q:reply:" + draft.id), QList<QByteArray>{"43"});
    QCOMPARE(m.exists("hero:reply:" + draft.id), 0);
}

void LegacySuite::aReplyOnTheLegacyListEndsTheWait()
{
    startWith(KeyMode::Legacy);
    const QByteArray id = m.submit();
    auto waiting = m.producer->waitUntilOver(id, Milliseconds{10'000}, {});
    m.run(cmd("LPOP", "hero:work_queue:python-worker"));
    m.run(cmd("HSET", hero::keys::job(id), "status", "finished", "output", "42"));
    m.run(cmd("LPUSH", "hero:reply:" + id, "42"));
    QCOMPARE(await(std::move(waiting)).output, QByteArray("42"));
    QCOMPARE(m.exists("hero:reply:" + id), 0); // the reply was what woke it
}

void LegacySuite::stopRequestsReachLegacyWorkersAndOurs()
{
    startWith(KeyMode::Legacy);
    const QByteArray theirs = m.submit();
    m.run(cmd("LPOP", "hero:work_queue:python-worker"));
    m.setField(theirs, "status", "started");
    QCOMPARE(await(m.producer->stop(theirs)), Producer::StopOutcome::RequestSent);
    QCOMPARE(await(m.producer->stop(theirs)), Producer::StopOutcome::RequestSent);
    QCOMPARE(m.list("hero:stop_queue:python-worker"), QList<QByteArray>{theirs});

    const QByteArray mine = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    m.run(cmd("LPUSH", "hero:stop_queue:python-worker", mine, "never-was"));
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{mine});
    QCOMPARE(m.list("hero:stop_queue:python-worker"), (QList<QByteArray>{mine, theirs})); // both until they are over
    QCOMPARE(await(m.producer->stop(mine)), Producer::StopOutcome::RequestSent); // on the list of the claimer
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{mine});
    m.run(cmd("LPUSH", "hero:stop_queue:python-worker", mine));
    await(worker->finish(claims.front(), m.success("x")));
    QCOMPARE(m.list("hero:stop_queue:python-worker"), QList<QByteArray>{theirs});
}

void LegacySuite::aQueuedLegacyJobOfOthersIsStopped()
{
    startWith(KeyMode::Canonical);
    const QByteArray id = foreignJob("hero:work_queue:w1", {"worker_id", "w1"});
    QCOMPARE(await(m.producer->stop(id)), Producer::StopOutcome::StoppedInQueue);
    QCOMPARE(m.exists("hero:work_queue:w1"), 0);
    QCOMPARE(m.list("hero:reply:" + id), QList<QByteArray>{"stopped"});
}

void LegacySuite::retryPutsAJobBackWhereItWas()
{
    startWith(KeyMode::Legacy, LegacyQueue::Actor);
    const QByteArray ours = m.submit();
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    QCOMPARE(await(m.producer->retry(ours)).queueKeys, QList<QByteArray>{"hero:job:python-worker"});
    QCOMPARE(m.exists("hero:reply:" + ours), 0);

    const QByteArray theirs = foreignJob("hero:job:w2", {"actorId", "w2"});
    m.run(cmd("LPOP", "hero:job:w2"));
    m.setField(theirs, "status", "error");
    QCOMPARE(await(m.producer->retry(theirs)).queueKeys, QList<QByteArray>{"hero:job:w2"});
    QCOMPARE(m.list("hero:job:w2"), QList<QByteArray>{theirs});
}

void LegacySuite::whoWaitsIsReleasedIntoItsFamily()
{
    startWith(KeyMode::Legacy);
    const QByteArray first = m.submit();
    Job second = m.draft();
    second.prerequisites = {first};
    QVERIFY(await(m.producer->submit(second)).queueKeys.isEmpty());
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("x")));
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{second.id});
}

void LegacySuite::aGraphIsReleasedIntoItsFamily()
{
    startWith(KeyMode::Legacy);
    const Job first = m.draft();
    Job second = m.draft();
    second.prerequisites = {first.id};
    await(m.producer->submitGraph({first, second}));
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{first.id});
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("x")));
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{second.id});
    Job nobodys = m.draft();
    nobodys.target.legacyWorker.clear();
    QCOMPARE(failureOf(m.producer->submitGraph({m.draft(), nobodys})), ErrorKind::Usage);
}

void LegacySuite::removeLeavesNothingBehind()
{
    startWith(KeyMode::Dual);
    const QByteArray id = m.submit();
    QVERIFY(await(m.producer->remove(id)));
    const QByteArray done = m.submit();
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("x")));
    QVERIFY(await(m.producer->remove(done)));
    for (const QByteArray &key : m.run(cmd("KEYS", "*")).toList())
        QVERIFY2(key.startsWith("hero:meta:queue:stats:") || key == hero::keys::types(), key.constData());
}

void LegacySuite::aLegacyWorkerShowsNoPresence()
{
    startWith(KeyMode::Legacy);
    auto *worker = m.worker("python", "");
    const WorkerIdentity who = await(worker->announce());
    QVERIFY(!who.instance.isEmpty());
    await(worker->refreshPresence({"x"}, false));
    QCOMPARE(m.run(cmd("DBSIZE")).toInteger(), 0);
    QVERIFY(await(m.inspector->workers()).isEmpty());
}

void LegacySuite::theInspectorShowsBothFamilies()
{
    startWith(KeyMode::Auto);
    m.run(cmd("LPUSH", "hero:work_queue:w1", "b", "a"));
    m.run(cmd("LPUSH", "hero:job:actor_queue:osis", "c"));
    m.run(cmd("LPUSH", "hero:job:actor7", "d"));
    m.run(cmd("LPUSH", "hero:stop_queue:w1", "e"));
    m.run(cmd("LPUSH", "hero:reply:x", "f"));
    m.submit();
    QCOMPARE(queue("hero:work_queue:w1").kind, QueueKind::Legacy);
    QCOMPARE(queue("hero:work_queue:w1").target.legacyWorker, QByteArray("w1"));
    QCOMPARE(queue("hero:work_queue:w1").order, ServingOrder::Lifo); // BLPOP, as the protocol says
    QCOMPARE(queue("hero:work_queue:w1").nextJob, QByteArray("a"));
    QCOMPARE(await(m.inspector->queueContent("hero:work_queue:w1", 0, 10)), (QList<QByteArray>{"a", "b"}));
    QCOMPARE(queue("hero:job:actor_queue:osis").target.type, QByteArray("osis"));
    QCOMPARE(queue("hero:job:actor7").target.legacyWorker, QByteArray("actor7"));
    QCOMPARE(await(m.inspector->queueContent("hero:job:actor7", 0, 10)), QList<QByteArray>{"d"});
    QCOMPARE(queue("hero:stop_queue:w1").kind, QueueKind::Control);
    QVERIFY(queue("hero:reply:x").key.isEmpty());
    QCOMPARE(queue("hero:job:actor7").depth, 1);
    m.run(cmd("DEL", "hero:job:actor7"));
    m.run(cmd("HSET", "hero:job:actor7", "status", "finished"));
    QVERIFY(queue("hero:job:actor7").key.isEmpty()); // a job now
    QCOMPARE(await(m.inspector->jobs({})).jobs.size(), size_t(2));

    await(m.worker("python", "1")->announce());
    const QueueInfo served = queue("hero:work_queue:python-worker");
    QCOMPARE(served.listeners, 1);
    QCOMPARE(served.order, ServingOrder::Fifo); // ours says what it pops
}

void LegacySuite::theServedEndIsObserved()
{
    startWith(KeyMode::Canonical);
    const auto fill = [this](const QByteArray &key) { m.run(cmd("RPUSH", key, "5", "4", "3", "2", "1")); };
    fill("hero:q:work:type:python");
    fill("hero:work_queue:w1");
    QVERIFY(!queue("hero:work_queue:w1").observed);
    m.run(cmd("LPOP", "hero:q:work:type:python"));
    m.run(cmd("RPOP", "hero:work_queue:w1"));
    const QueueInfo canonical = queue("hero:q:work:type:python");
    QVERIFY(canonical.observed);
    QCOMPARE(canonical.order, ServingOrder::Lifo);
    QCOMPARE(canonical.nextJob, QByteArray("4"));
    QCOMPARE(await(m.inspector->queueContent(canonical.key, 0, 2)), (QList<QByteArray>{"4", "3"}));
    const QueueInfo legacy = queue("hero:work_queue:w1");
    QVERIFY(legacy.observed);
    QCOMPARE(legacy.order, ServingOrder::Fifo);
    QCOMPARE(legacy.nextJob, QByteArray("2"));
}

void LegacySuite::aScheduledJobWaitsForItsTime()
{
    startWith(KeyMode::Legacy);
    Job draft = m.draft();
    draft.notBefore = Clock::system().now() + std::chrono::hours{1};
    QVERIFY(await(m.producer->submit(draft)).queueKeys.isEmpty());
    QCOMPARE(m.zset(hero::keys::delayed()), QList<QByteArray>{draft.id});
    QCOMPARE(await(m.inspector->summaries({draft.id})).front().state, JobState::Scheduled);
    QCOMPARE(await(m.inspector->job(draft.id, 1'000)).job.notBefore, draft.notBefore);
    auto *worker = m.worker();
    QVERIFY(m.claim(worker).empty());
    QCOMPARE(await(worker->recover()), 0);
    QVERIFY(await(m.producer->submit(draft)).queueKeys.isEmpty()); // the same job
    m.run(cmd("ZADD", hero::keys::delayed(), 1, draft.id));
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{draft.id});
    QVERIFY(m.field(draft.id, "not_before").isEmpty());

    Job past = m.draft();
    past.notBefore = Clock::system().now() - std::chrono::hours{1};
    QCOMPARE(await(m.producer->submit(past)).queueKeys, QList<QByteArray>{"hero:work_queue:python-worker"});

    // One that waits for another job and for a time waits for both.
    Job behind = m.draft();
    behind.prerequisites = {past.id};
    behind.notBefore = Clock::system().now() + std::chrono::hours{1};
    m.submit(behind);
    for (const Claim &claim : m.claim(worker, 5))
        await(worker->finish(claim, m.success("x")));
    QCOMPARE(m.field(behind.id, "status"), QByteArray("dispatched"));
    QCOMPARE(m.zset(hero::keys::delayed()), QList<QByteArray>{behind.id});
    QCOMPARE(m.places(behind.id), 1);
}

void LegacySuite::unknownFieldsAreKept()
{
    startWith(KeyMode::Legacy);
    const QByteArray id =
        foreignJob("hero:work_queue:python-worker", {"retries", "0", "colour", "green", "actorId", "w"});
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    await(m.producer->retry(id));
    await(worker->finish(m.claim(worker).front(), m.success("x")));
    QCOMPARE(m.field(id, "colour"), QByteArray("green"));
    QCOMPARE(m.field(id, "actorId"), QByteArray("w"));
}

void LegacySuite::aHostileQueuesFieldNamesNoOtherKey()
{
    startWith(KeyMode::Legacy);
    const QByteArray first = m.submit();
    Job second = m.draft();
    second.prerequisites = {first};
    m.submit(second);
    m.setField(second.id, "queues", R"(["hero:q:lease:python","other:key","hero:meta:actor:inst:python:default:1"])");
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("x")));
    QCOMPARE(m.list("hero:q:work:type:python"), QList<QByteArray>{second.id}); // its target decides
    QCOMPARE(m.exists("other:key"), 0);
}

void LegacySuite::reconcileFindsAJobInWhicheverFamilyItIs()
{
    startWith(KeyMode::Auto);
    m.options.lostGrace = Milliseconds{0};
    const auto rescuer = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    const QByteArray ours = m.submit();
    // In a queue that its record does not name.
    const QByteArray theirs = foreignJob("hero:job:some-actor", {"script_type", "python"});
    QCOMPARE(await(rescuer->reconcile({})), 0);
    QCOMPARE(m.exists("hero:q:work:type:python"), 0);
    m.run(cmd("DEL", "hero:work_queue:python-worker", "hero:job:some-actor")); // popped by who then died
    m.setField(ours, "updated_at", "2020-01-01T00:00:00Z");
    m.setField(theirs, "updated_at", "2020-01-01T00:00:00Z");
    QCOMPARE(await(rescuer->reconcile({})), 2);
    QCOMPARE(m.list("hero:work_queue:python-worker"), QList<QByteArray>{ours});
    QCOMPARE(m.list("hero:q:work:type:python"), QList<QByteArray>{theirs});
}

QTEST_GUILESS_MAIN(LegacySuite)
#include "tst_legacy.moc"
