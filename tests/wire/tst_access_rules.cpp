// The least rights of a viewer, a worker and a dispatcher, on a real server: enough for what they do, and no more.
#include "core/engine/bulk_actions.h"
#include "core/store/redis/redis_store.h"
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class AccessRules : public QObject {
    Q_OBJECT

    ProtocolFixture m;
    std::unique_ptr<RedisStore> m_user;

    static WorkerIdentity place()
    {
        WorkerIdentity who;
        who.types = {"python"};
        who.instance = "1";
        return who;
    }
    /// Makes the user and connects as it.
    void become(AccessRole role)
    {
        Command set = cmd("ACL", "SETUSER", "someone", "reset", "on", ">pw");
        m.run(set.addAll(m.protocol.accessRules(role, place())));
        StoreAddress address = *parseStoreAddress(m.server->url());
        address.user = QStringLiteral("someone");
        address.password = QStringLiteral("pw");
        m_user = std::make_unique<RedisStore>(address, RedisStore::Options{}, &Clock::system());
        await(m_user->open());
    }
    void refuses(const Command &command)
    {
        QVERIFY2(failureOf(m_user->command(command)) == ErrorKind::Permission, command.args.join(' ').constData());
    }

private Q_SLOTS:
    void init() { QVERIFY(m.start(QStringLiteral("redis"))); }
    void cleanup()
    {
        if (m_user)
            m_user->close();
        m_user.reset();
        m.stop();
    }

    void aDispatcherDoesEverythingButAdminister();
    void aDispatcherChangesManyJobsAtOnce_data();
    void aDispatcherChangesManyJobsAtOnce();
    void othersAreToldWhichRightIsMissing_data();
    void othersAreToldWhichRightIsMissing();
    void aWorkerRunsAndQueuesNothing();
    void aViewerOnlyLooks();
    void nobodyAdministers_data();
    void nobodyAdministers();
};

void AccessRules::aDispatcherDoesEverythingButAdminister()
{
    become(AccessRole::Dispatcher);
    const auto producer = m.protocol.producer(m_user.get(), m.options, &Clock::system());
    const auto inspector = m.protocol.inspector(m_user.get(), m.options, &Clock::system());
    const auto rescuer = m.protocol.rescuer(m_user.get(), m.options, &Clock::system());
    const QByteArray first = await(producer->submit(m.draft())).id;
    Job second = m.draft();
    second.prerequisites = {first};
    Job third = m.draft();
    third.prerequisites = {second.id};
    await(producer->submitGraph({second, third}));
    await(producer->preview(second.target));
    auto *worker = m.worker();
    auto claims = m.claim(worker);
    m.endLease(first);
    QCOMPARE(await(rescuer->recover()), 1);
    await(rescuer->reconcile({}));
    claims = m.claim(worker);
    QCOMPARE(await(producer->stop(first)), Producer::StopOutcome::RequestSent);
    await(worker->finish(claims.front(), m.failure("x")));
    await(producer->retry(first));
    QCOMPARE(await(producer->stop(first)), Producer::StopOutcome::StoppedInQueue);
    QVERIFY(await(producer->remove(first)));
    QCOMPARE(await(inspector->jobs({})).jobs.size(), size_t(2));
    await(inspector->queues());
    await(inspector->hotIds());
    QCOMPARE(await(producer->waitUntilOver(third.id, Milliseconds{5'000}, {})).state, JobState::Failed);
    refuses(cmd("SET", "another:key", "1"));
}

void AccessRules::aDispatcherChangesManyJobsAtOnce_data()
{
    QTest::addColumn<QString>("keys");
    QTest::newRow("canonical") << QStringLiteral("canonical");
    QTest::newRow("legacy") << QStringLiteral("legacy");
}

void AccessRules::aDispatcherChangesManyJobsAtOnce()
{
    QFETCH(QString, keys);
    m.options.keys.mode = keys == QLatin1String("legacy") ? KeyMode::Legacy : KeyMode::Canonical;
    become(AccessRole::Dispatcher);
    const auto producer = m.protocol.producer(m_user.get(), m.options, &Clock::system());
    const auto inspector = m.protocol.inspector(m_user.get(), m.options, &Clock::system());
    const QTemporaryDir journal;
    BulkActions bulk({producer.get(), inspector.get(), &Clock::system(), journal.path()});
    const auto all = [](const BulkResult &result) {
        for (const auto &[id, error] : result.failed)
            qWarning("%s: %s", id.constData(), qPrintable(error.text()));
        return result.failed.isEmpty() && result.skipped == 0 ? result.done : -1;
    };
    QList<QByteArray> ids;
    QByteArray queue;
    for (int i = 0; i < 30; ++i) {
        const Producer::Receipt receipt = await(producer->submit(m.draft()));
        ids.append(receipt.id);
        queue = receipt.queueKeys.constFirst();
    }
    Target elsewhere;
    elsewhere.type = "python";
    elsewhere.group = "g";
    elsewhere.legacyWorker = m.usesLegacy() ? "another" : "";
    QCOMPARE(all(await(bulk.move(ids.mid(0, 10), elsewhere))), 10);
    QCOMPARE(all(await(bulk.requeue(ids.mid(10, 10)))), 10);
    QCOMPARE(all(await(bulk.remove(ids.mid(0, 10)))), 10);
    QCOMPARE(all(await(bulk.restore())), 10);
    QCOMPARE(all(await(bulk.purge(queue))), 20);
    QVERIFY(m.list(queue).isEmpty());
    QCOMPARE(bulk.restorableCount(), 20);
    QCOMPARE(all(await(bulk.restore())), 20);
    QCOMPARE(m.list(queue).size(), 20);
    QCOMPARE(all(await(bulk.stop(ids))), 30);
    QCOMPARE(all(await(bulk.retry(ids))), 30);
    QCOMPARE(all(await(bulk.remove(ids))), 30);
    QVERIFY(await(inspector->jobs({})).jobs.empty());
}

void AccessRules::othersAreToldWhichRightIsMissing_data()
{
    QTest::addColumn<int>("role");
    QTest::newRow("viewer") << int(AccessRole::Viewer);
    QTest::newRow("worker") << int(AccessRole::Worker);
}

/// One sentence that names the missing right, and nothing has changed.
void AccessRules::othersAreToldWhichRightIsMissing()
{
    QFETCH(int, role);
    QList<QByteArray> ids{m.submit(), m.submit()};
    const QByteArray over = m.submit();
    await(m.producer->stop(over));
    become(AccessRole(role));
    const auto producer = m.protocol.producer(m_user.get(), m.options, &Clock::system());
    const auto inspector = m.protocol.inspector(m_user.get(), m.options, &Clock::system());
    const QTemporaryDir journal;
    BulkActions bulk({producer.get(), inspector.get(), &Clock::system(), journal.path()});
    const auto isRefused = [](const char *what, const Error &error) {
        const bool isPlain = error.kind == ErrorKind::Permission && error.message.count(u'.') <= 1
            && (error.text().contains(u"right") || error.text().contains(u"permission"));
        if (!isPlain)
            qWarning("%s: %s", what, qPrintable(error.text()));
        return isPlain;
    };
    Target elsewhere;
    elsewhere.type = "python";
    elsewhere.group = "g";
    std::vector<std::pair<const char *, BulkResult>> results;
    results.emplace_back("move", await(bulk.move(ids, elsewhere)));
    results.emplace_back("requeue", await(bulk.requeue(ids)));
    results.emplace_back("remove", await(bulk.remove(ids)));
    results.emplace_back("retry", await(bulk.retry({over})));
    if (AccessRole(role) == AccessRole::Viewer) // who runs jobs may end them
        results.emplace_back("stop", await(bulk.stop(ids)));
    for (const auto &[what, result] : results) {
        QVERIFY2(result.done == 0 && !result.failed.isEmpty(), what);
        for (const auto &failed : result.failed)
            QVERIFY(isRefused(what, failed.second));
    }
    try {
        await(bulk.purge(m.workKey()));
        QFAIL("a purge without the right to it");
    } catch (const StoreError &e) {
        QVERIFY(isRefused("purge", e.error()));
    }
    QCOMPARE(m.list(m.workKey()).size(), 2);
    for (const QByteArray &id : ids)
        QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
    QCOMPARE(m.field(over, "status"), QByteArray("error"));
}

void AccessRules::aWorkerRunsAndQueuesNothing()
{
    become(AccessRole::Worker);
    const auto worker = m.protocol.consumer(m_user.get(), m.options, &Clock::system(), place());
    await(worker->announce());
    await(worker->refreshPresence({}, false));
    const QByteArray id = m.submit();
    auto claims = await(worker->claim(1, {}));
    QCOMPARE(claims.size(), size_t(1));
    QVERIFY(await(worker->beat(claims)).isEmpty());
    QVERIFY(await(worker->stopRequested(claims)).isEmpty());
    QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
    QCOMPARE(m.list(hero::keys::reply(id)), QList<QByteArray>{"ok"});
    QCOMPARE(m.zset(hero::keys::lease("python")), QList<QByteArray>{});
    auto waiting = worker->claim(1, {}); // it may wait as others do
    m.submit();
    QCOMPARE(await(std::move(waiting)).size(), size_t(1));

    // A failed run waits for its retry, and what it could not run goes back, by way of whoever dispatches.
    Job failing = m.draft();
    failing.retries = 1;
    m.submit(failing);
    claims = await(worker->claim(1, {}));
    QCOMPARE(await(worker->finish(claims.front(), m.failure("x"))), Consumer::FinishOutcome::WillRetry);
    const QByteArray returned = m.submit();
    claims = await(worker->claim(1, {}));
    await(worker->giveBack(claims.front()));
    QCOMPARE(m.field(returned, "attempt"), QByteArray("0"));
    m.run(cmd("ZADD", hero::keys::delayed(), 1, failing.id));
    QCOMPARE(await(m.worker("python", "8")->recover()), 2);
    QCOMPARE(m.run(cmd("DEL", "hero:q:work:type:python")).toInteger(), 1);

    // A stop is followed in whichever list it stands.
    const QByteArray stopped = m.submit();
    claims = await(worker->claim(1, {}));
    await(m.producer->stop(stopped));
    QCOMPARE(await(worker->stopRequested(claims)), QList<QByteArray>{stopped});
    await(worker->finish(claims.front(), m.failure("", Execution::Fate::Stopped)));
    QCOMPARE(m.field(stopped, "error"), QByteArray("stopped_by_request"));
    const QByteArray asked = m.submit();
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", asked));
    std::stop_source once;
    auto looking = worker->claim(1, once.get_token());
    once.request_stop();
    QVERIFY(await(std::move(looking)).empty());
    QCOMPARE(m.field(asked, "error"), QByteArray("stopped"));
    await(worker->withdraw());

    // It rescues nobody, and does not give up a job only because it may not queue it.
    const QByteArray lost = m.submit();
    m.claim(m.worker("python", "9"));
    m.endLease(lost);
    await(worker->recover());
    QCOMPARE(m.field(lost, "status"), QByteArray("started"));
    QCOMPARE(await(m.worker()->recover()), 1);
    QCOMPARE(m.field(lost, "status"), QByteArray("dispatched"));

    refuses(cmd("LPUSH", m.workKey(), "x"));
    refuses(cmd("RPUSH", m.workKey(), "x"));
    refuses(cmd("EVAL", "return redis.call('LPUSH', KEYS[1], 'x')", 1, m.workKey()));
    refuses(cmd("LRANGE", m.workKey("osis"), 0, -1));
    refuses(cmd("RPOP", m.workKey() + ":group:other"));
    refuses(cmd("SET", hero::keys::presence("python", "default", "2"), "x"));
    refuses(cmd("DEL", hero::keys::job(id)));
    refuses(cmd("SCAN", "0"));
    refuses(cmd("LRANGE", hero::keys::reply(id), 0, -1));
}

void AccessRules::aViewerOnlyLooks()
{
    const QByteArray id = m.submit();
    become(AccessRole::Viewer);
    const auto inspector = m.protocol.inspector(m_user.get(), m.options, &Clock::system());
    QCOMPARE(await(inspector->jobs({})).jobs.size(), size_t(1));
    QCOMPARE(await(inspector->job(id, 1'000)).job.id, id);
    const QList<QueueInfo> queues = await(inspector->queues());
    QVERIFY(std::ranges::any_of(queues, [&](const QueueInfo &q) { return q.key == m.workKey() && q.depth == 1; }));
    await(inspector->workers());
    await(inspector->hotIds());
    const auto producer = m.protocol.producer(m_user.get(), m.options, &Clock::system());
    QCOMPARE(failureOf(producer->submit(m.draft())), ErrorKind::Permission);
    QCOMPARE(failureOf(producer->remove(id)), ErrorKind::Permission);
    refuses(cmd("HSET", hero::keys::job(id), "status", "error"));
    refuses(cmd("BLPOP", m.workKey(), 1));
    refuses(cmd("EVAL", "return 1", 0));
    refuses(cmd("MULTI"));
    refuses(cmd("GET", "another:key"));
}

void AccessRules::nobodyAdministers_data()
{
    QTest::addColumn<int>("role");
    QTest::newRow("viewer") << int(AccessRole::Viewer);
    QTest::newRow("worker") << int(AccessRole::Worker);
    QTest::newRow("dispatcher") << int(AccessRole::Dispatcher);
}

void AccessRules::nobodyAdministers()
{
    QFETCH(int, role);
    become(AccessRole(role));
    for (const char *words :
         {"KEYS *", "FLUSHALL", "FLUSHDB", "CONFIG GET *", "CONFIG SET maxmemory 1", "MONITOR", "ACL LIST",
          "CLIENT KILL TYPE normal", "CLIENT LIST", "SAVE", "SHUTDOWN NOSAVE", "REPLICAOF NO ONE", "SCRIPT FLUSH", "SCRIPT KILL",
          "FUNCTION LIST", "DUMP hero:job:x", "RESTORE hero:job:x 0 x", "SORT hero:job:x", "SWAPDB 0 1"}) {
        Command command;
        for (const QByteArray &word : QByteArray(words).split(' '))
            command.add(word);
        refuses(command);
    }
}

QTEST_GUILESS_MAIN(AccessRules)
#include "tst_access_rules.moc"
