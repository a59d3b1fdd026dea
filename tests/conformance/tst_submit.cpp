// The protocol suite: putting jobs in.
#include "core/protocol/hero/field_readers.h"
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class SubmitSuite : public QObject {
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

    void writesTheRecordAndQueuesIt();
    void routesToTheMostSpecificQueue_data();
    void routesToTheMostSpecificQueue();
    void sameDraftTwiceIsOneJob();
    void sameDraftAfterItsEndStaysOver();
    void sameIdWithOtherContentIsRefused();
    void manySubmittedAtOnceAreEachOneJob();
    void whatIsSubmittedAtOnceNeedNotBeAlike();
    void refusesBadDrafts_data();
    void refusesBadDrafts();
    void writesNothingWhenTheQueueKeyIsOfAnotherType();
    void writesNothingWhereItCannotWait_data();
    void writesNothingWhereItCannotWait();
    void previewNamesQueueListenersAndJobsAhead();
    void retryRunsATerminalJobAgain();
    void retryOfARunningJobIsRefused();
    void removeLeavesNothingBehind();
    void removeOfARunningJobIsRefused();
};

void SubmitSuite::writesTheRecordAndQueuesIt()
{
    Job draft = m.draft("python", "print('ä')");
    draft.timeout = std::chrono::seconds{42};
    draft.retries = 2;
    draft.concurrent = true;
    draft.env = {{"B", "2"}, {"A", "x y"}};
    draft.logPath = "a/b.log";
    const auto receipt = await(m.producer->submit(draft));
    QCOMPARE(receipt.id, draft.id);
    QCOMPARE(receipt.queueKeys, m.workKeys());
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{draft.id});
    QCOMPARE(m.field(draft.id, "id"), draft.id);
    QCOMPARE(m.field(draft.id, "caller_id"), QByteArray("tester"));
    QCOMPARE(m.field(draft.id, "context_id"), QByteArray("suite"));
    QCOMPARE(m.field(draft.id, "script_type"), QByteArray("python"));
    QCOMPARE(m.field(draft.id, "script"), QByteArray("print('ä')"));
    QCOMPARE(m.field(draft.id, "timeout"), QByteArray("42"));
    QCOMPARE(m.field(draft.id, "retries"), QByteArray("2"));
    QCOMPARE(m.field(draft.id, "concurrent"), QByteArray("true"));
    QCOMPARE(m.field(draft.id, "env_vars"), QByteArray(R"({"B":"2","A":"x y"})"));
    QCOMPARE(m.field(draft.id, "prerequisites"), QByteArray("[]"));
    QCOMPARE(m.field(draft.id, "dependents"), QByteArray("[]"));
    QCOMPARE(m.field(draft.id, "log_path"), QByteArray("a/b.log"));
    QCOMPARE(m.field(draft.id, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(draft.id, "created_at"), m.field(draft.id, "updated_at"));
    const auto created = parseTimestamp(m.field(draft.id, "created_at"));
    QVERIFY(created.has_value());
    QCOMPARE(toRfc3339(*created), m.field(draft.id, "created_at"));
    QVERIFY(std::chrono::abs(Clock::system().now() - *created) < std::chrono::seconds{30});
    QCOMPARE(m.places(draft.id), 1);
}

void SubmitSuite::routesToTheMostSpecificQueue_data()
{
    QTest::addColumn<QByteArray>("group");
    QTest::addColumn<QByteArray>("instance");
    QTest::addColumn<int>("priority");
    QTest::addColumn<QByteArray>("queue");
    QTest::newRow("type") << QByteArray() << QByteArray() << 1 << QByteArray("hero:q:work:type:osis");
    QTest::newRow("group") << QByteArray("io") << QByteArray() << 1 << QByteArray("hero:q:work:type:osis:group:io");
    QTest::newRow("instance") << QByteArray("io") << QByteArray("3") << 1
                              << QByteArray("hero:q:work:type:osis:group:io:inst:3");
    QTest::newRow("urgent type") << QByteArray() << QByteArray() << 0 << QByteArray("hero:q:work:type:osis:prio:0");
    QTest::newRow("late instance") << QByteArray("io") << QByteArray("3") << 2
                                   << QByteArray("hero:q:work:type:osis:group:io:inst:3:prio:2");
}

void SubmitSuite::routesToTheMostSpecificQueue()
{
    if (!m.isCanonical())
        QSKIP("legacy queues have neither groups nor priorities");
    QFETCH(QByteArray, group);
    QFETCH(QByteArray, instance);
    QFETCH(int, priority);
    QFETCH(QByteArray, queue);
    Job draft = m.draft("osis");
    draft.target.group = group;
    draft.target.instance = instance;
    draft.target.priority = priority;
    const auto receipt = await(m.producer->submit(draft));
    QCOMPARE(receipt.queueKeys, QList<QByteArray>{queue});
    QCOMPARE(m.list(queue), QList<QByteArray>{draft.id});
}

void SubmitSuite::sameDraftTwiceIsOneJob()
{
    const Job draft = m.draft();
    const auto first = await(m.producer->submit(draft));
    const auto second = await(m.producer->submit(draft));
    QCOMPARE(second.id, first.id);
    QCOMPARE(second.queueKeys, first.queueKeys);
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{draft.id});
}

void SubmitSuite::sameDraftAfterItsEndStaysOver()
{
    const Job draft = m.draft();
    m.submit(draft);
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    await(worker->finish(claims.front(), m.success("done")));
    await(m.producer->submit(draft));
    QCOMPARE(m.field(draft.id, "status"), QByteArray("finished"));
    QVERIFY(m.list(m.workKey()).isEmpty());
}

void SubmitSuite::sameIdWithOtherContentIsRefused()
{
    Job draft = m.draft();
    m.submit(draft);
    Job longer = draft;
    longer.script += "\nprint(2)";
    QCOMPARE(failureOf(m.producer->submit(longer)), ErrorKind::Conflict);
    Job grouped = draft;
    grouped.target.group = "io";
    QCOMPARE(failureOf(m.producer->submit(grouped)), ErrorKind::Conflict);
    m.setField(draft.id, "log_path", "x");
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::Conflict);
    QCOMPARE(m.list(m.workKey()).size(), 1);
    QCOMPARE(m.field(draft.id, "script"), draft.script);
}

void SubmitSuite::manySubmittedAtOnceAreEachOneJob()
{
    const QByteArray there = m.submit();
    QList<QByteArray> ids{there};
    std::vector<QCoro::Task<Producer::Receipt>> tasks;
    Job twice = m.draft();
    for (int i = 0; i < 150; ++i) { // more than travel together
        const Job job = i == 75 ? twice : m.draft();
        ids.append(job.id);
        tasks.push_back(m.producer->submit(job));
    }
    tasks.push_back(m.producer->submit(twice));
    Job other = m.draft("python", "print(2)");
    other.id = there;
    auto refused = m.producer->submit(other);
    for (auto &task : tasks)
        QCOMPARE(await(std::move(task)).queueKeys, m.workKeys());
    QCOMPARE(failureOf(std::move(refused)), ErrorKind::Conflict);
    QCOMPARE(m.field(there, "script"), QByteArray("print(1)"));
    QList<QByteArray> queued = m.list(m.workKey());
    std::reverse(queued.begin(), queued.end());
    QCOMPARE(queued, ids);
    for (const QByteArray &id : std::as_const(ids)) {
        QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
        QVERIFY(parseTimestamp(m.field(id, "created_at")).has_value());
    }
}

/// Jobs that travel together say what they have in common once: each must still get its own record and queue.
void SubmitSuite::whatIsSubmittedAtOnceNeedNotBeAlike()
{
    QList<Job> drafts;
    for (int i = 0; i < 12; ++i) {
        Job job = m.draft(i % 3 == 0 ? "sal" : "python", "print(" + QByteArray::number(i % 4) + ")");
        job.callerId = i % 2 == 0 ? "even" : "odd";
        job.retries = i / 6;
        if (i % 4 == 1)
            job.logPath = "log-" + QByteArray::number(i);
        if (i % 4 == 2)
            job.env = {{"N", QByteArray::number(i)}};
        if (i == 11)
            job.script = "print(" + QByteArray(5000, '1') + ')';
        drafts.append(job);
    }
    std::vector<QCoro::Task<Producer::Receipt>> tasks;
    for (const Job &job : std::as_const(drafts))
        tasks.push_back(m.producer->submit(job));
    for (auto &task : tasks)
        await(std::move(task));
    for (const Job &job : std::as_const(drafts)) {
        QCOMPARE(m.field(job.id, "id"), job.id);
        QCOMPARE(m.field(job.id, "script_type"), job.target.type);
        QCOMPARE(m.field(job.id, "script"), job.script);
        QCOMPARE(m.field(job.id, "caller_id"), job.callerId);
        QCOMPARE(m.field(job.id, "retries"), QByteArray::number(job.retries));
        QCOMPARE(m.field(job.id, "log_path"), job.logPath);
        QCOMPARE(m.field(job.id, "env_vars"), hero::writeEnvironment(job.env));
        QCOMPARE(m.field(job.id, "status"), QByteArray("dispatched"));
        QVERIFY(parseTimestamp(m.field(job.id, "updated_at")).has_value());
        QCOMPARE(m.places(job.id, job.target.type), 1);
        QVERIFY(m.list(m.workKey(job.target.type)).contains(job.id));
    }
}

void SubmitSuite::refusesBadDrafts_data()
{
    QTest::addColumn<Job>("draft");
    Job job = m.draft();
    job.target.type = "Py thon";
    QTest::newRow("type with a space") << job;
    job = m.draft();
    job.script = " \n";
    QTest::newRow("empty script") << job;
    job = m.draft();
    job.id = "../../etc/passwd";
    QTest::newRow("id that is no UUID") << job;
    job = m.draft();
    job.env = {{"A", "\xff\xfe"}};
    QTest::newRow("variable that JSON cannot carry") << job;
    job = m.draft();
    job.prerequisites = {job.id};
    QTest::newRow("waiting for itself") << job;
}

void SubmitSuite::refusesBadDrafts()
{
    QFETCH(Job, draft);
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::Usage);
    QCOMPARE(m.run(cmd("DBSIZE")).toInteger(), 0);
}

void SubmitSuite::writesNothingWhenTheQueueKeyIsOfAnotherType()
{
    m.run(cmd("SET", m.workKey(), "not a list"));
    const Job draft = m.draft();
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::WrongType);
    QCOMPARE(m.exists(hero::keys::job(draft.id)), 0);
}

void SubmitSuite::writesNothingWhereItCannotWait_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("for its time") << hero::keys::delayed();
    QTest::newRow("for its prerequisite") << hero::keys::waiting();
}

void SubmitSuite::writesNothingWhereItCannotWait()
{
    QFETCH(QByteArray, key);
    Job draft = m.draft();
    if (key == hero::keys::delayed())
        draft.notBefore = Clock::system().now() + std::chrono::hours{1};
    else
        draft.prerequisites = {m.submit()};
    m.run(cmd("SET", key, "no sorted set"));
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::WrongType);
    QCOMPARE(m.exists(hero::keys::job(draft.id)), 0);
    m.run(cmd("DEL", key));
    m.submit(draft);
    QCOMPARE(m.places(draft.id), 1);
}

void SubmitSuite::previewNamesQueueListenersAndJobsAhead()
{
    if (!m.isCanonical())
        QSKIP("legacy queues have neither groups nor priorities");
    await(m.worker("python", "1")->announce());
    await(m.worker("python", "7", "io")->announce());
    await(m.worker("osis", "1")->announce());
    for (int i = 0; i < 3; ++i)
        m.submit();
    Job urgent = m.draft();
    urgent.target.priority = 0;
    m.submit(urgent);
    const RoutePreview any = await(m.producer->preview({"python", {}, {}, 1, {}}));
    QCOMPARE(any.queueKeys, QList<QByteArray>{m.workKey()});
    QCOMPARE(any.ahead, 4);
    QCOMPARE(any.listeners.size(), 1); // group io is known to nobody yet
    const RoutePreview group = await(m.producer->preview({"python", "io", {}, 1, {}}));
    QCOMPARE(group.ahead, 0);
    QCOMPARE(group.listeners.size(), 1);
    QCOMPARE(group.listeners.front().target.instance, QByteArray("7"));
    QCOMPARE(await(m.producer->preview({"python", {}, {}, 0, {}})).ahead, 1);
    QCOMPARE(await(m.producer->preview({"python", {}, {}, 1, {}})).listeners.size(), 2);
    QVERIFY(await(m.producer->preview({"v", {}, {}, 1, {}})).listeners.isEmpty());
}

void SubmitSuite::retryRunsATerminalJobAgain()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const auto first = m.claim(worker);
    await(worker->finish(first.front(), m.failure("boom")));
    QCOMPARE(m.field(id, "status"), QByteArray("error"));
    const auto receipt = await(m.producer->retry(id));
    QCOMPARE(receipt.queueKeys, m.workKeys());
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
    QVERIFY(m.field(id, "error").isEmpty());
    QCOMPARE(m.places(id), 1);
    QCOMPARE(await(worker->finish(first.front(), m.failure("boom"))), Consumer::FinishOutcome::Stale);
    const auto second = m.claim(worker);
    QCOMPARE(second.size(), size_t(1));
    QCOMPARE(second.front().job.attempt, 2);
    QCOMPARE(await(worker->finish(second.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.field(id, "output"), QByteArray("ok"));
}

void SubmitSuite::retryOfARunningJobIsRefused()
{
    const QByteArray id = m.submit();
    QCOMPARE(failureOf(m.producer->retry(id)), ErrorKind::Conflict);
    m.claim(m.worker());
    QCOMPARE(failureOf(m.producer->retry(id)), ErrorKind::Conflict);
    QCOMPARE(failureOf(m.producer->retry(newJobId())), ErrorKind::NotFound);
}

void SubmitSuite::removeLeavesNothingBehind()
{
    const QByteArray id = m.submit();
    QVERIFY(await(m.producer->remove(id)));
    QCOMPARE(m.exists(hero::keys::job(id)), 0);
    QVERIFY(m.list(m.workKey()).isEmpty());
    QVERIFY(!await(m.producer->remove(id)));

    const QByteArray done = m.submit();
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("x")));
    QVERIFY(await(m.producer->remove(done)));
    const QList<QByteArray> left = m.run(cmd("KEYS", "hero:*")).toList();
    for (const QByteArray &key : left)
        QVERIFY2(!key.contains(done) && (!key.contains("job") || key.startsWith("hero:meta:")), key.constData());
}

void SubmitSuite::removeOfARunningJobIsRefused()
{
    const QByteArray id = m.submit();
    m.claim(m.worker());
    QCOMPARE(failureOf(m.producer->remove(id)), ErrorKind::Conflict);
    QCOMPARE(m.field(id, "status"), QByteArray("started"));
}

QTEST_GUILESS_MAIN(SubmitSuite)
#include "tst_submit.moc"
