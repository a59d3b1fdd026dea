// A loop's sleep ends when time passes, when somebody rings, or when its owner stops.
#include "core/base/alarm.h"
#include "core/base/task_scope.h"

#include <QTest>

using namespace ym;
using namespace std::chrono_literals;

class TestAlarm : public QObject {
    Q_OBJECT

    ManualClock m_clock;

    QCoro::Task<void> waitOnce(Alarm *alarm, std::stop_token stop, int *ended)
    {
        co_await alarm->wait(&m_clock, 10s, stop);
        ++*ended;
    }

private Q_SLOTS:
    void endsWhenTheTimeHasPassed()
    {
        Alarm alarm;
        TaskScope scope("test");
        int ended = 0;
        scope.spawn(waitOnce(&alarm, scope.token(), &ended));
        m_clock.advance(9999ms);
        QCOMPARE(ended, 0);
        m_clock.advance(1ms);
        QCOMPARE(ended, 1);
    }

    void endsAtOnceWhenRung()
    {
        Alarm alarm;
        TaskScope scope("test");
        int ended = 0;
        scope.spawn(waitOnce(&alarm, scope.token(), &ended));
        alarm.ring();
        QCOMPARE(ended, 1);
    }

    void aRingBeforeTheWaitIsNotLost()
    {
        Alarm alarm;
        TaskScope scope("test");
        int ended = 0;
        alarm.ring();
        scope.spawn(waitOnce(&alarm, scope.token(), &ended));
        QCOMPARE(ended, 1);
        scope.spawn(waitOnce(&alarm, scope.token(), &ended));
        QCOMPARE(ended, 1); // one ring ends one wait
        m_clock.advance(10s);
        QCOMPARE(ended, 2);
    }

    void endsWhenTheOwnerStops()
    {
        Alarm alarm;
        TaskScope scope("test");
        int ended = 0;
        scope.spawn(waitOnce(&alarm, scope.token(), &ended));
        scope.stop();
        QCOMPARE(ended, 1);
    }
};

QTEST_GUILESS_MAIN(TestAlarm)
#include "tst_alarm.moc"
