// The protocol suite: how runs end.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class FinishSuite : public QObject {
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

    void commitsAResult();
    void commitsAFailure_data();
    void commitsAFailure();
    void replyCarriesTheOutcomeAndExpires();
    void aWrongTokenChangesNothing();
    void repeatingACommitAnswersAlike();
    void terminalIsFinal();
    void runsThatEndTogetherEndEachForItself();
    void whatCameMeanwhileIsSeenAtTheEnd();
    void aFailedRunWaitsForItsRetry();
    void aRetryThatCannotWaitEndsTheJobAndSaysWhy();
    void aRetryThatSucceedsLeavesNoError();
    void timeoutsAreRetriedAndStopsAreNot();
    void retriesEnd();
    void rescuesUseUpNoRetry();
    void giveBackReturnsTheJobToTheFront();
    void giveBackOfALostClaimChangesNothing();
    void commitsWhenTheServerIsOutOfMemory();
    void countsForTheQueue();
    void aReplyKeyOfAnotherTypeDoesNotStopTheCommit();
    void waitersSeeTheEnd();
    void waitersSeeTheEndOfHashOnlyWorkers();
    void whoOnlyWatchesLeavesTheReply_data();
    void whoOnlyWatchesLeavesTheReply();
    void waitingEndsOnItsLimitAndOnStop();
};

void FinishSuite::commitsAResult()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    const QByteArray output("bytes \x00 and \xff lines\n", 20);
    QCOMPARE(await(worker->finish(claim, m.success(output))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "status"), QByteArray("finished"));
    QCOMPARE(m.field(id, "output"), output);
    QVERIFY(m.field(id, "error").isEmpty());
    QVERIFY(parseTimestamp(m.field(id, "finished_at")).has_value());
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
    QCOMPARE(m.exists(hero::keys::claims("python")), 0);
    QCOMPARE(m.places(id), 1);
}

void FinishSuite::commitsAFailure_data()
{
    QTest::addColumn<Execution>("execution");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("the script failed") << ProtocolFixture::failure("Traceback") << QByteArray("Traceback");
    QTest::newRow("the script failed silently") << ProtocolFixture::failure("") << QByteArray("failed");
    QTest::newRow("stopped") << ProtocolFixture::failure("x", Execution::Fate::Stopped)
                             << QByteArray("stopped_by_request");
    QTest::newRow("out of time") << ProtocolFixture::failure("x", Execution::Fate::TimedOut) << QByteArray("timeout");
}

void FinishSuite::commitsAFailure()
{
    QFETCH(Execution, execution);
    QFETCH(QByteArray, error);
    execution.output = "so far";
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    QCOMPARE(await(worker->finish(m.claim(worker).front(), execution)), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(id, "error"), error);
    QCOMPARE(m.field(id, "output"), QByteArray("so far"));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{error});
}

void FinishSuite::replyCarriesTheOutcomeAndExpires()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("42")));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"42"});
    const qint64 ttl = m.run(cmd("PTTL", hero::keys::reply(id))).toInteger();
    QVERIFY(ttl > 200'000 && ttl <= 300'000);
}

void FinishSuite::aWrongTokenChangesNothing()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const Claim right = m.claim(worker).front();
    Claim wrong = right;
    wrong.token = right.token.left(right.token.size() - 1);
    const auto before = m.run(cmd("HGETALL", hero::keys::job(id)));
    QCOMPARE(await(worker->finish(wrong, m.success("stolen"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(await(worker->beat({wrong})), QList<QByteArray>{id});
    await(worker->giveBack(wrong));
    QCOMPARE(m.run(cmd("HGETALL", hero::keys::job(id))), before);
    QCOMPARE(m.zset(hero::keys::lease("python")), QList<QByteArray>{id});
    QVERIFY(await(worker->beat({right})).isEmpty());
}

void FinishSuite::repeatingACommitAnswersAlike()
{
    auto *worker = m.worker();
    const QByteArray id = m.submit();
    const Claim claim = m.claim(worker).front();
    await(worker->finish(claim, m.success("a")));
    const auto before = m.run(cmd("HGETALL", hero::keys::job(id)));
    QCOMPARE(await(worker->finish(claim, m.success("a"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(await(worker->finish(claim, m.success("b"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(m.run(cmd("HGETALL", hero::keys::job(id))), before);
    QCOMPARE(m.list(hero::keys::reply(id)).size(), 1);

    Job draft = m.draft();
    draft.retries = 1;
    m.submit(draft);
    const Claim failing = m.claim(worker).front();
    QCOMPARE(await(worker->finish(failing, m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    QCOMPARE(await(worker->finish(failing, m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    QCOMPARE(m.zset(hero::keys::delayed()), QList<QByteArray>{draft.id});
}

void FinishSuite::terminalIsFinal()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    m.setField(id, "status", "error"); // a foreign worker or a person ended it
    m.setField(id, "error", "stopped_by_request");
    QCOMPARE(await(worker->finish(claim, m.success("late"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QVERIFY(m.field(id, "output").isEmpty());
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty()); // the claim is of no more use
    QCOMPARE(m.exists(hero::keys::claims("python")), 0);
}

void FinishSuite::runsThatEndTogetherEndEachForItself()
{
    using enum Consumer::FinishOutcome;
    Job patient = m.draft();
    patient.retries = 1;
    const QByteArray good = m.submit();
    const QByteArray bad = m.submit();
    const QByteArray again = m.submit(patient);
    const QByteArray lost = m.submit();
    auto *worker = m.worker();
    QHash<QByteArray, Claim> held;
    for (const Claim &claim : m.claim(worker, 4))
        held.insert(claim.job.id, claim);
    QCOMPARE(held.size(), 4);
    held[lost].token = "not ours";
    auto first = worker->finish(held[good], m.success("42"));
    auto second = worker->finish(held[bad], m.failure("boom"));
    auto third = worker->finish(held[again], m.failure("not yet"));
    auto fourth = worker->finish(held[lost], m.success("late"));
    auto repeated = worker->finish(held[good], m.success("42"));
    QCOMPARE(await(std::move(first)), Committed);
    QCOMPARE(await(std::move(second)), Committed);
    QCOMPARE(await(std::move(third)), WillRetry);
    QCOMPARE(await(std::move(fourth)), Stale);
    QCOMPARE(await(std::move(repeated)), Committed);
    QCOMPARE(m.field(good, "output"), QByteArray("42"));
    QCOMPARE(m.field(bad, "error"), QByteArray("boom"));
    QCOMPARE(m.field(again, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(lost, "status"), QByteArray("started"));
    QCOMPARE(m.list(hero::keys::reply(good)), QList<QByteArray>{"42"}); // once
    QCOMPARE(m.list(hero::keys::reply(bad)), QList<QByteArray>{"boom"});
    QCOMPARE(m.zset(hero::keys::lease("python")), QList<QByteArray>{lost});
    for (const QByteArray &id : {good, bad, again, lost})
        QCOMPARE(m.places(id), 1);
}

/// Of jobs that were claimed and end together, some got what most jobs never have.
void FinishSuite::whatCameMeanwhileIsSeenAtTheEnd()
{
    QList<QByteArray> ids;
    for (int i = 0; i < 4; ++i)
        ids.append(m.submit());
    auto *worker = m.worker();
    const auto claims = m.claim(worker, 4);
    QCOMPARE(claims.size(), size_t(4));
    Job behind = m.draft();
    behind.prerequisites = {ids[1]};
    m.submit(behind);
    JobProgress half;
    half.done = 1;
    half.total = 2;
    std::vector<ProgressReport> reports(1, ProgressReport{claims[2], half});
    await(worker->report(std::move(reports)));
    QVERIFY(!m.field(ids[2], "progress").isEmpty());
    m.setField(ids[3], "error", "left by somebody");
    std::vector<QCoro::Task<Consumer::FinishOutcome>> ends;
    for (const Claim &claim : claims)
        ends.push_back(worker->finish(claim, m.success("42")));
    for (auto &end : ends)
        QCOMPARE(await(std::move(end)), Consumer::FinishOutcome::Committed);
    for (const QByteArray &id : ids) {
        QCOMPARE(m.field(id, "status"), QByteArray("finished"));
        QVERIFY(m.field(id, "progress").isEmpty());
        QVERIFY(m.field(id, "error").isEmpty());
        QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"42"});
        QCOMPARE(m.places(id), 1);
    }
    QCOMPARE(m.field(behind.id, "status"), QByteArray("dispatched"));
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
    QCOMPARE(m.run(cmd("HGET", hero::keys::stats(m.workKey()), "finished")).toBytes(), QByteArray("4"));
}

void FinishSuite::aFailedRunWaitsForItsRetry()
{
    Job draft = m.draft();
    draft.retries = 3;
    m.submit(draft);
    auto *worker = m.worker();
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("boom"))), Consumer::FinishOutcome::WillRetry);
    QCOMPARE(m.field(draft.id, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(draft.id, "error"), QByteArray("boom"));
    QCOMPARE(m.places(draft.id), 1);
    const auto summary = await(m.inspector->summaries({draft.id}));
    QCOMPARE(summary.front().state, JobState::Scheduled);
    const auto time = m.run(cmd("TIME")).toList();
    const qint64 now = time[0].toLongLong() * 1000 + time[1].toLongLong() / 1000;
    const qint64 due = m.run(cmd("ZSCORE", hero::keys::delayed(), draft.id)).toBytes().toLongLong();
    QVERIFY(due <= now + 1'000);
    QCOMPARE(m.exists(hero::keys::reply(draft.id)), 0); // it is not over

    m.run(cmd("ZADD", hero::keys::delayed(), 1, draft.id));
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{draft.id});
    QCOMPARE(await(m.inspector->summaries({draft.id})).front().state, JobState::Queued);
    QCOMPARE(m.claim(worker).front().job.attempt, 2);
}

/// Something else stands where retries wait: the job ends with its own error, and the person learns what is in the way.
void FinishSuite::aRetryThatCannotWaitEndsTheJobAndSaysWhy()
{
    m.run(cmd("SET", hero::keys::delayed(), "no sorted set"));
    Job draft = m.draft();
    draft.retries = 3;
    const QByteArray id = m.submit(draft);
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    QCOMPARE(await(worker->finish(claim, m.failure("boom"))), Consumer::FinishOutcome::Committed);
    const QByteArray error = m.field(id, "error");
    QVERIFY2(error.startsWith("boom\nIt was not tried again: hero:q:delayed"), error.constData());
    QVERIFY2(error.contains("holds a string"), error.constData());
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{error});
    QVERIFY(m.zset(hero::keys::lease("python")).isEmpty());
    QCOMPARE(m.run(cmd("DEL", hero::keys::delayed())).toInteger(), 1);
    QCOMPARE(await(worker->finish(claim, m.failure("boom"))), Consumer::FinishOutcome::Committed); // said again
    QCOMPARE(await(worker->finish(claim, m.failure("other"))), Consumer::FinishOutcome::Stale);
    QCOMPARE(m.places(id), 1);
    await(m.producer->retry(id));
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QVERIFY(m.field(id, "error").isEmpty());
}

void FinishSuite::aRetryThatSucceedsLeavesNoError()
{
    Job draft = m.draft();
    draft.retries = 1;
    m.submit(draft);
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.failure("boom")));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, draft.id));
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.success("42"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(draft.id, "status"), QByteArray("finished"));
    QVERIFY(m.field(draft.id, "error").isEmpty());
    QVERIFY(!m.field(draft.id, "run_1").isEmpty());
    QVERIFY(!m.field(draft.id, "run_2").isEmpty());
    QCOMPARE(m.field(draft.id, "attempt"), QByteArray("2"));
}

void FinishSuite::timeoutsAreRetriedAndStopsAreNot()
{
    auto *worker = m.worker();
    for (const auto &[fate, outcome] : {std::pair{Execution::Fate::TimedOut, Consumer::FinishOutcome::WillRetry},
                                        std::pair{Execution::Fate::Stopped, Consumer::FinishOutcome::Committed}}) {
        Job draft = m.draft();
        draft.retries = 1;
        m.submit(draft);
        QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x", fate))), outcome);
    }
}

void FinishSuite::retriesEnd()
{
    Job draft = m.draft();
    draft.retries = 2;
    m.submit(draft);
    auto *worker = m.worker();
    int runs = 0;
    for (;;) {
        ++runs;
        const auto outcome = await(worker->finish(m.claim(worker).front(), m.failure("boom")));
        if (outcome == Consumer::FinishOutcome::Committed)
            break;
        m.run(cmd("ZADD", hero::keys::delayed(), 1, draft.id));
        QCOMPARE(await(worker->recover()), 1);
    }
    QCOMPARE(runs, 3); // I5: retries + 1
    QCOMPARE(m.field(draft.id, "status"), QByteArray("error"));
    QVERIFY(m.zset(hero::keys::delayed()).isEmpty());
}

void FinishSuite::rescuesUseUpNoRetry()
{
    Job draft = m.draft();
    draft.retries = 1;
    m.submit(draft);
    auto *worker = m.worker();
    m.claim(worker);
    m.endLease(draft.id);
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    m.run(cmd("ZADD", hero::keys::delayed(), 1, draft.id));
    await(worker->recover());
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.failure("x"))), Consumer::FinishOutcome::Committed);
}

void FinishSuite::giveBackReturnsTheJobToTheFront()
{
    const QByteArray first = m.submit();
    const QByteArray second = m.submit();
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    QCOMPARE(claim.job.id, first);
    await(worker->giveBack(claim));
    QCOMPARE(m.field(first, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(first, "attempt"), QByteArray("0"));
    QCOMPARE(m.places(first), 1);
    await(worker->giveBack(claim)); // twice is once
    QCOMPARE(m.places(first), 1);
    QCOMPARE(m.claim(worker).front().job.id, first);
    QCOMPARE(m.claim(worker).front().job.id, second);
}

void FinishSuite::giveBackOfALostClaimChangesNothing()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    m.endLease(id);
    await(worker->recover());
    const Claim second = m.claim(m.worker("python", "2")).front();
    await(worker->giveBack(claim));
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
    QCOMPARE(m.field(id, "claim"), second.token);
    QCOMPARE(m.places(id), 1);
}

void FinishSuite::commitsWhenTheServerIsOutOfMemory()
{
    QFETCH_GLOBAL(QString, storeKind);
    if (!storeKind.startsWith(QLatin1String("redis")))
        QSKIP("only a server has a memory limit");
    const QByteArray id = m.submit();
    const QByteArray queued = m.submit();
    auto *worker = m.worker();
    const Claim claim = m.claim(worker).front();
    m.run(cmd("CONFIG", "SET", "maxmemory", "1"));
    const auto refused = failureOf(worker->claim(1, {}));
    const auto outcome = await(worker->finish(claim, m.success("ok")));
    m.run(cmd("CONFIG", "SET", "maxmemory", "0"));
    QCOMPARE(refused, ErrorKind::OutOfMemory);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{queued}); // nothing was popped
    QCOMPARE(outcome, Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "status"), QByteArray("finished"));
}

void FinishSuite::countsForTheQueue()
{
    auto *worker = m.worker();
    m.submit();
    Execution run = m.success("x");
    run.duration = Milliseconds{120};
    await(worker->finish(m.claim(worker).front(), run));
    m.submit();
    await(worker->finish(m.claim(worker).front(), m.failure("x")));
    const QList<QByteArray> counts =
        m.run(cmd("HMGET", hero::keys::stats(m.workKey()), "submitted", "finished", "error", "run_ms")).toList();
    QCOMPARE(counts, (QList<QByteArray>{"2", "1", "1", "120"}));
}

void FinishSuite::aReplyKeyOfAnotherTypeDoesNotStopTheCommit()
{
    const QByteArray id = m.submit();
    m.run(cmd("SET", hero::keys::reply(id), "x"));
    auto *worker = m.worker();
    QCOMPARE(await(worker->finish(m.claim(worker).front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "status"), QByteArray("finished"));
    QCOMPARE(await(m.producer->waitUntilOver(id, Milliseconds{5'000}, {})).output, QByteArray("ok"));
}

void FinishSuite::waitersSeeTheEnd()
{
    const QByteArray id = m.submit();
    auto waiting = m.producer->waitUntilOver(id, Milliseconds{10'000}, {});
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("done")));
    const Job job = await(std::move(waiting));
    QCOMPARE(job.state, JobState::Finished);
    QCOMPARE(job.output, QByteArray("done"));
}

void FinishSuite::whoOnlyWatchesLeavesTheReply_data()
{
    QTest::addColumn<int>("replies");
    QTest::newRow("watched for") << int(Producer::Replies::Watch);
    QTest::newRow("ignored") << int(Producer::Replies::Ignore);
}

/// It is for the program that submitted the job and waits for nothing else.
void FinishSuite::whoOnlyWatchesLeavesTheReply()
{
    QFETCH(int, replies);
    const QByteArray id = m.submit();
    auto waiting = m.producer->waitUntilOver(id, Milliseconds{10'000}, {}, Producer::Replies(replies));
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("done")));
    QCOMPARE(await(std::move(waiting)).output, QByteArray("done"));
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"done"});
}

void FinishSuite::waitersSeeTheEndOfHashOnlyWorkers()
{
    const QByteArray id = m.submit();
    m.run(cmd("LPUSH", hero::keys::reply(id), "five", "stray", "replies", "before", "the end"));
    auto waiting = m.producer->waitUntilOver(id, Milliseconds{10'000}, {});
    m.setField(id, "error", "it broke");
    m.setField(id, "status", "Error");
    const Job job = await(std::move(waiting));
    QCOMPARE(job.state, JobState::Failed);
    QCOMPARE(job.error, QByteArray("it broke"));
}

void FinishSuite::waitingEndsOnItsLimitAndOnStop()
{
    const QByteArray id = m.submit();
    QCOMPARE(failureOf(m.producer->waitUntilOver(id, Milliseconds{30}, {})), ErrorKind::Timeout);
    QCOMPARE(failureOf(m.producer->waitUntilOver(newJobId(), Milliseconds{1'000}, {})), ErrorKind::NotFound);
    std::stop_source stop;
    auto waiting = m.producer->waitUntilOver(id, Milliseconds{0}, stop.get_token());
    await(m.store->command(cmd("PING")));
    stop.request_stop();
    QCOMPARE(failureOf(std::move(waiting)), ErrorKind::Cancelled);
    m.run(cmd("DEL", hero::keys::job(id)));
    QCOMPARE(failureOf(m.producer->waitUntilOver(id, Milliseconds{1'000}, {})), ErrorKind::NotFound);
}

QTEST_GUILESS_MAIN(FinishSuite)
#include "tst_finish.moc"
