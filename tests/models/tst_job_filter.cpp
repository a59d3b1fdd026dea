// The query language of the filter line: what matches, what is refused and where, and what is offered.
#include "models/job_filter.h"
#include "models/job_match.h"
#include "tests/models/random_jobs.h"

#include <QTest>

using namespace ym;

namespace {

const Timestamp now{Milliseconds{1'700'000'000'000}};

JobSummary sample()
{
    JobSummary job;
    job.id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    job.state = JobState::Running;
    job.target = {"python", "gpu", "w1", 0, {}};
    job.callerId = "nightly, build";
    job.contextId = "Straße";
    job.claimedBy = "python:gpu:w1";
    job.createdAt = now - Milliseconds{3'600'000};
    job.attempt = 2;
    job.access = {true, {"/data/in"}, {}};
    return job;
}

} // namespace

class TestJobFilter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void matches_data();
    void matches();
    void refuses_with_the_position_data();
    void refuses_with_the_position();
    void asks_a_whole_table_as_it_asks_one_job_data();
    void asks_a_whole_table_as_it_asks_one_job();
    void knows_whether_time_matters();
    void completes_data();
    void completes();
};

void TestJobFilter::matches_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<bool>("expected");
    const struct {
        const char *name;
        const char *query;
        bool expected;
    } rows[] = {
        {"nothing typed", "", true},
        {"only spaces", "  \t ", true},
        {"a word in the id", "d9cb-469f", true},
        {"a word in the type", "PYTH", true},
        {"a word in the group", "gpu", true},
        {"group and instance as shown", "gpu/w1", true},
        {"a word in the caller", "nightly", true},
        {"a word in the context, other case", "STRAßE", true},
        {"a worker in quotes", "\"python:gpu\"", true},
        {"a word in the state", "running", true},
        {"a word that is nowhere", "osis", false},
        {"all words must match", "python osis", false},
        {"words in any order", "w1 nightly python", true},
        {"quotes keep the space", "\"nightly, build\"", true},
        {"quotes keep the order", "\"build nightly\"", false},
        {"a quoted minus is a character", "\"-469f\"", true},
        {"not a word", "-osis", true},
        {"not a word that is there", "-python", false},
        {"a state", "state:running", true},
        {"one of two states", "state:failed,running", true},
        {"a beginning of a state", "state:r", true},
        {"another state", "state:failed", false},
        {"not a state", "-state:failed", true},
        {"a whole type", "type:Python", true},
        {"a part of a type is not the type", "type:pyth", false},
        {"a type with a wildcard", "type:py*", true},
        {"a wildcard in the middle", "type:p*h*n", true},
        {"a wildcard that does not fit", "type:*x*", false},
        {"one of two types", "type:osis,python", true},
        {"not a type", "-type:python", false},
        {"a group", "group:gpu", true},
        {"no group", "group:\"\"", false},
        {"an instance", "inst:w1", true},
        {"a part of a caller", "caller:night", true},
        {"a quoted caller with a comma", "caller:\"nightly, b\"", true},
        {"a caller with a wildcard must fit whole", "caller:night*", true},
        {"a wildcard at the wrong end", "caller:*night", false},
        {"a context beyond ASCII", "context:straß", true},
        {"a worker", "worker:gpu", true},
        {"the beginning of an id", "id:0f8fad5b-d", true},
        {"the middle of an id", "id:d9cb", false},
        {"an id with a wildcard", "id:*d9cb*", true},
        {"more attempts", "attempt>1", true},
        {"not so many attempts", "attempt>2", false},
        {"at least", "attempt>=2", true},
        {"at most", "attempt<=1", false},
        {"exactly, with a colon", "attempt:2", true},
        {"a priority", "prio=0", true},
        {"an access", "access:network", true},
        {"a beginning of an access", "access:net", true},
        {"an access that it does not ask for", "access:writes", false},
        {"a folder that it reads", "access:/data", true},
        {"a folder within that", "access:/data/in/deep", false},
        {"one of two accesses", "access:writes,reads", true},
        {"any access", "access:any", true},
        {"no access", "access:none", false},
        {"not the network", "-access:network", false},
        {"younger than two hours", "age<2h", true},
        {"younger than an hour is not exactly one", "age<1h", false},
        {"older than ten minutes", "age>10m", true},
        {"an age in two units", "age>1h30m", false},
        {"an age in days", "age<=1d", true},
        {"a number with a colon is a word", "12:30", false},
        {"everything together", "python state:run -type:osis attempt>1 age>10m \"nightly,\"", true},
    };
    for (const auto &[name, query, expected] : rows)
        QTest::newRow(name) << QString::fromUtf8(query) << expected;
}

void TestJobFilter::matches()
{
    QFETCH(QString, query);
    QFETCH(bool, expected);
    FilterProblem problem;
    const auto filter = JobFilter::parse(query, &problem);
    QVERIFY2(filter.has_value(), qPrintable(problem.message));
    QCOMPARE(filter->matches(sample(), now), expected);
    QCOMPARE(filter->query(), query);
}

void TestJobFilter::refuses_with_the_position_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<int>("position");
    QTest::addColumn<int>("length");
    QTest::newRow("an unknown field") << "python stat:running" << 7 << 4;
    QTest::newRow("a negated unknown field") << "-foo:bar" << 1 << 3;
    QTest::newRow("an unknown state") << "state:running,asleep" << 14 << 6;
    QTest::newRow("a missing value at the end") << "group:" << 6 << 0;
    QTest::newRow("a missing value in the middle") << "group: python" << 6 << 0;
    QTest::newRow("a missing value after a comma") << "type:python," << 12 << 0;
    QTest::newRow("open quotes") << "python \"abc" << 7 << 4;
    QTest::newRow("open quotes after a field") << "caller:\"abc" << 7 << 4;
    QTest::newRow("no number") << "attempt>many" << 8 << 4;
    QTest::newRow("a number that is too large") << "attempt>99999999999" << 8 << 11;
    QTest::newRow("an age without a unit") << "age<10" << 4 << 2;
    QTest::newRow("an age with an unknown unit") << "age<10y" << 4 << 3;
    QTest::newRow("a huge age") << "age<99999999999999w" << 4 << 15;
    QTest::newRow("an age with a colon") << "age:1h" << 3 << 1;
    QTest::newRow("a comparison of texts") << "type>python" << 4 << 1;
    QTest::newRow("a lone minus") << "python - osis" << 7 << 1;
}

void TestJobFilter::refuses_with_the_position()
{
    QFETCH(QString, query);
    FilterProblem problem;
    const auto filter = JobFilter::parse(query, &problem);
    QVERIFY(!filter.has_value());
    QCOMPARE(filter.error().kind, ErrorKind::Usage);
    QTEST(int(problem.position), "position");
    QTEST(int(problem.length), "length");
    QVERIFY(problem.message.endsWith(u'.'));
}

void TestJobFilter::asks_a_whole_table_as_it_asks_one_job_data()
{
    QTest::addColumn<QString>("query");
    for (const char *query : {"",
                              "py",
                              "\"odd:1\"",
                              "GRÖßE",
                              "a -b",
                              "dispached1",
                              "default/w1",
                              "type:sal,v",
                              "-type:*s*",
                              "group:\"\"",
                              "group:batch",
                              "inst:w*",
                              "caller:caller-4",
                              "context:größe",
                              "worker:default",
                              "worker:\"\"",
                              "id:odd",
                              "id:1",
                              "id:*f",
                              "-id:*a*",
                              "state:unknown",
                              "-state:f,d",
                              "attempt>1",
                              "prio<=1",
                              "access:network",
                              "access:none",
                              "access:writes,/srv/in",
                              "-access:any",
                              "age<1h",
                              "-age>30m",
                              "1 2 -3 state:queued,running"})
        QTest::newRow(query) << QString::fromUtf8(query);
}

void TestJobFilter::asks_a_whole_table_as_it_asks_one_job()
{
    QFETCH(QString, query);
    const JobFilter filter = JobFilter::parse(query).value();
    test::RandomJobs random(12, now);
    JobStore store;
    std::vector<quint32> expected;
    for (int i = 0; i < 3000; ++i) {
        const JobSummary job = random.job();
        const quint32 slot = store.insert(job, 1);
        QCOMPARE(store.summary(slot), job);
        if (filter.matches(job, now))
            expected.push_back(slot);
    }
    QVERIFY(matchingSlots(store, filter, now, nullptr) == expected);
    if (!query.isEmpty())
        QVERIFY(!expected.empty() && expected.size() < 3000);
}

void TestJobFilter::knows_whether_time_matters()
{
    QVERIFY(JobFilter::parse("python -age<1h")->dependsOnTime());
    QVERIFY(!JobFilter::parse("python attempt<1 \"age<1h\"")->dependsOnTime());
    QVERIFY(JobFilter::parse("")->isEmpty());
    QVERIFY(!JobFilter::parse("x")->isEmpty());
}

void TestJobFilter::completes_data()
{
    QTest::addColumn<QString>("query"); // the cursor is where | stands
    QTest::addColumn<QStringList>("candidates");
    QTest::addColumn<QString>("taken"); // the query after taking the first candidate
    QTest::newRow("a field") << "python st|" << QStringList{"state:"} << "python state:";
    QTest::newRow("a negated field") << "-ty|" << QStringList{"type:"} << "-type:";
    QTest::newRow("fields to compare") << "a|" << QStringList{"access:", "attempt<", "attempt>", "age<", "age>"} << "access:";
    QTest::newRow("an access") << "access:n|" << QStringList{"network", "none", "any"} << "access:network";
    QTest::newRow("a folder that occurs") << "access:/|" << QStringList{"/data", "\"/my files\""} << "access:/data";
    QTest::newRow("a state") << "state:f|" << QStringList{"finished", "failed"} << "state:finished";
    QTest::newRow("a state in a list") << "state:failed,ru|" << QStringList{"running"} << "state:failed,running";
    QTest::newRow("in the middle of a list")
        << "state:fa|,running x" << QStringList{"failed"} << "state:failed,running x";
    QTest::newRow("a value that occurs") << "type:p|" << QStringList{"python", "heroscript"} << "type:python";
    QTest::newRow("a value with a space is quoted")
        << "caller:|" << QStringList{"\"big one\"", "small"} << "caller:\"big one\"";
    QTest::newRow("inside quotes") << "caller:\"big o|" << QStringList{"\"big one\""} << "caller:\"big one\"";
    QTest::newRow("nothing for numbers") << "attempt>1|" << QStringList{} << "attempt>1";
    QTest::newRow("nothing for an unknown field") << "foo:b|" << QStringList{} << "foo:b";
}

void TestJobFilter::completes()
{
    QFETCH(QString, query);
    QFETCH(QStringList, candidates);
    FilterVocabulary vocabulary;
    vocabulary.types = {"heroscript", "osis", "python"};
    vocabulary.folders = {"/data", "/my files"};
    vocabulary.callers = {"big one", "small"};
    const qsizetype cursor = query.indexOf(u'|');
    query.remove(u'|');
    const FilterCompletion completion = completeFilter(query, cursor, vocabulary);
    QCOMPARE(completion.candidates, candidates);
    if (!candidates.isEmpty())
        query.replace(completion.start, completion.length, candidates.first());
    QTEST(query, "taken");
}

QTEST_GUILESS_MAIN(TestJobFilter)
#include "tst_job_filter.moc"
