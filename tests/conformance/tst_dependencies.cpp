// The protocol suite: jobs that wait for others.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class DependencySuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    QByteArray behind(const QList<QByteArray> &prerequisites, const QByteArray &type = "python")
    {
        Job draft = m.draft(type);
        draft.prerequisites = prerequisites;
        return m.submit(draft);
    }
    void runNext(Execution execution)
    {
        auto *worker = m.worker();
        await(worker->finish(m.claim(worker).front(), std::move(execution)));
    }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void waitsAndIsKnownToItsPrerequisites();
    void theLastPrerequisiteQueuesIt();
    void isQueuedAtOnceWhenAllAreFinished();
    void aFailureFailsEverythingBehindIt();
    void aRetriedFailureFailsNothingYet();
    void missingPrerequisitesAreRefusedByName();
    void aFailedPrerequisiteIsRefused();
    void aCircleIsRefused_data();
    void aCircleIsRefused();
    void prerequisitesInAnySpellingCount();
    void aForeignWorkersEndReleasesToo();
    void aVanishedPrerequisiteFailsWhoWaits();
    void removingAFinishedOneFreesWhoWaits();
    void removingAQueuedOneFailsWhoWaits();
    void retryWaitsAgain();
    void aLostPrerequisiteFailsWhoWaits();
    void aLargeFanOutIsFreedCompletely();
};

void DependencySuite::waitsAndIsKnownToItsPrerequisites()
{
    const QByteArray a = m.submit();
    const QByteArray b = m.submit();
    Job draft = m.draft();
    draft.prerequisites = {a, b};
    const auto receipt = await(m.producer->submit(draft));
    QVERIFY(receipt.queueKeys.isEmpty());
    QCOMPARE(m.field(draft.id, "status"), QByteArray("waiting_for_prerequisites"));
    QCOMPARE(m.field(draft.id, "prerequisites"), QByteArray("[\"" + a + "\",\"" + b + "\"]"));
    QCOMPARE(m.field(a, "dependents"), QByteArray("[\"" + draft.id + "\"]"));
    QCOMPARE(m.field(b, "dependents"), QByteArray("[\"" + draft.id + "\"]"));
    QCOMPARE(m.places(draft.id), 1);
    await(m.producer->submit(draft)); // once more is once
    QCOMPARE(m.field(a, "dependents"), QByteArray("[\"" + draft.id + "\"]"));
}

void DependencySuite::theLastPrerequisiteQueuesIt()
{
    const QByteArray a = m.submit();
    const QByteArray b = m.submit();
    const QByteArray c = behind({a, b}, "osis");
    runNext(m.success("a"));
    QCOMPARE(m.field(c, "status"), QByteArray("waiting_for_prerequisites"));
    QVERIFY(m.list(m.workKey("osis")).isEmpty());
    runNext(m.success("b"));
    QCOMPARE(m.field(c, "status"), QByteArray("dispatched"));
    QCOMPARE(m.list(m.workKey("osis")), QList<QByteArray>{c});
    QVERIFY(m.zset(hero::keys::waiting()).isEmpty());
    QCOMPARE(m.places(c), 1);
}

void DependencySuite::isQueuedAtOnceWhenAllAreFinished()
{
    const QByteArray a = m.submit();
    runNext(m.success("a"));
    const QByteArray b = behind({a});
    QCOMPARE(m.field(b, "status"), QByteArray("dispatched"));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{b});
    QCOMPARE(m.field(a, "dependents"), QByteArray("[\"" + b + "\"]"));
}

void DependencySuite::aFailureFailsEverythingBehindIt()
{
    const QByteArray a = m.submit();
    const QByteArray other = m.submit();
    const QByteArray b = behind({a, other});
    const QByteArray c = behind({b});
    const QByteArray d = behind({c, a});
    const QByteArray free = behind({other});
    runNext(m.failure("boom"));
    for (const QByteArray &id : {b, c, d}) {
        QCOMPARE(m.field(id, "status"), QByteArray("error"));
        QCOMPARE(m.field(id, "error"), QByteArray("prerequisite " + a + " failed"));
        QVERIFY(parseTimestamp(m.field(id, "finished_at")).has_value());
        QCOMPARE(m.list(hero::keys::reply(id)).size(), 1);
        QCOMPARE(m.places(id), 1);
    }
    QCOMPARE(m.field(free, "status"), QByteArray("waiting_for_prerequisites"));
    runNext(m.success("other"));
    QCOMPARE(m.field(free, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(b, "status"), QByteArray("error")); // terminal is final
}

void DependencySuite::aRetriedFailureFailsNothingYet()
{
    Job a = m.draft();
    a.retries = 1;
    m.submit(a);
    const QByteArray b = behind({a.id});
    runNext(m.failure("boom"));
    QCOMPARE(m.field(b, "status"), QByteArray("waiting_for_prerequisites"));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, a.id));
    await(m.worker()->recover());
    runNext(m.success("ok"));
    QCOMPARE(m.field(b, "status"), QByteArray("dispatched"));
}

void DependencySuite::missingPrerequisitesAreRefusedByName()
{
    Job draft = m.draft();
    const QByteArray gone = newJobId();
    draft.prerequisites = {gone, m.submit()};
    try {
        await(m.producer->submit(draft));
        QFAIL("must be refused");
    } catch (const StoreError &e) {
        QCOMPARE(e.kind(), ErrorKind::NotFound);
        QVERIFY(e.error().message.contains(QString::fromUtf8(gone)));
        QVERIFY(!e.error().message.contains(QString::fromUtf8(draft.prerequisites[1])));
    }
    QCOMPARE(m.exists(hero::keys::job(draft.id)), 0);
}

void DependencySuite::aFailedPrerequisiteIsRefused()
{
    const QByteArray a = m.submit();
    runNext(m.failure("boom"));
    Job draft = m.draft();
    draft.prerequisites = {a};
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::Conflict);
    QCOMPARE(m.exists(hero::keys::job(draft.id)), 0);
}

void DependencySuite::aCircleIsRefused_data()
{
    QTest::addColumn<int>("length");
    QTest::addColumn<QByteArray>("spelling");
    QTest::newRow("of two") << 2 << QByteArray("prerequisites");
    QTest::newRow("of three") << 3 << QByteArray("dependencies");
    QTest::newRow("of a thousand") << 1000 << QByteArray("prerequisites");
}

void DependencySuite::aCircleIsRefused()
{
    // Somebody else's records already name the id that is submitted now.
    QFETCH(int, length);
    QFETCH(QByteArray, spelling);
    Job draft = m.draft();
    std::vector<Command> records;
    QByteArray next = draft.id;
    for (int i = 1; i < length; ++i) {
        const QByteArray id = "chain-" + QByteArray::number(i);
        records.push_back(cmd("HSET", hero::keys::job(id), "status", "waiting_for_prerequisites", spelling,
                              spelling == "dependencies" ? next : QByteArray("[\"" + next + "\"]")));
        next = id;
    }
    await(m.store->pipeline(records));
    draft.prerequisites = {next};
    QCOMPARE(failureOf(m.producer->submit(draft)), ErrorKind::Usage);
    QCOMPARE(m.exists(hero::keys::job(draft.id)), 0);
}

void DependencySuite::prerequisitesInAnySpellingCount()
{
    const QByteArray a = m.submit();
    const QByteArray b = m.submit();
    const QByteArray c = behind({a});
    m.setField(c, "dependencies", b); // a comma list beside the JSON array
    runNext(m.success("a"));
    QCOMPARE(m.field(c, "status"), QByteArray("waiting_for_prerequisites"));
    runNext(m.success("b"));
    m.run(cmd("ZADD", hero::keys::waiting(), 1, c));
    await(m.worker()->recover());
    QCOMPARE(m.field(c, "status"), QByteArray("dispatched"));
}

void DependencySuite::aForeignWorkersEndReleasesToo()
{
    const QByteArray a = m.submit();
    const QByteArray b = behind({a});
    m.run(cmd("BLPOP", m.workKey(), 1));
    m.setField(a, "status", "finished"); // knows nothing of dependents
    auto *worker = m.worker();
    QCOMPARE(await(worker->recover()), 1);
    QCOMPARE(m.field(b, "status"), QByteArray("dispatched"));
    QCOMPARE(m.list(m.workKey()), QList<QByteArray>{b});
    QCOMPARE(await(worker->recover()), 0);
}

void DependencySuite::aVanishedPrerequisiteFailsWhoWaits()
{
    const QByteArray a = m.submit();
    const QByteArray b = behind({a});
    const QByteArray c = behind({b});
    m.run(cmd("DEL", hero::keys::job(a)));
    await(m.worker()->recover());
    for (const QByteArray &id : {b, c})
        QCOMPARE(m.field(id, "status"), QByteArray("error"));
    QCOMPARE(m.field(b, "error"), QByteArray("prerequisite " + a + " failed"));
}

void DependencySuite::removingAFinishedOneFreesWhoWaits()
{
    const QByteArray a = m.submit();
    const QByteArray b = m.submit();
    const QByteArray c = behind({a, b});
    runNext(m.success("a"));
    QVERIFY(await(m.producer->remove(a)));
    QCOMPARE(m.field(c, "prerequisites"), QByteArray("[\"" + b + "\"]"));
    QCOMPARE(m.field(c, "status"), QByteArray("waiting_for_prerequisites"));
    runNext(m.success("b"));
    QCOMPARE(m.field(c, "status"), QByteArray("dispatched"));
    QVERIFY(await(m.producer->remove(c)));
    QCOMPARE(m.field(b, "dependents"), QByteArray("[]"));
}

void DependencySuite::removingAQueuedOneFailsWhoWaits()
{
    const QByteArray a = m.submit();
    const QByteArray b = behind({a});
    QVERIFY(await(m.producer->remove(a)));
    QCOMPARE(m.field(b, "error"), QByteArray("prerequisite " + a + " failed"));
}

void DependencySuite::retryWaitsAgain()
{
    const QByteArray a = m.submit();
    const QByteArray b = behind({a});
    runNext(m.failure("boom"));
    QCOMPARE(failureOf(m.producer->retry(b)), ErrorKind::Conflict); // its prerequisite has failed
    await(m.producer->retry(a));
    QVERIFY(await(m.producer->retry(b)).queueKeys.isEmpty());
    QCOMPARE(m.field(b, "status"), QByteArray("waiting_for_prerequisites"));
    runNext(m.success("ok"));
    QCOMPARE(m.field(b, "status"), QByteArray("dispatched"));
}

void DependencySuite::aLostPrerequisiteFailsWhoWaits()
{
    const QByteArray a = m.submit();
    const QByteArray b = behind({a});
    m.setField(a, "rescues", "3");
    auto *worker = m.worker();
    m.claim(worker);
    m.endLease(a);
    await(worker->recover());
    QCOMPARE(m.field(a, "error"), QByteArray("worker lost"));
    QCOMPARE(m.field(b, "error"), QByteArray("prerequisite " + a + " failed"));
}

void DependencySuite::aLargeFanOutIsFreedCompletely()
{
    if (!m.isCanonical())
        QSKIP("as with canonical keys, and long");
    const QByteArray root = m.submit();
    std::vector<QCoro::Task<Producer::Receipt>> submits;
    for (int i = 0; i < 1500; ++i) {
        Job draft = m.draft("osis");
        draft.prerequisites = {root};
        submits.push_back(m.producer->submit(draft));
    }
    for (auto &submit : submits)
        await(std::move(submit));
    runNext(m.success("ok"));
    auto *worker = m.worker();
    for (int round = 0; round < 20 && m.list(m.workKey("osis")).size() < 1500; ++round)
        await(worker->recover());
    QCOMPARE(m.list(m.workKey("osis")).size(), 1500);
    QVERIFY(m.zset(hero::keys::waiting()).isEmpty());
}

QTEST_GUILESS_MAIN(DependencySuite)
#include "tst_dependencies.moc"
