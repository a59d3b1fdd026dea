// Why jobs are gone: what INFO tells, and what follows from it.
#include "core/engine/loss_watch.h"

#include <QTest>

using namespace ym;
using namespace std::chrono_literals;

namespace {

constexpr Monotonic then{100'000};
constexpr Monotonic later{160'000};

/// A server that has run since long before `then`.
QByteArray oldInfo()
{
    return "# Server\r\nredis_version:7.0.15\r\nrun_id:aaa\r\nuptime_in_seconds:50\r\n# Replication\r\nrole:master\r\n"
           "master_replid:data1\r\nmaster_replid2:0000\r\n# Stats\r\nexpired_keys:7\r\nevicted_keys:3\r\n"
           "# Commandstats\r\ncmdstat_del:calls=10,usec=1,usec_per_call=0.1,rejected_calls=0,failed_calls=0\r\n"
           "cmdstat_flushall:calls=2,usec=5\r\n";
}

QByteArray with(QByteArray info, const QList<std::pair<QByteArray, QByteArray>> &changes)
{
    for (const auto &[from, to] : changes)
        info.replace(from, to);
    return info;
}

} // namespace

Q_DECLARE_METATYPE(ym::LossCause)

class TestLossWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatAServerTells();
    void namesTheCause_data();
    void namesTheCause();
    void knowsNothingOfWhoTellsNothing();
};

void TestLossWatch::readsWhatAServerTells()
{
    const ServerTrace trace = readTrace(oldInfo(), then);
    QVERIFY(trace.isKnown());
    QCOMPARE(trace.runId, QByteArray("aaa"));
    QCOMPARE(trace.replId, QByteArray("data1"));
    QCOMPARE(trace.formerReplId, QByteArray("0000"));
    QVERIFY(!trace.isReplica);
    QCOMPARE(trace.startedAt, then - 50s);
    QCOMPARE(trace.evicted, 3u);
    QCOMPARE(trace.expired, 7u);
    QCOMPARE(trace.flushes, 2u);
    QCOMPARE(trace.deletions, 10u);
}

void TestLossWatch::namesTheCause_data()
{
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<LossCause>("cause");
    const QByteArray same = with(oldInfo(), {{"seconds:50", "seconds:110"}});
    QTest::newRow("nothing happened") << same << LossCause::None;
    QTest::newRow("somebody deleted keys") << with(same, {{"del:calls=10", "del:calls=11"}}) << LossCause::None;
    QTest::newRow("keys expired, and somebody deleted some")
        << with(same, {{"expired_keys:7", "expired_keys:9"}, {"del:calls=10", "del:calls=11"}}) << LossCause::None;
    QTest::newRow("keys expired") << with(same, {{"expired_keys:7", "expired_keys:9"}}) << LossCause::Expiry;
    QTest::newRow("keys were evicted, and somebody deleted some")
        << with(same, {{"evicted_keys:3", "evicted_keys:4"}, {"del:calls=10", "del:calls=11"}}) << LossCause::Eviction;
    QTest::newRow("FLUSHALL") << with(same, {{"flushall:calls=2", "flushall:calls=3"}}) << LossCause::Flush;
    QTest::newRow("FLUSHDB") << same + "cmdstat_flushdb:calls=1,usec=1\r\n" << LossCause::Flush;
    QTest::newRow("started again") << with(same, {{"id:aaa", "id:bbb"}, {"seconds:110", "seconds:59"}, {"data1", "data2"}})
                                   << LossCause::Restart;
    QTest::newRow("a replica took over")
        << with(same, {{"id:aaa", "id:bbb"}, {"replid:data1", "replid:data2"}, {"replid2:0000", "replid2:data1"}})
        << LossCause::Failover;
    QTest::newRow("a replica answers in its master's place") << with(same, {{"id:aaa", "id:bbb"}, {"master\r\n", "slave\r\n"}})
                                                              << LossCause::Failover;
    QTest::newRow("another server, of other data")
        << with(same, {{"id:aaa", "id:bbb"}, {"data1", "data2"}}) << LossCause::OtherServer;
    QTest::newRow("it became a replica of another one")
        << with(same, {{"role:master", "role:slave"}, {"data1", "data2"}}) << LossCause::Resync;
    QTest::newRow("it was promoted in its place")
        << with(same, {{"replid:data1", "replid:data2"}, {"replid2:0000", "replid2:data1"}}) << LossCause::None;
}

void TestLossWatch::namesTheCause()
{
    QFETCH(QByteArray, after);
    QFETCH(LossCause, cause);
    QCOMPARE(int(causeOfLoss(readTrace(oldInfo(), then), readTrace(after, later))), int(cause));
}

void TestLossWatch::knowsNothingOfWhoTellsNothing()
{
    const ServerTrace silent = readTrace("role:master\r\nevicted_keys:99\r\n", later);
    QVERIFY(!silent.isKnown());
    QCOMPARE(int(causeOfLoss(readTrace(oldInfo(), then), silent)), int(LossCause::None));
    QCOMPARE(int(causeOfLoss(silent, readTrace(oldInfo(), later))), int(LossCause::None));
}

QTEST_GUILESS_MAIN(TestLossWatch)
#include "tst_loss_watch.moc"
