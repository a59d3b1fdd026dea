// One fault at a time, seen from a job: what was acknowledged is there once, what was refused is not there, and everything
// works again when the fault is over. Faults of the connection alone are in wire/redis_trouble and fault/hostile_server.
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/redis_server.h"

#include <QSet>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

class TestFaultMatrix : public QObject {
    Q_OBJECT

    const HeroProtocol m_protocol;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<FaultProxy> m_proxy;
    std::unique_ptr<RedisStore> m_store; ///< through the proxy, with a short deadline
    std::unique_ptr<RedisStore> m_admin; ///< straight to the server
    std::unique_ptr<Producer> m_producer;
    std::unique_ptr<Consumer> m_worker;
    const QByteArray m_queue = hero::keys::work({"python", {}, {}, 1, {}});

    static Job draft()
    {
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.script = "print(1)";
        return job;
    }
    static Execution success()
    {
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        execution.output = "ok";
        return execution;
    }
    Reply run(const Command &command) { return await(m_admin->command(command)); }
    QList<QByteArray> queued() { return run(cmd("LRANGE", m_queue, 0, -1)).toList(); }
    QByteArray statusOf(const QByteArray &id) { return run(cmd("HGET", hero::keys::job(id), "status")).toBytes(); }
    /// As every caller does after an ambiguous failure: the same draft again when the store is back.
    void submitUntilItWorks(const Job &job)
    {
        for (int tries = 0; tries < 100; ++tries) {
            await(m_store->waitUntilReady({}));
            const auto trouble = failureOf(m_producer->submit(job));
            if (!trouble)
                return;
            QVERIFY2(isTransient(*trouble), "a fault that passes was taken for one that stays");
        }
        QFAIL("it never worked again");
    }
    /// The whole life of a job, with no fault any more.
    void everythingWorks()
    {
        const Job job = draft();
        submitUntilItWorks(job);
        QByteArray ended;
        for (int tries = 0; tries < 50 && ended != job.id; ++tries) {
            for (Claim &claim : await(m_worker->claim(1, {}))) {
                ended = claim.job.id;
                QCOMPARE(await(m_worker->finish(std::move(claim), success())), Consumer::FinishOutcome::Committed);
            }
        }
        QCOMPARE(statusOf(job.id), QByteArray("finished"));
    }

private Q_SLOTS:
    void init()
    {
        RedisServer::Options options;
        options.extra = QStringList{QStringLiteral("--enable-debug-command"), QStringLiteral("yes")};
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
        m_proxy = std::make_unique<FaultProxy>(m_server->socketPath());
        RedisStore::Options quick;
        quick.commandDeadline = 700ms;
        quick.backoff = {Milliseconds{1}, Milliseconds{20}};
        m_store = std::make_unique<RedisStore>(*parseStoreAddress(m_proxy->url()), quick, &Clock::system());
        m_admin = std::make_unique<RedisStore>(*parseStoreAddress(m_server->url()), RedisStore::Options{}, &Clock::system());
        await(m_store->open());
        await(m_admin->open());
        m_producer = m_protocol.producer(m_store.get(), {}, &Clock::system());
        WorkerIdentity who;
        who.types = {"python"};
        who.instance = "1";
        m_worker = m_protocol.consumer(m_store.get(), {}, &Clock::system(), who);
    }
    void cleanup()
    {
        m_proxy->setMode(FaultProxy::Mode::Pass);
        m_store->close();
        m_admin->close();
        m_worker.reset();
        m_producer.reset();
        m_store.reset();
        m_admin.reset();
        m_proxy.reset();
        m_server.reset();
    }

    void aSubmitThroughAFaultIsOneJob_data();
    void aSubmitThroughAFaultIsOneJob();
    void aClaimWhoseAnswerIsLostIsRescued();
    void aFinishWhoseAnswerIsLostIsCommittedOnce();
    void aGraphThroughACutConnectionIsOneGraph();
    void aFullServerRefusesSubmitsAndClaimsAndTakesResults();
    void aServerWithoutItsReplicasRefusesAndRecovers();
    void forgottenScriptsAreSentAgain();
    void aWrongTypeUnderAnyNameHurtsOnlyItself_data();
    void aWrongTypeUnderAnyNameHurtsOnlyItself();
};

void TestFaultMatrix::aSubmitThroughAFaultIsOneJob_data()
{
    QTest::addColumn<QByteArray>("fault");
    for (const char *fault : {"replies are lost", "both ways are lost", "byte by byte", "50 ms later", "cut after one byte",
                              "cut in the middle of a reply", "hung up", "clients are paused", "the server is stopped",
                              "the server is killed"})
        QTest::newRow(fault) << QByteArray(fault);
}

void TestFaultMatrix::aSubmitThroughAFaultIsOneJob()
{
    QFETCH(QByteArray, fault);
    using Mode = FaultProxy::Mode;
    await(m_producer->submit(draft())); // the scripts are known
    run(cmd("DEL", m_queue));
    const Job job = draft();
    if (fault == "replies are lost")
        m_proxy->setMode(Mode::LoseReplies);
    else if (fault == "both ways are lost")
        m_proxy->setMode(Mode::LoseAll);
    else if (fault == "byte by byte")
        m_proxy->setMode(Mode::Slice);
    else if (fault == "50 ms later")
        m_proxy->setMode(Mode::Delay);
    else if (fault == "cut after one byte")
        m_proxy->setMode(Mode::Cut, 1);
    else if (fault == "cut in the middle of a reply")
        m_proxy->setMode(Mode::Cut, 7);
    else if (fault == "clients are paused")
        m_server->cli({QStringLiteral("CLIENT"), QStringLiteral("PAUSE"), QStringLiteral("1500"), QStringLiteral("ALL")});
    else if (fault == "the server is stopped")
        m_server->pause();
    const auto first = failureOf(m_producer->submit(job));
    if (fault == "hung up")
        m_proxy->hangUp();
    const bool passes = fault == "byte by byte" || fault == "50 ms later" || fault == "hung up" || fault == "the server is killed";
    QCOMPARE(first.has_value(), !passes);
    if (first)
        QVERIFY(isTransient(*first));
    if (fault == "the server is killed") {
        m_server->killHard();
        QTRY_VERIFY(m_admin->status().phase != StoreStatus::Phase::Ready); // it has noticed
        QVERIFY(m_server->startAgain());
        await(m_admin->waitUntilReady({}));
    }
    m_server->resume();
    m_proxy->setMode(Mode::Pass);
    submitUntilItWorks(job);
    QCOMPARE(queued(), QList<QByteArray>{job.id});
    QCOMPARE(statusOf(job.id), QByteArray("dispatched"));
    run(cmd("DEL", m_queue));
    everythingWorks();
}

void TestFaultMatrix::aClaimWhoseAnswerIsLostIsRescued()
{
    everythingWorks(); // the scripts are known
    const Job job = draft();
    await(m_producer->submit(job));
    m_proxy->setMode(FaultProxy::Mode::LoseReplies);
    QVERIFY(failureOf(m_worker->claim(1, {})).has_value());
    m_proxy->setMode(FaultProxy::Mode::Pass);
    QCOMPARE(statusOf(job.id), QByteArray("started")); // nobody knows that it has it
    run(cmd("ZADD", hero::keys::lease("python"), "XX", 1, job.id));
    await(m_protocol.rescuer(m_admin.get(), {}, &Clock::system())->recover());
    QCOMPARE(queued(), QList<QByteArray>{job.id});
    await(m_store->waitUntilReady({}));
    auto claims = await(m_worker->claim(1, {}));
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.attempt, 2);
    QCOMPARE(await(m_worker->finish(claims.front(), success())), Consumer::FinishOutcome::Committed);
}

void TestFaultMatrix::aFinishWhoseAnswerIsLostIsCommittedOnce()
{
    everythingWorks(); // the scripts are known
    const Job job = draft();
    await(m_producer->submit(job));
    const auto claims = await(m_worker->claim(1, {}));
    m_proxy->setMode(FaultProxy::Mode::LoseReplies);
    QVERIFY(failureOf(m_worker->finish(claims.front(), success())).has_value());
    m_proxy->setMode(FaultProxy::Mode::Pass);
    await(m_store->waitUntilReady({}));
    QCOMPARE(await(m_worker->finish(claims.front(), success())), Consumer::FinishOutcome::Committed);
    QCOMPARE(run(cmd("HGET", hero::keys::stats(m_queue), "finished")).toInteger(), 2);
    QCOMPARE(run(cmd("LLEN", hero::keys::reply(job.id))).toInteger(), 1);
}

void TestFaultMatrix::aGraphThroughACutConnectionIsOneGraph()
{
    std::vector<Job> jobs;
    for (int i = 0; i < 450; ++i) {
        jobs.push_back(draft());
        if (i > 0)
            jobs.back().prerequisites = {jobs[size_t(i) - 1].id};
    }
    m_proxy->setMode(FaultProxy::Mode::Cut, 3);
    QVERIFY(failureOf(m_producer->submitGraph(jobs)).has_value());
    m_proxy->setMode(FaultProxy::Mode::LoseReplies);
    await(m_admin->waitUntilReady({}));
    m_proxy->setMode(FaultProxy::Mode::Pass);
    await(m_store->waitUntilReady({}));
    await(m_producer->submitGraph(jobs));
    QCOMPARE(queued(), QList<QByteArray>{jobs.front().id});
    QCOMPARE(run(cmd("ZCARD", hero::keys::waiting())).toInteger(), 449);
}

void TestFaultMatrix::aFullServerRefusesSubmitsAndClaimsAndTakesResults()
{
    const Job first = draft();
    const Job second = draft();
    await(m_producer->submit(first));
    await(m_producer->submit(second));
    const auto claims = await(m_worker->claim(1, {}));
    run(cmd("CONFIG", "SET", "maxmemory", 1));
    QCOMPARE(failureOf(m_producer->submit(draft())), ErrorKind::OutOfMemory);
    QCOMPARE(failureOf(m_producer->submitGraph({draft(), draft()})), ErrorKind::OutOfMemory);
    QCOMPARE(failureOf(m_worker->claim(1, {})), ErrorKind::OutOfMemory);
    QCOMPARE(queued(), QList<QByteArray>{second.id}); // refused as a whole: nothing was popped
    QVERIFY(await(m_worker->beat(claims)).isEmpty());
    QCOMPARE(await(m_worker->finish(claims.front(), success())), Consumer::FinishOutcome::Committed);
    QCOMPARE(statusOf(first.id), QByteArray("finished"));
    QCOMPARE(await(m_producer->stop(second.id)), Producer::StopOutcome::StoppedInQueue); // frees memory
    run(cmd("CONFIG", "SET", "maxmemory", 0));
    everythingWorks();
}

void TestFaultMatrix::aServerWithoutItsReplicasRefusesAndRecovers()
{
    run(cmd("CONFIG", "SET", "min-replicas-to-write", 1));
    const Job job = draft();
    QCOMPARE(failureOf(m_producer->submit(job)), ErrorKind::Busy);
    QVERIFY(queued().isEmpty());
    run(cmd("CONFIG", "SET", "min-replicas-to-write", 0));
    everythingWorks();
}

void TestFaultMatrix::forgottenScriptsAreSentAgain()
{
    everythingWorks();
    run(cmd("SCRIPT", "FLUSH"));
    everythingWorks();
}

void TestFaultMatrix::aWrongTypeUnderAnyNameHurtsOnlyItself_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const QByteArray &key : {hero::keys::delayed(), hero::keys::waiting(), hero::keys::graphs(), hero::keys::types(),
                                  hero::keys::dead("python"), hero::keys::control({"python", {}, {}, 1, {}}),
                                  hero::keys::stats(hero::keys::work({"python", {}, {}, 1, {}})),
                                  hero::keys::work({"python", "default", {}, 1, {}}),
                                  hero::keys::work({"python", "default", "1", 0, {}})})
        QTest::newRow(key.constData()) << key;
}

void TestFaultMatrix::aWrongTypeUnderAnyNameHurtsOnlyItself()
{
    QFETCH(QByteArray, key);
    run(cmd("SET", key, "not what it should be"));
    everythingWorks();
    const auto rescuer = m_protocol.rescuer(m_admin.get(), {}, &Clock::system());
    const Job lost = draft();
    await(m_producer->submit(lost));
    QCOMPARE(await(m_worker->claim(1, {})).size(), size_t(1));
    run(cmd("ZADD", hero::keys::lease("python"), "XX", 1, lost.id));
    await(m_worker->recover());
    QCOMPARE(queued(), QList<QByteArray>{lost.id});
    await(rescuer->recover());
    await(rescuer->reconcile({}));
    QCOMPARE(run(cmd("GET", key)).toBytes(), QByteArray("not what it should be"));
}

QTEST_GUILESS_MAIN(TestFaultMatrix)
#include "tst_fault_matrix.moc"
