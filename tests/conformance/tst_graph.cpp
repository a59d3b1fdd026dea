// The protocol suite: graphs of jobs, submitted as a whole or not at all, and large ones that move in short steps.
#include "tests/conformance/protocol_fixture.h"
#include "tests/support/faulty_store.h"

#include <QElapsedTimer>

using namespace ym;
using namespace ym::test;

class GraphSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    Job job(const QList<QByteArray> &prerequisites = {}) const
    {
        Job draft = m.draft();
        draft.prerequisites = prerequisites;
        return draft;
    }
    /// Drafts in a row, each waiting for the one before.
    std::vector<Job> chain(int length) const
    {
        std::vector<Job> jobs;
        for (int i = 0; i < length; ++i)
            jobs.push_back(i == 0 ? job() : job({jobs.back().id}));
        return jobs;
    }
    /// One job, many behind it, and one behind all of these.
    std::vector<Job> diamond(int size) const
    {
        std::vector<Job> jobs{job()};
        Job sink = job();
        for (int i = 0; i < size - 2; ++i) {
            jobs.push_back(job({jobs.front().id}));
            sink.prerequisites.append(jobs.back().id);
        }
        jobs.push_back(sink);
        return jobs;
    }
    qint64 countOf(const char *status, const std::vector<Job> &jobs)
    {
        std::vector<Command> looks;
        for (const Job &one : jobs)
            looks.push_back(cmd("HGET", hero::keys::job(one.id), "status"));
        const auto replies = await(m.store->pipeline(looks));
        return std::count_if(replies.begin(), replies.end(), [&](const Reply &r) { return r.toBytes() == status; });
    }
    /// Runs whatever can run until nothing can, in batches; returns how many ran.
    int runAll(Execution execution)
    {
        auto *worker = m.worker();
        int ran = 0;
        while (true) {
            await(worker->recover());
            if (m.list(m.workKey()).isEmpty())
                return ran;
            for (Claim &claim : await(worker->claim(64, {}))) {
                await(worker->finish(std::move(claim), execution));
                ++ran;
            }
        }
    }
    void expectNothing() { QCOMPARE(m.run(cmd("DBSIZE")).toInteger(), 0); }
    bool isServer() const
    {
        QFETCH_GLOBAL(QString, storeKind);
        return storeKind.startsWith(QLatin1String("redis"));
    }
    void watchScripts()
    {
        if (isServer())
            m.run(cmd("CONFIG", "SET", "slowlog-log-slower-than", 10'000));
    }
    /// No script of a large graph holds the server up: the slowest, in milliseconds.
    qint64 slowestScript()
    {
        qint64 slowest = 0;
        if (!isServer())
            return slowest;
        const Reply log = m.run(cmd("SLOWLOG", "GET", 1000));
        for (const Reply &entry : log.toArray())
            slowest = std::max(slowest, entry.toArray()[2].toInteger() / 1000);
        return slowest;
    }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addCanonicalRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void isThereAtOnceWithAllItsStates();
    void waitsForJobsOutsideAndIsKnownToThem();
    void isRefusedAsAWhole_data();
    void isRefusedAsAWhole();
    void isRefusedWhereItsJobsCannotWait();
    void aCircleIsRefusedByName();
    void theSameAgainIsOneGraph();
    void aLostAnswerIsAskedForAgain_data();
    void aLostAnswerIsAskedForAgain();
    void whoeverRecoversFinishesWhatWasCommitted();
    void whatWasNeverCommittedIsNotSeenAndGoesAway();
    void stoppingTheFirstStopsAll();
    void aLargeChainRunsAndFails();
    void aLargeDiamondRunsAndFails();
};

void GraphSuite::isThereAtOnceWithAllItsStates()
{
    std::vector<Job> jobs = diamond(5);
    std::reverse(jobs.begin(), jobs.end()); // the order of the drafts is no matter
    await(m.producer->submitGraph(jobs));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{jobs.back().id});
    QCOMPARE(m.zset(hero::keys::waiting()).size(), 4);
    const QByteArray sink = jobs.front().id;
    QCOMPARE(m.field(sink, "status"), QByteArray("waiting_for_prerequisites"));
    QCOMPARE(m.field(jobs.back().id, "dependents").count('"'), 2 * 3);
    QVERIFY(m.field(sink, "outside").isEmpty());
    QVERIFY(parseTimestamp(m.field(sink, "created_at")).has_value());
    for (const Job &one : jobs)
        QCOMPARE(m.places(one.id), 1);
    QCOMPARE(runAll(m.success("ok")), 5);
    QCOMPARE(countOf("finished", jobs), 5);
    QCOMPARE(m.run(cmd("TTL", hero::keys::job(sink))).toInteger(), -1);
}

void GraphSuite::waitsForJobsOutsideAndIsKnownToThem()
{
    const QByteArray before = m.submit();
    const Job first = job({before});
    const Job second = job({first.id, before});
    await(m.producer->submitGraph({first, second}));
    QCOMPARE(m.field(before, "dependents"), "[\"" + first.id + "\",\"" + second.id + "\"]");
    QCOMPARE(m.field(first.id, "status"), QByteArray("waiting_for_prerequisites"));
    QCOMPARE(runAll(m.success("ok")), 3);
    const Job late = job({before}); // which has finished
    await(m.producer->submitGraph({late}));
    QCOMPARE(m.field(late.id, "status"), QByteArray("dispatched"));
}

void GraphSuite::isRefusedAsAWhole_data()
{
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<ErrorKind>("kind");
    QTest::newRow("a prerequisite that does not exist") << QByteArray("missing") << ErrorKind::NotFound;
    QTest::newRow("a prerequisite that has failed") << QByteArray("failed") << ErrorKind::Conflict;
    QTest::newRow("an id that exists") << QByteArray("exists") << ErrorKind::Conflict;
    QTest::newRow("an id that two have") << QByteArray("double") << ErrorKind::Usage;
    QTest::newRow("a draft that is not complete") << QByteArray("incomplete") << ErrorKind::Usage;
}

void GraphSuite::isRefusedAsAWhole()
{
    QFETCH(QByteArray, what);
    std::vector<Job> jobs = chain(450); // three parts; the last one is wrong
    QByteArray named = newJobId();
    if (what == "missing")
        jobs.back().prerequisites.append(named);
    if (what == "exists" || what == "failed") {
        named = m.submit();
        if (what == "exists")
            jobs.back().id = named;
        else
            jobs.back().prerequisites.append(named);
        await(m.producer->stop(named));
    }
    if (what == "double")
        named = jobs.back().id = jobs[440].id;
    if (what == "incomplete") {
        jobs.back().script.clear();
        named.clear();
    }
    const qint64 keysBefore = m.run(cmd("DBSIZE")).toInteger();
    std::optional<Error> error;
    try {
        await(m.producer->submitGraph(jobs));
    } catch (const StoreError &e) {
        error = e.error();
    }
    QVERIFY(error.has_value());
    QTEST(error->kind, "kind");
    QVERIFY2(error->message.contains(QString::fromLatin1(named)), qPrintable(error->message));
    QCOMPARE(m.run(cmd("DBSIZE")).toInteger(), keysBefore);
    QVERIFY(m.list(m.workKey()).isEmpty());
}

void GraphSuite::isRefusedWhereItsJobsCannotWait()
{
    m.run(cmd("SET", hero::keys::waiting(), "no sorted set"));
    QCOMPARE(failureOf(m.producer->submitGraph(chain(3))), ErrorKind::WrongType);
    m.run(cmd("DEL", hero::keys::waiting()));
    expectNothing();
}

void GraphSuite::aCircleIsRefusedByName()
{
    std::vector<Job> jobs = chain(4);
    jobs[1].prerequisites.append(jobs[3].id);
    std::optional<Error> error;
    try {
        await(m.producer->submitGraph(jobs));
    } catch (const StoreError &e) {
        error = e.error();
    }
    QVERIFY(error.has_value());
    QCOMPARE(error->kind, ErrorKind::Usage);
    for (int i = 1; i <= 3; ++i)
        QVERIFY(error->message.contains(QString::fromLatin1(jobs[size_t(i)].id)));
    QVERIFY(!error->message.contains(QString::fromLatin1(jobs[0].id)));
    expectNothing();
}

void GraphSuite::theSameAgainIsOneGraph()
{
    const std::vector<Job> jobs = chain(450);
    await(m.producer->submitGraph(jobs));
    await(m.producer->submitGraph(jobs));
    QCOMPARE(m.list(m.workKey()).size(), 1);
    QCOMPARE(m.zset(hero::keys::waiting()).size(), 449);
    QCOMPARE(runAll(m.success("ok")), 450);
    await(m.producer->submitGraph(jobs)); // also when all is over
    QVERIFY(m.list(m.workKey()).isEmpty());
    QCOMPARE(countOf("finished", jobs), 450);
}

void GraphSuite::aLostAnswerIsAskedForAgain_data()
{
    QTest::addColumn<int>("part");
    QTest::newRow("of the first part") << 1;
    QTest::newRow("of one in the middle") << 2;
    QTest::newRow("of the last one, which commits") << 3;
}

void GraphSuite::aLostAnswerIsAskedForAgain()
{
    QFETCH(int, part);
    FaultyStore faulty(m.store.get());
    const auto producer = m.protocol.producer(&faulty, m.options, &Clock::system());
    FaultyStore::Plan plan;
    plan.fault = FaultyStore::Fault::ReplyLost;
    plan.nth = part;
    plan.only = "hero/graph_stage";
    faulty.fail(plan);
    const std::vector<Job> jobs = chain(450);
    QCOMPARE(failureOf(producer->submitGraph(jobs)), ErrorKind::Unavailable);
    await(producer->submitGraph(jobs));
    QCOMPARE(m.list(m.workKey()).size(), 1);
    QCOMPARE(countOf("waiting_for_prerequisites", jobs), 449);
    for (const Job &one : {jobs[0], jobs[200], jobs[449]})
        QCOMPARE(m.places(one.id), 1);
}

void GraphSuite::whoeverRecoversFinishesWhatWasCommitted()
{
    FaultyStore faulty(m.store.get());
    const auto producer = m.protocol.producer(&faulty, m.options, &Clock::system());
    FaultyStore::Plan plan;
    plan.fault = FaultyStore::Fault::NotSent;
    plan.only = "hero/graph_grow";
    faulty.fail(plan);
    const std::vector<Job> jobs = chain(450);
    QCOMPARE(failureOf(producer->submitGraph(jobs)), ErrorKind::Unavailable); // dies between commit and growth
    QCOMPARE(countOf("waiting_for_prerequisites", jobs), 199);
    await(m.protocol.rescuer(m.store.get(), m.options, &Clock::system())->recover());
    QCOMPARE(countOf("waiting_for_prerequisites", jobs), 449);
    QCOMPARE(m.exists(hero::keys::graphs()), 0);
    QCOMPARE(runAll(m.success("ok")), 450);
}

void GraphSuite::whatWasNeverCommittedIsNotSeenAndGoesAway()
{
    FaultyStore faulty(m.store.get());
    const auto producer = m.protocol.producer(&faulty, m.options, &Clock::system());
    FaultyStore::Plan plan;
    plan.fault = FaultyStore::Fault::NotSent;
    plan.nth = 2;
    plan.only = "hero/graph_stage";
    faulty.fail(plan);
    const std::vector<Job> jobs = chain(450);
    QCOMPARE(failureOf(producer->submitGraph(jobs)), ErrorKind::Unavailable);
    await(m.protocol.rescuer(m.store.get(), m.options, &Clock::system())->recover());
    QVERIFY(await(m.inspector->jobs({})).jobs.empty());
    QVERIFY(m.list(m.workKey()).isEmpty());
    const QList<QByteArray> left = m.run(cmd("KEYS", "*")).toList();
    QVERIFY(left.size() >= 200);
    for (const QByteArray &key : left) {
        if (key != hero::keys::types())
            QVERIFY2(m.run(cmd("PTTL", key)).toInteger() > 0, key.constData());
    }
}

void GraphSuite::stoppingTheFirstStopsAll()
{
    const std::vector<Job> jobs = chain(6);
    await(m.producer->submitGraph(jobs));
    QCOMPARE(await(m.producer->stop(jobs.front().id)), Producer::StopOutcome::StoppedInQueue);
    QCOMPARE(countOf("error", jobs), 6);
    QVERIFY(m.zset(hero::keys::waiting()).isEmpty());
}

void GraphSuite::aLargeChainRunsAndFails()
{
    const std::vector<Job> good = chain(10'000);
    const std::vector<Job> bad = chain(10'000);
    watchScripts();
    QElapsedTimer timer;
    timer.start();
    await(m.producer->submitGraph(good), 120'000);
    qInfo("submit: %lld ms", timer.restart());
    QCOMPARE(runAll(m.success("ok")), 10'000);
    qInfo("run: %lld ms", timer.restart());
    QCOMPARE(countOf("finished", good), 10'000);
    await(m.producer->submitGraph(bad), 120'000);
    timer.restart();
    QCOMPARE(runAll(m.failure("boom")), 1);
    qInfo("fail: %lld ms", timer.restart());
    QCOMPARE(countOf("error", bad), 10'000);
    QVERIFY(m.zset(hero::keys::waiting()).isEmpty());
    const qint64 slowest = slowestScript();
    qInfo("slowest script: %lld ms", slowest);
    QVERIFY(slowest < 1'000);
}

void GraphSuite::aLargeDiamondRunsAndFails()
{
    const std::vector<Job> good = diamond(10'000);
    const std::vector<Job> bad = diamond(10'000);
    watchScripts();
    QElapsedTimer timer;
    timer.start();
    await(m.producer->submitGraph(good), 120'000);
    qInfo("submit: %lld ms", timer.restart());
    QCOMPARE(runAll(m.success("ok")), 10'000);
    qInfo("run: %lld ms", timer.restart());
    QCOMPARE(countOf("finished", good), 10'000);
    await(m.producer->submitGraph(bad), 120'000);
    timer.restart();
    QCOMPARE(runAll(m.failure("boom")), 1);
    qInfo("fail: %lld ms", timer.restart());
    QCOMPARE(countOf("error", bad), 10'000);
    const qint64 slowest = slowestScript();
    qInfo("slowest script: %lld ms", slowest);
    QVERIFY(slowest < 1'000);
}

QTEST_GUILESS_MAIN(GraphSuite)
#include "tst_graph.moc"
