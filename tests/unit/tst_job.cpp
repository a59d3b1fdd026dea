// Jobs as values: states, ids, and what a draft must look like.
#include "core/job/job.h"

#include <QSet>
#include <QTest>

using ym::FieldProblem;
using ym::Job;
using ym::JobState;

namespace {

Job goodDraft()
{
    Job job;
    job.target.type = "python";
    job.script = "print(1)";
    return job;
}

using Change = std::function<void(Job &)>;

} // namespace

Q_DECLARE_METATYPE(Change)

class TestJob : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyStateHasANameThatReadsBack();
    void stateNamesAreReadInAnyCase();
    void unknownStateNameIsNothing();
    void terminalStatesAreThree();
    void idsAreLowerCaseUuidsAndDiffer();
    void acceptsDrafts_data();
    void acceptsDrafts();
    void refusesDrafts_data();
    void refusesDrafts();
    void namesEveryProblemAtOnce();
    void messagesAreOneSentenceWithoutTheSecret();
};

void TestJob::everyStateHasANameThatReadsBack()
{
    QSet<QByteArray> names;
    for (int i = 0; i < ym::jobStateCount; ++i) {
        const QByteArray name = ym::stateName(JobState(i));
        names.insert(name);
        QCOMPARE(ym::stateFromName(name), std::optional(JobState(i)));
    }
    QCOMPARE(names.size(), ym::jobStateCount);
}

void TestJob::stateNamesAreReadInAnyCase()
{
    QCOMPARE(ym::stateFromName("QUEUED"), std::optional(JobState::Queued));
    QCOMPARE(ym::stateFromName("Finished"), std::optional(JobState::Finished));
}

void TestJob::unknownStateNameIsNothing()
{
    QVERIFY(!ym::stateFromName("dispached").has_value());
    QVERIFY(!ym::stateFromName("").has_value());
    QVERIFY(!ym::stateFromName("queued ").has_value());
}

void TestJob::terminalStatesAreThree()
{
    QList<JobState> terminal;
    for (int i = 0; i < ym::jobStateCount; ++i) {
        if (ym::isTerminal(JobState(i)))
            terminal.append(JobState(i));
    }
    QCOMPARE(terminal, (QList<JobState>{JobState::Finished, JobState::Failed, JobState::Dead}));
}

void TestJob::idsAreLowerCaseUuidsAndDiffer()
{
    static const QRegularExpression uuid(
        QStringLiteral("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"));
    QSet<QByteArray> ids;
    for (int i = 0; i < 1000; ++i) {
        const QByteArray id = ym::newJobId();
        QVERIFY2(uuid.match(QString::fromLatin1(id)).hasMatch(), id.constData());
        ids.insert(id);
    }
    QCOMPARE(ids.size(), 1000);
}

void TestJob::acceptsDrafts_data()
{
    QTest::addColumn<Change>("change");
    const auto row = [](const char *name, Change change) { QTest::newRow(name) << change; };
    row("plain", [](Job &) {});
    row("longest type", [](Job &job) { job.target.type = QByteArray(64, 'x'); });
    row("type with all its signs", [](Job &job) { job.target.type = "my-type_2"; });
    row("group alone", [](Job &job) { job.target.group = "Group.1-a_b"; });
    row("group and instance", [](Job &job) { job.target.group = "g", job.target.instance = "7"; });
    row("no timeout", [](Job &job) { job.timeout = std::chrono::seconds{0}; });
    row("longest timeout", [](Job &job) { job.timeout = std::chrono::seconds{86400}; });
    row("most retries", [](Job &job) { job.retries = 1000; });
    row("first priority", [](Job &job) { job.target.priority = 0; });
    row("last priority", [](Job &job) { job.target.priority = 2; });
    row("environment", [](Job &job) { job.env = {{"A", "1"}, {"_b2", ""}, {"a", "=x\n"}}; });
    row("script that is no text", [](Job &job) { job.script = "\xff\xfe"; });
    row("log path in a folder", [](Job &job) { job.logPath = "team/a..b.log"; });
    row("prerequisites", [](Job &job) { job.prerequisites = {"a", "b"}; });
    row("worker id of other programs", [](Job &job) { job.target.legacyWorker = "rhai:worker_1@host/\xc3\xbc"; });
}

void TestJob::acceptsDrafts()
{
    QFETCH(Change, change);
    Job draft = goodDraft();
    change(draft);
    const QList<FieldProblem> problems = ym::validateDraft(draft);
    QVERIFY2(problems.isEmpty(), problems.isEmpty() ? "" : qPrintable(problems.first().message));
}

void TestJob::refusesDrafts_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QByteArray>("field");
    const auto row = [](const char *name, const char *field, Change change) {
        QTest::newRow(name) << change << QByteArray(field);
    };
    row("no type", "type", [](Job &job) { job.target.type.clear(); });
    row("upper case type", "type", [](Job &job) { job.target.type = "Python"; });
    row("type of 65 characters", "type", [](Job &job) { job.target.type = QByteArray(65, 'x'); });
    row("type with a colon", "type", [](Job &job) { job.target.type = "a:b"; });
    row("type with a line feed behind it", "type", [](Job &job) { job.target.type = "python\n"; });
    row("type with a NUL", "type", [](Job &job) { job.target.type = QByteArray("a\0b", 3); });
    row("type that is no text", "type", [](Job &job) { job.target.type = "\xff"; });
    row("type of another script", "type", [](Job &job) { job.target.type = "пython"; });
    row("group with a blank", "group", [](Job &job) { job.target.group = "a b"; });
    row("group with a line feed behind it", "group", [](Job &job) { job.target.group = "a\n"; });
    row("group with a colon", "group", [](Job &job) { job.target.group = "a:inst:b"; });
    row("group of 65 characters", "group", [](Job &job) { job.target.group = QByteArray(65, 'x'); });
    row("instance with a star", "instance", [](Job &job) { job.target.group = "g", job.target.instance = "*"; });
    row("instance without its group", "group", [](Job &job) { job.target.instance = "1"; });
    row("priority 3", "priority", [](Job &job) { job.target.priority = 3; });
    row("negative priority", "priority", [](Job &job) { job.target.priority = -1; });
    row("empty script", "script", [](Job &job) { job.script.clear(); });
    row("blank script", "script", [](Job &job) { job.script = " \n\t"; });
    row("script with a NUL", "script", [](Job &job) { job.script = QByteArray("a\0b", 3); });
    row("negative timeout", "timeout", [](Job &job) { job.timeout = std::chrono::seconds{-1}; });
    row("timeout over a day", "timeout", [](Job &job) { job.timeout = std::chrono::seconds{86401}; });
    row("negative retries", "retries", [](Job &job) { job.retries = -1; });
    row("1001 retries", "retries", [](Job &job) { job.retries = 1001; });
    row("variable without a name", "env", [](Job &job) { job.env = {{"", "1"}}; });
    row("variable that starts with a digit", "env", [](Job &job) { job.env = {{"1A", "1"}}; });
    row("variable with an equals sign", "env", [](Job &job) { job.env = {{"A=B", "1"}}; });
    row("variable with a line feed behind it", "env", [](Job &job) { job.env = {{"A\n", "1"}}; });
    row("variable twice", "env", [](Job &job) { job.env = {{"A", "1"}, {"A", "2"}}; });
    row("variable with a NUL value", "env", [](Job &job) { job.env = {{"A", QByteArray("a\0b", 3)}}; });
    row("absolute log path", "log_path", [](Job &job) { job.logPath = "/etc/passwd"; });
    row("log path that climbs", "log_path", [](Job &job) { job.logPath = "a/../../b"; });
    row("log path with a NUL", "log_path", [](Job &job) { job.logPath = QByteArray("a\0b", 3); });
    row("log path of 1025 bytes", "log_path", [](Job &job) { job.logPath = QByteArray(1025, 'x'); });
    row("waits for itself", "prerequisites", [](Job &job) { job.id = "me", job.prerequisites = {"me"}; });
    row("worker id with a space", "worker", [](Job &job) { job.target.legacyWorker = "a b"; });
    row("worker id that is no text", "worker", [](Job &job) { job.target.legacyWorker = "\xff"; });
    row("empty prerequisite", "prerequisites", [](Job &job) { job.prerequisites = {""}; });
    row("prerequisite twice", "prerequisites", [](Job &job) { job.prerequisites = {"a", "a"}; });
}

void TestJob::refusesDrafts()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, field);
    Job draft = goodDraft();
    change(draft);
    const QList<FieldProblem> problems = ym::validateDraft(draft);
    QCOMPARE(problems.size(), 1);
    QCOMPARE(problems.first().field, field);
    QVERIFY(!problems.first().message.isEmpty());
}

void TestJob::namesEveryProblemAtOnce()
{
    Job draft = goodDraft();
    draft.target.type.clear();
    draft.script.clear();
    draft.retries = -1;
    QList<QByteArray> fields;
    for (const FieldProblem &problem : ym::validateDraft(draft))
        fields.append(problem.field);
    QCOMPARE(fields, (QList<QByteArray>{"type", "script", "retries"}));
}

void TestJob::messagesAreOneSentenceWithoutTheSecret()
{
    Job draft = goodDraft();
    draft.env = {{"TOKEN", QByteArray("hunter2\0", 8)}};
    const QList<FieldProblem> problems = ym::validateDraft(draft);
    QCOMPARE(problems.size(), 1);
    QVERIFY(problems.first().message.contains(QStringLiteral("TOKEN")));
    QVERIFY(!problems.first().message.contains(QStringLiteral("hunter2")));
    QVERIFY(!problems.first().message.contains(u'\n'));
}

QTEST_GUILESS_MAIN(TestJob)
#include "tst_job.moc"
