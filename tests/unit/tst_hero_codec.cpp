// Hero records ↔ jobs: strict in what is written, tolerant in what is read.
#include "core/protocol/hero/field_readers.h"
#include "core/protocol/hero/job_codec.h"
#include "core/protocol/hero/json_reader.h"
#include "core/protocol/hero/run_codec.h"

#include <QElapsedTimer>
#include <QTest>

using namespace ym;
using namespace ym::hero;

namespace {

/// A record without problems, with these fields replaced or added.
QList<ByteField> record(const QList<ByteField> &changes = {})
{
    QMap<QByteArray, QByteArray> fields{
        {"id", "one"}, {"script_type", "python"}, {"script", "print(1)"}, {"status", "dispatched"}};
    for (const auto &[name, value] : changes)
        fields[name] = value;
    QList<ByteField> list;
    for (auto it = fields.cbegin(); it != fields.cend(); ++it)
        list.append({it.key(), it.value()});
    return list;
}

Job read(const QList<ByteField> &changes)
{
    return readJob("one", record(changes));
}

} // namespace

class HeroCodec : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodRecordHasNoProblems();
    void everySpellingIsRead_data();
    void everySpellingIsRead();
    void timeouts_data();
    void timeouts();
    void counts_data();
    void counts();
    void booleans_data();
    void booleans();
    void states_data();
    void states();
    void summariesTellTheOptIns();
    void times_data();
    void times();
    void idLists_data();
    void idLists();
    void bothListsOfPrerequisitesCount();
    void environments_data();
    void environments();
    void aHugeEnvironmentIsReadInTime();
    void unknownFieldsAreKept();
    void theKeyCountsNotTheFieldId();
    void anEmptyRecordIsAJobWithProblems();
    void writtenDraftsAreReadBack();
    void optInsComeBackAsTheyWere()
    {
        const JobAccess access{true, {QStringLiteral("/data")}, {QStringLiteral("/out"), QStringLiteral("/é")}};
        QCOMPARE(readAccess(writeAccess(access)), std::optional(access));
        QVERIFY(writeAccess({}).isEmpty());
    }

    void optInsThatCannotBeReadAreAProblem_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"network", "[]", "{\"network\":1}", "{\"read\":\"/data\"}", "{\"read\":[\"data\"]}",
                                 "{\"write\":[7]}", "{\"write\":[\"/a\\u0000b\"]}"})
            QTest::newRow(text) << QByteArray(text);
    }
    void optInsThatCannotBeReadAreAProblem()
    {
        QFETCH(QByteArray, text);
        const Job job =
            readJob("x", {{"status", "dispatched"}, {"script", "s"}, {"script_type", "t"}, {"access", text}});
        QCOMPARE(job.access, JobAccess());
        QCOMPARE(job.problems.size(), 1);
    }

    void runsAreReadInTheirOrder()
    {
        Execution execution;
        execution.fate = Execution::Fate::Failed;
        execution.exitCode = 3;
        execution.containment = "bubblewrap";
        execution.cpuTime = Milliseconds{70};
        execution.maxRssKb = 9000;
        execution.output = QByteArray(5000, 'x') + "end";
        const QByteArray run = writeRun(execution, "python:run:1");
        const QList<PastRun> runs = readRuns({{"run_10", run}, {"run_2", run}, {"run_x", run}, {"run_3", "no JSON"}});
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].attempt, 2);
        QCOMPARE(runs[1].attempt, 10);
        QCOMPARE(runs[0].fate, QByteArray("failed"));
        QCOMPARE(runs[0].exitCode, 3);
        QCOMPARE(runs[0].signal, 0);
        QCOMPARE(runs[0].cpuTime, Milliseconds{70});
        QCOMPARE(runs[0].peakKb, 9000);
        QCOMPARE(runs[0].containment, QByteArray("bubblewrap"));
        QCOMPARE(runs[0].worker, QByteArray("python:run:1"));
        QCOMPARE(runs[0].output.size(), 4096);
        QVERIFY(runs[0].output.endsWith("xend"));
    }

    void runsOfEarlierVersionsAreRead()
    {
        const QList<PastRun> runs =
            readRuns({{"run_1", R"({"fate":"finished","worker":"w","exit":0,"ms":7,"output":"o"})"}});
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs[0].fate, QByteArray("finished"));
        QCOMPARE(runs[0].exitCode, 0);
        QCOMPARE(runs[0].duration, Milliseconds{7});
        QCOMPARE(runs[0].cpuTime, Milliseconds{-1});
        QCOMPARE(runs[0].output, QByteArray("o"));
    }

    void whatAClaimReadsIsTheJob_data()
    {
        QTest::addColumn<QByteArray>("timeout");
        QTest::addColumn<QByteArray>("access");
        QTest::addColumn<QByteArray>("retries");
        QTest::addColumn<int>("problems");
        QTest::newRow("good") << QByteArray("30s") << QByteArray(R"({"network":true})") << QByteArray("3") << 0;
        QTest::newRow("no retries") << QByteArray("30s") << QByteArray() << QByteArray() << 0;
        QTest::newRow("a bad timeout") << QByteArray("soon") << QByteArray() << QByteArray("3") << 1;
        QTest::newRow("bad opt-ins") << QByteArray("30") << QByteArray("[]") << QByteArray("3") << 1;
        QTest::newRow("bad retries") << QByteArray("30") << QByteArray() << QByteArray("many") << 1;
    }
    void whatAClaimReadsIsTheJob()
    {
        QFETCH(QByteArray, timeout);
        QFETCH(QByteArray, access);
        QFETCH(QByteArray, retries);
        QFETCH(int, problems);
        std::vector<Reply> values;
        for (const QByteArray &value :
             {QByteArray("Python"), timeout, QByteArray("true"), QByteArray(R"({"A":"1"})"), QByteArray("me"),
              QByteArray("here"), retries, QByteArray("2"), QByteArray("w"), QByteArray("a.log"), access})
            values.push_back(Reply::bulk(value));
        const Job job = ClaimedReader(values).read("x", "print(1)");
        QCOMPARE(job.id, QByteArray("x"));
        QCOMPARE(job.script, QByteArray("print(1)"));
        QCOMPARE(job.target.type, QByteArray("python"));
        QCOMPARE(job.target.legacyWorker, QByteArray("w"));
        QCOMPARE(job.timeout.count(), timeout.startsWith('3') ? 30 : 300);
        QVERIFY(job.concurrent);
        QCOMPARE(job.env, (QList<ByteField>{{"A", "1"}}));
        QCOMPARE(job.callerId, QByteArray("me"));
        QCOMPARE(job.contextId, QByteArray("here"));
        QCOMPARE(job.logPath, QByteArray("a.log"));
        QCOMPARE(job.access.network, access.contains("true"));
        QCOMPARE(job.retries, retries.toInt()); // of what is no number: 0
        QCOMPARE(job.attempt, 3);
        QCOMPARE(job.state, JobState::Running);
        QCOMPARE(job.problems.size(), problems);
        QCOMPARE(ClaimedReader(values).read("y", {}).problems.size(), problems + 1); // it has no script
    }

    void whatAClaimLeavesOutIsAbsent()
    {
        std::vector<Reply> values;
        for (const char *value : {"python", "30", "false", "{}", "", ""})
            values.push_back(Reply::bulk(value));
        const Job job = ClaimedReader(values).read("x", "print(1)");
        QVERIFY(job.problems.isEmpty());
        QCOMPARE(job.attempt, 1);
        QVERIFY(job.logPath.isEmpty());
        QVERIFY(job.access.isEmpty());
    }

    void optionalFieldsAreOmitted();
    void jsonLimits();
    void rangesOfJsonNumbers();
};

void HeroCodec::aGoodRecordHasNoProblems()
{
    const Job job = read({});
    QVERIFY2(job.problems.isEmpty(), qPrintable(job.problems.join(u' ')));
    QCOMPARE(job.timeout.count(), 300);
    QCOMPARE(job.target.priority, 1);
    QCOMPARE(job.state, JobState::Queued);
    QCOMPARE(job.attempt, 0);
}

void HeroCodec::everySpellingIsRead_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("shown");
    for (const auto &[field, shown] : {std::pair{"caller_id", "caller"},
                                       {"callerId", "caller"},
                                       {"context_id", "context"},
                                       {"contextId", "context"},
                                       {"worker_id", "worker"},
                                       {"actor_id", "worker"},
                                       {"actorId", "worker"},
                                       {"scriptType", "type"},
                                       {"payload", "script"},
                                       {"log_path", "log"},
                                       {"logPath", "log"}})
        QTest::newRow(field) << QByteArray(field) << QByteArray(shown);
}

void HeroCodec::everySpellingIsRead()
{
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, shown);
    const Job job = readJob("one", {{field, "value"}});
    const QHash<QByteArray, QByteArray> got{
        {"caller", job.callerId},  {"context", job.contextId}, {"worker", job.target.legacyWorker},
        {"type", job.target.type}, {"script", job.script},     {"log", job.logPath}};
    QCOMPARE(got.value(shown), QByteArray("value"));
    QList<QByteArray> values;
    for (const QByteArray &name : summaryFields())
        values.append(name == field ? QByteArray("value") : QByteArray());
    const JobSummary summary = readSummary("one", values);
    QCOMPARE(summary.target, job.target);
    QCOMPARE(summary.callerId, job.callerId);
    QCOMPARE(summary.contextId, job.contextId);
}

void HeroCodec::timeouts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<bool>("good");
    const auto row = [](const char *text, qint64 seconds, bool good) {
        QTest::newRow(text) << QByteArray(text) << seconds << good;
    };
    row("0", 0, true);
    row("300", 300, true);
    row("30s", 30, true);
    row(R"({"secs":60,"nanos":0})", 60, true);
    row(R"({"secs":60,"nanos":1})", 61, true);
    row(R"({"secs":-60,"nanos":0})", 300, false);
    row(R"({"nanos":5})", 300, false);
    row("-1", 300, false);
    row("+5", 300, false);
    row("1e9", 300, false);
    row("NaN", 300, false);
    row("abc", 300, false);
    row("3.5", 300, false);
    row("99999999999999999999", 300, false);
    row("999999999999", 300, false);
    row("s", 300, false);
}

void HeroCodec::timeouts()
{
    QFETCH(QByteArray, text);
    const Job job = read({{"timeout", text}});
    QTEST(qint64(job.timeout.count()), "seconds");
    QTEST(job.problems.isEmpty(), "good");
}

void HeroCodec::counts_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("value");
    QTest::addColumn<bool>("good");
    QTest::newRow("retries") << QByteArray("retries") << QByteArray("5") << 5 << true;
    QTest::newRow("negative retries") << QByteArray("retries") << QByteArray("-5") << 0 << false;
    QTest::newRow("retries beyond 32 bits") << QByteArray("retries") << QByteArray("4294967296") << 0 << false;
    QTest::newRow("attempt") << QByteArray("attempt") << QByteArray("7") << 7 << true;
    QTest::newRow("attempt as a word") << QByteArray("attempt") << QByteArray("many") << 0 << false;
    QTest::newRow("priority") << QByteArray("priority") << QByteArray("0") << 0 << true;
    QTest::newRow("priority out of range") << QByteArray("priority") << QByteArray("3") << 1 << false;
}

void HeroCodec::counts()
{
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, text);
    const Job job = read({{field, text}});
    const int value = field == "retries" ? job.retries : field == "attempt" ? job.attempt : job.target.priority;
    QTEST(value, "value");
    QTEST(job.problems.isEmpty(), "good");
}

void HeroCodec::booleans_data()
{
    QTest::addColumn<bool>("value");
    QTest::addColumn<bool>("good");
    QTest::newRow("true") << true << true;
    QTest::newRow("FALSE") << false << true;
    QTest::newRow("TRUE") << true << true;
    QTest::newRow("1") << true << true;
    QTest::newRow("0") << false << true;
    QTest::newRow("yes") << false << false;
    QTest::newRow("2") << false << false;
}

void HeroCodec::booleans()
{
    const Job job = read({{"concurrent", QTest::currentDataTag()}});
    QTEST(job.concurrent, "value");
    QTEST(job.problems.isEmpty(), "good");
}

void HeroCodec::states_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<JobState>("state");
    const auto row = [](const char *status, JobState state) { QTest::newRow(status) << QByteArray(status) << state; };
    row("dispatched", JobState::Queued);
    row("waiting_for_prerequisites", JobState::Waiting);
    row("started", JobState::Running);
    row("error", JobState::Failed);
    row("Finished", JobState::Finished);
    row("FINISHED", JobState::Finished);
    row("FINISHED ", JobState::Unknown);
    row("dispached", JobState::Unknown);
    QTest::newRow("nothing") << QByteArray() << JobState::Unknown;
    QTest::newRow("1 MiB") << QByteArray(1 << 20, 'x') << JobState::Unknown;
}

void HeroCodec::states()
{
    QFETCH(QByteArray, status);
    QFETCH(JobState, state);
    const Job job = read({{"status", status}});
    QCOMPARE(job.state, state);
    QCOMPARE(job.statusText, status);
    QCOMPARE(job.problems.isEmpty(), state != JobState::Unknown);
    for (const QString &problem : job.problems)
        QVERIFY(problem.size() < 200);
    QList<QByteArray> values(summaryFields().size());
    values[summaryFields().indexOf("status")] = status;
    const JobSummary summary = readSummary("one", values);
    QCOMPARE(summary.state, state);
    QCOMPARE(summary.statusText, state == JobState::Unknown ? status.left(64) : QByteArray());
    QCOMPARE(read({{"status", status}, {"dead_reason", "worker lost"}}).state,
             state == JobState::Failed || state == JobState::Unknown ? JobState::Dead : state);
    QCOMPARE(read({{"status", status}, {"not_before", "2026-11-21T00:00:00.000Z"}}).state,
             state == JobState::Queued ? JobState::Scheduled : state);
}

void HeroCodec::summariesTellTheOptIns()
{
    const auto summary = [](const QByteArray &access) {
        QList<QByteArray> values(summaryFields().size());
        values[summaryFields().indexOf("status")] = "dispatched";
        values[summaryFields().indexOf("access")] = access;
        return readSummary("one", values);
    };
    const QByteArray asked = R"({"network":true,"read":["/data"],"write":["/out"]})";
    QVERIFY(!summary(asked).access.isEmpty());
    QCOMPARE(summary(asked).access, read({{"status", "dispatched"}, {"access", asked}}).access);
    for (const QByteArray &none : {QByteArray(), QByteArray("{}"), QByteArray("[1"), QByteArray(1 << 20, '{')})
        QVERIFY(summary(none).access.isEmpty());
}

void HeroCodec::times_data()
{
    QTest::addColumn<bool>("good");
    for (const char *text : {"2026-11-21T00:25:03.066Z", "2026-11-21T00:25:03.066123456+00:00", "1700000000",
                             "1700000000123", "2026-11-21T02:25:03+02:00"})
        QTest::newRow(text) << true;
    for (const char *text : {"0000-00-00", "292277026596-12-04T15:30:08Z", "yesterday", "-5"})
        QTest::newRow(text) << false;
}

void HeroCodec::times()
{
    QFETCH(bool, good);
    const QByteArray text = QTest::currentDataTag();
    const Job job = read({{"created_at", text}});
    QCOMPARE(job.createdAt.has_value(), good);
    QCOMPARE(job.problems.isEmpty(), good);
    QVERIFY(job.raw.contains({"created_at", text})); // shown as it is
}

void HeroCodec::idLists_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");
    QTest::addColumn<QList<QByteArray>>("ids");
    const auto row = [](const char *text, bool good, const QList<QByteArray> &ids) {
        QTest::newRow(text) << QByteArray(text) << good << ids;
    };
    row("[]", true, {});
    row("null", true, {});
    row(" ", true, {});
    row(R"(["a","b","a",""])", true, {"a", "b"});
    row("[1,2]", true, {"1", "2"});
    row("a, b ,,a", true, {"a", "b"});
    row("a", true, {"a"});
    row(R"(["a",)", false, {});
    row(R"([["a"]])", false, {});
    row(R"({"a":1})", false, {});
    row("\"a\"", false, {});
}

void HeroCodec::idLists()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, good);
    const auto ids = readIds(text);
    QCOMPARE(ids.has_value(), good);
    QTEST(ids.value_or(QList<QByteArray>{}), "ids");
    QCOMPARE(read({{"prerequisites", text}}).problems.isEmpty(), good);
}

void HeroCodec::bothListsOfPrerequisitesCount()
{
    const Job job = read({{"prerequisites", R"(["a","b"])"}, {"dependencies", "b,c"}});
    QCOMPARE(job.prerequisites, (QList<QByteArray>{"a", "b", "c"}));
    QVERIFY(!read({{"dependencies", "one"}}).problems.isEmpty()); // waits for itself
    QByteArray many("[");
    for (int i = 0; i < 100'000; ++i)
        many += "\"id-" + QByteArray::number(i) + "\",";
    many.back() = ']';
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(read({{"prerequisites", many}, {"dependencies", many}}).prerequisites.size(), 100'000);
    QVERIFY(timer.elapsed() < 5'000);
}

void HeroCodec::environments_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");
    QTest::addColumn<QList<ByteField>>("variables");
    const auto row = [](const char *name, const QByteArray &text, bool good, const QList<ByteField> &variables) {
        QTest::newRow(name) << text << good << variables;
    };
    row("in order", R"({"B":"2","A":"1"})", true, {{"B", "2"}, {"A", "1"}});
    row("nothing", "", true, {});
    row("null", "null", true, {});
    row("the last of two counts", R"({"A":"1","A":"2"})", true, {{"A", "2"}});
    row("numbers and booleans", R"({"N":5,"F":1.50,"T":true})", true, {{"N", "5"}, {"F", "1.50"}, {"T", "true"}});
    row("names that are none", R"({"A=B":"x","":"y","1A":"z","OK":"1"})", false, {{"OK", "1"}});
    row("a NUL", R"({"A":"x\u0000y","OK":"1"})", false, {{"OK", "1"}});
    row("nested", R"({"A":{"B":"C"},"L":[1,[2]],"Z":null,"OK":"1"})", false, {{"OK", "1"}});
    row("an array", R"(["A"])", false, {});
    row("no JSON", "A=1", false, {});
    row("cut off", R"({"A":"1")", false, {});
    row("followed by more", R"({"A":"1"} x)", false, {});
    row("too deep", QByteArray(R"({"A":)") + QByteArray(100'000, '['), false, {});
    row("no UTF-8", "{\"A\":\"\xff\"}", false, {});
    row("an impossible number", R"({"A":1e999})", false, {});
}

void HeroCodec::environments()
{
    QFETCH(QByteArray, text);
    const Job job = read({{"env_vars", text}});
    QTEST(job.env, "variables");
    QTEST(job.problems.isEmpty(), "good");
}

void HeroCodec::aHugeEnvironmentIsReadInTime()
{
    QByteArray text("{");
    for (int i = 0; i < 100'000; ++i)
        text += "\"K" + QByteArray::number(i) + "\":\"v\",";
    text.back() = '}';
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(read({{"env_vars", text}}).env.size(), 100'000);
    QVERIFY(timer.elapsed() < 5'000);
}

void HeroCodec::unknownFieldsAreKept()
{
    const Job job = read({{"x-ours", QByteArray("\x00\xff", 2)}, {"zeta", "1"}});
    QVERIFY(job.raw.contains({"x-ours", QByteArray("\x00\xff", 2)}));
    QVERIFY(std::is_sorted(job.raw.begin(), job.raw.end()));
    QCOMPARE(job.raw.size(), 6);
    QVERIFY(job.problems.isEmpty());
}

void HeroCodec::theKeyCountsNotTheFieldId()
{
    const Job job = read({{"id", "another"}});
    QCOMPARE(job.id, QByteArray("one"));
    QCOMPARE(job.problems.size(), 1);
    QVERIFY(readJob("one", {{"script_type", "v"}, {"script", "1"}, {"status", "started"}}).problems.isEmpty());
}

void HeroCodec::anEmptyRecordIsAJobWithProblems()
{
    const Job job = readJob("one", {});
    QCOMPARE(job.id, QByteArray("one"));
    QCOMPARE(job.state, JobState::Unknown);
    QCOMPARE(job.problems.size(), 3); // no status, no script, no type
    QCOMPARE(readSummary("one", {}).state, JobState::Unknown);
}

void HeroCodec::writtenDraftsAreReadBack()
{
    Job draft;
    draft.id = "one";
    draft.callerId = "<img src=x> %1 &File\n";
    draft.contextId = "💡";
    draft.target = {"python", "io", "3", 2, "legacy-7"};
    draft.script = QByteArray("line\r\n\xff\xfe", 8);
    draft.timeout = std::chrono::seconds{0};
    draft.retries = 9;
    draft.concurrent = true;
    draft.logPath = "a/b.log";
    draft.env = {{"Z", "quote \" backslash \\ tab \t"}, {"A", "ü"}};
    draft.prerequisites = {"p1", "p2"};
    QList<ByteField> fields = writeDraft(draft).written;
    fields.append(ByteField{"status", "dispatched"});
    Job read = readJob("one", fields);
    QVERIFY2(read.problems.isEmpty(), qPrintable(read.problems.join(u' ')));
    read.raw.clear();
    read.state = draft.state;
    read.statusText.clear();
    QCOMPARE(read, draft);
}

void HeroCodec::optionalFieldsAreOmitted()
{
    Job draft;
    draft.id = "one";
    draft.target.type = "v";
    const DraftFields fields = writeDraft(draft);
    QCOMPARE(fields.absent, (QList<QByteArray>{"worker_id", "group", "instance", "priority", "log_path", "access"}));
    QVERIFY(fields.written.contains({"caller_id", ""}));
    QVERIFY(fields.written.contains({"env_vars", "{}"}));
    QVERIFY(fields.written.contains({"prerequisites", "[]"}));
    QVERIFY(fields.written.contains({"concurrent", "false"}));
    QVERIFY(fields.written.contains({"timeout", "300"}));
}

void HeroCodec::jsonLimits()
{
    const auto nested = [](int depth) { return QByteArray(depth, '[') + QByteArray(depth, ']'); };
    QVERIFY(parseJson(nested(jsonDepthLimit)).has_value());
    QVERIFY(!parseJson(nested(jsonDepthLimit + 1)).has_value());
    QVERIFY(!parseJson(QByteArray(100'000, '[')).has_value());
    QVERIFY(parseJson('"' + QByteArray(1'000, '[') + '"').has_value()); // brackets in a text are no depth
    QVERIFY(parseJson("\"\\\"[[\"").has_value());
    QVERIFY(!parseJson("\"12345\"", 6).has_value());
    QVERIFY(!parseJson("").has_value());
    QVERIFY(!parseJson("1e999").has_value());
}

void HeroCodec::rangesOfJsonNumbers()
{
    const auto json = parseJson(R"({"n":-1,"big":18446744073709551615,"f":1.5,"t":"12","x":"12x","ok":7})");
    QVERIFY(json.has_value());
    QCOMPARE(integerMember(*json, "n", 0, 100, 42), 42);
    QCOMPARE(integerMember(*json, "n", -5, 100, 42), -1);
    QCOMPARE(integerMember(*json, "big", 0, 1LL << 62, 42), 42);
    QCOMPARE(integerMember(*json, "f", 0, 100, 42), 42);
    QCOMPARE(integerMember(*json, "t", 0, 100, 42), 12);
    QCOMPARE(integerMember(*json, "x", 0, 100, 42), 42);
    QCOMPARE(integerMember(*json, "ok", 0, 6, 42), 42);
    QCOMPARE(integerMember(*json, "missing", 0, 6, 42), 42);
}

QTEST_GUILESS_MAIN(HeroCodec)
#include "tst_hero_codec.moc"
