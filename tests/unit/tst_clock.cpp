// Time: the manual clock, sleeping, and the timestamps of the protocols.
#include "core/base/clock.h"
#include "tests/support/await.h"

#include <QTest>

using namespace std::chrono_literals;
using ym::Clock;
using ym::ManualClock;
using ym::Milliseconds;
using ym::Timestamp;

namespace {

constexpr qint64 noon = 1'795'260'303'066; // 2026-11-21T11:25:03.066Z

Timestamp at(qint64 ms)
{
    return Timestamp{Milliseconds{ms}};
}

QCoro::Task<void> note(Clock *clock, Milliseconds duration, std::stop_token stop, QStringList *log, QString name)
{
    const bool passed = co_await clock->sleep(duration, stop);
    log->append(passed ? name : name + QStringLiteral(" cut short"));
}

} // namespace

class TestClock : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsTimestamps_data();
    void readsTimestamps();
    void refusesWhatIsNoTimestamp_data();
    void refusesWhatIsNoTimestamp();
    void writesUtcWithMilliseconds();
    void readsBackWhatItWrites();
    void systemSleepEnds();
    void systemSleepIsCutShortByStop();
    void systemSleepDoesNotStartWhenStopped();
    void manualSleepersWakeInOrderOfTheirDeadlines();
    void manualSleeperSeesTheTimeOfItsDeadline();
    void manualSleepIsCutShortByStop();
    void manualClockOutlivesACutSleeper();
    void wallClockJumpWakesNobody();
};

void TestClock::readsTimestamps_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("ms");
    QTest::newRow("as we write it") << QByteArray("2026-11-21T11:25:03.066Z") << noon;
    QTest::newRow("nine digits, +00:00") << QByteArray("2026-11-21T11:25:03.066123456+00:00") << noon;
    QTest::newRow("one fraction digit") << QByteArray("2026-11-21T11:25:03.5Z") << noon - 66 + 500;
    QTest::newRow("no fraction") << QByteArray("2026-11-21T11:25:03Z") << noon - 66;
    QTest::newRow("offset to the east") << QByteArray("2026-11-21T13:25:03.066+02:00") << noon;
    QTest::newRow("offset to the west, half an hour") << QByteArray("2026-11-21T07:55:03.066-03:30") << noon;
    QTest::newRow("no zone is UTC") << QByteArray("2026-11-21T11:25:03.066") << noon;
    QTest::newRow("space instead of T") << QByteArray("2026-11-21 11:25:03.066Z") << noon;
    QTest::newRow("lower-case t and z") << QByteArray("2026-11-21t11:25:03.066z") << noon;
    QTest::newRow("white space around") << QByteArray(" 2026-11-21T11:25:03.066Z\n") << noon;
    QTest::newRow("epoch seconds") << QByteArray("1795260303") << noon - 66;
    QTest::newRow("epoch milliseconds") << QByteArray("1795260303066") << noon;
    QTest::newRow("epoch zero") << QByteArray("0") << qint64{0};
    QTest::newRow("last millisecond of 9999") << QByteArray("9999-12-31T23:59:59.999Z") << qint64{253'402'300'799'999};
    QTest::newRow("leap day") << QByteArray("2024-02-29T00:00:00Z") << qint64{1'709'164'800'000};
}

void TestClock::readsTimestamps()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, ms);
    const std::optional<Timestamp> when = ym::parseTimestamp(text);
    QVERIFY(when.has_value());
    QCOMPARE(qint64(when->time_since_epoch().count()), ms);
}

void TestClock::refusesWhatIsNoTimestamp_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blank") << QByteArray("  ");
    QTest::newRow("word") << QByteArray("yesterday");
    QTest::newRow("date alone") << QByteArray("2026-11-21");
    QTest::newRow("zero date") << QByteArray("0000-00-00");
    QTest::newRow("no such day") << QByteArray("2026-02-30T00:00:00Z");
    QTest::newRow("no such hour") << QByteArray("2026-11-21T25:00:00Z");
    QTest::newRow("year far away") << QByteArray("292277026596-12-04T15:30:08Z");
    QTest::newRow("before 1970") << QByteArray("1969-12-31T23:59:59Z");
    QTest::newRow("negative epoch") << QByteArray("-1");
    QTest::newRow("epoch after 9999") << QByteArray("253402300800000");
    QTest::newRow("epoch beyond 64 bits") << QByteArray("99999999999999999999");
    QTest::newRow("epoch with a fraction") << QByteArray("1795260303.5");
    QTest::newRow("ten fraction digits") << QByteArray("2026-11-21T11:25:03.0661234567Z");
    QTest::newRow("dot without digits") << QByteArray("2026-11-21T11:25:03.Z");
    QTest::newRow("rubbish behind it") << QByteArray("2026-11-21T11:25:03.066Z; DROP");
    QTest::newRow("offset out of range") << QByteArray("2026-11-21T11:25:03.066+99:00");
    QTest::newRow("NUL inside") << QByteArray("2026-11-21T11:25\0:03Z", 21);
    QTest::newRow("letters of another script") << QByteArray("٢٠٢٦-11-21T11:25:03Z");
    QTest::newRow("64 KiB") << QByteArray(65536, '1');
}

void TestClock::refusesWhatIsNoTimestamp()
{
    QFETCH(QByteArray, text);
    QVERIFY(!ym::parseTimestamp(text).has_value());
}

void TestClock::writesUtcWithMilliseconds()
{
    QCOMPARE(ym::toRfc3339(at(noon)), QByteArray("2026-11-21T11:25:03.066Z"));
    QCOMPARE(ym::toRfc3339(at(0)), QByteArray("1970-01-01T00:00:00.000Z"));
}

void TestClock::readsBackWhatItWrites()
{
    for (const qint64 ms : {qint64{0}, qint64{999}, noon, qint64{253'402'300'799'999}}) {
        const auto back = ym::parseTimestamp(ym::toRfc3339(at(ms)));
        QVERIFY(back.has_value());
        QCOMPARE(qint64(back->time_since_epoch().count()), ms);
    }
}

void TestClock::systemSleepEnds()
{
    const ym::Monotonic before = Clock::system().monotonic();
    QVERIFY(ym::test::await(Clock::system().sleep(20ms, {})));
    QVERIFY(Clock::system().monotonic() - before >= 19ms);
}

void TestClock::systemSleepIsCutShortByStop()
{
    std::stop_source stop;
    QStringList log;
    const QCoro::Task<void> sleeper = note(&Clock::system(), 1h, stop.get_token(), &log, QStringLiteral("sleeper"));
    stop.request_stop();
    QCOMPARE(log, QStringList{QStringLiteral("sleeper cut short")});
}

void TestClock::systemSleepDoesNotStartWhenStopped()
{
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!ym::test::await(Clock::system().sleep(1h, stop.get_token())));
}

void TestClock::manualSleepersWakeInOrderOfTheirDeadlines()
{
    ManualClock clock;
    QStringList log;
    note(&clock, 300ms, {}, &log, QStringLiteral("third"));
    note(&clock, 100ms, {}, &log, QStringLiteral("first"));
    note(&clock, 200ms, {}, &log, QStringLiteral("second"));
    clock.advance(99ms);
    QCOMPARE(log, QStringList());
    clock.advance(101ms);
    QCOMPARE(log, (QStringList{QStringLiteral("first"), QStringLiteral("second")}));
    QCOMPARE(clock.sleeperCount(), 1);
    clock.advance(1h);
    QCOMPARE(log.last(), QStringLiteral("third"));
    QCOMPARE(clock.sleeperCount(), 0);
}

namespace {

QCoro::Task<void> noteTime(ManualClock *clock, QList<qint64> *times)
{
    for (int i = 0; i < 3; ++i) {
        co_await clock->sleep(10ms, {});
        times->append(clock->monotonic().count());
    }
}

} // namespace

void TestClock::manualSleeperSeesTheTimeOfItsDeadline()
{
    ManualClock clock;
    const Timestamp start = clock.now();
    QList<qint64> times;
    noteTime(&clock, &times);
    clock.advance(35ms);
    QCOMPARE(times, (QList<qint64>{10, 20, 30}));
    QCOMPARE(clock.monotonic(), ym::Monotonic{35});
    QCOMPARE(clock.now(), start + 35ms);
}

void TestClock::manualSleepIsCutShortByStop()
{
    ManualClock clock;
    std::stop_source stop;
    QStringList log;
    note(&clock, 1s, stop.get_token(), &log, QStringLiteral("sleeper"));
    QCOMPARE(clock.sleeperCount(), 1);
    stop.request_stop();
    QCOMPARE(log, QStringList{QStringLiteral("sleeper cut short")});
    QCOMPARE(clock.sleeperCount(), 0);
}

void TestClock::manualClockOutlivesACutSleeper()
{
    ManualClock clock;
    std::stop_source stop;
    QStringList log;
    note(&clock, 1s, stop.get_token(), &log, QStringLiteral("cut"));
    note(&clock, 2s, {}, &log, QStringLiteral("other"));
    stop.request_stop();
    clock.advance(3s);
    QCOMPARE(log, (QStringList{QStringLiteral("cut cut short"), QStringLiteral("other")}));
}

void TestClock::wallClockJumpWakesNobody()
{
    ManualClock clock;
    QStringList log;
    const Timestamp start = clock.now();
    note(&clock, 1s, {}, &log, QStringLiteral("sleeper"));
    clock.jumpWallClock(1h);
    QCOMPARE(log, QStringList());
    QCOMPARE(clock.now(), start + 1h);
    QCOMPARE(clock.monotonic(), ym::Monotonic{0});
    clock.advance(1s);
    QCOMPARE(log, QStringList{QStringLiteral("sleeper")});
}

QTEST_GUILESS_MAIN(TestClock)
#include "tst_clock.moc"
