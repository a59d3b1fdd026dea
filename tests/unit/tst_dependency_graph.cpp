// Planning jobs that wait for one another.
#include "core/job/dependency_graph.h"

#include <QElapsedTimer>
#include <QTest>

using namespace ym;

namespace {

/// "c:a,b d:c" – jobs in this order, each with what it waits for.
std::vector<Job> drafts(const QByteArray &text)
{
    std::vector<Job> list;
    for (const QByteArray &word : text.simplified().split(' ')) {
        Job job;
        job.id = word.left(word.indexOf(':') < 0 ? word.size() : word.indexOf(':'));
        if (word.contains(':'))
            job.prerequisites = word.mid(word.indexOf(':') + 1).split(',');
        list.push_back(job);
    }
    return list;
}

QByteArray orderOf(const std::vector<Job> &jobs)
{
    QList<QByteArray> ids;
    for (const int place : planGraph(jobs).order)
        ids.append(jobs[size_t(place)].id);
    return ids.join(' ');
}

} // namespace

class TestDependencyGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void putsEachJobBehindWhatItWaitsFor_data();
    void putsEachJobBehindWhatItWaitsFor();
    void knowsLevelsDependentsAndTheOutside();
    void namesACircle_data();
    void namesACircle();
    void namesDuplicates();
    void countsAPrerequisiteThatIsNamedTwiceOnce();
    void plansAHundredThousandJobsInAMoment();
};

void TestDependencyGraph::putsEachJobBehindWhatItWaitsFor_data()
{
    QTest::addColumn<QByteArray>("jobs");
    QTest::addColumn<QByteArray>("order");
    QTest::newRow("without dependencies the order stays") << QByteArray("c a b") << QByteArray("c a b");
    QTest::newRow("a chain that is written backwards") << QByteArray("c:b b:a a") << QByteArray("a b c");
    QTest::newRow("a diamond") << QByteArray("sink:l,r l:top r:top top") << QByteArray("top l r sink");
    QTest::newRow("what is not in the list is no hindrance") << QByteArray("b:x a:b") << QByteArray("b a");
}

void TestDependencyGraph::putsEachJobBehindWhatItWaitsFor()
{
    QFETCH(QByteArray, jobs);
    QTEST(orderOf(drafts(jobs)), "order");
    QVERIFY(planGraph(drafts(jobs)).isSound());
}

void TestDependencyGraph::knowsLevelsDependentsAndTheOutside()
{
    const GraphPlan plan = planGraph(drafts("a:x b:a c:a,b,y d"));
    QCOMPARE(plan.level, (std::vector<int>{0, 1, 2, 0}));
    QCOMPARE(plan.dependents[0], (QList<QByteArray>{"b", "c"}));
    QCOMPARE(plan.outside[0], QList<QByteArray>{"x"});
    QCOMPARE(plan.outside[2], QList<QByteArray>{"y"});
    QVERIFY(plan.outside[1].isEmpty());
}

void TestDependencyGraph::namesACircle_data()
{
    QTest::addColumn<QByteArray>("jobs");
    QTest::addColumn<QByteArray>("circle");
    QTest::newRow("a job that waits for itself") << QByteArray("a b:b") << QByteArray("b");
    QTest::newRow("two") << QByteArray("a:b b:a") << QByteArray("a b");
    QTest::newRow("three, with others before and behind") << QByteArray("f p:f,r q:p r:q z:r") << QByteArray("p r q");
}

void TestDependencyGraph::namesACircle()
{
    QFETCH(QByteArray, jobs);
    const GraphPlan plan = planGraph(drafts(jobs));
    QVERIFY(!plan.isSound());
    QTEST(plan.cycle.join(' '), "circle");
}

void TestDependencyGraph::namesDuplicates()
{
    QCOMPARE(planGraph(drafts("a b a b c")).duplicates, (QList<QByteArray>{"a", "b"}));
}

void TestDependencyGraph::countsAPrerequisiteThatIsNamedTwiceOnce()
{
    const GraphPlan plan = planGraph(drafts("a b:a,a"));
    QVERIFY(plan.isSound());
    QCOMPARE(plan.dependents[0], QList<QByteArray>{"b"});
}

void TestDependencyGraph::plansAHundredThousandJobsInAMoment()
{
    std::vector<Job> chain(100'000);
    for (size_t i = 0; i < chain.size(); ++i) {
        chain[i].id = QByteArray::number(i);
        if (i + 1 < chain.size())
            chain[i].prerequisites = {QByteArray::number(i + 1)};
    }
    QElapsedTimer timer;
    timer.start();
    const GraphPlan plan = planGraph(chain);
    QVERIFY(timer.elapsed() < 10'000);
    QCOMPARE(plan.order.front(), 99'999);
    QCOMPARE(plan.level[0], 99'999);
    chain.back().prerequisites = {"0"};
    QCOMPARE(planGraph(chain).cycle.size(), 100'000);
}

QTEST_GUILESS_MAIN(TestDependencyGraph)
#include "tst_dependency_graph.moc"
