// Faults that come seldom: a window that stands still, a replica without its master, a failover that loses, clocks that
// jump, too few descriptors, several who recover at once. YM_STILL_SECONDS=60 lets the window stand still for as long.
#include "core/engine/engine_connections.h"
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/memory_secrets.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

namespace {

Job draft(const QByteArray &script = "print(1)")
{
    Job job;
    job.id = newJobId();
    job.target.type = "python";
    job.script = script;
    return job;
}

const QByteArray queue = hero::keys::work({"python", {}, {}, 1, {}});

/// A store that tries again soon.
std::unique_ptr<RedisStore> storeOn(const RedisServer &server)
{
    RedisStore::Options quick;
    quick.backoff = {Milliseconds{1}, Milliseconds{20}};
    return std::make_unique<RedisStore>(*parseStoreAddress(server.url()), quick, &Clock::system());
}

std::unique_ptr<Consumer> workerOn(Store *store, Clock *clock, const QByteArray &instance = "1")
{
    WorkerIdentity who;
    who.types = {"python"};
    who.instance = instance;
    return HeroProtocol().consumer(store, {}, clock, who);
}

Execution success()
{
    Execution execution;
    execution.fate = Execution::Fate::Finished;
    execution.output = "ok";
    return execution;
}

} // namespace

class TestRareFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWindowThatStandsStillLosesNoJob();
    void aReplicaWithoutItsMasterIsWaitedFor();
    void aFailoverThatLosesJobsMakesNoneAgain();
    void aClockThatJumpsMovesNoLease_data();
    void aClockThatJumpsMovesNoLease();
    void threeWhoRecoverAreOne();
    void fewDescriptorsAreToldAndNoCrash_data();
    void fewDescriptorsAreToldAndNoCrash();
    void aNameThatDoesNotResolveIsTold();
};

void TestRareFaults::aWindowThatStandsStillLosesNoJob()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const QTemporaryDir home;
    MemorySecrets secrets;
    EngineConnections connections({{home.filePath("config"), home.filePath("data")}, Milliseconds{500}}, &secrets);
    Profile profile;
    profile.url = server.url();
    Session *const session = connections.open(connections.save(profile, std::nullopt));
    QTRY_COMPARE_WITH_TIMEOUT(session->state().phase, ConnectionState::Phase::Ready, 20'000);
    WorkerRequest request;
    request.types = {"python"};
    request.slotCount = 1;
    const auto started = session->startWorker(request);
    QTRY_VERIFY_WITH_TIMEOUT(started.isFinished(), 20'000);
    const int still = std::max(qEnvironmentVariableIntValue("YM_STILL_SECONDS"), 6);
    const auto submitted = session->submit(draft("import time\ntime.sleep(" + QByteArray::number(still + 2) + ")"));
    QTRY_VERIFY_WITH_TIMEOUT(submitted.isFinished(), 20'000);
    const QString id = QString::fromLatin1(submitted.result()->id);
    const auto field = [&](const char *name) { return server.cli({"hget", "hero:job:" + id, QLatin1String(name)}); };
    QTRY_COMPARE_WITH_TIMEOUT(field("status"), QByteArray("started"), 20'000);

    const Timestamp before = Clock::system().now();
    QThread::sleep(ulong(still)); // this thread is the window's
    const QByteArray key = server.cli({"keys", "hero:meta:actor:inst:*"});
    const QJsonObject presence = QJsonDocument::fromJson(server.cli({"get", QString::fromLatin1(key)})).object();
    const auto heartbeat = parseTimestamp(presence[u"last_heartbeat"].toString().toLatin1());
    QVERIFY2(heartbeat && *heartbeat > before, qPrintable(presence[u"last_heartbeat"].toString()));
    QTRY_COMPARE_WITH_TIMEOUT(field("status"), QByteArray("finished"), 20'000);
    QCOMPARE(field("attempt"), QByteArray("1"));
    QVERIFY(field("rescues").isEmpty());
}

void TestRareFaults::aReplicaWithoutItsMasterIsWaitedFor()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const auto store = storeOn(server);
    await(store->open());
    const auto producer = HeroProtocol().producer(store.get(), {}, &Clock::system());
    server.cli({"config", "set", "replica-serve-stale-data", "no"});
    server.cli({"replicaof", "127.0.0.1", "1"}); // nobody is there
    const auto refusal = failureOf(producer->submit(draft()));
    QVERIFY(refusal.has_value());
    server.cli({"replicaof", "no", "one"});
    await(store->waitUntilReady({}));
    await(producer->submit(draft()));
    QCOMPARE(server.cli({"llen", QString::fromLatin1(queue)}), QByteArray("1"));
    store->close();
}

void TestRareFaults::aFailoverThatLosesJobsMakesNoneAgain()
{
    RedisServer master({false, true, {}});
    RedisServer replica;
    QVERIFY(master.isRunning() && replica.isRunning());
    replica.cli({"replicaof", "127.0.0.1", QString::number(master.port())});
    const auto old = storeOn(master);
    await(old->open());
    const auto producer = HeroProtocol().producer(old.get(), {}, &Clock::system());
    const QByteArray kept = await(producer->submit(draft())).id;
    QTRY_COMPARE_WITH_TIMEOUT(replica.cli({"llen", QString::fromLatin1(queue)}), QByteArray("1"), 20'000);
    replica.cli({"replicaof", "no", "one"}); // from now on nothing arrives there
    QList<QByteArray> lost;
    for (int i = 0; i < 5; ++i)
        lost.append(await(producer->submit(draft())).id);
    master.killHard();
    old->close();

    const auto promoted = storeOn(replica);
    await(promoted->open());
    const auto inspector = HeroProtocol().inspector(promoted.get(), {}, &Clock::system());
    QCOMPARE(await(inspector->summaries(lost + QList<QByteArray>{kept})).size(), size_t(1)); // the window drops the others
    ProtocolOptions options;
    options.lostGrace = Milliseconds{0};
    const auto rescuer = HeroProtocol().rescuer(promoted.get(), options, &Clock::system());
    await(rescuer->recover());
    await(rescuer->reconcile({}));
    for (const QByteArray &id : lost)
        QCOMPARE(replica.cli({"exists", "hero:job:" + QString::fromLatin1(id)}), QByteArray("0"));
    const auto worker = workerOn(promoted.get(), &Clock::system());
    const auto claims = await(worker->claim(1, {}));
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, kept);
    QCOMPARE(await(worker->finish(claims.front(), success())), Consumer::FinishOutcome::Committed);
    promoted->close();
}

void TestRareFaults::aClockThatJumpsMovesNoLease_data()
{
    QTest::addColumn<int>("hours");
    QTest::newRow("an hour ahead") << 1;
    QTest::newRow("an hour back") << -1;
}

void TestRareFaults::aClockThatJumpsMovesNoLease()
{
    QFETCH(int, hours);
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const auto store = storeOn(server);
    await(store->open());
    ManualClock clock(Clock::system().now());
    const auto producer = HeroProtocol().producer(store.get(), {}, &clock);
    const auto worker = workerOn(store.get(), &clock);
    const QByteArray id = await(producer->submit(draft())).id;
    const auto claims = await(worker->claim(1, {}));
    QCOMPARE(claims.size(), size_t(1));
    clock.jumpWallClock(std::chrono::hours{hours});
    QVERIFY(await(worker->beat(claims)).isEmpty());
    QCOMPARE(await(worker->recover()), 0);
    QCOMPARE(server.cli({"hget", "hero:job:" + QString::fromLatin1(id), "status"}), QByteArray("started"));
    QCOMPARE(await(worker->finish(claims.front(), success())), Consumer::FinishOutcome::Committed);
    const auto created = parseTimestamp(server.cli({"hget", "hero:job:" + QString::fromLatin1(await(producer->submit(draft())).id), "created_at"}));
    QVERIFY(created && std::chrono::abs(*created - Clock::system().now()) < 1min); // the server's, not ours
    store->close();
}

void TestRareFaults::threeWhoRecoverAreOne()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    std::vector<std::unique_ptr<RedisStore>> stores;
    std::vector<std::unique_ptr<Consumer>> workers;
    for (int i = 0; i < 3; ++i) {
        stores.push_back(storeOn(server));
        await(stores.back()->open());
        workers.push_back(workerOn(stores.back().get(), &Clock::system(), QByteArray::number(i + 1)));
    }
    const auto producer = HeroProtocol().producer(stores.front().get(), {}, &Clock::system());
    QSet<QByteArray> ids;
    for (int i = 0; i < 60; ++i)
        ids.insert(await(producer->submit(draft())).id);
    QCOMPARE(await(workers.front()->claim(60, {})).size(), size_t(60));
    for (const QByteArray &id : ids)
        await(stores.front()->command(cmd("ZADD", hero::keys::lease("python"), "XX", 1, id)));
    std::vector<QCoro::Task<int>> all;
    for (const auto &worker : workers)
        all.push_back(worker->recover());
    int moved = 0;
    for (QCoro::Task<int> &one : all)
        moved += await(std::move(one));
    QCOMPARE(moved, 60);
    const QList<QByteArray> queued = server.cli({"lrange", QString::fromLatin1(queue), "0", "-1"}).split('\n');
    QCOMPARE(queued.size(), 60); // each once
    QCOMPARE(QSet<QByteArray>(queued.cbegin(), queued.cend()), ids);
    for (const QByteArray &id : ids)
        QCOMPARE(server.cli({"hget", "hero:job:" + QString::fromLatin1(id), "rescues"}), QByteArray("1"));
    for (const auto &store : stores)
        store->close();
}

void TestRareFaults::fewDescriptorsAreToldAndNoCrash_data()
{
    QTest::addColumn<int>("limit");
    for (const int limit : {12, 24, 64})
        QTest::newRow(qPrintable(QString::number(limit))) << limit;
}

void TestRareFaults::fewDescriptorsAreToldAndNoCrash()
{
    QFETCH(int, limit);
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    const Program program;
    const auto store = storeOn(server);
    await(store->open());
    const auto producer = HeroProtocol().producer(store.get(), {}, &Clock::system());
    QList<QByteArray> ids;
    for (int i = 0; i < 12; ++i)
        ids.append(await(producer->submit(draft())).id);
    const Ended ended = program.shell(QStringLiteral("prlimit --nofile=%1:%1 \"$YM\" --store %2 worker -t python --slots 16 --drain")
                                          .arg(QString::number(limit), server.url()));
    QVERIFY2(ended.code >= 0 && ended.code < 128, ended.all().constData()); // no signal ended it
    if (ended.code != 0)
        QVERIFY2(!ended.err.isEmpty(), "it failed and said nothing");
    for (const QByteArray &id : ids) { // whatever could not be run is still there, or says why it failed
        const QByteArray status = server.cli({"hget", "hero:job:" + QString::fromLatin1(id), "status"});
        QVERIFY2(status == "dispatched" || status == "started" || status == "finished" || status == "error", status.constData());
    }
    const Ended after = program.run({QStringLiteral("--store"), server.url(), QStringLiteral("list"), QStringLiteral("--json")});
    QCOMPARE(after.code, 0);
    qInfo("limit %d: exit code %d", limit, ended.code);
    store->close();
}

void TestRareFaults::aNameThatDoesNotResolveIsTold()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("--store"), QStringLiteral("redis://no-such-host.invalid"), QStringLiteral("list")});
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.err.contains("no-such-host.invalid"), ended.all().constData());
}

QTEST_GUILESS_MAIN(TestRareFaults)
#include "tst_rare_faults.moc"
