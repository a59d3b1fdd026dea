// The protocol suite: who is there.
#include "tests/conformance/protocol_fixture.h"

#include <nlohmann/json.hpp>

using namespace ym;
using namespace ym::test;

class PresenceSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addCanonicalRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void announcesWithAllMembersAndExpires();
    void picksTheSmallestFreeInstance();
    void picksOneThatIsFreeForAllItsTypes();
    void aTakenInstanceIsRefused();
    void announcingAgainIsNoConflict();
    void refreshTellsWhatRuns();
    void refreshNoticesThatAnotherTookOver();
    void withdrawTakesOnlyTheOwnPresence();
    void aHundredWorkersHaveAHundredInstances();
    void foreignPresencesAreReadTolerantly_data();
    void foreignPresencesAreReadTolerantly();
    void aPresenceThatNeverExpiresIsShownSo();
    void aWorkerOfAnotherGroupIsFound();
};

void PresenceSuite::announcesWithAllMembersAndExpires()
{
    WorkerIdentity who;
    who.types = {"python"};
    who.slotCount = 3;
    const WorkerIdentity named = await(m.worker(who)->announce());
    QCOMPARE(named.instance, QByteArray("1"));
    QCOMPARE(named.group, QByteArray("default"));
    const QByteArray key = "hero:meta:actor:inst:python:default:1";
    const qint64 ttl = m.run(cmd("PTTL", key)).toInteger();
    QVERIFY(ttl > 10'000 && ttl <= 15'000);
    const auto json = nlohmann::json::parse(m.run(cmd("GET", key)).toBytes().toStdString());
    QCOMPARE(json["pid"].get<qint64>(), QCoreApplication::applicationPid());
    QVERIFY(!json["hostname"].get<std::string>().empty());
    QVERIFY(!json["version"].get<std::string>().empty());
    QVERIFY(json["capabilities"].is_array());
    QVERIFY(parseTimestamp(QByteArray::fromStdString(json["started_at"])).has_value());
    QVERIFY(parseTimestamp(QByteArray::fromStdString(json["last_heartbeat"])).has_value());
    QCOMPARE(json["slots"].get<int>(), 3);
    QVERIFY(json["busy"].is_array() && json["busy"].empty());
    const auto workers = await(m.inspector->workers());
    QCOMPARE(workers.size(), 1);
    QCOMPARE(workers.front().target, (Target{"python", "default", "1", 1, {}}));
    QCOMPARE(workers.front().slotCount, 3);
    QVERIFY(workers.front().ttlMs > 10'000);
    QVERIFY(!workers.front().invalid);
}

void PresenceSuite::picksTheSmallestFreeInstance()
{
    const auto announce = [this] { return await(m.worker("python", "")->announce()).instance; };
    QCOMPARE(announce(), QByteArray("1"));
    QCOMPARE(announce(), QByteArray("2"));
    QCOMPARE(announce(), QByteArray("3"));
    m.run(cmd("DEL", "hero:meta:actor:inst:python:default:2"));
    QCOMPARE(announce(), QByteArray("2"));
    QCOMPARE(announce(), QByteArray("4"));
}

void PresenceSuite::picksOneThatIsFreeForAllItsTypes()
{
    m.run(cmd("SET", "hero:meta:actor:inst:osis:default:1", "{}"));
    WorkerIdentity who;
    who.types = {"python", "osis"};
    QCOMPARE(await(m.worker(who)->announce()).instance, QByteArray("2"));
    QCOMPARE(m.exists("hero:meta:actor:inst:python:default:1"), 0);
    QCOMPARE(m.exists("hero:meta:actor:inst:osis:default:2"), 1);
}

void PresenceSuite::aTakenInstanceIsRefused()
{
    await(m.worker("python", "1")->announce());
    const QByteArray before = m.run(cmd("GET", "hero:meta:actor:inst:python:default:1")).toBytes();
    QCOMPARE(failureOf(m.worker("python", "1")->announce()), ErrorKind::Conflict);
    QCOMPARE(m.run(cmd("GET", "hero:meta:actor:inst:python:default:1")).toBytes(), before);
}

void PresenceSuite::announcingAgainIsNoConflict()
{
    auto *worker = m.worker("python", "1");
    await(worker->announce());
    QCOMPARE(await(worker->announce()).instance, QByteArray("1"));
}

void PresenceSuite::refreshTellsWhatRuns()
{
    auto *worker = m.worker("python", "1");
    await(worker->announce());
    m.run(cmd("PEXPIRE", "hero:meta:actor:inst:python:default:1", 5'000));
    await(worker->refreshPresence({"job-a", "job-b"}, true));
    const WorkerInfo info = await(m.inspector->workers()).front();
    QCOMPARE(info.busy, (QList<QByteArray>{"job-a", "job-b"}));
    QVERIFY(info.quiet);
    QVERIFY(info.ttlMs > 10'000);
}

void PresenceSuite::refreshNoticesThatAnotherTookOver()
{
    auto *worker = m.worker("python", "1");
    await(worker->announce());
    m.run(cmd("SET", "hero:meta:actor:inst:python:default:1", R"({"pid":1,"boot_id":"another"})"));
    QCOMPARE(failureOf(worker->refreshPresence({}, false)), ErrorKind::Conflict);
}

void PresenceSuite::withdrawTakesOnlyTheOwnPresence()
{
    auto *worker = m.worker("python", "1");
    await(worker->announce());
    await(worker->withdraw());
    QCOMPARE(m.exists("hero:meta:actor:inst:python:default:1"), 0);
    await(worker->announce());
    m.run(cmd("SET", "hero:meta:actor:inst:python:default:1", R"({"pid":1})"));
    await(worker->withdraw());
    QCOMPARE(m.exists("hero:meta:actor:inst:python:default:1"), 1);
}

void PresenceSuite::aHundredWorkersHaveAHundredInstances()
{
    std::vector<QCoro::Task<WorkerIdentity>> announcing;
    for (int i = 0; i < 100; ++i)
        announcing.push_back(m.worker("python", "")->announce());
    QSet<QByteArray> instances;
    for (auto &task : announcing)
        instances.insert(await(std::move(task)).instance);
    QCOMPARE(instances.size(), 100);
    QCOMPARE(await(m.inspector->workers()).size(), 100);
}

void PresenceSuite::foreignPresencesAreReadTolerantly_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("invalid");
    QTest::addColumn<qint64>("pid");
    QTest::addColumn<bool>("hasHeartbeat");
    QTest::newRow("no JSON") << QByteArray("alive") << true << qint64(0) << false;
    QTest::newRow("an array") << QByteArray("[1,2]") << true << qint64(0) << false;
    QTest::newRow("empty") << QByteArray("") << true << qint64(0) << false;
    QTest::newRow("deeper than anyone needs") << QByteArray(100'000, '[') << true << qint64(0) << false;
    QTest::newRow("an empty object") << QByteArray("{}") << false << qint64(0) << false;
    QTest::newRow("negative pid as text") << QByteArray(R"({"pid":"-1"})") << false << qint64(0) << false;
    QTest::newRow("pid as text") << QByteArray(R"({"pid":"77"})") << false << qint64(77) << false;
    QTest::newRow("epoch seconds") << QByteArray(R"({"pid":7,"last_heartbeat":1700000000})") << false << qint64(7)
                                   << true;
    QTest::newRow("epoch as a fraction") << QByteArray(R"({"last_heartbeat":1700000000.25})") << false << qint64(0)
                                         << true;
    QTest::newRow("an impossible number") << QByteArray(R"({"pid":1e999})") << true << qint64(0) << false;
    QTest::newRow("members of other kinds")
        << QByteArray(R"({"pid":{},"capabilities":7,"busy":[1,{}],"slots":"x"})") << false << qint64(0) << false;
}

void PresenceSuite::foreignPresencesAreReadTolerantly()
{
    QFETCH(QByteArray, value);
    m.run(cmd("SET", "hero:meta:actor:inst:v:default:1", value, "EX", 15));
    const auto workers = await(m.inspector->workers());
    QCOMPARE(workers.size(), 1);
    QTEST(workers.front().invalid, "invalid");
    QTEST(workers.front().pid, "pid");
    QTEST(workers.front().lastHeartbeat.has_value(), "hasHeartbeat");
    QCOMPARE(workers.front().target.type, QByteArray("v"));
}

void PresenceSuite::aPresenceThatNeverExpiresIsShownSo()
{
    m.run(cmd("SET", "hero:meta:actor:inst:v:default:1", "{}"));
    QCOMPARE(await(m.inspector->workers()).front().ttlMs, -1);
}

void PresenceSuite::aWorkerOfAnotherGroupIsFound()
{
    await(m.inspector->workers());
    await(m.worker("python", "night-shift", "io.pool")->announce());
    const auto workers = await(m.inspector->workers());
    QCOMPARE(workers.size(), 1);
    QCOMPARE(workers.front().target, (Target{"python", "io.pool", "night-shift", 1, {}}));
    m.run(cmd("DEL", workers.front().key));
    QVERIFY(await(m.inspector->workers()).isEmpty());
}

QTEST_GUILESS_MAIN(PresenceSuite)
#include "tst_presence.moc"
