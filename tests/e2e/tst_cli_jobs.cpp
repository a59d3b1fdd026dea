// Jobs over the command line on an embedded workspace: queue, look, work, wait, stop, remove; one process after
// another.
#include "tests/support/program.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>
#include <QUuid>

#include <csignal>

using ym::test::Ended;
using ym::test::Program;

namespace {

QString submit(const Program &program, const QByteArray &script, QStringList options = {})
{
    const QString file =
        program.file(QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".py"), script);
    const Ended ended = program.run(QStringList{QStringLiteral("submit"), file} + options);
    if (ended.code != 0)
        qFatal("submit failed: %s", ended.all().constData());
    return QString::fromLatin1(ended.out.trimmed());
}

/// A folder that jobs may write when both the job and its worker are given it.
QString sharedFolder(const Program &program)
{
    const QString folder = program.homeFolder() + QStringLiteral("/shared");
    if (!QDir().mkpath(folder))
        qFatal("no shared folder");
    return folder;
}

QJsonObject show(const Program &program, const QString &id)
{
    return program.run({QStringLiteral("--json"), QStringLiteral("show"), id}).json().object();
}

Ended drain(const Program &program, QStringList options = {})
{
    return program.run(QStringList{QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                                   QStringLiteral("--drain")}
                       + options);
}

QStringList states(const Program &program)
{
    QStringList list;
    const QJsonArray jobs = program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array();
    for (const QJsonValue &job : jobs)
        list.append(job[u"state"].toString());
    list.sort();
    return list;
}

} // namespace

class TestCliJobs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void submittedJobWaitsForAWorker();
    void workerDrainsWhatIsQueued();
    void workerTellsOfEachJob();
    void slotsRunSideBySide();
    void jobsRunInTheOrderOfTheirPrerequisites();
    void failedPrerequisiteFailsWhatWaits();
    void unknownPrerequisiteIsRefused();
    void sameIdTwiceIsOneJob();
    void sameIdWithOtherContentIsRefused();
    void groupIsServedByItsWorkerOnly();
    void outputOfAJobThatIsNotOver();
    void outputKeepsEveryByte();
    void terminalSeesNoControlCharacters();
    void showHidesSecrets();
    void listFiltersAndLimits();
    void listAndShowTellWhatAJobAsksFor();
    void whatIsNotThereIsToldInBothFormats();
    void waitSeesTheEnd();
    void waitGivesUp();
    void waitOfAnUnknownJob();
    void stopTakesAQueuedJobBack();
    void stopOfAnUnknownJob();
    void removeForgetsAJob();
    void logsShowWhatAJobWrote();
    void logsWithoutALogFile();
    void workspaceOpenElsewhereAnswersThere();
    void workerIsInterrupted_data();
    void workerIsInterrupted();
    void jobOfAKilledWorkerIsNotLost();
};

void TestCliJobs::submittedJobWaitsForAWorker()
{
    const Program program;
    const QString id = submit(program, "print(1)\n",
                              {QStringLiteral("--retries"), QStringLiteral("2"), QStringLiteral("--timeout"),
                               QStringLiteral("9"), QStringLiteral("--concurrent")});
    QVERIFY(!QUuid::fromString(id).isNull());
    const QJsonObject job = show(program, id);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("queued"));
    QCOMPARE(job[u"script"].toString(), QStringLiteral("print(1)\n"));
    QCOMPARE(job[u"retries"].toInt(), 2);
    QCOMPARE(job[u"timeout"].toInt(), 9);
    QCOMPARE(job[u"concurrent"].toBool(), true);
    QCOMPARE(job[u"attempt"].toInt(), 0);
    QVERIFY(job[u"created_at"].toString().endsWith(u'Z'));
    QVERIFY(job[u"started_at"].isNull());
    const QJsonArray queues = program.run({QStringLiteral("--json"), QStringLiteral("queues")}).json().array();
    QCOMPARE(queues.size(), 1);
    QCOMPARE(queues.first()[u"depth"].toInt(), 1);
    QCOMPARE(queues.first()[u"next"].toString(), id);
    QCOMPARE(queues.first()[u"type"].toString(), QStringLiteral("python"));
    const Ended listed = program.run({QStringLiteral("list")});
    QVERIFY2(listed.out.contains(id.toLatin1()) && listed.out.contains("queued"), listed.all().constData());
}

void TestCliJobs::workerDrainsWhatIsQueued()
{
    const Program program;
    QStringList ids;
    for (int i = 0; i < 5; ++i)
        ids.append(submit(program, "print(" + QByteArray::number(i) + ")\n"));
    const Ended worked = drain(program, {QStringLiteral("--slots"), QStringLiteral("2")});
    QVERIFY2(worked.code == 0, worked.all().constData());
    for (int i = 0; i < ids.size(); ++i) {
        const Ended output = program.run({QStringLiteral("output"), ids[i]});
        QVERIFY2(output.code == 0, output.all().constData());
        QCOMPARE(output.out, QByteArray::number(i) + '\n');
    }
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("workers")}).out, QByteArray("[]\n"));
}

void TestCliJobs::workerTellsOfEachJob()
{
    const Program program;
    const QByteArray id = submit(program, "import sys\nsys.exit(3)\n").toLatin1();
    const Ended worked = drain(program);
    QVERIFY2(worked.out.count(id) == 2 && worked.out.contains("exit code 3"), worked.all().constData());
    submit(program, "print(1)\n");
    const Ended json = drain(program, {QStringLiteral("--json")});
    const QList<QJsonObject> events = json.jsonLines();
    QCOMPARE(events.size(), 2);
    QCOMPARE(events[0][u"event"].toString(), QStringLiteral("started"));
    QCOMPARE(events[1][u"event"].toString(), QStringLiteral("ended"));
    QCOMPARE(events[1][u"fate"].toString(), QStringLiteral("finished"));
}

void TestCliJobs::slotsRunSideBySide()
{
    // Each waits for the file of the other: they can only end when both run at once.
    const Program program;
    const QByteArray script = "import os, time\n"
                              "here, there = os.environ['HERE'], os.environ['THERE']\n"
                              "open(here, 'w').close()\n"
                              "while not os.path.exists(there):\n    time.sleep(0.02)\n";
    const QString shared = sharedFolder(program);
    const QString a = shared + QStringLiteral("/a");
    const QString b = shared + QStringLiteral("/b");
    const QStringList common{QStringLiteral("--concurrent"), QStringLiteral("--write"),   shared,
                             QStringLiteral("--timeout"),    QStringLiteral("30"), QStringLiteral("--env")};
    submit(program, script,
           common + QStringList{QStringLiteral("HERE=") + a, QStringLiteral("--env"), QStringLiteral("THERE=") + b});
    submit(program, script,
           common + QStringList{QStringLiteral("HERE=") + b, QStringLiteral("--env"), QStringLiteral("THERE=") + a});
    const Ended worked = drain(program, {QStringLiteral("--slots"), QStringLiteral("2"), QStringLiteral("--write"), shared});
    QVERIFY2(worked.code == 0, worked.all().constData());
    QCOMPARE(states(program), (QStringList{QStringLiteral("finished"), QStringLiteral("finished")}));
}

void TestCliJobs::jobsRunInTheOrderOfTheirPrerequisites()
{
    const Program program;
    const QString first = submit(program, "print('first')\n");
    const QString second = submit(program, "print('second')\n", {QStringLiteral("--after"), first});
    const QString third =
        submit(program, "print('third')\n", {QStringLiteral("-a"), first, QStringLiteral("-a"), second});
    QCOMPARE(show(program, third)[u"state"].toString(), QStringLiteral("waiting"));
    QVERIFY(drain(program).code == 0);
    QList<QByteArray> order;
    for (const QString &id : {first, second, third}) {
        const QJsonObject job = show(program, id);
        QCOMPARE(job[u"state"].toString(), QStringLiteral("finished"));
        order.append(job[u"started_at"].toString().toLatin1());
    }
    QVERIFY(std::is_sorted(order.begin(), order.end()));
}

void TestCliJobs::failedPrerequisiteFailsWhatWaits()
{
    const Program program;
    const QString first = submit(program, "raise SystemExit(1)\n");
    const QString second = submit(program, "print('second')\n", {QStringLiteral("--after"), first});
    QVERIFY(drain(program).code == 0);
    const QJsonObject job = show(program, second);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("failed"));
    QVERIFY(job[u"error"].toString().contains(first));
    QCOMPARE(job[u"attempt"].toInt(), 0);
}

void TestCliJobs::unknownPrerequisiteIsRefused()
{
    const Program program;
    const QString missing = QUuid::createUuid().toString(QUuid::WithoutBraces);
    const QString file = program.file(QStringLiteral("a.py"), "print(1)\n");
    const Ended ended = program.run({QStringLiteral("submit"), file, QStringLiteral("--after"), missing});
    QVERIFY2(ended.code == 1 && ended.err.contains(missing.toLatin1()), ended.all().constData());
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("list")}).out, QByteArray("[]\n"));
}

void TestCliJobs::sameIdTwiceIsOneJob()
{
    const Program program;
    const QString file = program.file(QStringLiteral("a.py"), "print(1)\n");
    const QStringList arguments{QStringLiteral("submit"), file, QStringLiteral("--id"),
                                QStringLiteral("11111111-2222-4333-8444-55555555ABCD")};
    QCOMPARE(program.run(arguments).out, QByteArray("11111111-2222-4333-8444-55555555abcd\n"));
    const Ended again = program.run(arguments);
    QVERIFY2(again.code == 0, again.all().constData());
    const Ended worked = drain(program);
    QCOMPARE(worked.out.count("started"), 1);
}

void TestCliJobs::sameIdWithOtherContentIsRefused()
{
    const Program program;
    const QString id = submit(program, "print(1)\n");
    const QString file = program.file(QStringLiteral("b.py"), "print(2)\n");
    const Ended ended = program.run({QStringLiteral("submit"), file, QStringLiteral("--id"), id});
    QVERIFY2(ended.code == 1 && ended.err.startsWith("yardmaster: "), ended.all().constData());
    QCOMPARE(show(program, id)[u"script"].toString(), QStringLiteral("print(1)\n"));
}

void TestCliJobs::groupIsServedByItsWorkerOnly()
{
    const Program program;
    const QString id = submit(program, "print(1)\n", {QStringLiteral("--group"), QStringLiteral("etl")});
    QVERIFY(drain(program).code == 0);
    QCOMPARE(show(program, id)[u"state"].toString(), QStringLiteral("queued"));
    QVERIFY(drain(program, {QStringLiteral("--group"), QStringLiteral("etl")}).code == 0);
    const QJsonObject job = show(program, id);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("finished"));
    QVERIFY2(job[u"claimed_by"].toString().startsWith(QStringLiteral("python:etl:")),
             qPrintable(job[u"claimed_by"].toString()));
}

void TestCliJobs::outputOfAJobThatIsNotOver()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("output"), submit(program, "print(1)\n")});
    QVERIFY2(ended.code == 1 && ended.err.contains("queued"), ended.all().constData());
}

void TestCliJobs::outputKeepsEveryByte()
{
    const Program program;
    const QString id = submit(program, "import sys\nsys.stdout.buffer.write(bytes(range(256)))\n");
    QVERIFY(drain(program).code == 0);
    QByteArray all;
    for (int i = 0; i < 256; ++i)
        all.append(char(i));
    QCOMPARE(program.run({QStringLiteral("output"), id}).out, all);
    QCOMPARE(QByteArray::fromBase64(show(program, id)[u"output"].toObject()[u"base64"].toString().toLatin1()), all);
}

void TestCliJobs::terminalSeesNoControlCharacters()
{
    const Program program;
    const QString id = submit(program, "print('\\x1b]0;title\\x07 \\u202e')\n");
    QVERIFY(drain(program).code == 0);
    // Of a job's output what a terminal would obey is left out; where it is a field among others it is shown.
    for (const auto &[command, shown] : {std::pair{"output", " <U+202E>"}, {"show", "<U+001B>]0;title<U+0007> <U+202E>"}}) {
        const Ended ended = program.shell(
            QStringLiteral("TERM=dumb script -qec '\"$YM\" %1 %2' /dev/null").arg(QLatin1String(command), id));
        QVERIFY2(ended.out.contains(shown), ended.all().constData());
        QVERIFY2(!ended.out.contains('\x1b') && !ended.out.contains('\x07'), ended.all().constData());
    }
}

void TestCliJobs::showHidesSecrets()
{
    const Program program;
    const QString id = submit(program, "print(1)\n",
                              {QStringLiteral("--env"), QStringLiteral("API_TOKEN=hunter2"), QStringLiteral("--env"),
                               QStringLiteral("DAY=monday")});
    const Ended shown = program.run({QStringLiteral("show"), id});
    QVERIFY2(!shown.out.contains("hunter2") && shown.out.contains("API_TOKEN"), shown.all().constData());
    QVERIFY(shown.out.contains("DAY=monday"));
    QVERIFY(program.run({QStringLiteral("show"), QStringLiteral("--reveal"), id}).out.contains("API_TOKEN=hunter2"));
    const QJsonObject hidden = show(program, id);
    QVERIFY(hidden[u"env"][u"API_TOKEN"].isNull());
    QCOMPARE(hidden[u"env"][u"DAY"].toString(), QStringLiteral("monday"));
    QCOMPARE(hidden[u"env_hidden"].toArray(), QJsonArray{QStringLiteral("API_TOKEN")});
    const QJsonObject revealed =
        program.run({QStringLiteral("--json"), QStringLiteral("show"), QStringLiteral("--reveal"), id}).json().object();
    QCOMPARE(revealed[u"env"][u"API_TOKEN"].toString(), QStringLiteral("hunter2"));
    QVERIFY(revealed[u"env_hidden"].toArray().isEmpty());
    QVERIFY(drain(program).code == 0);
    QVERIFY(!program.run({QStringLiteral("--json"), QStringLiteral("wait"), id}).out.contains("hunter2"));
    // Exactly what is stored, for whoever asks for this field.
    const QStringList stored{QStringLiteral("show"), QStringLiteral("--field"), QStringLiteral("env_vars"), id};
    QVERIFY(program.run(stored).out.contains("hunter2"));
}

void TestCliJobs::listAndShowTellWhatAJobAsksFor()
{
    const Program program;
    submit(program, "print(1)\n");
    QVERIFY(!program.run({QStringLiteral("list")}).out.contains("ACCESS"));
    const QString folder = sharedFolder(program);
    const QString id =
        submit(program, "print(1)\n", {QStringLiteral("--network"), QStringLiteral("--write"), folder});
    const QByteArray asked = "network, writes " + folder.toUtf8();
    const Ended listed = program.run({QStringLiteral("list")});
    QVERIFY2(listed.out.contains("ACCESS") && listed.out.contains(asked), listed.all().constData());
    const Ended shown = program.run({QStringLiteral("show"), id});
    QVERIFY2(shown.out.contains(asked), shown.all().constData());
    const QJsonArray jobs = program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array();
    QCOMPARE(jobs.size(), 2);
    for (const QJsonValue &job : jobs) {
        const QJsonObject access = job[u"access"].toObject();
        const bool isAsking = job[u"id"].toString() == id;
        QCOMPARE(access[u"network"].toBool(), isAsking);
        QCOMPARE(access[u"write"].toArray(), isAsking ? QJsonArray{folder} : QJsonArray{});
    }
}

void TestCliJobs::listFiltersAndLimits()
{
    const Program program;
    const QString bad = submit(program, "raise SystemExit(1)\n");
    QVERIFY(drain(program).code == 0);
    for (int i = 0; i < 3; ++i)
        submit(program, "print(1)\n");
    const auto ids = [&](QStringList options) {
        QStringList list;
        const QStringList arguments = QStringList{QStringLiteral("--json"), QStringLiteral("list")} + options;
        for (const QJsonValue &job : program.run(arguments).json().array())
            list.append(job[u"id"].toString());
        return list;
    };
    QCOMPARE(ids({QStringLiteral("--state"), QStringLiteral("failed")}), QStringList{bad});
    QCOMPARE(ids({QStringLiteral("--state"), QStringLiteral("Queued")}).size(), 3);
    QCOMPARE(ids({QStringLiteral("--type"), QStringLiteral("v")}).size(), 0);
    QCOMPARE(ids({QStringLiteral("--limit"), QStringLiteral("2")}).size(), 2);
    QVERIFY(!ids({QStringLiteral("--limit"), QStringLiteral("3")}).contains(bad)); // the newest, and that is the oldest
    QCOMPARE(ids({QStringLiteral("--limit"), QStringLiteral("0")}).size(), 4);
}

void TestCliJobs::whatIsNotThereIsToldInBothFormats()
{
    const Program program;
    for (const char *verb : {"wait", "stop", "retry", "requeue", "remove"}) {
        const Ended text = program.run({QLatin1String(verb), QStringLiteral("nobody")});
        QVERIFY2(text.code == 1 && text.err == "nobody  there is no such job\n", text.all().constData());
        const Ended json = program.run({QStringLiteral("--json"), QLatin1String(verb), QStringLiteral("nobody")});
        QCOMPARE(json.code, 1);
        const bool isLines = QByteArray(verb) == "wait"; // only of jobs that ended
        QVERIFY2(isLines ? json.err == "yardmaster: nobody  there is no such job\n"
                         : json.json().array().first()[u"outcome"].toString() == QStringLiteral("not_found"),
                 json.all().constData());
    }
}

void TestCliJobs::waitSeesTheEnd()
{
    const Program program;
    const QString good = submit(program, "print(1)\n");
    const QString bad = submit(program, "raise SystemExit(1)\n");
    QVERIFY(drain(program).code == 0);
    const Ended one = program.run({QStringLiteral("wait"), good});
    QVERIFY2(one.code == 0 && one.out == good.toLatin1() + "  finished\n", one.all().constData());
    const Ended both = program.run({QStringLiteral("wait"), good, bad, QStringLiteral("--json")});
    QCOMPARE(both.code, 1);
    QCOMPARE(both.jsonLines().size(), 2);
}

void TestCliJobs::waitGivesUp()
{
    const Program program;
    const Ended ended = program.run(
        {QStringLiteral("wait"), submit(program, "print(1)\n"), QStringLiteral("--timeout"), QStringLiteral("1")});
    QVERIFY2(ended.code == 124, ended.all().constData());
}

void TestCliJobs::waitOfAnUnknownJob()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("wait"), QStringLiteral("no-such-job")});
    QVERIFY2(ended.code == 1 && ended.err.contains("no-such-job"), ended.all().constData());
}

void TestCliJobs::stopTakesAQueuedJobBack()
{
    const Program program;
    const QString id = submit(program, "print(1)\n");
    const Ended stopped = program.run({QStringLiteral("--json"), QStringLiteral("stop"), id});
    QVERIFY2(stopped.code == 0, stopped.all().constData());
    QCOMPARE(stopped.json().array().first()[u"outcome"].toString(), QStringLiteral("stopped"));
    QCOMPARE(show(program, id)[u"state"].toString(), QStringLiteral("failed"));
    QVERIFY2(!drain(program).out.contains(id.toLatin1()), "a stopped job ran");
    const Ended again = program.run({QStringLiteral("--json"), QStringLiteral("stop"), id});
    QCOMPARE(again.code, 0);
    QCOMPARE(again.json().array().first()[u"outcome"].toString(), QStringLiteral("already_over"));
}

void TestCliJobs::stopOfAnUnknownJob()
{
    const Program program;
    const QString id = submit(program, "print(1)\n");
    const Ended ended = program.run({QStringLiteral("stop"), QStringLiteral("no-such-job"), id});
    QVERIFY2(ended.code == 1 && ended.err.contains("no-such-job"), ended.all().constData());
    QVERIFY2(ended.out.contains(id.toLatin1()), "the second job was not stopped");
}

void TestCliJobs::removeForgetsAJob()
{
    const Program program;
    const QString id = submit(program, "print(1)\n");
    const Ended removed = program.run({QStringLiteral("remove"), id});
    QVERIFY2(removed.code == 0 && removed.out.contains("removed"), removed.all().constData());
    QCOMPARE(program.run({QStringLiteral("show"), id}).code, 1);
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("queues")}).out, QByteArray("[]\n"));
    const Ended again = program.run({QStringLiteral("remove"), id});
    QVERIFY2(again.code == 1 && again.err.contains(id.toLatin1()), again.all().constData());
}

void TestCliJobs::logsShowWhatAJobWrote()
{
    const Program program;
    const QString script =
        program.file(QStringLiteral("log.py"), "import sys\nprint('to out')\nprint('to err', file=sys.stderr)\n");
    QCOMPARE(program.run({QStringLiteral("run"), script}).code, 0);
    const QString id =
        program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array().first()[u"id"].toString();
    const Ended logs = program.run({QStringLiteral("logs"), id});
    QVERIFY2(logs.code == 0, logs.all().constData());
    QVERIFY2(logs.out.contains("to out") && logs.out.contains("to err"), logs.all().constData());
    const Ended followed = program.run({QStringLiteral("logs"), id, QStringLiteral("--follow")});
    QVERIFY2(followed.code == 0 && followed.out == logs.out, followed.all().constData());
}

void TestCliJobs::logsWithoutALogFile()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("logs"), submit(program, "print(1)\n")});
    QVERIFY2(ended.code == 1 && ended.err.startsWith("yardmaster: "), ended.all().constData());
}

void TestCliJobs::workspaceOpenElsewhereAnswersThere()
{
    const Program program;
    submit(program, "print(1)\n");
    const auto worker = program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python")});
    QByteArray seen;
    QVERIFY2(ym::test::waitForOutput(worker.get(), "finished", &seen), seen.constData());
    const Ended ended = program.run({QStringLiteral("list")});
    QVERIFY2(ended.code == 0 && ended.out.contains("finished"), ended.all().constData());
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
    QCOMPARE(program.run({QStringLiteral("list")}).code, 0);
}

void TestCliJobs::workerIsInterrupted_data()
{
    QTest::addColumn<int>("signalCount");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("state");
    QTest::newRow("once: the running job may finish") << 1 << 0 << QStringLiteral("finished");
    QTest::newRow("twice: the running job is given back") << 2 << 130 << QStringLiteral("queued");
}

void TestCliJobs::workerIsInterrupted()
{
    QFETCH(int, signalCount);
    QFETCH(int, code);
    QFETCH(QString, state);
    const Program program;
    const QString shared = sharedFolder(program);
    const QString gate = shared + QStringLiteral("/gate");
    const QString running =
        submit(program, "import os, time\nwhile not os.path.exists(os.environ['GATE']):\n    time.sleep(0.02)\n",
               {QStringLiteral("--env"), QStringLiteral("GATE=") + gate, QStringLiteral("--read"), shared});
    const QString queued = submit(program, "print(1)\n");
    const auto worker = program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                                       QStringLiteral("--read"), shared});
    QByteArray seen;
    QVERIFY2(ym::test::waitForOutput(worker.get(), running.toLatin1(), &seen), seen.constData());
    ::kill(pid_t(worker->processId()), SIGTERM);
    QVERIFY(ym::test::waitForRemark(worker.get(), "nothing new"));
    if (signalCount == 2)
        ::kill(pid_t(worker->processId()), SIGTERM);
    else
        program.file(QStringLiteral("shared/gate"), "open");
    const Ended ended = ym::test::collect(worker.get(), seen);
    QVERIFY2(ended.code == code, ended.all().constData());
    QCOMPARE(show(program, running)[u"state"].toString(), state);
    QCOMPARE(show(program, queued)[u"state"].toString(), QStringLiteral("queued"));
    program.file(QStringLiteral("shared/gate"), "open");
    QVERIFY(drain(program, {QStringLiteral("--read"), shared}).code == 0);
    QCOMPARE(states(program), (QStringList{QStringLiteral("finished"), QStringLiteral("finished")}));
}

void TestCliJobs::jobOfAKilledWorkerIsNotLost()
{
    const Program program;
    const QString shared = sharedFolder(program);
    const QString mark = shared + QStringLiteral("/mark");
    const QString id = submit(program, "import os, time\nopen(os.environ['MARK'], 'w').close()\ntime.sleep(600)\n",
                              {QStringLiteral("--env"), QStringLiteral("MARK=") + mark, QStringLiteral("--write"), shared});
    const auto worker = program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                                       QStringLiteral("--write"), shared});
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(mark), 20000);
    worker->kill();
    QVERIFY(worker->waitForFinished());
    const QJsonObject job = show(program, id);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("running")); // its lease has not ended yet
    QCOMPARE(job[u"attempt"].toInt(), 1);
    const Ended stopped = program.run({QStringLiteral("stop"), id});
    QVERIFY2(stopped.code == 0, stopped.all().constData());
}

QTEST_GUILESS_MAIN(TestCliJobs)
#include "tst_cli_jobs.moc"
