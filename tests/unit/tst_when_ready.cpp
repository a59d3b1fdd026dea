// The end of a future reaches an object that lives, in its thread, and never one that is gone.
#include "core/base/when_ready.h"

#include <QPromise>
#include <QScopeGuard>
#include <QTest>

#include <thread>

using ym::whenReady;

namespace {

/// A promise that was started, so that its future is not over.
template <typename T> std::unique_ptr<QPromise<T>> started()
{
    auto promise = std::make_unique<QPromise<T>>();
    promise->start();
    return promise;
}

template <typename T> void end(QPromise<T> &promise, T value)
{
    promise.addResult(std::move(value));
    promise.finish();
}

/// Everything that was posted so far is delivered, also deletions.
void deliverPosted()
{
    QCoreApplication::sendPostedEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

/// Notes that it was let go.
std::shared_ptr<void> token(bool *isGone)
{
    return {nullptr, [isGone](void *) { *isGone = true; }};
}

} // namespace

class TestWhenReady : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resultComesFromTheEventLoop()
    {
        QObject context;
        const auto promise = started<int>();
        int got = 0;
        whenReady(promise->future(), &context, [&got](int value) { got = value; });
        end(*promise, 7);
        QCOMPARE(got, 0);
        deliverPosted();
        QCOMPARE(got, 7);
    }

    void futureThatIsOverIsDeliveredLikewise()
    {
        QObject context;
        int got = 0;
        whenReady(QtFuture::makeReadyFuture(7), &context, [&got](int value) { got = value; });
        QCOMPARE(got, 0);
        deliverPosted();
        QCOMPARE(got, 7);
    }

    void futureWithoutAValueIsDeliveredLikewise()
    {
        QObject context;
        const auto promise = started<void>();
        int calls = 0;
        whenReady(promise->future(), &context, [&calls] { ++calls; });
        deliverPosted();
        QCOMPARE(calls, 0);
        promise->finish();
        deliverPosted();
        QCOMPARE(calls, 1);
    }

    void nothingComesWhenTheContextDiedBeforeTheEnd()
    {
        auto context = std::make_unique<QObject>();
        const auto promise = started<int>();
        bool isGone = false;
        int calls = 0;
        whenReady(promise->future(), context.get(), [&calls, kept = token(&isGone)](int) { ++calls; });
        QVERIFY(!isGone);
        context.reset();
        QVERIFY(isGone);
        end(*promise, 7);
        deliverPosted();
        QCOMPARE(calls, 0);
    }

    void nothingComesWhenTheContextDiesBetweenTheEndAndTheEventLoop()
    {
        auto context = std::make_unique<QObject>();
        const auto promise = started<int>();
        int calls = 0;
        whenReady(promise->future(), context.get(), [&calls](int) { ++calls; });
        end(*promise, 7);
        context.reset();
        deliverPosted();
        QCOMPARE(calls, 0);
    }

    void nothingComesFromACancelledFuture_data()
    {
        QTest::addColumn<bool>("isBefore");
        QTest::newRow("cancelled before") << true;
        QTest::newRow("cancelled while it runs") << false;
    }
    void nothingComesFromACancelledFuture()
    {
        QFETCH(const bool, isBefore);
        QObject context;
        const auto promise = started<int>();
        const auto cancel = [&promise] {
            promise->addResult(7); // even with a result
            promise->future().cancel();
            promise->finish();
        };
        if (isBefore)
            cancel();
        bool isGone = false;
        int calls = 0;
        whenReady(promise->future(), &context, [&calls, kept = token(&isGone)](int) { ++calls; });
        if (!isBefore)
            cancel();
        deliverPosted();
        QCOMPARE(calls, 0);
        QVERIFY(isGone);
        QVERIFY(context.children().isEmpty());
    }

    void nothingComesFromABrokenPromise()
    {
        QObject context;
        auto promise = started<int>();
        int calls = 0;
        whenReady(promise->future(), &context, [&calls](int) { ++calls; });
        promise.reset();
        deliverPosted();
        QCOMPARE(calls, 0);
    }

    void nothingComesFromAFutureThatNeverWas()
    {
        QObject context;
        int calls = 0;
        whenReady(QFuture<int>(), &context, [&calls](int) { ++calls; });
        whenReady(QFuture<void>(), &context, [&calls] { ++calls; });
        deliverPosted();
        QCOMPARE(calls, 0);
    }

    void nothingComesWithoutAResult()
    {
        QObject context;
        const auto promise = started<int>();
        int calls = 0;
        whenReady(promise->future(), &context, [&calls](int) { ++calls; });
        promise->finish();
        deliverPosted();
        QCOMPARE(calls, 0);
    }

    void exceptionIsLogged_data()
    {
        QTest::addColumn<bool>("isWrapped");
        QTest::newRow("as it was thrown") << false;
        QTest::newRow("as QtConcurrent wraps it") << true;
    }
    void exceptionIsLogged()
    {
        QFETCH(const bool, isWrapped);
        QObject context;
        const auto number = started<int>();
        const auto nothing = started<void>();
        int calls = 0;
        whenReady(number->future(), &context, [&calls](int) { ++calls; });
        whenReady(nothing->future(), &context, [&calls] { ++calls; });
        const auto breakWith = [isWrapped](auto &promise, const std::exception_ptr &thrown) {
            if (isWrapped)
                promise.setException(QUnhandledException(thrown));
            else
                promise.setException(thrown);
            promise.finish();
        };
        breakWith(*number, std::make_exception_ptr(std::runtime_error("the reason")));
        breakWith(*nothing, std::make_exception_ptr(42));
        QTest::ignoreMessage(QtWarningMsg, "background work failed: the reason");
        QTest::ignoreMessage(QtWarningMsg, "background work failed: unknown exception");
        deliverPosted();
        QCOMPARE(calls, 0);
    }

    void callbackMayDeleteTheContext()
    {
        auto *const context = new QObject;
        bool isGone = false;
        bool wasThere = false;
        whenReady(QtFuture::makeReadyFuture(), context, [context, &isGone, &wasThere, kept = token(&isGone)] {
            delete context;
            wasThere = !isGone; // what it holds stays until it returns
        });
        deliverPosted();
        QVERIFY(wasThere);
        QVERIFY(isGone);
    }

    void manyComeInTheOrderInWhichTheyEnd()
    {
        constexpr int count = 1000;
        QObject context;
        std::vector<std::unique_ptr<QPromise<int>>> promises;
        QList<int> got;
        for (int i = 0; i < count; ++i) {
            promises.push_back(started<int>());
            whenReady(promises.back()->future(), &context, [&got](int value) { got.append(value); });
        }
        QList<int> expected;
        for (int i = count - 1; i >= 0; --i) {
            end(*promises[size_t(i)], i);
            expected.append(i);
        }
        deliverPosted();
        QCOMPARE(got, expected);
        QVERIFY(context.children().isEmpty());
    }

    void oneFutureHasManyCallbacks()
    {
        QObject first;
        QObject second;
        const auto promise = started<QString>();
        QStringList got;
        whenReady(promise->future(), &first, [&got](const QString &text) { got.append(text + u'1'); });
        whenReady(promise->future(), &second, [&got](const QString &text) { got.append(text + u'2'); });
        promise->future().then([](const QString &) {}); // one that is not ours disturbs nobody
        end(*promise, QStringLiteral("call "));
        deliverPosted();
        QCOMPARE(got, (QStringList{QStringLiteral("call 1"), QStringLiteral("call 2")}));
    }

    void endFromAnotherThreadComesToTheContextsThread()
    {
        QObject context;
        const auto promise = started<int>();
        QThread *where = nullptr;
        int got = 0;
        whenReady(promise->future(), &context, [&where, &got](int value) {
            where = QThread::currentThread();
            got = value;
        });
        std::thread other([&promise] { end(*promise, 7); });
        const auto join = qScopeGuard([&other] { other.join(); });
        QTRY_COMPARE(got, 7);
        QCOMPARE(where, QThread::currentThread());
    }

    /// For the sanitizers: the same instant, again and again.
    void contextMayDieWhileAnotherThreadEndsTheFuture()
    {
        for (int round = 0; round < 500; ++round) {
            auto context = std::make_unique<QObject>();
            const auto promise = started<int>();
            bool isDead = false;
            bool wasLate = false;
            whenReady(promise->future(), context.get(), [&](int) { wasLate = isDead; });
            std::atomic_bool go = false;
            std::thread other([&] {
                while (!go)
                    std::this_thread::yield();
                end(*promise, round);
            });
            go = true;
            if (round % 2 == 0)
                std::this_thread::yield();
            context.reset();
            isDead = true;
            other.join();
            deliverPosted();
            QVERIFY(!wasLate);
        }
    }
};

QTEST_GUILESS_MAIN(TestWhenReady)
#include "tst_when_ready.moc"
