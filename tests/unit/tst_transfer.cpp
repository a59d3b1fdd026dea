// Copying all keys from one store into another: what arrives, what is left alone, what interruptions and changes do.
#include "core/store/embedded/embedded_store.h"
#include "core/store/redis/redis_store.h"
#include "core/store/store_address.h"
#include "core/store/transfer/transfer.h"

#include "tests/support/await.h"
#include "tests/support/faulty_store.h"
#include "tests/support/redis_server.h"

#include <QTest>

using namespace ym;
using namespace ym::test;
using transfer::Collision;
using transfer::Fate;
using transfer::KeyType;
using transfer::Tally;
using transfer::Transfer;

namespace {

constexpr int largeElements = 3'000; ///< of 100 bytes: beyond what is copied in one go

/// A store of its own: embedded in memory, or a real Redis.
class Place {
public:
    enum class Kind : quint8 { Embedded, Redis };

    explicit Place(Kind kind)
    {
        if (kind == Kind::Embedded) {
            m_store = std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
        } else {
            m_server = std::make_unique<RedisServer>();
            if (!m_server->isRunning())
                qFatal("%s", qPrintable(m_server->error()));
            m_store = std::make_unique<RedisStore>(*parseStoreAddress(m_server->url()), RedisStore::Options{},
                                                   &Clock::system());
        }
        await(m_store->open());
    }
    ~Place() { m_store->close(); }

    Store *store() { return m_store.get(); }
    Reply ask(QList<QByteArray> words) { return await(m_store->command(Command{std::move(words)})); }
    void fill(const QList<QList<QByteArray>> &commands)
    {
        for (const QList<QByteArray> &words : commands)
            ask(words);
    }

    /// Every key with its type and its content in a canonical order.
    QMap<QByteArray, QList<QByteArray>> content()
    {
        QMap<QByteArray, QList<QByteArray>> all;
        QByteArray cursor = "0";
        do {
            const Reply page = ask({"SCAN", cursor});
            cursor = page.elements[0].toBytes();
            for (const Reply &key : page.elements[1].elements)
                all.insert(key.string, contentOf(key.string));
        } while (cursor != "0");
        return all;
    }

private:
    QList<QByteArray> contentOf(const QByteArray &key)
    {
        const QByteArray type = ask({"TYPE", key}).toBytes();
        QList<QByteArray> elements;
        if (type == "string")
            elements = {ask({"GET", key}).toBytes()};
        else if (type == "list")
            elements = ask({"LRANGE", key, "0", "-1"}).toList();
        else if (type == "zset")
            elements = ask({"ZRANGE", key, "0", "-1", "WITHSCORES"}).toList();
        else if (type == "set")
            elements = sorted(ask({"SMEMBERS", key}).toList());
        else if (type == "hash")
            elements = sortedPairs(ask({"HGETALL", key}).toList());
        elements.prepend(type);
        return elements;
    }
    static QList<QByteArray> sorted(QList<QByteArray> list)
    {
        std::sort(list.begin(), list.end());
        return list;
    }
    static QList<QByteArray> sortedPairs(const QList<QByteArray> &list)
    {
        QMap<QByteArray, QByteArray> map;
        for (qsizetype i = 0; i + 1 < list.size(); i += 2)
            map.insert(list[i], list[i + 1]);
        QList<QByteArray> flat;
        for (auto it = map.cbegin(); it != map.cend(); ++it)
            flat << it.key() << it.value();
        return flat;
    }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Store> m_store;
};

/// A key of each type with bytes of every kind, small and larger than one slice.
QList<QList<QByteArray>> everyKind()
{
    QByteArray bytes;
    for (int i = 0; i < 256; ++i)
        bytes.append(char(i));
    QList<QList<QByteArray>> commands{
        {"SET", "text", "hello"},
        {"SET", "empty", ""},
        {"SET", "", "a key without a name"},
        {"SET", bytes, bytes + bytes},
        {"SET", "large", QByteArray(3'500'000, 'x') + bytes},
        {"HSET", "hash", "field", "value", bytes, bytes, "", ""},
        {"RPUSH", "list", "b", "a", "b", "", bytes},
        {"SADD", "set", "one", "two", bytes},
        {"SADD", "numbers", "1", "2", "-30000000000"},
        {"ZADD", "scores", "1.5", "a", "-inf", "b", "+inf", "c", "1e300", "d", "0.1", bytes, "3", "e"},
    };
    QList<QByteArray> fields{"HSET", "hash:large"};
    QList<QByteArray> items{"RPUSH", "list:large"};
    QList<QByteArray> members{"SADD", "set:large"};
    QList<QByteArray> scores{"ZADD", "scores:large"};
    for (int i = 0; i < largeElements; ++i) {
        const QByteArray value = QByteArray::number(i) + bytes.right(100);
        fields << value << QByteArray::number(i * 7);
        items << value;
        members << value;
        scores << QByteArray::number(i / 3) << value;
    }
    commands << fields << items << members << scores;
    for (int i = 0; i < 1'000; ++i)
        commands.append({"HSET", "job:" + QByteArray::number(i), "n", QByteArray::number(i)});
    return commands;
}

/// A copy between two places, and what it said.
class Run {
public:
    Run(Store *from, Store *to)
        : m_transfer({from, to, &Clock::system(), stop.get_token(),
                      {[this](const Tally &tally) {
                           pages.append(tally.keys);
                           if (pages.size() == stopAfterPages)
                               stop.request_stop();
                       },
                       [this](const QByteArray &key, KeyType, Fate fate) { named[fate].append(key); },
                       [this](const Error &) { ++losses; }}})
    {
    }

    Tally survey() { return await(m_transfer.survey()); }
    Tally copy(Collision collision = Collision::Refuse) { return await(m_transfer.copy(collision)); }
    Tally verify() { return await(m_transfer.verify()); }
    std::optional<ErrorKind> copyFailure() { return failureOf(m_transfer.copy(Collision::Refuse)); }
    Transfer *transfer() { return &m_transfer; }

    std::stop_source stop;
    qsizetype stopAfterPages = -1;
    QList<qint64> pages;
    QMap<Fate, QList<QByteArray>> named;
    int losses = 0;

private:
    Transfer m_transfer;
};

} // namespace

class TestTransfer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingArrives_data();
    void everythingArrives();
    void surveyChangesNothing();
    void livesGoAlong();
    void secondRunFindsEverythingEqual();
    void differentKeysAreLeftAlone();
    void differentKeysAreReplacedWhenWanted();
    void keyThatAppearsMeanwhileIsNotOverwritten();
    void largeKeyIsNeverSeenInPart();
    void interruptedCopyGoesOn();
    void lossesAreWaitedFor_data();
    void lossesAreWaitedFor();
    void refusalEndsTheCopy();
    void changesMeanwhileAreNamed();
    void unsupportedTypesAreNamed();
};

void TestTransfer::everythingArrives_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    const int embedded = int(Place::Kind::Embedded);
    const int redis = int(Place::Kind::Redis);
    QTest::newRow("from the embedded store to a Redis") << embedded << redis;
    QTest::newRow("from a Redis to the embedded store") << redis << embedded;
    QTest::newRow("from a Redis to a Redis") << redis << redis;
}

void TestTransfer::everythingArrives()
{
    QFETCH(int, from);
    QFETCH(int, to);
    Place source{Place::Kind(from)};
    Place target{Place::Kind(to)};
    source.fill(everyKind());
    const auto before = source.content();
    Run run(source.store(), target.store());
    const Tally plan = run.survey();
    QVERIFY(plan.keys >= before.size());
    QCOMPARE(plan.count(Fate::Missing), plan.keys);
    const Tally copied = run.copy();
    QCOMPARE(copied.count(Fate::Copied), qint64(before.size()));
    QVERIFY(target.content() == before);
    QVERIFY(source.content() == before);
    const Tally verified = run.verify();
    QCOMPARE(verified.count(Fate::Equal), verified.keys);
    QCOMPARE(verified.count(Fate::Extra), 0);
    QVERIFY(run.named.isEmpty());
}

void TestTransfer::surveyChangesNothing()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Embedded);
    source.fill({{"SET", "a", "1"}, {"SET", "b", "2"}, {"RPUSH", "c", "3"}, {"SET", "d", "4", "EX", "100"}});
    target.fill({{"SET", "a", "1"}, {"SET", "b", "other"}});
    const auto before = target.content();
    Run run(source.store(), target.store());
    const Tally plan = run.survey();
    QCOMPARE(plan.keys, 4);
    QCOMPARE(plan.count(KeyType::String), 3);
    QCOMPARE(plan.count(KeyType::List), 1);
    QCOMPARE(plan.expiring, 1);
    QVERIFY(plan.bytes > 0);
    QCOMPARE(plan.count(Fate::Equal), 1);
    QCOMPARE(plan.count(Fate::Missing), 2);
    QCOMPARE(run.named.value(Fate::Different), QList<QByteArray>{"b"});
    QVERIFY(target.content() == before);
}

void TestTransfer::livesGoAlong()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Redis);
    source.fill({{"SET", "forever", "1"},
                 {"SET", "minute", "1", "PX", "60000"},
                 {"HSET", "hash", "a", "b"},
                 {"PEXPIRE", "hash", "100000"},
                 {"SET", "moment", "1", "PX", "300000000"},
                 {"SET", "large", QByteArray(200'000, 'x'), "PX", "50000"}});
    Run run(source.store(), target.store());
    run.copy();
    QCOMPARE(target.ask({"PTTL", "forever"}).integer, -1);
    const auto isNear = [&](const char *key, qint64 expected) {
        const qint64 left = target.ask({"PTTL", key}).integer;
        return left <= expected && left > expected - 20'000;
    };
    QVERIFY(isNear("minute", 60'000));
    QVERIFY(isNear("hash", 100'000));
    QVERIFY(isNear("moment", 300'000'000));
    QVERIFY(isNear("large", 50'000));
    QCOMPARE(run.verify().count(Fate::Equal), 5);
    target.ask({"PERSIST", "minute"});
    target.ask({"PEXPIRE", "hash", "90000"});
    run.verify();
    QList<QByteArray> different = run.named.value(Fate::Different);
    std::sort(different.begin(), different.end());
    QCOMPARE(different, (QList<QByteArray>{"hash", "minute"}));
}

void TestTransfer::secondRunFindsEverythingEqual()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Redis);
    source.fill(everyKind());
    Run(source.store(), target.store()).copy();
    FaultyStore counted(target.store());
    const Tally again = Run(source.store(), &counted).copy();
    QCOMPARE(again.count(Fate::Equal), again.keys);
    QCOMPARE(counted.callCount("RENAMENX"), 0);
    QCOMPARE(counted.callCount("RENAME"), 0);
}

void TestTransfer::differentKeysAreLeftAlone()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Redis);
    source.fill(everyKind());
    target.fill({{"SET", "text", "theirs"}, {"SADD", "hash:large", "theirs"}, {"RPUSH", "list", "b", "a"}});
    Run run(source.store(), target.store());
    const Tally copied = run.copy(Collision::Skip);
    QCOMPARE(copied.count(Fate::Different), 3);
    QCOMPARE(copied.count(Fate::Copied), copied.keys - 3);
    QCOMPARE(target.ask({"GET", "text"}).toBytes(), QByteArray("theirs"));
    QCOMPARE(target.ask({"SMEMBERS", "hash:large"}).toList(), QList<QByteArray>{"theirs"});
    QCOMPARE(target.ask({"LLEN", "list"}).integer, 2);
}

void TestTransfer::differentKeysAreReplacedWhenWanted()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Redis);
    source.fill(everyKind());
    target.fill({{"SET", "text", "theirs", "EX", "1000"}, {"SADD", "hash:large", "theirs"}, {"SET", "own", "stays"}});
    Run run(source.store(), target.store());
    QCOMPARE(run.copy(Collision::Overwrite).count(Fate::Different), 0);
    auto expected = source.content();
    expected.insert("own", {"string", "stays"});
    QVERIFY(target.content() == expected);
    QCOMPARE(target.ask({"PTTL", "text"}).integer, -1);
    QCOMPARE(run.verify().count(Fate::Extra), 1);
    QCOMPARE(run.named.value(Fate::Extra), QList<QByteArray>{"own"});
}

void TestTransfer::keyThatAppearsMeanwhileIsNotOverwritten()
{
    for (const int size : {10, 200'000}) {
        Place source(Place::Kind::Embedded);
        Place target(Place::Kind::Embedded);
        source.fill({{"SET", "a", QByteArray(size, 'x')}});
        FaultyStore faulty(target.store());
        faulty.fail({FaultyStore::Fault::Stuck, 1, 1, "RENAMENX", {}});
        QObject::connect(&faulty, &FaultyStore::stuck, &faulty, [&] {
            target.ask({"SET", "a", "theirs"});
            faulty.release();
        }, Qt::QueuedConnection);
        Run run(source.store(), &faulty);
        QCOMPARE(run.copy().count(Fate::Different), 1);
        QCOMPARE(target.ask({"GET", "a"}).toBytes(), QByteArray("theirs"));
        QCOMPARE(target.ask({"DBSIZE"}).integer, 1);
    }
}

void TestTransfer::largeKeyIsNeverSeenInPart()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Embedded);
    source.fill(everyKind());
    FaultyStore faulty(target.store());
    faulty.fail({FaultyStore::Fault::Stuck, 2, 1, "RPUSH", {}}); // the second slice of the large list
    Run run(source.store(), &faulty);
    qint64 seen = -1;
    QObject::connect(&faulty, &FaultyStore::stuck, &faulty, [&] {
        seen = target.ask({"EXISTS", "list:large"}).integer;
        faulty.release();
    }, Qt::QueuedConnection);
    run.copy();
    QCOMPARE(seen, 0);
    QCOMPARE(target.ask({"LLEN", "list:large"}).integer, largeElements);
    QVERIFY(target.content() == source.content());
}

void TestTransfer::interruptedCopyGoesOn()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Redis);
    source.fill(everyKind());
    Run first(source.store(), target.store());
    first.stopAfterPages = 2;
    QCOMPARE(first.copyFailure(), ErrorKind::Cancelled);
    const qint64 there = target.ask({"DBSIZE"}).integer;
    QVERIFY(there > 0 && there < source.ask({"DBSIZE"}).integer);
    Run second(source.store(), target.store());
    const Tally rest = second.copy();
    QVERIFY(rest.count(Fate::Equal) >= there);
    QVERIFY(target.content() == source.content());
}

void TestTransfer::lossesAreWaitedFor_data()
{
    QTest::addColumn<bool>("isTarget");
    QTest::addColumn<int>("fault");
    QTest::addColumn<QByteArray>("verb");
    QTest::newRow("the target is away") << true << int(FaultyStore::Fault::NotSent) << QByteArray("RENAMENX");
    QTest::newRow("the target's answer is lost") << true << int(FaultyStore::Fault::ReplyLost) << QByteArray("RENAMENX");
    QTest::newRow("lost in the middle of a large key") << true << int(FaultyStore::Fault::ReplyLost) << QByteArray("APPEND");
    QTest::newRow("the source is away") << false << int(FaultyStore::Fault::NotSent) << QByteArray("SCAN");
    QTest::newRow("the source is lost in the middle of a large key")
        << false << int(FaultyStore::Fault::NotSent) << QByteArray("HSCAN");
}

void TestTransfer::lossesAreWaitedFor()
{
    QFETCH(bool, isTarget);
    QFETCH(int, fault);
    QFETCH(QByteArray, verb);
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Embedded);
    source.fill(everyKind());
    FaultyStore faulty(isTarget ? target.store() : source.store());
    faulty.fail({FaultyStore::Fault(fault), 2, 2, verb, {}});
    Run run(isTarget ? source.store() : &faulty, isTarget ? &faulty : target.store());
    run.copy();
    QCOMPARE(run.losses, 2);
    QCOMPARE(run.verify().count(Fate::Equal), source.ask({"DBSIZE"}).integer);
    auto content = target.content();
    content.removeIf([](auto entry) { return entry.key().startsWith("yardmaster:copy:"); });
    QVERIFY(content == source.content());
}

void TestTransfer::refusalEndsTheCopy()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Embedded);
    source.fill({{"SET", "a", "1"}});
    FaultyStore faulty(target.store());
    faulty.fail({FaultyStore::Fault::ErrorReply, 1, -1, "RENAMENX", "OOM command not allowed"});
    Run run(source.store(), &faulty);
    QCOMPARE(run.copyFailure(), ErrorKind::OutOfMemory);
    QCOMPARE(run.losses, 0);
}

void TestTransfer::changesMeanwhileAreNamed()
{
    Place source(Place::Kind::Embedded);
    Place target(Place::Kind::Redis);
    source.fill(everyKind());
    Run run(source.store(), target.store());
    run.copy();
    source.fill({{"HSET", "hash", "field", "changed"},
                 {"LSET", "list:large", "2500", "changed"},
                 {"ZADD", "scores:large", "5", "new"},
                 {"DEL", "text"},
                 {"SET", "later", "1"},
                 {"DEL", "list"},
                 {"SADD", "list", "b"}});
    const Tally verified = run.verify();
    const auto sorted = [](QList<QByteArray> keys) {
        std::sort(keys.begin(), keys.end());
        return keys;
    };
    QCOMPARE(sorted(run.named.value(Fate::Different)),
             (QList<QByteArray>{"hash", "list", "list:large", "scores:large"}));
    QCOMPARE(run.named.value(Fate::Missing), QList<QByteArray>{"later"});
    QCOMPARE(run.named.value(Fate::Extra), QList<QByteArray>{"text"});
    QCOMPARE(verified.count(Fate::Equal), verified.keys - 5);
}

void TestTransfer::unsupportedTypesAreNamed()
{
    Place source(Place::Kind::Redis);
    Place target(Place::Kind::Embedded);
    source.fill({{"XADD", "stream", "*", "a", "b"}, {"SET", "a", "1"}});
    Run run(source.store(), target.store());
    QCOMPARE(run.survey().count(Fate::Unsupported), 1);
    QCOMPARE(run.named.value(Fate::Unsupported), QList<QByteArray>{"stream"});
    QCOMPARE(run.copy().count(Fate::Unsupported), 1);
    QCOMPARE(target.ask({"DBSIZE"}).integer, 1);
}

QTEST_GUILESS_MAIN(TestTransfer)
#include "tst_transfer.moc"
