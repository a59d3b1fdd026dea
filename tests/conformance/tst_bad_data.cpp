// The protocol suite: what others may have left in the store.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class BadDataSuite : public QObject {
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

    void theCatalogueIsListedAndReadWithoutHarm();
    void hostileIdsAreOrdinaryIds_data();
    void hostileIdsAreOrdinaryIds();
    void queueEntriesOfAnyKindAreSurvived();
    void aWorkListOfAnotherTypeIsMarked();
    void controlAndReplyKeysOfOtherTypes();
    void aJobThatVanishesIsMissingQuietly();
    void brokenPrerequisiteListsHoldNothingBack();
    void aForeignRecordInOtherSpellingsRuns();
};

/// Records as in the catalogue D1–D15: one value each in an otherwise good record.
static const QList<ByteField> &badValues()
{
    static const QList<ByteField> values{
        {"status", "FINISHED "},
        {"status", "dispached"},
        {"status", ""},
        {"status", QByteArray(1 << 20, 's')},
        {"script_type", QByteArray(100'000, 't')},
        {"script_type", "../../etc"},
        {"timeout", "-1"},
        {"timeout", "1e9"},
        {"timeout", "NaN"},
        {"timeout", "99999999999999999999"},
        {"retries", "-5"},
        {"retries", "4294967296"},
        {"concurrent", "yes"},
        {"created_at", "0000-00-00"},
        {"created_at", "292277026596-12-04T15:30:08Z"},
        {"env_vars", "{"},
        {"env_vars", "[]"},
        {"env_vars", R"({"LD_PRELOAD":"x","A=B":"y","":"z","N":{"a":1}})"},
        {"env_vars", QByteArray(100'000, '[')},
        {"prerequisites", "{\"a\":1}"},
        {"prerequisites", "[1,[2]]"},
        {"prerequisites", QByteArray("[\"") + QByteArray(200, 'p') + "\""},
        {"dependencies", ",,,"},
        {"dependents", "nonsense]"},
        {"log_path", "/dev/zero"},
        {"caller_id", QByteArray("<img src=x>%1 \n\0", 15)},
        {"attempt", "many"},
        {"priority", "first"},
        {"group", "a:b:c"},
        {"instance", QByteArray("\xff\x00", 2)},
    };
    return values;
}

void BadDataSuite::theCatalogueIsListedAndReadWithoutHarm()
{
    QSet<QByteArray> ids;
    for (const auto &[name, value] : badValues()) {
        const QByteArray id = m.submit();
        m.setField(id, name.constData(), value);
        ids.insert(id);
    }
    m.run(cmd("DEL", m.workKey()));
    QSet<QByteArray> listed;
    for (const JobSummary &job : await(m.inspector->jobs({})).jobs)
        listed.insert(job.id);
    QCOMPARE(listed, ids);
    await(m.inspector->queues());
    for (const QByteArray &id : ids) {
        const Job job = await(m.inspector->job(id, 1'000)).job;
        QCOMPARE(job.id, id);
        QVERIFY(job.timeout.count() >= 0);
        m.run(cmd("LPUSH", m.workKey(), id));
    }
    auto *worker = m.worker();
    const auto claims = m.claim(worker, 100);
    QVERIFY(claims.size() > 20);
    for (const Claim &claim : claims)
        QCOMPARE(await(worker->finish(claim, m.failure("x"))), Consumer::FinishOutcome::Committed);
    QVERIFY(m.list(m.workKey()).isEmpty());
    for (const QByteArray &id : ids) {
        await(m.producer->stop(id));
        QVERIFY(await(m.producer->remove(id)));
    }
}

void BadDataSuite::hostileIdsAreOrdinaryIds_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("a path") << QByteArray("../../etc");
    QTest::newRow("colons") << QByteArray("a:b");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("64 KiB") << QByteArray(65'536, 'i');
    QTest::newRow("a NUL") << QByteArray("a\0b", 3);
    QTest::newRow("a line feed") << QByteArray("a\nb");
    QTest::newRow("braces") << QByteArray("{}");
    QTest::newRow("no UTF-8") << QByteArray("\xff\xfe");
    QTest::newRow("a bar") << QByteArray("a|b");
    QTest::newRow("a glob") << QByteArray("*");
}

void BadDataSuite::hostileIdsAreOrdinaryIds()
{
    QFETCH(QByteArray, id);
    m.run(cmd("HSET", hero::keys::job(id), "status", "dispatched", "script", "1", "script_type", "python"));
    m.run(cmd("LPUSH", m.workKey(), id));
    QCOMPARE(await(m.inspector->jobs({})).jobs.size(), size_t(1));
    QCOMPARE(await(m.inspector->job(id, 100)).job.id, id);
    QCOMPARE(await(m.inspector->queueContent(m.workKey(), 0, 10)), QList<QByteArray>{id});
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    QVERIFY(await(worker->beat(claims)).isEmpty());
    await(m.producer->stop(id));
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{id});
    QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(await(m.producer->waitUntilOver(id, Milliseconds{1'000}, {})).output, QByteArray("ok"));
    QVERIFY(await(m.producer->remove(id)));
}

void BadDataSuite::queueEntriesOfAnyKindAreSurvived()
{
    const QByteArray twin = m.submit();
    for (int i = 0; i < 1'000; ++i)
        m.run(cmd("LPUSH", m.workKey(), twin));
    m.run(cmd("LPUSH", m.workKey(), R"({"id":"x","script":"y"})", QByteArray(1 << 20, 'x'), QByteArray("\x00\xff", 2),
              ""));
    const QByteArray good = m.submit();
    auto *worker = m.worker();
    QList<QByteArray> served;
    for (const Claim &claim : m.claim(worker, 10))
        served.append(claim.job.id);
    for (const Claim &claim : m.claim(worker, 10))
        served.append(claim.job.id);
    QCOMPARE(served, (QList<QByteArray>{twin, good}));
    QVERIFY(m.list(m.workKey()).isEmpty());
    QCOMPARE(m.list(hero::keys::dead("python")).size(), 4);
}

void BadDataSuite::aWorkListOfAnotherTypeIsMarked()
{
    m.run(cmd("SADD", m.workKey(), "x"));
    m.run(cmd("SET", hero::keys::delayed(), "x"));
    m.run(cmd("SET", hero::keys::lease("osis"), "x"));
    int invalid = 0;
    for (const QueueInfo &queue : await(m.inspector->queues()))
        invalid += queue.invalid ? 1 : 0;
    // Among the jobs only lists are queues: what else is there is listed as an invalid job.
    QCOMPARE(invalid, hero::keys::jobId(m.workKey()).isEmpty() ? 2 : 1);
    await(m.inspector->hotIds());
    QCOMPARE(await(m.worker("v")->recover()), 0);
    QVERIFY(await(m.worker("v")->isDrained()));
}

void BadDataSuite::controlAndReplyKeysOfOtherTypes()
{
    const QByteArray id = m.submit();
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    m.run(cmd("SET", "hero:q:ctl:type:python", "x"));
    m.run(cmd("SADD", hero::keys::reply(id), "x"));
    QVERIFY(await(worker->stopRequested(claims)).isEmpty());
    QCOMPARE(failureOf(m.producer->waitUntilOver(id, Milliseconds{300}, {})), ErrorKind::Timeout);
    QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QVERIFY(await(m.producer->remove(id)));
}

void BadDataSuite::aJobThatVanishesIsMissingQuietly()
{
    const QByteArray id = m.submit();
    m.run(cmd("DEL", hero::keys::job(id)));
    QVERIFY(await(m.inspector->summaries({id})).empty());
    QVERIFY(m.claim(m.worker()).empty());
    QCOMPARE(m.exists(hero::keys::job(id)), 0);
}

void BadDataSuite::brokenPrerequisiteListsHoldNothingBack()
{
    const QByteArray a = m.submit();
    m.setField(a, "dependents", "{{{");
    Job b = m.draft();
    b.prerequisites = {a};
    m.submit(b);
    QCOMPARE(m.field(a, "dependents"), QByteArray("[\"" + b.id + "\"]"));
    m.setField(a, "dependents", R"([1,null,{"x":2},")" + b.id + R"("])");
    auto *worker = m.worker();
    await(worker->finish(m.claim(worker).front(), m.success("ok")));
    await(worker->recover());
    QCOMPARE(m.field(b.id, "status"), QByteArray("dispatched"));
}

void BadDataSuite::aForeignRecordInOtherSpellingsRuns()
{
    const QByteArray id = newJobId();
    m.run(cmd("HSET", hero::keys::job(id), "callerId", "c", "contextId", "x", "scriptType", "Python", "payload",
              "print(1)", "timeout", R"({"secs":60,"nanos":0})", "concurrent", "TRUE", "status", "Dispatched",
              "env_vars", "null", "createdAt", "1700000000"));
    m.run(cmd("LPUSH", m.workKey(), id));
    const auto claims = m.claim(m.worker());
    QCOMPARE(claims.size(), size_t(1));
    const Job job = claims.front().job;
    QCOMPARE(job.callerId, QByteArray("c"));
    QCOMPARE(job.target.type, QByteArray("python"));
    QCOMPARE(job.script, QByteArray("print(1)"));
    QCOMPARE(job.timeout.count(), 60);
    QVERIFY(job.concurrent);
    QVERIFY(job.createdAt.has_value());
    QVERIFY2(job.problems.isEmpty(), qPrintable(job.problems.join(u' ')));
}

QTEST_GUILESS_MAIN(BadDataSuite)
#include "tst_bad_data.moc"
