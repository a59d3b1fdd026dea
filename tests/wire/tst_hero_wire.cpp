// Hero on the wire: what others can see of us is what the protocol names, and workers and producers of others work with
// ours.
#include "core/protocol/hero/keys.h"
#include "tests/conformance/protocol_fixture.h"

#include <QElapsedTimer>
#include <QRegularExpression>

using namespace ym;
using namespace ym::test;

namespace {

/// Every command that the server executes, also those inside scripts, as redis-cli MONITOR prints them.
class Monitor {
public:
    explicit Monitor(const RedisServer &server)
    {
        m_cli.start(QStringLiteral("redis-cli"),
                    {QStringLiteral("-s"), server.socketPath(), QStringLiteral("MONITOR")});
        waitFor("OK");
    }
    ~Monitor()
    {
        m_cli.kill();
        m_cli.waitForFinished(5000);
    }

    /// The commands since the start that touch a key of others, as "VERB key", without ours under hero:q:.
    QStringList foreignVisible(const RedisServer &server)
    {
        server.cli({QStringLiteral("ECHO"), QStringLiteral("end-of-watch")});
        waitFor("end-of-watch");
        static const QRegularExpression line(QStringLiteral("^\\S+ \\[[^\\]]*\\] \"(\\w+)\" \"((?:hero:)[^\"]*)\""),
                                             QRegularExpression::MultilineOption);
        static const QRegularExpression ours(
            QStringLiteral("^hero:q:(lease|claims|dead|delayed|waiting|types|graph|staged)|^hero:meta:queue:stats"));
        QStringList seen;
        auto matches = line.globalMatch(QString::fromLatin1(m_text));
        while (matches.hasNext()) {
            const auto match = matches.next();
            if (!ours.match(match.captured(2)).hasMatch())
                seen.append(match.captured(1).toUpper() + u' ' + match.captured(2));
        }
        return seen;
    }

private:
    void waitFor(const QByteArray &text)
    {
        while (!m_text.contains(text) && m_cli.waitForReadyRead(10000))
            m_text += m_cli.readAllStandardOutput();
    }

    QProcess m_cli;
    QByteArray m_text;
};

/// A worker in twenty lines around redis-cli, as the first protocol document describes it; serves one job.
const char foreignWorker[] = R"sh(
set -e
r() { redis-cli -s "$SOCKET" "$@"; }
id=$(r BLPOP "hero:q:work:type:python" 5 | tail -n 1)
[ -n "$id" ]
r HGETALL "hero:job:$id" > /dev/null
r HSET "hero:job:$id" status started > /dev/null
script=$(r HGET "hero:job:$id" script)
output="ran: $script"
r HSET "hero:job:$id" status finished output "$output" > /dev/null
r LPUSH "hero:q:reply:$id" "$output" > /dev/null
)sh";

} // namespace

class HeroWire : public QObject {
    Q_OBJECT

    ProtocolFixture m;

private Q_SLOTS:
    void init() { QVERIFY(m.start(QStringLiteral("redis canonical worker"))); }
    void cleanup() { m.stop(); }

    void aJobsLifeIsTheCommandsOfTheProtocol_data();
    void aJobsLifeIsTheCommandsOfTheProtocol();
    void aPlainJobCostsOneLookAndOneWriteAStep();
    void presenceIsSetWithItsTimeToLive();
    void waitingDisturbsNobody();
    void aJobForAnIdleWorkerNeedsNoFurtherTrip();
    void aForeignWorkerServesOurJobs();
    void ourWorkerServesForeignJobs();
    void aForeignMonitorsRequeueIsServedOnceItIsSafe();
    void workersOfBothKindsShareAQueueWithoutDoubles();
    void aWorkerWithLeastRightsRunsJobs();
    void aViewerWithReadRightsSeesEverything();
    void nothingIsSlowWithAHundredThousandJobs();
    void oneSlotNeedsAtMostTwoReadsAJob();
};

void HeroWire::aJobsLifeIsTheCommandsOfTheProtocol_data()
{
    const QString canonical = QStringLiteral("hero:q:work:type:python");
    const QStringList bothReplies{QStringLiteral("LPUSH hero:q:reply:ID"), QStringLiteral("PEXPIRE hero:q:reply:ID"),
                                  QStringLiteral("LPUSH hero:reply:ID"), QStringLiteral("PEXPIRE hero:reply:ID")};
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QStringList>("queues"); ///< pushed to; the last one is popped, or taken out as a twin
    QTest::addColumn<QStringList>("replies");
    QTest::newRow("canonical") << QStringLiteral("redis canonical worker") << QStringList{canonical}
                               << bothReplies.mid(0, 2);
    for (const auto &[mode, queue] : {std::pair{"redis legacy worker", "hero:work_queue:python-worker"},
                                      std::pair{"redis legacy type", "hero:job:actor_queue:python"},
                                      std::pair{"redis legacy actor", "hero:job:python-worker"},
                                      std::pair{"redis auto worker", "hero:work_queue:python-worker"}})
        QTest::newRow(mode) << QString::fromLatin1(mode) << QStringList{QString::fromLatin1(queue)} << bothReplies;
    QTest::newRow("dual") << QStringLiteral("redis dual worker")
                          << QStringList{canonical, QStringLiteral("hero:work_queue:python-worker")} << bothReplies;
}

/// Everything that changes what others see, in its order; what is ours alone and what only looks is left out.
void HeroWire::aJobsLifeIsTheCommandsOfTheProtocol()
{
    QFETCH(QString, mode);
    QFETCH(QStringList, queues);
    QFETCH(QStringList, replies);
    m.stop();
    QVERIFY(m.start(mode));
    auto *worker = m.worker();
    m.submit();
    await(worker->finish(m.claim(worker).front(), m.success("warm"))); // loads the scripts
    Monitor monitor(*m.server);
    const QByteArray id = m.submit();
    const auto claims = m.claim(worker);
    await(worker->beat(claims));
    await(m.producer->stop(id));
    await(worker->stopRequested(claims));
    await(worker->finish(claims.front(), m.success("out")));

    const QString control = QStringLiteral("hero:q:ctl:type:python");
    const QString ownControl = control + QStringLiteral(":group:default:inst:1");
    QStringList expected{QStringLiteral("HSET hero:job:ID")};
    for (const QString &queue : queues)
        expected << QStringLiteral("LPUSH ") + queue;
    expected << QStringLiteral("HSET hero:job:ID") // claimed
             << QStringLiteral("RPOP ") + queues.constFirst();
    for (const QString &twin : queues.mid(1))
        expected << QStringLiteral("LREM ") + twin;
    expected << QStringLiteral("LREM ") + ownControl << QStringLiteral("LPUSH ") + ownControl // asked to stop, once
             << QStringLiteral("HSET hero:job:ID") // finished
             << QStringLiteral("LREM ") + ownControl; // and then the request goes
    expected += replies;

    static const QRegularExpression looks(
        QStringLiteral("^(HGET|HMGET|HGETALL|HLEN|HEXISTS|EXISTS|TYPE|LINDEX|LRANGE) "));
    QStringList writes;
    for (QString command : monitor.foreignVisible(*m.server)) {
        command.replace(QString::fromLatin1(id), QStringLiteral("ID"));
        const bool isPeek = command.startsWith(QLatin1String("BLMOVE "));
        if (!looks.match(command).hasMatch() && !isPeek && (writes.isEmpty() || writes.constLast() != command))
            writes << command;
    }
    QVERIFY2(writes == expected,
             qPrintable(QStringLiteral("sent\n%1\nexpected\n%2").arg(writes.join(u'\n'), expected.join(u'\n'))));
}

/// What most jobs are: nothing that few have is looked for, as long as the number of fields says that it is not there.
void HeroWire::aPlainJobCostsOneLookAndOneWriteAStep()
{
    auto *worker = m.worker();
    Monitor monitor(*m.server);
    const QByteArray id = m.submit();
    await(worker->finish(m.claim(worker).front(), m.success("out")));
    QStringList commands = monitor.foreignVisible(*m.server).filter(QString::fromLatin1(hero::keys::job(id)));
    for (QString &command : commands)
        command = command.section(u' ', 0, 0);
    QCOMPARE(commands.join(u' '), QStringLiteral("EXISTS HSET HMGET HLEN HSET HMGET HLEN HSET"));
}

void HeroWire::presenceIsSetWithItsTimeToLive()
{
    Monitor monitor(*m.server);
    auto *worker = m.worker("python", "2");
    await(worker->announce());
    await(worker->refreshPresence({"x"}, false));
    await(worker->withdraw());
    QStringList writes = monitor.foreignVisible(*m.server);
    writes.removeAll(QStringLiteral("GET hero:meta:actor:inst:python:default:2"));
    QCOMPARE(writes,
             (QStringList{QStringLiteral("SET hero:meta:actor:inst:python:default:2"),
                          QStringLiteral("SET hero:meta:actor:inst:python:default:2"),
                          QStringLiteral("DEL hero:meta:actor:inst:python:default:2")}));
}

void HeroWire::waitingDisturbsNobody()
{
    auto *worker = m.worker();
    QVERIFY(m.claim(worker).empty()); // its peeks stay in the server
    QProcess foreign;
    foreign.start(QStringLiteral("redis-cli"),
                  {QStringLiteral("-s"), m.server->socketPath(), QStringLiteral("BLPOP"),
                   QStringLiteral("hero:q:work:type:python"), QStringLiteral("5")});
    while (!m.server->cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")}).contains("cmd=blpop"))
        QVERIFY(foreign.state() != QProcess::NotRunning);
    const QByteArray id = m.submit();
    QVERIFY(foreign.state() == QProcess::NotRunning || foreign.waitForFinished(5000));
    QVERIFY(foreign.readAllStandardOutput().contains(id));
    QCOMPARE(m.field(id, "status"), QByteArray("dispatched"));
}

/// The claim stands behind the wait in the server already.
void HeroWire::aJobForAnIdleWorkerNeedsNoFurtherTrip()
{
    auto *worker = m.worker();
    auto claiming = worker->claim(1, {});
    static const QRegularExpression armed(QStringLiteral("qbuf=[1-9]\\d* .*cmd=blmove"));
    while (!QString::fromLatin1(m.server->cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")})).contains(armed))
        await(m.store->command(cmd("PING")));
    const quint64 before = m.store->cost().commands;
    const QByteArray id = m.submit();
    const auto claims = await(std::move(claiming));
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.id, id);
    QCOMPARE(m.store->cost().commands - before, 1); // the submit
    QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
}

void HeroWire::aForeignWorkerServesOurJobs()
{
    QProcess worker;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SOCKET"), m.server->socketPath());
    worker.setProcessEnvironment(environment);
    worker.start(QStringLiteral("sh"), {QStringLiteral("-c"), QString::fromLatin1(foreignWorker)});
    const QByteArray id = m.submit(m.draft("python", "say hello"));
    const Job job = await(m.producer->waitUntilOver(id, Milliseconds{15'000}, {}));
    QCOMPARE(job.state, JobState::Finished);
    QCOMPARE(job.output, QByteArray("ran: say hello"));
    QVERIFY(worker.state() == QProcess::NotRunning || worker.waitForFinished(10000));
    QCOMPARE(worker.exitCode(), 0);
}

void HeroWire::ourWorkerServesForeignJobs()
{
    auto *worker = m.worker();
    auto claiming = worker->claim(1, {});
    const QString id = QString::fromLatin1(newJobId());
    const auto cli = [this](const QStringList &arguments) { return m.server->cli(arguments); };
    cli({QStringLiteral("HSET"), QStringLiteral("hero:job:") + id, QStringLiteral("id"), id,
         QStringLiteral("caller_id"), QStringLiteral("me"), QStringLiteral("context_id"), QStringLiteral("here"),
         QStringLiteral("script_type"), QStringLiteral("python"), QStringLiteral("script"),
         QStringLiteral("print(6*7)"), QStringLiteral("timeout"), QStringLiteral("30"), QStringLiteral("status"),
         QStringLiteral("dispatched")});
    cli({QStringLiteral("LPUSH"), QStringLiteral("hero:q:work:type:python"), id});
    const auto claims = await(std::move(claiming));
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(claims.front().job.script, QByteArray("print(6*7)"));
    await(worker->finish(claims.front(), m.success("42\n")));
    QCOMPARE(
        cli({QStringLiteral("BLPOP"), QStringLiteral("hero:q:reply:") + id, QStringLiteral("1")}).split('\n').value(1),
        QByteArray("42"));
    QCOMPARE(cli({QStringLiteral("HGET"), QStringLiteral("hero:job:") + id, QStringLiteral("status")}),
             QByteArray("finished"));
}

void HeroWire::aForeignMonitorsRequeueIsServedOnceItIsSafe()
{
    const QByteArray id = m.submit();
    m.server->cli({QStringLiteral("BLPOP"), QStringLiteral("hero:q:work:type:python"), QStringLiteral("1")});
    m.setField(id, "status", "started");
    m.setField(id, "updated_at", "2020-01-01T00:00:00Z");
    m.run(cmd("LPUSH", m.workKey(), id)); // the seed's requeue leaves the status
    auto *worker = m.worker();
    const auto claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    QCOMPARE(await(worker->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
}

void HeroWire::workersOfBothKindsShareAQueueWithoutDoubles()
{
    QSet<QByteArray> submitted;
    for (int i = 0; i < 60; ++i)
        submitted.insert(m.submit());
    auto *worker = m.worker();
    QList<QByteArray> ran;
    for (int i = 0; i < 30; ++i) {
        const QByteArray id = m.server->cli({QStringLiteral("LPOP"), QStringLiteral("hero:q:work:type:python")});
        ran.append(id);
        m.setField(id, "status", "finished");
        const auto claims = m.claim(worker);
        QCOMPARE(claims.size(), size_t(1));
        ran.append(claims.front().job.id);
        await(worker->finish(claims.front(), m.success("x")));
    }
    QCOMPARE(ran.size(), 60);
    QCOMPARE(QSet<QByteArray>(ran.cbegin(), ran.cend()), submitted);
}

/// Opens a store as another user of the same server.
static std::unique_ptr<RedisStore> storeOf(const RedisServer &server, const QString &user)
{
    StoreAddress address = *parseStoreAddress(server.url());
    address.user = user;
    address.password = QStringLiteral("pw");
    auto store = std::make_unique<RedisStore>(address, RedisStore::Options{}, &Clock::system());
    await(store->open());
    return store;
}

void HeroWire::aWorkerWithLeastRightsRunsJobs()
{
    // The worker's line of the least-privilege list: no priorities, no delayed set, no push to a work queue.
    Command user = cmd("ACL", "SETUSER", "worker", "on", ">pw", "resetchannels");
    for (const char *keys :
         {"~hero:job:*", "~hero:q:work:type:python", "~hero:q:work:type:python:group:default",
          "~hero:q:work:type:python:group:default:inst:1", "~hero:q:lease:python", "~hero:q:claims:python",
          "~hero:q:ctl:type:python*", "~hero:meta:actor:inst:python:default:1"})
        user.add(keys);
    for (const char *verb : {"-@all",
                             "+hello",
                             "+auth",
                             "+ping",
                             "+client|setname",
                             "+client|id",
                             "+time",
                             "+role",
                             "+hset",
                             "+hmset",
                             "+hget",
                             "+hmget",
                             "+hgetall",
                             "+hincrby",
                             "+hdel",
                             "+hexists",
                             "+hstrlen",
                             "+type",
                             "+blpop",
                             "+brpop",
                             "+lpop",
                             "+rpop",
                             "+lrem",
                             "+llen",
                             "+lrange",
                             "+lindex",
                             "+lpos",
                             "+zadd",
                             "+zrem",
                             "+zscore",
                             "+set",
                             "+get",
                             "+exists",
                             "+multi",
                             "+exec",
                             "+discard",
                             "+eval",
                             "+evalsha",
                             "+script|load",
                             "+script|exists",
                             "(%W~hero:q:reply:* -@all +lpush +rpush +expire +pexpire)",
                             "(~hero:q:dead:python -@all +lpush +ltrim)"})
        user.add(verb);
    m.run(user);
    auto store = storeOf(*m.server, QStringLiteral("worker"));
    {
        WorkerIdentity who;
        who.types = {"python"};
        who.instance = "1";
        auto consumer = m.protocol.consumer(store.get(), {}, &Clock::system(), who);
        await(consumer->announce());
        const QByteArray first = m.submit();
        Job behind = m.draft();
        behind.prerequisites = {first};
        m.submit(behind);
        const auto claims = await(consumer->claim(1, {}));
        QCOMPARE(claims.size(), size_t(1));
        QVERIFY(await(consumer->beat(claims)).isEmpty());
        await(consumer->stopRequested(claims));
        QCOMPARE(await(consumer->finish(claims.front(), m.success("ok"))), Consumer::FinishOutcome::Committed);
        QCOMPARE(m.list(hero::keys::reply(first)), QList<QByteArray>{"ok"});
        // It may not push, so who waits is queued by the next one who may.
        QCOMPARE(m.field(behind.id, "status"), QByteArray("waiting_for_prerequisites"));
        await(m.worker()->recover());
        QCOMPARE(m.field(behind.id, "status"), QByteArray("dispatched"));
        // Peeks are forbidden to it: it polls, and still finds the job.
        const auto more = await(consumer->claim(1, {}));
        QCOMPARE(more.size(), size_t(1));
        await(consumer->finish(more.front(), m.success("ok")));
        auto waiting = consumer->claim(1, {});
        m.submit();
        QCOMPARE(await(std::move(waiting)).size(), size_t(1));
        await(consumer->withdraw());
    }
    store->close();
}

void HeroWire::aViewerWithReadRightsSeesEverything()
{
    Command user = cmd("ACL", "SETUSER", "viewer", "on", ">pw", "resetchannels", "%R~hero:*", "-@all");
    for (const char *verb :
         {"+hello",    "+auth",      "+ping",    "+client|setname", "+client|id", "+info",    "+role",
          "+time",     "+dbsize",    "+type",    "+exists",         "+ttl",       "+pttl",    "+scan",
          "+hget",     "+hmget",     "+hgetall", "+hlen",           "+hexists",   "+hstrlen", "+hscan",
          "+hkeys",    "+llen",      "+lrange",  "+lindex",         "+lpos",      "+get",     "+strlen",
          "+getrange", "+mget",      "+scard",   "+zcard",          "+zscore",    "+zrange",  "+zscan",
          "+eval_ro",  "+evalsha_ro"})
        user.add(verb);
    m.run(user);
    const QByteArray id = m.submit();
    await(m.worker()->announce());
    auto store = storeOf(*m.server, QStringLiteral("viewer"));
    {
        auto inspector = m.protocol.inspector(store.get(), {}, &Clock::system());
        QCOMPARE(await(inspector->jobs({})).jobs.size(), size_t(1));
        QCOMPARE(await(inspector->job(id, 5)).fullSize.value("script"), 8);
        QVERIFY(!await(inspector->queues()).isEmpty());
        QCOMPARE(await(inspector->workers()).size(), 1);
        QVERIFY(await(inspector->hotIds()).contains(id));
    }
    store->close();
}

void HeroWire::nothingIsSlowWithAHundredThousandJobs()
{
    const QByteArray fill =
        "for i = 1, 100000 do local id = string.format('%08x-0000-4000-8000-000000000000', i) "
        "redis.call('HSET', 'hero:job:' .. id, 'id', id, 'status', 'dispatched', 'script_type', 'python', 'script', "
        "'print(1)', 'created_at', '2026-11-21T00:00:00.000Z') "
        "redis.call('LPUSH', 'hero:q:work:type:python', id) end";
    m.run(cmd("EVAL", fill, 0));
    await(m.worker()->announce());
    const auto look = [this] {
        QByteArray cursor;
        qsizetype listed = 0;
        do {
            const auto page = await(m.inspector->jobs(cursor));
            listed += qsizetype(page.jobs.size());
            cursor = page.cursor;
        } while (!cursor.isEmpty());
        for (int i = 0; i < 30; ++i) {
            await(m.inspector->queues());
            await(m.inspector->workers());
            await(m.inspector->hotIds());
        }
        await(m.inspector->queueContent(m.workKey(), 0, 1'000));
        await(m.inspector->job("00000001-0000-4000-8000-000000000000", Inspector::defaultPreview));
        await(m.producer->preview({"python", {}, {}, 1, {}}));
        return listed;
    };
    // A busy machine stops the server now and then for longer than a millisecond: what is slow, is slow each time.
    QSet<QByteArray> alwaysSlow;
    for (int round = 0; round < 3; ++round) {
        m.run(cmd("CONFIG", "SET", "slowlog-log-slower-than", 1'000));
        m.run(cmd("SLOWLOG", "RESET"));
        QVERIFY(look() >= 100'000);
        QSet<QByteArray> slow;
        const Reply log = m.run(cmd("SLOWLOG", "GET", 100));
        for (const Reply &entry : log.toArray())
            slow.insert(entry.toArray().at(3).toList().mid(0, 2).join(' '));
        alwaysSlow = round == 0 ? slow : alwaysSlow & slow;
    }
    alwaysSlow.removeIf(
        [](const QByteArray &command) { return command.startsWith("SLOWLOG") || command.startsWith("CONFIG"); });
    QVERIFY2(alwaysSlow.isEmpty(), QByteArrayList(alwaysSlow.cbegin(), alwaysSlow.cend()).join(", ").constData());
}

static qint64 readsOf(ProtocolFixture &m)
{
    const QByteArray info = m.run(cmd("INFO", "stats")).toBytes();
    const qsizetype at = info.indexOf("total_reads_processed:") + 22;
    return info.mid(at, info.indexOf('\r', at) - at).toLongLong();
}

/// The loop of one slot; a coroutine of its own, so that finish and the next claim come one after the other.
static QCoro::Task<int> runSlot(Consumer *worker, int jobs, int batch)
{
    int done = 0;
    while (done < jobs) {
        const std::vector<Claim> claims = co_await worker->claim(batch, {});
        std::vector<QCoro::Task<Consumer::FinishOutcome>> ends;
        for (const Claim &claim : claims)
            ends.push_back(worker->finish(claim, ProtocolFixture::success("x")));
        for (auto &end : ends) {
            co_await end;
            ++done;
        }
    }
    co_return done;
}

void HeroWire::oneSlotNeedsAtMostTwoReadsAJob()
{
    auto *worker = m.worker();
    m.submit();
    await(runSlot(worker, 1, 1)); // loads the scripts
    for (const auto &[batch, jobs, limit] : {std::tuple{1, 1'000, 2.0}, std::tuple{64, 6'400, 0.2}}) {
        std::vector<QCoro::Task<Producer::Receipt>> submits;
        for (int i = 0; i < jobs; ++i)
            submits.push_back(m.producer->submit(m.draft()));
        for (auto &submit : submits)
            await(std::move(submit));
        const qint64 before = readsOf(m);
        QElapsedTimer timer;
        timer.start();
        await(runSlot(worker, jobs, batch));
        const double seconds = double(timer.nsecsElapsed()) / 1e9;
        const double perJob = double(readsOf(m) - before - 1) / jobs;
        qInfo("batch of %d: %.3f reads a job, %.0f jobs claimed and finished a second", batch, perJob, jobs / seconds);
        QVERIFY2(perJob <= limit, QByteArray::number(perJob).constData());
    }
}

QTEST_GUILESS_MAIN(HeroWire)
#include "tst_hero_wire.moc"
