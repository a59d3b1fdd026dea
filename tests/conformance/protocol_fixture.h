// What every file of the protocol suite needs: a store of its own for each row, the protocol's parts in the key mode of
// the row, and looks at keys.
#pragma once

#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/key_family.h"
#include "core/protocol/hero/keys.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QTest>

namespace ym::test {

/// One fixture row per store and key mode; the whole suite runs on each. A store that lacks a feature has no row of its
/// own tests left out: the protocol works the same on all.
class ProtocolFixture {
public:
    /// Rows of every key mode, for subjects that are the same in all.
    static void addRows()
    {
        addCanonicalRows();
        for (const char *store : {"redis", "embedded"}) {
            for (const char *keys : {"auto worker", "legacy worker", "legacy type", "legacy actor", "dual type"}) {
                const QByteArray row = QByteArray(store) + ' ' + keys;
                QTest::newRow(row.constData()) << QString::fromLatin1(row);
            }
        }
    }
    /// Rows of the canonical keys only, for what the legacy family does not have.
    static void addCanonicalRows()
    {
        QTest::addColumn<QString>("storeKind");
        QTest::newRow("a real redis-server") << QStringLiteral("redis canonical worker");
        QTest::newRow("the embedded store") << QStringLiteral("embedded canonical worker");
    }

    /// Starts with an empty store, in the key mode of the row. False when there is no redis-server.
    bool start(const QString &row, ProtocolOptions chosen = {})
    {
        options = chosen;
        const QList<QByteArray> words = row.toLatin1().split(' ');
        if (words.size() == 3)
            options.keys = {*keyModeFromName(words[1]), *legacyQueueFromName(words[2])};
        store = makeStore(QString::fromLatin1(words[0]));
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
        if (who.legacyId.isEmpty() && options.keys.mode != KeyMode::Canonical)
            who.legacyId = workerId(who.types.value(0));
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

    /// As which worker id the legacy workers of a type are known here.
    static QByteArray workerId(const QByteArray &type) { return type + "-worker"; }
    bool isCanonical() const { return options.keys.mode == KeyMode::Canonical; }
    /// True when a job stands in the legacy family, alone or too.
    bool usesLegacy() const { return !isCanonical(); }

    Job draft(const QByteArray &type = "python", const QByteArray &script = "print(1)") const
    {
        Job job;
        job.id = newJobId();
        job.callerId = "tester";
        job.contextId = "suite";
        job.target.type = type;
        if (usesLegacy())
            job.target.legacyWorker = workerId(type);
        job.script = script;
        return job;
    }

    QByteArray submit(Job job) { return await(producer->submit(std::move(job))).id; }
    QByteArray submit() { return submit(draft()); }

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
    /// Where a draft of this type goes when no worker is present; in `dual`, the first of the two.
    QByteArray workKey(const QByteArray &type = "python") const { return workKeys(type).constFirst(); }
    QList<QByteArray> workKeys(const QByteArray &type = "python") const
    {
        return hero::KeyRoutes(options.keys).queuesFor(draft(type).target, false);
    }

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
        int listed = 0;
        for (const QueueInfo &queue : await(inspector->queues())) {
            if (queue.kind == QueueKind::Work || queue.kind == QueueKind::Legacy)
                listed += int(list(queue.key).count(id));
        }
        const bool isTwin = options.keys.mode == KeyMode::Dual && listed == 2; // of one place: the claim takes both
        return count + (isTwin ? 1 : listed);
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
