// What every file of the protocol suite needs: a store of its own for each row, the protocol's parts, and looks at
// keys.
#pragma once

#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QTest>

namespace ym::test {

/// One fixture row per store; the whole suite runs on each. A store that lacks a feature has no row of its own tests
/// left out: the protocol works the same on all.
class ProtocolFixture {
public:
    static void addRows()
    {
        QTest::addColumn<QString>("storeKind");
        QTest::newRow("a real redis-server") << QStringLiteral("redis");
        QTest::newRow("the embedded store") << QStringLiteral("embedded");
    }

    /// Starts with an empty store. False when there is no redis-server.
    bool start(const QString &kind, ProtocolOptions chosen = {})
    {
        options = chosen;
        store = makeStore(kind);
        if (!store)
            return false;
        await(store->open());
        await(store->command(cmd("FLUSHALL")));
        producer = protocol.producer(store.get(), options, &Clock::system());
        inspector = protocol.inspector(store.get(), options, &Clock::system());
        return true;
    }

    void stop()
    {
        for (auto &consumer : consumers)
            await(consumer->withdraw());
        consumers.clear();
        inspector.reset();
        producer.reset();
        if (store)
            store->close();
        store.reset();
    }

    /// A worker that lives until stop().
    Consumer *worker(WorkerIdentity who)
    {
        consumers.push_back(protocol.consumer(store.get(), options, &Clock::system(), std::move(who)));
        return consumers.back().get();
    }
    Consumer *worker(const QByteArray &type = "python", const QByteArray &instance = "1",
                     const QByteArray &group = "default")
    {
        WorkerIdentity who;
        who.types = {type};
        who.group = group;
        who.instance = instance;
        return worker(std::move(who));
    }

    static Job draft(const QByteArray &type = "python", const QByteArray &script = "print(1)")
    {
        Job job;
        job.id = newJobId();
        job.callerId = "tester";
        job.contextId = "suite";
        job.target.type = type;
        job.script = script;
        return job;
    }

    QByteArray submit(Job job = draft()) { return await(producer->submit(std::move(job))).id; }

    /// Claims without waiting longer than one look needs: there is something, or the store is asked once.
    std::vector<Claim> claim(Consumer *consumer, int most = 1)
    {
        std::stop_source stop;
        QTimer::singleShot(300, qApp, [stop]() mutable { stop.request_stop(); });
        return await(consumer->claim(most, stop.get_token()));
    }

    static Execution success(const QByteArray &output)
    {
        Execution execution;
        execution.fate = Execution::Fate::Finished;
        execution.exitCode = 0;
        execution.output = output;
        return execution;
    }
    static Execution failure(const QByteArray &error, Execution::Fate fate = Execution::Fate::Failed)
    {
        Execution execution;
        execution.fate = fate;
        execution.error = error;
        return execution;
    }

    // Looks at keys
    Reply run(const Command &command) { return await(store->command(command)); }
    QByteArray field(const QByteArray &id, const char *name)
    {
        return run(cmd("HGET", hero::keys::job(id), name)).toBytes();
    }
    void setField(const QByteArray &id, const char *name, const QByteArray &value)
    {
        run(cmd("HSET", hero::keys::job(id), name, value));
    }
    QList<QByteArray> list(const QByteArray &key) { return run(cmd("LRANGE", key, 0, -1)).toList(); }
    QList<QByteArray> zset(const QByteArray &key) { return run(cmd("ZRANGE", key, 0, -1)).toList(); }
    qint64 exists(const QByteArray &key) { return run(cmd("EXISTS", key)).toInteger(); }
    QByteArray workKey(const QByteArray &type = "python") { return hero::keys::work({type, {}, {}, 1, {}}); }

    /// Lets the lease of this job end now.
    void endLease(const QByteArray &id, const QByteArray &type = "python")
    {
        run(cmd("ZADD", hero::keys::lease(type), "XX", 1, id));
    }

    /// In how many places the job is (RELIABILITY I1): waiting, each work list entry, leased, delayed, terminal.
    int places(const QByteArray &id, const QByteArray &type = "python")
    {
        int count = 0;
        const QByteArray status = field(id, "status");
        count += status == "waiting_for_prerequisites" ? 1 : 0;
        count += status == "finished" || status == "error" ? 1 : 0;
        count += run(cmd("ZSCORE", hero::keys::lease(type), id)).isNil() ? 0 : 1;
        count += run(cmd("ZSCORE", hero::keys::delayed(), id)).isNil() ? 0 : 1;
        for (const QueueInfo &queue : await(inspector->queues())) {
            if (queue.kind == QueueKind::Work)
                count += int(list(queue.key).count(id));
        }
        return count;
    }

    HeroProtocol protocol;
    ProtocolOptions options;
    std::unique_ptr<Store> store;
    std::unique_ptr<Producer> producer;
    std::unique_ptr<Inspector> inspector;
    std::vector<std::unique_ptr<Consumer>> consumers;
    std::unique_ptr<RedisServer> server;

private:
    std::unique_ptr<Store> makeStore(const QString &kind)
    {
        if (kind == QLatin1String("embedded"))
            return std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
        if (!server)
            server = std::make_unique<RedisServer>();
        if (!server->isRunning())
            return nullptr;
        const Result<StoreAddress> address = parseStoreAddress(server->url());
        return std::make_unique<RedisStore>(*address, RedisStore::Options{}, &Clock::system());
    }
};

} // namespace ym::test
