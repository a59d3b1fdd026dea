// The protocol suite: taking jobs out.
#include "tests/conformance/protocol_fixture.h"

#include <QElapsedTimer>

using namespace ym;
using namespace ym::test;

class ClaimSuite : public QObject {
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

    void marksLeasesAndReturnsWhatARunNeeds();
    void aRecordInOthersWordsComesWhole();
    void anEmptyFieldYieldsToAnotherSpelling_data();
    void anEmptyFieldYieldsToAnotherSpelling();
    void servesInstanceThenGroupThenTypeAtEachPriority();
    void servesOldestFirst();
    void servesNewestFirstWhenAsked();
    void takesABatchInOneTrip();
    void aBatchOfAllSortsKeepsOrderAndValues();
    void anIdThatIsThereTwiceIsClaimedOnce();
    void onlyItsOwnInstanceWhenAsked();
    void aWorkerOfSeveralTypesServesThemAll();
    void aJobIsClaimedOnce();
    void dropsTwinsAndStaleEntries_data();
    void dropsTwinsAndStaleEntries();
    void buriesWhatIsNoJob();
    void takesARequeuedJobOnlyWhenNobodyCanRunIt();
    void aPushWakesAWaitingClaim();
    void stopEndsAWaitAtOnce();
    void newsOfAnyQueueEndsAWait();
    void waitsAgainWithoutNewPeeks();
    void aQueueKeyOfAnotherTypeDoesNotBlockTheOthers();
    void manyWorkersShareWithoutDoubles();
    void takesWhatFitsIntoAReply();
};

/// A claim that were larger than a reply may be would never arrive: large jobs come in several claims, and one that is
/// too large by itself ends with a reason.
void ClaimSuite::takesWhatFitsIntoAReply()
{
    constexpr qsizetype megabyte = 1 << 20;
    const QByteArray tooLarge = m.submit();
    m.setField(tooLarge, "script", QByteArray(17 * megabyte, '#'));
    QSet<QByteArray> large;
    for (int i = 0; i < 4; ++i) {
        const QByteArray id = m.submit();
        m.setField(id, "script", QByteArray(9 * megabyte, '#'));
        large.insert(id);
    }
    const QByteArray small = m.submit();
    auto *worker = m.worker();
    QSet<QByteArray> claimed;
    int trips = 0;
    while (claimed.size() < 5 && ++trips < 20) {
        const auto claims = m.claim(worker, 10);
        qsizetype bytes = 0;
        for (const Claim &claim : claims) {
            QVERIFY(!claimed.contains(claim.job.id));
            claimed.insert(claim.job.id);
            bytes += claim.job.script.size();
            QCOMPARE(m.places(claim.job.id), 1);
        }
        QVERIFY2(bytes < 56 * megabyte, QByteArray::number(bytes).constData());
    }
    QCOMPARE(claimed, large + QSet<QByteArray>{small});
    QCOMPARE(m.field(tooLarge, "status"), QByteArray("error"));
    QVERIFY(m.field(tooLarge, "error").contains("16 MiB"));
    QCOMPARE(m.places(tooLarge), 1);
    for (const QByteArray &queue : m.workKeys())
        QVERIFY(m.list(queue).isEmpty());
}

void ClaimSuite::marksLeasesAndReturnsWhatARunNeeds()
{
    Job draft = m.draft();
    draft.env = {{"A", "1"}};
    m.submit(draft);
    m.setField(draft.id, "x-ours", "kept");
    const auto claims = m.claim(m.worker("python", "4", "io"));
    QCOMPARE(claims.size(), size_t(1));
    const Claim &claim = claims.front();
    QCOMPARE(claim.job.id, draft.id);
    QCOMPARE(claim.job.script, draft.script);
    QCOMPARE(claim.job.env, draft.env);
    QCOMPARE(claim.job.state, JobState::Running);
    QCOMPARE(claim.job.attempt, 1);
    QCOMPARE(claim.job.timeout, draft.timeout);
    QCOMPARE(claim.job.callerId, draft.callerId);
    QCOMPARE(claim.job.concurrent, draft.concurrent);
    QVERIFY2(claim.job.problems.isEmpty(), qPrintable(claim.job.problems.join(u' ')));
    QCOMPARE(m.field(draft.id, "x-ours"), QByteArray("kept"));
    QCOMPARE(claim.queue, m.workKey());
    QCOMPARE(claim.worker, (Target{"python", "io", "4", 1, {}}));
    QVERIFY(claim.token.size() >= 32);
    QCOMPARE(m.field(draft.id, "status"), QByteArray("started"));
    QCOMPARE(m.field(draft.id, "claim"), claim.token);
    QCOMPARE(m.field(draft.id, "claimed_by"), QByteArray("python:io:4"));
    QCOMPARE(m.field(draft.id, "started_at"), m.field(draft.id, "updated_at"));
    QCOMPARE(m.run(cmd("HGET", hero::keys::claims("python"), draft.id)).toBytes(), claim.token + '|' + m.workKey());
    const auto time = m.run(cmd("TIME")).toList();
    const qint64 now = time[0].toLongLong() * 1000 + time[1].toLongLong() / 1000;
    const qint64 deadline = m.run(cmd("ZSCORE", hero::keys::lease("python"), draft.id)).toBytes().toLongLong();
    QVERIFY2(deadline > now + 25'000 && deadline <= now + 30'000, QByteArray::number(deadline - now).constData());
    QCOMPARE(m.places(draft.id), 1);
}

/// Others leave fields out and spell them in their way: then the worker looks at everything that is there.
void ClaimSuite::aRecordInOthersWordsComesWhole()
{
    const QByteArray id = m.submit(m.draft("python", "ours"));
    m.run(cmd("HDEL", hero::keys::job(id), "script", "caller_id", "timeout"));
    m.setField(id, "payload", "theirs");
    m.setField(id, "callerId", "they");
    m.setField(id, "x-theirs", "kept");
    const auto claims = m.claim(m.worker());
    QCOMPARE(claims.size(), size_t(1));
    const Job &job = claims.front().job;
    QCOMPARE(job.script, QByteArray("theirs"));
    QCOMPARE(job.callerId, QByteArray("they"));
    QCOMPARE(job.timeout, std::chrono::seconds{300});
    QCOMPARE(job.state, JobState::Running);
    QCOMPARE(job.attempt, 1);
    QVERIFY(job.raw.contains({"x-theirs", "kept"}));
}

void ClaimSuite::anEmptyFieldYieldsToAnotherSpelling_data()
{
    QTest::addColumn<QByteArray>("ours");
    QTest::addColumn<QByteArray>("theirs");
    QTest::addColumn<bool>("isNoLonger");
    for (const auto &[ours, theirs] :
         {std::pair("script", "payload"), std::pair("script_type", "scriptType"), std::pair("caller_id", "callerId"),
          std::pair("context_id", "contextId"), std::pair("log_path", "logPath"), std::pair("worker_id", "actor_id"),
          std::pair("worker_id", "actorId")}) {
        QTest::addRow("%s, %s", ours, theirs) << QByteArray(ours) << QByteArray(theirs) << false;
    }
    QTest::newRow("script, payload, as many fields as ours") << QByteArray("script") << QByteArray("payload") << true;
    QTest::newRow("script_type, scriptType, as many fields as ours")
        << QByteArray("script_type") << QByteArray("scriptType") << true;
}

/// What counts is the first spelling that is not empty, for the worker as for whoever looks at the job.
void ClaimSuite::anEmptyFieldYieldsToAnotherSpelling()
{
    QFETCH(QByteArray, ours);
    QFETCH(QByteArray, theirs);
    QFETCH(bool, isNoLonger);
    Job draft = m.draft();
    draft.target.legacyWorker.clear();
    if (m.workKey().contains("worker"))
        draft.target.legacyWorker = m.workerId("python");
    m.submit(draft);
    const QByteArray key = hero::keys::job(draft.id);
    const QByteArray value = ours == "script_type" ? "Python" : ours == "worker_id" ? m.workerId("python") : "theirs";
    const qint64 fields = m.run(cmd("HLEN", key)).toInteger();
    m.run(cmd("HSET", key, ours, "", theirs, value));
    if (isNoLonger)
        m.run(cmd("HDEL", key, "retries"));
    QVERIFY(!isNoLonger || m.run(cmd("HLEN", key)).toInteger() == fields);
    const Job shown = await(m.inspector->job(draft.id, 65'536)).job;
    const auto claims = m.claim(m.worker());
    QCOMPARE(claims.size(), size_t(1));
    const Job &job = claims.front().job;
    QCOMPARE(job.script, shown.script);
    QCOMPARE(job.target.type, QByteArray("python"));
    QCOMPARE(shown.target.type, QByteArray("python"));
    QCOMPARE(job.callerId, shown.callerId);
    QCOMPARE(job.contextId, shown.contextId);
    QCOMPARE(job.logPath, shown.logPath);
    QCOMPARE(job.target.legacyWorker, shown.target.legacyWorker);
    const QHash<QByteArray, QByteArray> read{{"script", job.script},      {"script_type", value},
                                             {"caller_id", job.callerId}, {"context_id", job.contextId},
                                             {"log_path", job.logPath},   {"worker_id", job.target.legacyWorker}};
    QCOMPARE(read.value(ours), value);
    await(m.producer->stop(job.id)); // it stands where its type says
    QCOMPARE(await(m.consumers.back()->stopRequested(claims)), QList<QByteArray>{job.id});
}

void ClaimSuite::servesInstanceThenGroupThenTypeAtEachPriority()
{
    if (!m.isCanonical())
        QSKIP("legacy queues have neither groups nor priorities");
    QList<QByteArray> expected;
    for (int priority = 0; priority <= 2; ++priority) {
        for (const auto &[group, instance] : {std::pair{"g", "1"}, std::pair{"g", ""}, std::pair{"", ""}}) {
            Job draft = m.draft();
            draft.target.group = group;
            draft.target.instance = instance;
            draft.target.priority = priority;
            expected.append(draft.id);
        }
    }
    // Submitted in the reverse order, so that age decides nothing.
    for (qsizetype i = expected.size() - 1; i >= 0; --i) {
        Job draft = m.draft();
        draft.id = expected[i];
        draft.target.priority = int(i / 3);
        draft.target.group = i % 3 < 2 ? "g" : "";
        draft.target.instance = i % 3 < 1 ? "1" : "";
        m.submit(draft);
    }
    auto *worker = m.worker("python", "1", "g");
    QList<QByteArray> served;
    for (int i = 0; i < 3; ++i) {
        for (const Claim &claim : m.claim(worker, 3))
            served.append(claim.job.id);
    }
    QCOMPARE(served, expected);
}

void ClaimSuite::servesOldestFirst()
{
    const QList<QByteArray> ids{m.submit(), m.submit(), m.submit()};
    auto *worker = m.worker();
    for (const QByteArray &id : ids)
        QCOMPARE(m.claim(worker).front().job.id, id);
}

void ClaimSuite::servesNewestFirstWhenAsked()
{
    m.stop();
    ProtocolOptions lifo;
    lifo.order = ServingOrder::Lifo;
    QFETCH_GLOBAL(QString, storeKind);
    QVERIFY(m.start(storeKind, lifo));
    const QList<QByteArray> ids{m.submit(), m.submit()};
    auto *worker = m.worker();
    QCOMPARE(m.claim(worker).front().job.id, ids[1]);
    QCOMPARE(m.claim(worker).front().job.id, ids[0]);
}

void ClaimSuite::takesABatchInOneTrip()
{
    for (int i = 0; i < 10; ++i)
        m.submit();
    auto *worker = m.worker();
    const quint64 before = m.store->cost().commands;
    const auto claims = m.claim(worker, 8);
    QCOMPARE(claims.size(), size_t(8));
    QVERIFY(m.store->cost().commands - before <= 2); // EVALSHA, and once EVAL
    QCOMPARE(std::count_if(claims.begin(), claims.end(), [](const Claim &each) { return each.token.isEmpty(); }), 0);
    const auto rest = m.claim(worker, 8);
    QCOMPARE(rest.size(), size_t(2));
    QVERIFY(rest.front().token != claims.front().token);
}

/// What jobs have in common comes once, and still each is what its record says.
void ClaimSuite::aBatchOfAllSortsKeepsOrderAndValues()
{
    QList<Job> drafts(7, m.draft());
    for (qsizetype i = 0; i < drafts.size(); ++i) {
        drafts[i].id = newJobId();
        drafts[i].script = "print(" + QByteArray::number(i) + ")";
    }
    drafts[2].timeout = std::chrono::seconds{7};
    drafts[2].env = {{"A", "1"}};
    drafts[4].logPath = "four.log";
    drafts[5].access.network = true;
    drafts[6].callerId = "somebody";
    for (const Job &draft : std::as_const(drafts))
        m.submit(draft);
    m.setField(drafts[1].id, "log_path", "later.log"); // added by hand to what was queued already
    m.run(cmd("HDEL", hero::keys::job(drafts[3].id), "context_id")); // now it is in others' words
    const auto claims = m.claim(m.worker(), 7);
    QCOMPARE(claims.size(), size_t(7));
    for (size_t i = 0; i < claims.size(); ++i) {
        const Job &job = claims[i].job;
        const Job &draft = drafts[qsizetype(i)];
        QCOMPARE(job.id, draft.id);
        QCOMPARE(job.script, draft.script);
        QCOMPARE(job.timeout, draft.timeout);
        QCOMPARE(job.env, draft.env);
        QCOMPARE(job.callerId, draft.callerId);
        QCOMPARE(job.contextId, i == 3 ? QByteArray() : draft.contextId);
        QCOMPARE(job.logPath, i == 1 ? QByteArray("later.log") : draft.logPath);
        QCOMPARE(job.access, draft.access);
        QCOMPARE(job.attempt, 1);
        QCOMPARE(m.field(job.id, "status"), QByteArray("started"));
    }
}

/// One that is there twice is claimed once, also among jobs that cost one look.
void ClaimSuite::anIdThatIsThereTwiceIsClaimedOnce()
{
    const QByteArray first = m.submit();
    const QByteArray second = m.submit();
    m.run(cmd("LPUSH", m.workKey(), first));
    const auto claims = m.claim(m.worker(), 5);
    QCOMPARE(claims.size(), size_t(2));
    QCOMPARE(claims[0].job.id, first);
    QCOMPARE(claims[1].job.id, second);
    QVERIFY(m.list(m.workKey()).isEmpty());
}

void ClaimSuite::onlyItsOwnInstanceWhenAsked()
{
    if (!m.isCanonical())
        QSKIP("legacy queues have neither groups nor priorities");
    m.submit();
    Job mine = m.draft();
    mine.target.group = "default";
    mine.target.instance = "9";
    m.submit(mine);
    WorkerIdentity who;
    who.types = {"python"};
    who.instance = "9";
    who.servesOnlyInstance = true;
    const auto claims = m.claim(m.worker(who), 5);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, mine.id);
    QCOMPARE(m.list(m.workKey()).size(), 1);
}

void ClaimSuite::aWorkerOfSeveralTypesServesThemAll()
{
    WorkerIdentity who;
    who.types = {"python", "osis"};
    who.legacyId = m.usesLegacy() ? "of-both" : "";
    Job first = m.draft("python");
    Job second = m.draft("osis");
    first.target.legacyWorker = second.target.legacyWorker = who.legacyId;
    const QByteArray python = m.submit(first);
    const QByteArray osis = m.submit(second);
    who.instance = "1";
    auto *worker = m.worker(who);
    const auto claims = m.claim(worker, 5);
    QCOMPARE(claims.size(), size_t(2));
    QCOMPARE(m.field(osis, "claimed_by"), QByteArray("osis:default:1"));
    QCOMPARE(m.zset(hero::keys::lease("osis")), QList<QByteArray>{osis});
    QCOMPARE(m.zset(hero::keys::lease("python")), QList<QByteArray>{python});
    QVERIFY(await(worker->beat(claims)).isEmpty());
    for (const Claim &claim : claims)
        QCOMPARE(await(worker->finish(claim, m.success("x"))), Consumer::FinishOutcome::Committed);
}

void ClaimSuite::aJobIsClaimedOnce()
{
    const QByteArray id = m.submit();
    m.run(cmd("LPUSH", m.workKey(), id));
    QCOMPARE(m.claim(m.worker("python", "1"), 5).size(), size_t(1));
    QVERIFY(m.claim(m.worker("python", "2"), 5).empty());
    QVERIFY(m.list(m.workKey()).isEmpty());
    QCOMPARE(m.field(id, "attempt"), QByteArray("1"));
}

void ClaimSuite::dropsTwinsAndStaleEntries_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::newRow("finished") << QByteArray("finished");
    QTest::newRow("failed, written in capitals") << QByteArray("ERROR");
    QTest::newRow("waiting for others") << QByteArray("waiting_for_prerequisites");
    QTest::newRow("running elsewhere") << QByteArray("started");
}

void ClaimSuite::dropsTwinsAndStaleEntries()
{
    QFETCH(QByteArray, status);
    const QByteArray stale = m.submit();
    m.setField(stale, "status", status);
    const QByteArray good = m.submit();
    const auto claims = m.claim(m.worker(), 5);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, good);
    QCOMPARE(m.field(stale, "status"), status);
    QCOMPARE(m.exists(hero::keys::dead("python")), 0);
    QVERIFY(m.list(m.workKey()).isEmpty());
}

void ClaimSuite::buriesWhatIsNoJob()
{
    const QByteArray unknown = m.submit();
    m.setField(unknown, "status", "dispached");
    m.run(cmd("LPUSH", m.workKey(), "no-such-job"));
    m.run(cmd("SET", hero::keys::job("a-string"), "x"));
    m.run(cmd("LPUSH", m.workKey(), "a-string"));
    const QByteArray good = m.submit();
    const auto claims = m.claim(m.worker(), 5);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, good);
    QCOMPARE(m.list(hero::keys::dead("python")), (QList<QByteArray>{"a-string", "no-such-job", unknown}));
    QCOMPARE(m.exists(hero::keys::job("no-such-job")), 0); // no stub comes to life
    QCOMPARE(m.field(unknown, "dead_reason"), QByteArray("unknown status"));
}

void ClaimSuite::takesARequeuedJobOnlyWhenNobodyCanRunIt()
{
    const auto requeuedAt = [this](const QByteArray &since) {
        const QByteArray id = m.submit();
        m.setField(id, "status", "started");
        m.setField(id, "timeout", "60");
        m.setField(id, "updated_at", since);
        return id;
    };
    const QByteArray fresh = requeuedAt(toRfc3339(Clock::system().now()));
    const QByteArray old = requeuedAt("2020-01-01T10:00:00.123456789+02:00");
    const QByteArray epoch = requeuedAt("1600000000");
    const QByteArray unreadable = requeuedAt("yesterday");
    QList<QByteArray> taken;
    for (const Claim &claim : m.claim(m.worker(), 5))
        taken.append(claim.job.id);
    QCOMPARE(taken, (QList<QByteArray>{old, epoch}));
    QCOMPARE(m.field(fresh, "status"), QByteArray("started"));
    QCOMPARE(m.field(unreadable, "attempt").toInt(), 0);
}

void ClaimSuite::aPushWakesAWaitingClaim()
{
    auto *worker = m.worker();
    auto waiting = worker->claim(1, {});
    QElapsedTimer timer;
    timer.start();
    const QByteArray id = m.submit();
    const auto claims = await(std::move(waiting));
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, id);
    QVERIFY2(timer.elapsed() < 2'000, QByteArray::number(timer.elapsed()).constData());
}

void ClaimSuite::stopEndsAWaitAtOnce()
{
    auto *worker = m.worker();
    std::stop_source stop;
    auto waiting = worker->claim(1, stop.get_token());
    await(m.store->command(cmd("PING")));
    QElapsedTimer timer;
    timer.start();
    stop.request_stop();
    QVERIFY(await(std::move(waiting)).empty());
    QVERIFY2(timer.elapsed() < 1'000, QByteArray::number(timer.elapsed()).constData());
}

void ClaimSuite::newsOfAnyQueueEndsAWait()
{
    if (!m.isCanonical())
        QSKIP("legacy queues have neither groups nor priorities");
    auto *worker = m.worker("python", "1", "g");
    const auto submitTo = [this](const QByteArray &group, const QByteArray &instance) {
        Job draft = m.draft();
        draft.target.group = group;
        draft.target.instance = instance;
        return m.submit(draft);
    };
    for (const auto &[group, instance] :
         {std::pair{"", ""}, std::pair{"g", ""}, std::pair{"g", "1"}, std::pair{"", ""}}) {
        auto waiting = worker->claim(1, {});
        await(m.store->command(cmd("PING")));
        QElapsedTimer timer;
        timer.start();
        const QByteArray id = submitTo(group, instance);
        const auto claims = await(std::move(waiting));
        QCOMPARE(claims.size(), size_t(1));
        QCOMPARE(claims.front().job.id, id);
        QVERIFY2(timer.elapsed() < 2'000, QByteArray::number(timer.elapsed()).constData());
        QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    }
}

void ClaimSuite::waitsAgainWithoutNewPeeks()
{
    auto *worker = m.worker();
    QVERIFY(m.claim(worker).empty()); // its peeks stay in the server
    await(m.store->command(cmd("PING")));
    const quint64 before = m.store->cost().commands;
    QVERIFY(m.claim(worker).empty());
    // One look; over a wire also the wait with the claim behind it, and its end. No peek at any other queue.
    QFETCH_GLOBAL(QString, storeKind);
    QCOMPARE(m.store->cost().commands - before, storeKind.startsWith(QLatin1String("redis")) ? 4 : 1);
}

void ClaimSuite::aQueueKeyOfAnotherTypeDoesNotBlockTheOthers()
{
    m.run(cmd("SET", "hero:q:work:type:python:group:default:inst:1", "x"));
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    QCOMPARE(m.claim(worker).front().job.id, id);
    const quint64 before = m.store->cost().commands;
    QVERIFY(m.claim(worker).empty());
    // A waiting connection for each queue, with its greetings, and a few looks.
    QVERIFY2(m.store->cost().commands - before < 80, "it must not spin on the broken key");
}

void ClaimSuite::manyWorkersShareWithoutDoubles()
{
    QSet<QByteArray> submitted;
    for (int i = 0; i < 120; ++i)
        submitted.insert(m.submit());
    std::vector<Consumer *> workers;
    for (int i = 1; i <= 6; ++i)
        workers.push_back(m.worker("python", QByteArray::number(i)));
    QSet<QByteArray> claimed;
    int count = 0;
    for (int round = 0; round < 5; ++round) {
        std::vector<QCoro::Task<std::vector<Claim>>> tasks;
        for (Consumer *worker : workers)
            tasks.push_back(worker->claim(4, {}));
        for (auto &task : tasks) {
            for (const Claim &claim : await(std::move(task))) {
                claimed.insert(claim.job.id);
                ++count;
            }
        }
    }
    QCOMPARE(count, 120);
    QCOMPARE(claimed, submitted);
}

QTEST_GUILESS_MAIN(ClaimSuite)
#include "tst_claim.moc"
