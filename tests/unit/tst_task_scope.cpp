// The owner of coroutines: it waits for its members, stops them, and keeps their errors from spreading.
#include "core/base/error.h"
#include "core/base/task_scope.h"
#include "tests/support/await.h"

#include <QTest>

using ym::Completion;
using ym::ErrorKind;
using ym::TaskScope;

namespace {

QCoro::Task<void> waitFor(Completion<bool> gate, QStringList *log, QString name)
{
    co_await gate;
    log->append(name);
}

QCoro::Task<void> waitForStop(std::stop_token stop, QStringList *log)
{
    const Completion<bool> stopped;
    const std::stop_callback onStop(stop, [stopped] { stopped.resolve(true); });
    co_await stopped;
    log->append(QStringLiteral("stopped"));
}

QCoro::Task<void> fail(ErrorKind kind)
{
    throw ym::StoreError(kind, QStringLiteral("the reason"));
    co_return;
}

QCoro::Task<void> failOtherwise()
{
    throw std::runtime_error("not ours");
    co_return;
}

QCoro::Task<void> drain(TaskScope *scope, QStringList *log, QString name)
{
    co_await scope->drain();
    log->append(name);
}

} // namespace

class TestTaskScope : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drainOfAnEmptyScopeReturnsAtOnce();
    void drainWaitsForEveryMember();
    void drainAsksMembersToStop();
    void severalMayDrain();
    void memberThatEndedAtOnceIsNotCounted();
    void storeErrorIsLoggedAndGoesNoFurther();
    void cancellationIsSilent();
    void foreignExceptionIsLoggedAndGoesNoFurther();
    void memberMayOutliveTheTaskObject();
    void rejectionReachesTheWaiter();
    void onlyTheFirstDeliveryCounts();
};

void TestTaskScope::drainOfAnEmptyScopeReturnsAtOnce()
{
    TaskScope scope("test");
    ym::test::await(scope.drain());
    QVERIFY(scope.isStopping());
}

void TestTaskScope::drainWaitsForEveryMember()
{
    TaskScope scope("test");
    QStringList log;
    const Completion<bool> first;
    const Completion<bool> second;
    scope.spawn(waitFor(first, &log, QStringLiteral("first")));
    scope.spawn(waitFor(second, &log, QStringLiteral("second")));
    QCOMPARE(scope.activeCount(), 2);
    const QCoro::Task<void> draining = drain(&scope, &log, QStringLiteral("drained"));
    second.resolve(true);
    QCOMPARE(log, QStringList{QStringLiteral("second")});
    first.resolve(true);
    QCOMPARE(log, (QStringList{QStringLiteral("second"), QStringLiteral("first"), QStringLiteral("drained")}));
    QCOMPARE(scope.activeCount(), 0);
}

void TestTaskScope::drainAsksMembersToStop()
{
    TaskScope scope("test");
    QStringList log;
    scope.spawn(waitForStop(scope.token(), &log));
    QVERIFY(!scope.isStopping());
    ym::test::await(scope.drain());
    QCOMPARE(log, QStringList{QStringLiteral("stopped")});
}

void TestTaskScope::severalMayDrain()
{
    TaskScope scope("test");
    QStringList log;
    const Completion<bool> gate;
    scope.spawn(waitFor(gate, &log, QStringLiteral("member")));
    const QCoro::Task<void> a = drain(&scope, &log, QStringLiteral("a"));
    const QCoro::Task<void> b = drain(&scope, &log, QStringLiteral("b"));
    gate.resolve(true);
    QCOMPARE(log, (QStringList{QStringLiteral("member"), QStringLiteral("a"), QStringLiteral("b")}));
}

void TestTaskScope::memberThatEndedAtOnceIsNotCounted()
{
    TaskScope scope("test");
    QStringList log;
    const Completion<bool> gate;
    gate.resolve(true);
    scope.spawn(waitFor(gate, &log, QStringLiteral("member")));
    QCOMPARE(scope.activeCount(), 0);
    QCOMPARE(log, QStringList{QStringLiteral("member")});
}

void TestTaskScope::storeErrorIsLoggedAndGoesNoFurther()
{
    TaskScope scope("the owner");
    QTest::ignoreMessage(QtWarningMsg, "the owner: the reason");
    scope.spawn(fail(ErrorKind::Io));
    QCOMPARE(scope.activeCount(), 0);
}

void TestTaskScope::cancellationIsSilent()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    TaskScope scope("the owner");
    scope.spawn(fail(ErrorKind::Cancelled));
    QCOMPARE(scope.activeCount(), 0);
}

void TestTaskScope::foreignExceptionIsLoggedAndGoesNoFurther()
{
    TaskScope scope("the owner");
    QTest::ignoreMessage(QtCriticalMsg, "the owner: unexpected exception: not ours");
    scope.spawn(failOtherwise());
    QCOMPARE(scope.activeCount(), 0);
}

void TestTaskScope::memberMayOutliveTheTaskObject()
{
    TaskScope scope("test");
    QStringList log;
    const Completion<bool> gate;
    {
        QCoro::Task<void> task = waitFor(gate, &log, QStringLiteral("member"));
        scope.spawn(std::move(task));
    }
    gate.resolve(true);
    QCOMPARE(log, QStringList{QStringLiteral("member")});
}

namespace {

QCoro::Task<int> value(Completion<int> completion)
{
    co_return co_await completion;
}

} // namespace

void TestTaskScope::rejectionReachesTheWaiter()
{
    const Completion<int> completion;
    QCoro::Task<int> waiter = value(completion);
    completion.reject(std::make_exception_ptr(ym::StoreError(ErrorKind::Timeout, QStringLiteral("late"))));
    QCOMPARE(ym::test::failureOf(std::move(waiter)), std::optional(ErrorKind::Timeout));
}

void TestTaskScope::onlyTheFirstDeliveryCounts()
{
    const Completion<int> completion;
    completion.resolve(1);
    completion.resolve(2);
    completion.reject(std::make_exception_ptr(std::runtime_error("late")));
    QCOMPARE(ym::test::await(value(completion)), 1);
}

QTEST_GUILESS_MAIN(TestTaskScope)
#include "tst_task_scope.moc"
