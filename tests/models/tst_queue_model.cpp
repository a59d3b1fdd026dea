// The Queues page's table: order, history, rates and what is wrong with a queue.
#include "models/queue_history.h"
#include "models/queue_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ym;

namespace {

QueueInfo queue(const QByteArray &key, qint64 depth, int listeners = 1)
{
    QueueInfo info;
    info.key = key;
    info.target.type = key;
    info.depth = depth;
    info.listeners = listeners;
    return info;
}

ChangeSet news(QList<QueueInfo> queues)
{
    ChangeSet changes;
    changes.queues = std::move(queues);
    return changes;
}

} // namespace

class TestQueueModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void groups_queues_by_kind_and_target();
    void keeps_one_depth_a_second();
    void forgets_depths_after_a_minute();
    void rates_are_what_must_have_come_and_gone();
    void a_rate_that_would_be_zero_is_not_shown();
    void a_queue_of_which_nothing_is_heard_stands_still();
    void a_great_rate_has_no_decimals();
    void the_history_survives_other_news();
    void says_what_is_wrong_data();
    void says_what_is_wrong();
    void ages_are_refreshed_by_one_signal();
    void news_without_queues_changes_nothing();
};

void TestQueueModel::groups_queues_by_kind_and_target()
{
    ManualClock clock;
    QueueModel model(&clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    QueueInfo dead = queue("dead", 0);
    dead.kind = QueueKind::Dead;
    QueueInfo old = queue("old", 0);
    old.kind = QueueKind::Legacy;
    QueueInfo grouped = queue("python+gpu", 3);
    grouped.target = {"python", "gpu", "", 1, {}};
    model.apply(news({dead, old, queue("v", 1), grouped, queue("python", 2)}));
    QList<QByteArray> keys;
    for (int row = 0; row < model.rowCount(); ++row)
        keys.append(model.keyAt(row));
    QCOMPARE(keys, (QList<QByteArray>{"python", "python+gpu", "v", "old", "dead"}));
    QCOMPARE(model.totalDepth(), 6);
    QCOMPARE(model.rowOf("v"), 2);
    QCOMPARE(model.rowOf("nobody"), -1);
    QCOMPARE(model.index(1, QueueModel::Group).data().toString(), "gpu");
    QCOMPARE(model.index(1, QueueModel::Depth).data(QueueModel::SortRole).toLongLong(), 3);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestQueueModel::keeps_one_depth_a_second()
{
    ManualClock clock;
    QueueModel model(&clock);
    const auto history = [&] { return model.index(0, 0).data(QueueModel::HistoryRole).value<QList<qint64>>(); };
    model.apply(news({queue("q", 1)}));
    clock.advance(Milliseconds{300});
    model.apply(news({queue("q", 2)}));
    QCOMPARE(history(), (QList<qint64>{2}));
    clock.advance(Milliseconds{3000});
    model.apply(news({queue("q", 9)}));
    QCOMPARE(history(), (QList<qint64>{2, 2, 2, 9}));
}

void TestQueueModel::forgets_depths_after_a_minute()
{
    QueueHistory history;
    for (int second = 0; second < 200; ++second)
        history.add(second, Monotonic{second * 1000});
    QCOMPARE(history.samples().size(), 60);
    QCOMPARE(history.samples().first(), 140);
    history.add(7, Monotonic{10'000'000});
    QCOMPARE(history.samples().size(), 60);
    QCOMPARE(history.samples().first(), 199);
    QCOMPARE(history.samples().last(), 7);
}

void TestQueueModel::rates_are_what_must_have_come_and_gone()
{
    QueueHistory history;
    QCOMPARE(history.arrivals(), 0.0);
    const QList<qint64> depths{10, 20, 5, 5, 9};
    for (int i = 0; i < depths.size(); ++i)
        history.add(depths[i], Monotonic{i * 1000});
    QCOMPARE(history.arrivals(), 14 / 4.0);
    QCOMPARE(history.departures(), 15 / 4.0);
}

void TestQueueModel::a_rate_that_would_be_zero_is_not_shown()
{
    ManualClock clock;
    QueueModel model(&clock);
    for (int second = 0; second < 40; ++second, clock.advance(Milliseconds{1000}))
        model.apply(news({queue("q", second < 20 ? 1 : 2)}));
    model.tick();
    for (const int column : {QueueModel::Trend, QueueModel::In, QueueModel::Out})
        QCOMPARE(model.index(0, column).data().toString(), QString());
    model.apply(news({queue("q", 30)}));
    QVERIFY(!model.index(0, QueueModel::Trend).data().toString().isEmpty());
}

void TestQueueModel::a_queue_of_which_nothing_is_heard_stands_still()
{
    ManualClock clock;
    QueueModel model(&clock);
    model.apply(news({queue("q", 0)}));
    clock.advance(Milliseconds{1000});
    model.apply(news({queue("q", 50)}));
    QCOMPARE(model.index(0, QueueModel::Trend).data().toString(), QStringLiteral("+50.0/s"));
    QSignalSpy changed(&model, &QueueModel::dataChanged);
    for (int second = 0; second < 60; ++second) { // the feed tells queues only when they have changed
        clock.advance(Milliseconds{1000});
        model.tick();
    }
    QCOMPARE(model.index(0, QueueModel::Trend).data().toString(), QString());
    QCOMPARE(model.index(0, 0).data(QueueModel::HistoryRole).value<QList<qint64>>(), QList<qint64>(60, 50));
    QCOMPARE(changed.last().at(0).toModelIndex().column(), int(QueueModel::Trend));
}

void TestQueueModel::a_great_rate_has_no_decimals()
{
    ManualClock clock;
    QueueModel model(&clock);
    model.apply(news({queue("q", 0)}));
    clock.advance(Milliseconds{1000});
    model.apply(news({queue("q", 2'976)}));
    QCOMPARE(model.index(0, QueueModel::Trend).data().toString(), QStringLiteral("+2,976/s"));
}

void TestQueueModel::the_history_survives_other_news()
{
    ManualClock clock;
    QueueModel model(&clock);
    model.apply(news({queue("b", 1)}));
    clock.advance(Milliseconds{1000});
    model.apply(news({queue("a", 5), queue("b", 2)}));
    QCOMPARE(model.index(1, 0).data(QueueModel::HistoryRole).value<QList<qint64>>(), (QList<qint64>{1, 2}));
    QVERIFY(model.index(1, QueueModel::In).data().toString().contains("1"));
    QVERIFY(model.index(1, QueueModel::Trend).data().toString().startsWith(u'+'));
    QVERIFY(model.index(1, QueueModel::Out).data().toString().isEmpty());
}

void TestQueueModel::says_what_is_wrong_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("listeners");
    QTest::addColumn<bool>("invalid");
    QTest::addColumn<bool>("lacksListener");
    QTest::addColumn<bool>("hasHint");
    QTest::newRow("jobs and a listener") << int(QueueKind::Work) << 3 << 1 << false << false << false;
    QTest::newRow("jobs and nobody") << int(QueueKind::Work) << 3 << 0 << false << true << true;
    QTest::newRow("empty and nobody") << int(QueueKind::Work) << 0 << 0 << false << false << false;
    QTest::newRow("legacy jobs and nobody who can be seen") << int(QueueKind::Legacy) << 1 << 0 << false << false << true;
    QTest::newRow("stop requests need no listener") << int(QueueKind::Control) << 1 << 0 << false << false << false;
    QTest::newRow("dead jobs") << int(QueueKind::Dead) << 1 << 0 << false << false << true;
    QTest::newRow("another type of key") << int(QueueKind::Work) << 3 << 0 << true << false << true;
}

void TestQueueModel::says_what_is_wrong()
{
    QFETCH(int, kind);
    QFETCH(int, depth);
    QFETCH(int, listeners);
    QFETCH(bool, invalid);
    ManualClock clock;
    QueueModel model(&clock);
    QueueInfo info = queue("q", depth, listeners);
    info.kind = QueueKind(kind);
    info.invalid = invalid;
    model.apply(news({info}));
    QTEST(model.index(0, 0).data(QueueModel::NoListenerRole).toBool(), "lacksListener");
    QTEST(!model.index(0, 0).data(QueueModel::HintRole).toString().isEmpty(), "hasHint");
}

void TestQueueModel::ages_are_refreshed_by_one_signal()
{
    ManualClock clock;
    QueueModel model(&clock);
    QueueInfo info = queue("a", 1);
    info.oldest = clock.now();
    model.apply(news({info, queue("b", 1)}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    clock.advance(Milliseconds{5000});
    model.tick();
    QCOMPARE(changed.size(), 1);
    QVERIFY(model.index(0, QueueModel::Oldest).data().toString().contains("5 s"));
}

void TestQueueModel::news_without_queues_changes_nothing()
{
    ManualClock clock;
    QueueModel model(&clock);
    model.apply(news({queue("a", 1)}));
    model.apply(ChangeSet());
    QCOMPARE(model.rowCount(), 1);
}

QTEST_GUILESS_MAIN(TestQueueModel)
#include "tst_queue_model.moc"
