// The tables of live and of local workers, and what forms learn from them.
#include "models/local_worker_model.h"
#include "models/presence_index.h"
#include "models/worker_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace ym;

namespace {

WorkerInfo worker(const QByteArray &type, const QByteArray &group, const QByteArray &instance)
{
    WorkerInfo info;
    info.key = type + ':' + group + ':' + instance;
    info.target = {type, group, instance, 1, {}};
    info.ttlMs = 15'000;
    return info;
}

ChangeSet news(QList<WorkerInfo> workers)
{
    ChangeSet changes;
    changes.workers = std::move(workers);
    return changes;
}

ChangeSet localNews(QList<LocalWorkerInfo> workers)
{
    ChangeSet changes;
    changes.localWorkers = std::move(workers);
    return changes;
}

} // namespace

class TestWorkerModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void orders_workers_by_type_group_and_instance();
    void tells_the_state_data();
    void tells_the_state();
    void a_worker_falls_silent_as_time_passes();
    void remembers_since_when_a_job_has_been_running();
    void local_workers_keep_their_rows();
    void forms_learn_which_workers_live();
    void listeners_serve_the_target_data();
    void listeners_serve_the_target();
};

void TestWorkerModels::orders_workers_by_type_group_and_instance()
{
    ManualClock clock;
    WorkerModel model(&clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    model.apply(news({worker("v", "a", "1"), worker("python", "b", "2"), worker("python", "b", "1")}));
    QCOMPARE(model.keyAt(0), QByteArray("python:b:1"));
    QCOMPARE(model.keyAt(2), QByteArray("v:a:1"));
    QCOMPARE(model.rowOf("python:b:2"), 1);
    model.apply(news({worker("v", "a", "1"), worker("osis", "", "1")}));
    QCOMPARE(model.rowCount(), 2);
    model.apply(ChangeSet());
    QCOMPARE(model.rowCount(), 2);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestWorkerModels::tells_the_state_data()
{
    QTest::addColumn<int>("heartbeatAge");
    QTest::addColumn<bool>("busy");
    QTest::addColumn<bool>("quiet");
    QTest::addColumn<bool>("invalid");
    QTest::addColumn<WorkerModel::State>("state");
    QTest::newRow("idle") << 1000 << false << false << false << WorkerModel::State::Idle;
    QTest::newRow("busy") << 1000 << true << false << false << WorkerModel::State::Busy;
    QTest::newRow("quiet, also when busy") << 1000 << true << true << false << WorkerModel::State::Quiet;
    QTest::newRow("silent") << 16'000 << true << false << false << WorkerModel::State::Silent;
    QTest::newRow("silent from the future") << -3'600'000 << true << false << false << WorkerModel::State::Silent;
    QTest::newRow("a clock that is a little ahead") << -10'000 << true << false << false << WorkerModel::State::Busy;
    QTest::newRow("unreadable") << 1000 << false << false << true << WorkerModel::State::Unreadable;
    QTest::newRow("idle without heartbeat") << -1 << false << false << false << WorkerModel::State::Idle;
}

void TestWorkerModels::tells_the_state()
{
    QFETCH(int, heartbeatAge);
    QFETCH(bool, busy);
    QFETCH(bool, quiet);
    QFETCH(bool, invalid);
    ManualClock clock;
    WorkerModel model(&clock);
    WorkerInfo info = worker("python", "a", "1");
    if (heartbeatAge != -1)
        info.lastHeartbeat = clock.now() - Milliseconds{heartbeatAge};
    if (busy)
        info.busy = {"job"};
    info.quiet = quiet;
    info.invalid = invalid;
    model.apply(news({info}));
    QTEST(WorkerModel::State(model.index(0, 0).data(WorkerModel::StateRole).toInt()), "state");
}

void TestWorkerModels::a_worker_falls_silent_as_time_passes()
{
    ManualClock clock;
    WorkerModel model(&clock);
    WorkerInfo info = worker("python", "a", "1");
    info.lastHeartbeat = clock.now();
    model.apply(news({info}));
    QVERIFY(model.index(0, 0).data(WorkerModel::HintRole).toString().isEmpty());
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    clock.advance(Milliseconds{20'000});
    model.tick();
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.index(0, 0).data(WorkerModel::StateRole).toInt(), int(WorkerModel::State::Silent));
    QVERIFY(!model.index(0, 0).data(WorkerModel::HintRole).toString().isEmpty());
    QVERIFY(model.index(0, WorkerModel::Heartbeat).data().toString().contains("20 s"));
}

void TestWorkerModels::remembers_since_when_a_job_has_been_running()
{
    ManualClock clock;
    WorkerModel model(&clock);
    WorkerInfo info = worker("python", "a", "1");
    info.slotCount = 2;
    info.busy = {"0f8fad5b-d9cb-469f-a165-70867728950e"};
    model.apply(news({info}));
    clock.advance(Milliseconds{30'000});
    info.busy.append("second");
    model.apply(news({info}));
    QVERIFY(model.index(0, WorkerModel::Since).data().toString().contains("30 s"));
    QCOMPARE(model.index(0, WorkerModel::Busy).data().toString(), "0f8fad5b, second");
    QCOMPARE(model.index(0, WorkerModel::Slots).data().toString(), "2 / 2");
    QCOMPARE(model.busyCount(), 2);
    info.busy = {"second"};
    model.apply(news({info}));
    QVERIFY(model.index(0, WorkerModel::Since).data().toString().contains("0 s"));
}

void TestWorkerModels::local_workers_keep_their_rows()
{
    LocalWorkerModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    LocalWorkerInfo one;
    one.handle = 4;
    one.types = {"python", "v"};
    one.slotCount = 3;
    one.state = LocalWorkerInfo::State::Running;
    LocalWorkerInfo two = one;
    two.handle = 2;
    model.apply(localNews({one, two}));
    QCOMPARE(model.handleAt(0), 2u);
    QCOMPARE(model.index(1, LocalWorkerModel::Types).data().toString(), "python, v");
    QPersistentModelIndex kept(model.index(1, 0));
    one.state = LocalWorkerInfo::State::Stopped;
    one.trouble = "<b>no interpreter</b>";
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.apply(localNews({one}));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(kept.row(), 0);
    QCOMPARE(model.index(0, 0).data(LocalWorkerModel::TroubleRole).toString(), "<b>no interpreter</b>");
    QCOMPARE(model.liveCount(), 0);
    QCOMPARE(model.rowOf(2), -1);
}

void TestWorkerModels::forms_learn_which_workers_live()
{
    PresenceIndex index;
    QSignalSpy changed(&index, &PresenceIndex::changed);
    WorkerInfo broken = worker("broken", "x", "1");
    broken.invalid = true;
    const ChangeSet workers =
        news({worker("v", "b", "1"), worker("python", "b", "2"), worker("python", "a", "1"), broken});
    index.apply(workers);
    index.apply(workers);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(index.types(), (QStringList{"python", "v"}));
    QCOMPARE(index.groups("python"), (QStringList{"a", "b"}));
    QCOMPARE(index.groups({}), (QStringList{"a", "b"}));
    QCOMPARE(index.instances("python", "b"), (QStringList{"2"}));
    QCOMPARE(index.instances({}, {}), (QStringList{"1", "2"}));
    index.clear();
    QCOMPARE(changed.size(), 2);
    QVERIFY(index.types().isEmpty());
}

void TestWorkerModels::listeners_serve_the_target_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("group");
    QTest::addColumn<QByteArray>("instance");
    QTest::addColumn<int>("count");
    QTest::newRow("a type") << QByteArray("python") << QByteArray() << QByteArray() << 2;
    QTest::newRow("a group") << QByteArray("python") << QByteArray("a") << QByteArray() << 1;
    QTest::newRow("an instance") << QByteArray("python") << QByteArray("b") << QByteArray("2") << 1;
    QTest::newRow("an instance that is not there") << QByteArray("python") << QByteArray("b") << QByteArray("9") << 0;
    QTest::newRow("another type") << QByteArray("v") << QByteArray() << QByteArray() << 0;
}

void TestWorkerModels::listeners_serve_the_target()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, group);
    QFETCH(QByteArray, instance);
    WorkerInfo quiet = worker("python", "a", "9");
    quiet.quiet = true;
    PresenceIndex index;
    index.apply(news({worker("python", "a", "1"), worker("python", "b", "2"), quiet}));
    QTEST(int(index.listeners({type, group, instance, 1, {}}).size()), "count");
}

QTEST_GUILESS_MAIN(TestWorkerModels)
#include "tst_worker_models.moc"
