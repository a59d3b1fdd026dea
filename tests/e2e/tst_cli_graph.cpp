// Graphs over the command line: planned, submitted as a whole, run in their order; mistakes named with line and job.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

namespace {

const QByteArray night = R"json({
 "defaults": {"type": "python", "timeout": 20, "env": {"A": "1", "B": "2"}},
 "jobs": [
  {"name": "mail", "script": "print('mail')", "after": ["load-1", "load-2"]},
  {"name": "load-1", "script": "print('load')", "after": ["fetch"], "env": {"B": "3"}},
  {"name": "load-2", "script": "print('load')", "after": ["fetch"], "retries": 2},
  {"name": "fetch", "file": "fetch.py"}
 ]
})json";

Ended submit(const Program &program, const QByteArray &graph, QStringList options = {})
{
    program.file(QStringLiteral("fetch.py"), "import os\nprint(os.environ['A'] + os.environ['B'])\n");
    const QString file = program.file(QStringLiteral("night.json"), graph);
    return program.run(QStringList{QStringLiteral("submit"), QStringLiteral("--graph"), file} + options);
}

QJsonArray list(const Program &program)
{
    return program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array();
}

} // namespace

class TestCliGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runsInItsOrder();
    void waitsForTheEnd();
    void dryRunPlansAndSubmitsNothing();
    void dryRunIsForGraphs();
    void optionsOfOneJobAreRefused();
    void otherOptionsAreForWhatTheFileLeavesOut();
    void goesToLegacyQueues();
    void theSamePrerequisiteTwiceIsOne();
    void mistakesAreNamed_data();
    void mistakesAreNamed();
    void missingJobOutsideIsNamed();
    void jobsOfTheStoreCanBeWaitedFor();
};

void TestCliGraph::runsInItsOrder()
{
    const Program program;
    const Ended submitted = submit(program, night, {QStringLiteral("--json")});
    QVERIFY2(submitted.code == 0, submitted.all().constData());
    QHash<QString, QString> ids;
    for (const QJsonValue &job : submitted.json().array())
        ids.insert(job[u"name"].toString(), job[u"id"].toString());
    QCOMPARE(ids.size(), 4);
    const Ended worked = program.run({QStringLiteral("worker"), QStringLiteral("-t"), QStringLiteral("python"),
                                      QStringLiteral("--drain")});
    QVERIFY2(worked.code == 0, worked.all().constData());
    const auto show = [&](const char *name) {
        return program.run({QStringLiteral("--json"), QStringLiteral("show"), ids.value(QLatin1String(name))}).json().object();
    };
    const QJsonObject fetch = show("fetch");
    const QJsonObject load = show("load-2");
    const QJsonObject mail = show("mail");
    QCOMPARE(fetch[u"output"].toString(), QStringLiteral("12\n"));
    QCOMPARE(mail[u"output"].toString(), QStringLiteral("mail\n"));
    QVERIFY(fetch[u"finished_at"].toString() <= load[u"started_at"].toString());
    QVERIFY(load[u"finished_at"].toString() <= mail[u"started_at"].toString());
    QCOMPARE(load[u"retries"].toInt(), 2);
    QCOMPARE(load[u"timeout"].toInt(), 20);
    QCOMPARE(mail[u"prerequisites"].toArray().size(), 2);
    QCOMPARE(fetch[u"dependents"].toArray().size(), 2);
}

void TestCliGraph::waitsForTheEnd()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    Program program;
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
    const auto worker = program.start({QStringLiteral("worker"), QStringLiteral("-t"), QStringLiteral("python")});
    const Ended well = submit(program, night, {QStringLiteral("--wait")});
    QVERIFY2(well.code == 0, well.all().constData());
    QCOMPARE(well.out.count("finished"), 4);
    QByteArray failing = night;
    failing.replace("print('load')\", \"after\": [\"fetch\"], \"env\"", "exit(3)\", \"after\": [\"fetch\"], \"env\"");
    const Ended ended = submit(program, failing, {QStringLiteral("--wait")});
    QCOMPARE(ended.code, 1);
    QCOMPARE(ended.out.count("finished"), 2);
    QCOMPARE(ended.out.count("failed"), 2);
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliGraph::dryRunPlansAndSubmitsNothing()
{
    const Program program;
    const Ended planned = submit(program, night, {QStringLiteral("--dry-run"), QStringLiteral("--json")});
    QVERIFY2(planned.code == 0, planned.all().constData());
    const QJsonArray jobs = planned.json().array();
    QCOMPARE(jobs.size(), 4);
    QCOMPARE(jobs[0][u"name"].toString(), QStringLiteral("fetch"));
    QCOMPARE(jobs[0][u"level"].toInt(), 0);
    QCOMPARE(jobs[0][u"queue"].toString(), QStringLiteral("hero:q:work:type:python"));
    QCOMPARE(jobs[3][u"name"].toString(), QStringLiteral("mail"));
    QCOMPARE(jobs[3][u"level"].toInt(), 2);
    QCOMPARE(jobs[3][u"after"].toArray().size(), 2);
    const Ended forPeople = submit(program, night, {QStringLiteral("--dry-run")});
    QVERIFY2(forPeople.out.contains("LEVEL") && forPeople.out.contains("load-1, load-2"), forPeople.all().constData());
    QVERIFY2(forPeople.err.contains("nothing was submitted"), forPeople.all().constData());
    QVERIFY(list(program).isEmpty());
}

void TestCliGraph::dryRunIsForGraphs()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("submit"), program.file(QStringLiteral("a.py"), "1"), QStringLiteral("--dry-run")});
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.err.contains("--graph"), ended.all().constData());
}

void TestCliGraph::optionsOfOneJobAreRefused()
{
    const Program program;
    const Ended ended = submit(program, night, {QStringLiteral("--after"), QStringLiteral("x")});
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.err.contains("after"), ended.all().constData());
    QVERIFY(list(program).isEmpty());
}

void TestCliGraph::otherOptionsAreForWhatTheFileLeavesOut()
{
    const Program program;
    QByteArray graph = night;
    graph.replace("\"fetch.py\"}", "\"fetch.py\", \"group\": \"own\", \"context\": \"here\", \"network\": true, "
                                   "\"read\": [\"fetch.py\"], \"worker_id\": \"a:b\", \"delay\": 600}");
    const Ended submitted =
        submit(program, graph, QStringLiteral("--json --group most --retries 7 --timeout 99 --caller me --priority 0 --env "
                                              "A=9 --env C=4 --worker-id w").split(u' '));
    QVERIFY2(submitted.code == 0, submitted.all().constData());
    QHash<QString, QJsonObject> jobs;
    for (const QJsonValue &each : submitted.json().array()) {
        const QStringList show{QStringLiteral("--json"), QStringLiteral("show"), each[u"id"].toString()};
        jobs.insert(each[u"name"].toString(), program.run(show).json().object());
    }
    const QJsonObject mail = jobs.value(QStringLiteral("mail"));
    QCOMPARE(mail[u"group"].toString(), QStringLiteral("most"));
    QCOMPARE(mail[u"worker_id"].toString(), QStringLiteral("w"));
    QCOMPARE(mail[u"caller_id"].toString(), QStringLiteral("me"));
    QCOMPARE(mail[u"retries"].toInt(), 7);
    QCOMPARE(mail[u"priority"].toInt(), 0);
    QCOMPARE(mail[u"timeout"].toInt(), 20); // the file says so
    QCOMPARE(mail[u"env"][u"A"].toString(), QStringLiteral("1"));
    QCOMPARE(mail[u"env"][u"C"].toString(), QStringLiteral("4"));
    QCOMPARE(jobs.value(QStringLiteral("load-2"))[u"retries"].toInt(), 2);
    const QJsonObject fetch = jobs.value(QStringLiteral("fetch"));
    QCOMPARE(fetch[u"group"].toString(), QStringLiteral("own"));
    QCOMPARE(fetch[u"worker_id"].toString(), QStringLiteral("a:b"));
    QCOMPARE(fetch[u"context_id"].toString(), QStringLiteral("here"));
    QCOMPARE(fetch[u"access"][u"network"].toBool(), true);
    QCOMPARE(fetch[u"access"][u"read"].toArray().at(0).toString(), program.homeFolder() + QStringLiteral("/fetch.py"));
    QVERIFY(!fetch[u"not_before"].toString().isEmpty());
}

/// The queues of the first document are named after a worker: each job of a graph can have its own, and its own keys.
void TestCliGraph::goesToLegacyQueues()
{
    RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    Program program;
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
    const QByteArray graph = R"json({"defaults": {"type": "python", "worker_id": "w1"}, "jobs": [
        {"name": "a", "script": "1"}, {"name": "b", "script": "1", "worker_id": "w2"},
        {"name": "c", "script": "1", "keys": "canonical"}]})json";
    const Ended submitted = submit(program, graph, {QStringLiteral("--keys"), QStringLiteral("legacy")});
    QVERIFY2(submitted.code == 0, submitted.all().constData());
    for (const char *queue : {"hero:work_queue:w1", "hero:work_queue:w2", "hero:q:work:type:python"})
        QCOMPARE(server.cli({QStringLiteral("LLEN"), QLatin1String(queue)}), QByteArray("1"));
}

void TestCliGraph::theSamePrerequisiteTwiceIsOne()
{
    const Program program;
    QByteArray graph = night;
    graph.replace("\"after\": [\"fetch\"], \"retries\"", "\"after\": [\"fetch\", \"fetch\"], \"retries\"");
    const Ended submitted = submit(program, graph);
    QVERIFY2(submitted.code == 0, submitted.all().constData());
}

void TestCliGraph::mistakesAreNamed_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, const char *before, const char *after, const char *words) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QByteArray(words);
    };
    row("no JSON", "\"retries\": 2}", "\"retries\": 2", "night.json:7: this is not JSON");
    row("a name that is nobody's", "[\"fetch\"], \"retries\"", "[\"fetsh\"], \"retries\"",
        "night.json:6: job “load-2”: there is no job “fetsh”");
    row("a circle", "\"file\": \"fetch.py\"", "\"file\": \"fetch.py\", \"after\": [\"mail\"]", "in a circle: ");
    row("two of one name", "load-2\", \"script\"", "load-1\", \"script\"", "job “load-1”: there are two");
    row("an unknown member", "\"retries\"", "\"retry\"", "night.json:6: job “load-2”: “retry” means nothing");
    row("a value of another kind", "\"retries\": 2", "\"retries\": \"2\"", "“retries” has a value of another kind");
    row("a number out of range", "\"retries\": 2", "\"retries\": 2000", "whole number from 0 to 1000");
    row("a part of a number", "\"retries\": 2", "\"retries\": 2.5", "whole number from 0 to 1000");
    row("neither script nor file", "\"script\": \"print('mail')\", ", "", "job “mail”: it needs a “script” or a “file”");
    row("a file that is not there", "fetch.py", "nothing.py", "job “fetch”: ");
    row("a job without a name", "\"name\": \"fetch\", ", "", "job number 4: it needs a name");
    row("something else on top", "\"defaults\"", "\"default\"", "“default” means nothing here");
    row("defaults that are a list", "\"defaults\": {\"type\": \"python\", \"timeout\": 20, \"env\": {\"A\": \"1\", \"B\": \"2\"}}",
        "\"defaults\": []", "defaults: it is no object");
    row("a prerequisite that is a number", "[\"fetch\"], \"retries\"", "[1], \"retries\"", "“after” holds something that is no name");
    row("keys of no family", "\"retries\": 2", "\"keys\": \"new\"", "“keys” must be auto, canonical, legacy or dual");
    row("a folder that is not there", "\"retries\": 2", "\"read\": [\"nowhere\"]", "nowhere does not exist");
    row("a folder that is a number", "\"retries\": 2", "\"write\": [1]", "“write” holds something that is no path");
    row("a type that cannot be", "\"type\": \"python\"", "\"type\": \"p y\"", "job “mail”");
}

void TestCliGraph::mistakesAreNamed()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, words);
    const Program program;
    QByteArray graph = night;
    QVERIFY(graph.contains(before));
    graph.replace(before, after);
    const Ended ended = submit(program, graph);
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.err.contains(words), ended.all().constData());
    QVERIFY(list(program).isEmpty());
}

void TestCliGraph::missingJobOutsideIsNamed()
{
    const Program program;
    const QByteArray nobody = "00000000-0000-4000-8000-000000000000";
    QByteArray graph = night;
    graph.replace("\"file\": \"fetch.py\"", "\"file\": \"fetch.py\", \"after\": [\"" + nobody + "\"]");
    for (const QStringList &options : {QStringList{}, QStringList{QStringLiteral("--dry-run")}}) {
        const Ended ended = submit(program, graph, options);
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.err.contains(nobody), ended.all().constData());
    }
    QVERIFY(list(program).isEmpty());
}

void TestCliGraph::jobsOfTheStoreCanBeWaitedFor()
{
    const Program program;
    const QString script = program.file(QStringLiteral("first.py"), "print(1)");
    const QByteArray first = program.run({QStringLiteral("submit"), script}).out.trimmed();
    QByteArray graph = night;
    graph.replace("\"file\": \"fetch.py\"", "\"file\": \"fetch.py\", \"after\": [\"" + first + "\"]");
    const Ended ended = submit(program, graph);
    QVERIFY2(ended.code == 0, ended.all().constData());
    int waiting = 0;
    for (const QJsonValue &job : list(program))
        waiting += job[u"state"].toString() == QLatin1String("waiting") ? 1 : 0;
    QCOMPARE(waiting, 4);
}

QTEST_GUILESS_MAIN(TestCliGraph)
#include "tst_cli_graph.moc"
