// After a time in which nobody could renew a lease nobody is rescued for the length of one.
#include "core/protocol/lease_grace.h"
#include "tests/support/fake_store.h"

#include <QtTest>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

namespace {

constexpr Milliseconds lease{30'000};

struct Bench {
    FakeStore store;
    ManualClock clock;
    LeaseGrace grace{&store, &clock, lease};

    void lose(Milliseconds time)
    {
        store.setReady(false);
        clock.advance(time);
        store.setReady(true);
    }
};

} // namespace

class TestLeaseGrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isOffWhileNothingHappens()
    {
        Bench bench;
        QVERIFY(!bench.grace.isOn());
        bench.clock.advance(10h);
        QVERIFY(!bench.grace.isOn());
    }

    void isOnWhileTheStoreIsAway()
    {
        Bench bench;
        bench.store.setReady(false);
        QVERIFY(bench.grace.isOn());
    }

    void aShortOutageEndsNoLease()
    {
        Bench bench;
        bench.lose(14s);
        QVERIFY(!bench.grace.isOn());
        for (int i = 0; i < 10; ++i) // a connection that flaps keeps nobody from rescuing
            bench.lose(1s);
        QVERIFY(!bench.grace.isOn());
    }

    void aLongOutageIsFollowedByOneLease()
    {
        Bench bench;
        bench.lose(15s);
        QVERIFY(bench.grace.isOn());
        bench.clock.advance(29s);
        QVERIFY(bench.grace.isOn());
        bench.lose(0s); // lost once more at once: the grace is as long as it was
        bench.clock.advance(1s);
        QVERIFY(!bench.grace.isOn());
    }

    void aStoreThatWasAwayFromTheBeginningCounts()
    {
        FakeStore store;
        ManualClock clock;
        store.setReady(false);
        LeaseGrace grace(&store, &clock, lease);
        clock.advance(1min);
        store.setReady(true);
        QVERIFY(grace.isOn());
        clock.advance(30s);
        QVERIFY(!grace.isOn());
    }

    void aComputerThatSleptCounts_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::addColumn<bool>("isOn");
        QTest::newRow("slept") << 3600 << true;
        QTest::newRow("corrected a little") << 5 << false;
        QTest::newRow("back") << -3600 << false;
    }
    void aComputerThatSleptCounts()
    {
        QFETCH(int, seconds);
        QFETCH(bool, isOn);
        Bench bench;
        bench.clock.jumpWallClock(std::chrono::seconds{seconds});
        QCOMPARE(bench.grace.isOn(), isOn);
        bench.clock.advance(30s);
        QVERIFY(!bench.grace.isOn());
    }

    void aStoreWhoseTimeGoesOnFurtherCounts()
    {
        Bench bench;
        auto question = bench.grace.ask();
        QVERIFY(!question.latest); // nobody knows what time it is there
        bench.grace.answered(question, 1'000'000);
        bench.clock.advance(10s);
        question = bench.grace.ask();
        QCOMPARE(question.latest, std::optional<qint64>(1'000'000 + 25'000));
        bench.grace.answered(question, 1'024'000);
        QVERIFY(!bench.grace.isOn());
        bench.clock.advance(10s);
        bench.grace.answered(bench.grace.ask(), 1'090'000);
        QVERIFY(bench.grace.isOn());
        QCOMPARE(bench.grace.ask().latest, std::optional<qint64>(0));
        bench.clock.advance(30s);
        QVERIFY(!bench.grace.isOn());
    }

    /// SIGSTOP, or a thread that was blocked: both clocks and the store's went on, and nobody here renewed anything.
    void aProcessThatStoodStillCounts()
    {
        Bench asleep;
        asleep.clock.advance(20s); // before it asked for the first time
        QCOMPARE(asleep.grace.ask().latest, std::optional<qint64>(0));
        Bench waiting;
        auto question = waiting.grace.ask();
        waiting.clock.advance(20s); // the answer was there long ago
        waiting.grace.answered(question, 1'000'000);
        QCOMPARE(waiting.grace.ask().latest, std::optional<qint64>(0));
        Bench bench;
        bench.grace.answered(bench.grace.ask(), 1'000'000);
        bench.clock.advance(10s);
        question = bench.grace.ask();
        QVERIFY(question.latest != std::optional<qint64>(0));
        bench.grace.answered(question, 1'010'000);
        bench.clock.advance(20s);
        question = bench.grace.ask();
        QCOMPARE(question.latest, std::optional<qint64>(0));
        bench.grace.answered(question, 1'030'000);
        for (int i = 0; i < 3; ++i) {
            bench.clock.advance(10s);
            question = bench.grace.ask();
            bench.grace.answered(question, 1'040'000);
        }
        QVERIFY(!question.latest); // once after each grace everything counts
    }

    /// Also when it does so in the grace after another outage.
    void aProcessThatStoodStillDuringAGraceCounts_data()
    {
        QTest::addColumn<std::chrono::seconds>("asked");
        QTest::addColumn<std::chrono::seconds>("stood");
        QTest::newRow("and woke up in it") << 1s << 20s;
        QTest::newRow("and woke up after it") << 1s << 60s;
        QTest::newRow("from its end on") << 29s << 60s;
    }
    void aProcessThatStoodStillDuringAGraceCounts()
    {
        QFETCH(std::chrono::seconds, asked);
        QFETCH(std::chrono::seconds, stood);
        Bench bench;
        bench.lose(20s);
        for (auto passed = 0s; passed < asked; passed += 1s) {
            bench.grace.answered(bench.grace.ask(), 1'000'000);
            bench.clock.advance(1s);
        }
        bench.grace.answered(bench.grace.ask(), 1'000'000);
        bench.clock.advance(stood);
        for (int i = 0; i < 3; ++i) { // a whole lease more
            const auto question = bench.grace.ask();
            QCOMPARE(question.latest, std::optional<qint64>(0));
            bench.grace.answered(question, 1'100'000);
            bench.clock.advance(10s);
        }
        QVERIFY(!bench.grace.ask().latest);
    }

    void whoStandsStillAgainAndAgainRescuesAllTheSame()
    {
        Bench bench;
        int counts = 0;
        for (int i = 0; i < 20; ++i) {
            const auto question = bench.grace.ask();
            counts += question.latest ? 0 : 1;
            bench.grace.answered(question, 1'000'000 + i * 20'000);
            bench.clock.advance(20s);
        }
        QVERIFY2(counts >= 3, qPrintable(QString::number(counts)));
    }

    void slowAnswersPutNothingOffForEver()
    {
        Bench bench;
        int counts = 0;
        for (int i = 0; i < 20; ++i) {
            const auto question = bench.grace.ask();
            counts += question.latest ? 0 : 1;
            bench.clock.advance(16s); // until it was done
            bench.grace.answered(question, 1'000'000 + i * 60'000);
        }
        QVERIFY2(counts >= 4, qPrintable(QString::number(counts)));
    }

    void aStoreWhoseTimeGoesBackDoesNot()
    {
        Bench bench;
        bench.grace.answered(bench.grace.ask(), 1'000'000);
        bench.grace.answered(bench.grace.ask(), 1'000);
        QVERIFY(!bench.grace.isOn());
    }
};

QTEST_GUILESS_MAIN(TestLeaseGrace)
#include "tst_lease_grace.moc"
