// TracedStore: what is remembered, and what must never be.
#include "core/store/traced_store.h"
#include "tests/support/await.h"
#include "tests/support/faulty_store.h"

#include <QSignalSpy>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

/// Answers +OK to everything.
class YesStore final : public Store {
public:
    QCoro::Task<void> open() override { co_return; }
    void close() override { }
    StoreStatus status() const override { return {}; }
    StoreCost cost() const override { return {}; }
    QString displayName() const override { return {}; }
    QCoro::Task<Reply> command(Command) override { co_return Reply::status("OK"); }
    QCoro::Task<std::vector<Reply>> pipeline(std::vector<Command> commands) override
    {
        std::vector<Reply> replies(commands.size(), Reply::error("WRONGTYPE no"));
        co_return replies;
    }
    QCoro::Task<std::vector<Reply>> transaction(std::vector<Command> commands) override
    {
        return pipeline(std::move(commands));
    }
    QCoro::Task<Reply> script(const Script *, QList<QByteArray>, QList<QByteArray>) override
    {
        co_return Reply::number(1);
    }
    QCoro::Task<Reply> blocking(Command, Milliseconds, std::stop_token) override { co_return Reply::nil(); }
    std::unique_ptr<Subscription> subscribe(QList<QByteArray>, Match) override
    {
        return std::make_unique<Subscription>();
    }
    QCoro::Task<bool> waitUntilReady(std::stop_token) override { co_return true; }
};

} // namespace

class TestTracedStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void remembersWhatWasSaid();
    void keepsOnlyTheLast();
    void measuresTheClock();
    void remembersFailures();
    void hidesSecrets_data();
    void hidesSecrets();
    void cutsLongArguments();
};

void TestTracedStore::remembersWhatWasSaid()
{
    TracedStore store(std::make_unique<YesStore>(), &Clock::system());
    await(store.command(cmd("SET", "k", "v")));
    std::vector<Command> two{cmd("LPUSH", "k", 1), cmd("GET", "k")};
    await(store.pipeline(two));
    const Script script{"hero/claim", "return 1", "sha"};
    await(store.script(&script, {"key"}, {"arg"}));
    await(store.blocking(cmd("BLPOP", "q", 1), Milliseconds{1000}, {}));
    const auto &entries = store.entries();
    QCOMPARE(entries.size(), size_t(5));
    QCOMPARE(entries[0].args, QList<QByteArray>({"SET", "k", "v"}));
    QCOMPARE(entries[0].reply, Reply::Type::Status);
    QVERIFY(!entries[0].failure);
    QCOMPARE(entries[1].way, TraceEntry::Way::Pipeline);
    QCOMPARE(entries[1].failure, std::optional(ErrorKind::WrongType));
    QCOMPARE(entries[3].args, QList<QByteArray>({"EVALSHA", "hero/claim", "1", "key", "arg"}));
    QCOMPARE(entries[3].reply, Reply::Type::Integer);
    QCOMPARE(entries[4].way, TraceEntry::Way::Blocking);
    QCOMPARE(entries[4].number, quint64(5));
}

void TestTracedStore::keepsOnlyTheLast()
{
    TracedStore store(std::make_unique<YesStore>(), &Clock::system(), 3);
    QSignalSpy traced(&store, &TracedStore::traced);
    for (int i = 1; i <= 10; ++i)
        await(store.command(cmd("GET", i)));
    QCOMPARE(traced.count(), 10);
    QCOMPARE(store.entries().size(), size_t(3));
    QCOMPARE(store.entries().front().args.last(), QByteArray("8"));
}

void TestTracedStore::measuresTheClock()
{
    YesStore yes;
    auto faulty = std::make_unique<FaultyStore>(&yes);
    FaultyStore *const slow = faulty.get();
    ManualClock clock;
    TracedStore store(std::move(faulty), &clock);
    FaultyStore::Plan plan;
    plan.fault = FaultyStore::Fault::Stuck;
    slow->fail(plan);
    auto task = store.command(cmd("GET", "k"));
    QCOMPARE(slow->stuckCount(), 1);
    QVERIFY(store.entries().empty());
    const Timestamp start = clock.now();
    clock.advance(Milliseconds{250});
    slow->release();
    await(std::move(task));
    QCOMPARE(store.entries().front().took.count(), 250);
    QCOMPARE(store.entries().front().when.time_since_epoch().count(), start.time_since_epoch().count());
}

void TestTracedStore::remembersFailures()
{
    YesStore yes;
    auto faulty = std::make_unique<FaultyStore>(&yes);
    FaultyStore::Plan plan;
    plan.nth = 2;
    plan.only = "SET";
    plan.fault = FaultyStore::Fault::ReplyLost;
    faulty->fail(plan);
    TracedStore store(std::move(faulty), &Clock::system());
    QVERIFY(!failureOf(store.command(cmd("SET", "a", 1))));
    QVERIFY(!failureOf(store.command(cmd("GET", "a"))));
    QCOMPARE(failureOf(store.command(cmd("SET", "a", 1))), ErrorKind::Unavailable);
    QVERIFY(!failureOf(store.command(cmd("SET", "a", 1))));
    QCOMPARE(store.entries()[2].failure, std::optional(ErrorKind::Unavailable));
}

void TestTracedStore::hidesSecrets_data()
{
    QTest::addColumn<QList<QByteArray>>("args");
    using Args = QList<QByteArray>;
    QTest::newRow("AUTH") << Args{"AUTH", "hunter2"};
    QTest::newRow("auth in small letters") << Args{"auth", "me", "hunter2"};
    QTest::newRow("HELLO") << Args{"HELLO", "2", "AUTH", "me", "hunter2"};
    QTest::newRow("ACL") << Args{"ACL", "SETUSER", "me", ">hunter2"};
    QTest::newRow("CONFIG SET") << Args{"CONFIG", "SET", "requirepass", "hunter2"};
    QTest::newRow("environment of a job") << Args{"HSET", "hero:job:1", "id", "1", "env_vars", "{\"X\":\"hunter2\"}"};
    QTest::newRow("environment in a payload") << Args{"LPUSH", "q", "{\"id\":1,\"env_vars\":{\"X\":\"hunter2\"}}"};
    QTest::newRow("a field by name") << Args{"HSET", "k", "api_token", "hunter2"};
    QTest::newRow("text of a script") << Args{"EVAL", "return 'hunter2'", "0"};
}

void TestTracedStore::hidesSecrets()
{
    QFETCH(QList<QByteArray>, args);
    const QList<QByteArray> shown = shownArguments(Command{args});
    QVERIFY2(!shown.join(' ').contains("hunter2"), shown.join(' ').constData());
    QCOMPARE(shown.size(), args.size());
    QVERIFY(shown.join(' ').contains("(hidden, "));
}

void TestTracedStore::cutsLongArguments()
{
    const QList<QByteArray> shown = shownArguments(cmd("SET", "k", QByteArray(1000, 'x')));
    QVERIFY(shown[2].size() < 160);
    QVERIFY(shown[2].endsWith("(1000 bytes)"));
}

QTEST_GUILESS_MAIN(TestTracedStore)
#include "tst_traced_store.moc"
