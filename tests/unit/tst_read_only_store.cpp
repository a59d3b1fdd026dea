// A read-only store: what looks passes, everything else is refused before it is sent.
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/scripts.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/read_only_store.h"
#include "tests/support/await.h"

using namespace ym;
using namespace ym::test;

class TestReadOnlyStore : public QObject {
    Q_OBJECT

    EmbeddedStore *m_inner = nullptr;
    std::unique_ptr<ReadOnlyStore> m_store;

private Q_SLOTS:
    void init()
    {
        auto inner = std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
        m_inner = inner.get();
        m_store = std::make_unique<ReadOnlyStore>(std::move(inner));
        await(m_store->open());
    }
    void cleanup() { m_store.reset(); }

    void commandsAreSortedByWhatTheyDo_data();
    void commandsAreSortedByWhatTheyDo();
    void everyWayIsGuarded();
    void onlyScriptsThatCannotWritePass();
    void aViewOfJobsNeedsNothingElse();
};

void TestReadOnlyStore::commandsAreSortedByWhatTheyDo_data()
{
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<bool>("reads");
    for (const char *words : {"GET k", "hgetall k", "SCAN 0 MATCH x COUNT 200", "LRANGE k 0 -1", "CONFIG GET maxmemory",
                              "MEMORY USAGE k", "EVAL_RO text 0", "PING", "SELECT 3"})
        QTest::newRow(words) << QByteArray(words) << true;
    for (const char *words :
         {"SET k v", "HSET k f v", "del k", "LPUSH k v", "BLPOP k 1", "BLMOVE a b RIGHT RIGHT 1", "EVAL text 0", "EVALSHA x 0",
          "EXPIRE k 1", "GETDEL k", "GETEX k PERSIST", "SORT k STORE x", "FLUSHALL", "CONFIG SET maxmemory 1", "CONFIG",
          "CLIENT KILL TYPE normal", "SCRIPT FLUSH", "FUNCTION LOAD x", "PUBLISH c m", "MULTI", "RESTORE k 0 x", "SPOP k",
          "SHUTDOWN", "DEBUG SLEEP 1", "A_COMMAND_OF_TOMORROW k"})
        QTest::newRow(words) << QByteArray(words) << false;
}

void TestReadOnlyStore::commandsAreSortedByWhatTheyDo()
{
    QFETCH(QByteArray, words);
    Command command;
    for (const QByteArray &word : words.split(' '))
        command.add(word);
    QTEST(isReadingCommand(command), "reads");
}

void TestReadOnlyStore::everyWayIsGuarded()
{
    const Command write = cmd("SET", "k", "v");
    const Command read = cmd("GET", "k");
    QCOMPARE(failureOf(m_store->command(write)), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(m_store->pipeline({read, write})), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(m_store->transaction({read, write})), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(m_store->blocking(cmd("BLPOP", "k", 1), Milliseconds{1000}, {})), ErrorKind::ReadOnly);
    QVERIFY(await(m_inner->command(read)).isNil());
    await(m_inner->command(write));
    QCOMPARE(await(m_store->command(read)).toBytes(), QByteArray("v"));
    QCOMPARE(await(m_store->pipeline({read, read})).size(), size_t(2));
}

void TestReadOnlyStore::onlyScriptsThatCannotWritePass()
{
    QCOMPARE(failureOf(m_store->script(hero::script("stop"), {"hero:job:x"}, {"x", "1"})), ErrorKind::ReadOnly);
    QVERIFY(await(m_store->script(hero::script("detail"), {"hero:job:x"}, {"10", "10"})).toArray().empty());
    const Script lie{"lie", "return 1 -- no-writes", {}};
    QCOMPARE(failureOf(m_store->script(&lie, {}, {})), ErrorKind::ReadOnly);
}

void TestReadOnlyStore::aViewOfJobsNeedsNothingElse()
{
    const HeroProtocol protocol;
    Job draft;
    draft.target.type = "python";
    draft.script = "1";
    const QByteArray id = await(protocol.producer(m_inner, {}, &Clock::system())->submit(draft)).id;
    const auto inspector = protocol.inspector(m_store.get(), {}, &Clock::system());
    QCOMPARE(await(inspector->jobs({})).jobs.size(), size_t(1));
    QCOMPARE(await(inspector->job(id, 100)).job.script, QByteArray("1"));
    QCOMPARE(await(inspector->queues()).size(), 1);
    await(inspector->workers());
    await(inspector->hotIds());
    QCOMPARE(await(inspector->queueContent("hero:q:work:type:python", 0, 10)), QList<QByteArray>{id});
    const auto producer = protocol.producer(m_store.get(), {}, &Clock::system());
    QCOMPARE(failureOf(producer->submit(draft)), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(producer->stop(id)), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(producer->remove(id)), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(producer->retry(id)), ErrorKind::ReadOnly);
    QCOMPARE(failureOf(protocol.rescuer(m_store.get(), {}, &Clock::system())->recover()), ErrorKind::ReadOnly);
}

QTEST_GUILESS_MAIN(TestReadOnlyStore)
#include "tst_read_only_store.moc"
