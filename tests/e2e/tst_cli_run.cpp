// `yardmaster run`: a script becomes a job, runs here with its output on the terminal, and leaves a record.
#include "tests/support/living_processes.h"
#include "tests/support/program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using ym::test::Ended;
using ym::test::livingProcessesOf;
using ym::test::Program;

namespace {

const QString hello = QStringLiteral(QT_TESTCASE_SOURCEDIR "/../resources/samples/hello.py");

// Prints its id, starts a child that ignores SIGTERM and daemonises, ignores SIGTERM itself, and sleeps.
constexpr auto stubborn = R"py(
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"])
subprocess.Popen([sys.executable, "-c", "import os, time; os.setsid(); time.sleep(600)"], start_new_session=True)
print("id", os.environ["JOB_ID"], flush=True)
time.sleep(600)
)py";

QByteArray idIn(const QByteArray &output)
{
    const qsizetype at = output.indexOf("id ");
    return at < 0 ? QByteArray() : output.mid(at + 3, 36);
}

QJsonObject onlyJob(const Program &program)
{
    const Ended listed = program.run({QStringLiteral("--json"), QStringLiteral("list")});
    const QJsonArray jobs = listed.json().array();
    if (jobs.size() != 1)
        qFatal("expected one job: %s", listed.all().constData());
    const Ended shown = program.run({QStringLiteral("--json"), QStringLiteral("show"), jobs.first()[u"id"].toString()});
    return shown.json().object();
}

} // namespace

class TestCliRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void helloPrintsItsOutput();
    void recordIsKept();
    void outputArrivesWhileTheScriptRuns();
    void failureShowsTheTraceback();
    void failureWithoutWordsShowsWhy_data();
    void failureWithoutWordsShowsWhy();
    void timeoutLeavesNoProcess();
    void interruptStopsTheJobGracefully_data();
    void interruptStopsTheJobGracefully();
    void secondInterruptEndsAtOnce();
    void missingInterpreterIsSaidBeforeAnythingIsQueued();
    void unknownTypeIsSaidBeforeAnythingIsQueued();
    void environmentReachesTheScript();
    void callerAndContextReachTheScript();
    void secretsOfTheToolStayOutOfTheScript();
    void retriesUntilItWorks();
    void retriesEndWithTheFailure();
    void jsonIsAStreamOfEvents();
    void jsonKeepsBytesThatAreNoText_data();
    void jsonKeepsBytesThatAreNoText();
    void runTakesNoOtherJob();
    void standardInputIsTheScript();
    void memoryStoreNeedsNoHome();
    void muchOutputComesWhole();
    void readerThatLeavesStopsTheJob();
};

void TestCliRun::helloPrintsItsOutput()
{
    const Ended ended = Program().run({QStringLiteral("run"), hello});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QVERIFY2(ended.out.startsWith("Hello from job "), ended.all().constData());
    QVERIFY2(ended.out.contains("step 3 of 3\n"), ended.all().constData());
    QVERIFY2(ended.err.contains("finished"), ended.all().constData());
}

void TestCliRun::recordIsKept()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("run"), hello, QStringLiteral("--env"), QStringLiteral("A=1")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    const QJsonObject job = onlyJob(program);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("finished"));
    QCOMPARE(job[u"output"].toString().toUtf8(), ended.out);
    QCOMPARE(job[u"attempt"].toInt(), 1);
    QCOMPARE(job[u"type"].toString(), QStringLiteral("python"));
    QCOMPARE(job[u"env"].toObject()[u"A"].toString(), QStringLiteral("1"));
    QVERIFY(job[u"finished_at"].isString());
    const Ended queues = program.run({QStringLiteral("--json"), QStringLiteral("queues")});
    QVERIFY2(queues.json().isArray(), queues.all().constData());
    for (const QJsonValue &queue : queues.json().array())
        QCOMPARE(queue[u"depth"].toInt(), 0);
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("workers")}).json().array().size(), 0);
}

void TestCliRun::outputArrivesWhileTheScriptRuns()
{
    const Program program;
    const QString shared = program.homeFolder() + QStringLiteral("/shared");
    QVERIFY(QDir().mkpath(shared));
    const QString gate = shared + QStringLiteral("/gate");
    const QString script = program.file(QStringLiteral("gate.py"), R"py(
import os, sys, time
print("before", flush=True)
while not os.path.exists(os.environ["GATE"]):
    time.sleep(0.02)
print("after")
)py");
    const auto process =
        program.start({QStringLiteral("run"), script, QStringLiteral("--env"), QStringLiteral("GATE=") + gate,
                       QStringLiteral("--read"), shared});
    QByteArray seen;
    QVERIFY2(ym::test::waitForOutput(process.get(), "before\n", &seen), seen.constData());
    QVERIFY(!seen.contains("after"));
    program.file(QStringLiteral("shared/gate"), "open");
    const Ended ended = ym::test::collect(process.get(), seen);
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out, QByteArray("before\nafter\n"));
}

void TestCliRun::failureShowsTheTraceback()
{
    const Program program;
    const QString script = program.file(QStringLiteral("bad.py"), "print('first')\nraise ValueError('the reason')\n");
    const Ended ended = program.run({QStringLiteral("run"), script});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("first\n"));
    QVERIFY2(ended.err.contains("Traceback") && ended.err.contains("ValueError: the reason"), ended.all().constData());
    const QJsonObject job = onlyJob(program);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("failed"));
    QVERIFY(job[u"error"].toString().contains(QStringLiteral("ValueError: the reason")));
}

void TestCliRun::failureWithoutWordsShowsWhy_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("exit code") << QByteArray("import os; os._exit(7)") << QByteArray("7");
    QTest::newRow("signal") << QByteArray("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
                            << QByteArray("11");
}

void TestCliRun::failureWithoutWordsShowsWhy()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, says);
    const Program program;
    const Ended ended = program.run({QStringLiteral("run"), program.file(QStringLiteral("quiet.py"), script)});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QVERIFY2(ended.err.contains(says), ended.all().constData());
}

void TestCliRun::timeoutLeavesNoProcess()
{
    const Program program;
    const QString script = program.file(QStringLiteral("stubborn.py"), stubborn);
    const Ended ended = program.run({QStringLiteral("run"), script, QStringLiteral("--timeout"), QStringLiteral("1")});
    QVERIFY2(ended.code == 124, ended.all().constData());
    const QByteArray id = idIn(ended.out);
    QCOMPARE(id.size(), 36);
    QCOMPARE(livingProcessesOf(id), QList<int>());
    const QJsonObject job = onlyJob(program);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("failed"));
    QCOMPARE(job[u"error"].toString(), QStringLiteral("timeout"));
    // The word is the protocol's; people are told more, at once and later.
    const QByteArray told = "its timeout is 1 s: it was asked to end (SIGTERM) and, because it went on, killed (SIGKILL).";
    QVERIFY2(ended.err.contains(told), ended.all().constData());
    const Ended shown = program.run({QStringLiteral("show"), QString::fromUtf8(id)});
    QVERIFY2(shown.out.contains(told), shown.all().constData());
}

void TestCliRun::interruptStopsTheJobGracefully_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestCliRun::interruptStopsTheJobGracefully()
{
    QFETCH(int, signal);
    const Program program;
    const QString script = program.file(QStringLiteral("polite.py"), R"py(
import os, signal, sys, time
def leave(*_):
    print("leaving in order", flush=True)
    sys.exit(3)
signal.signal(signal.SIGTERM, leave)
print("id", os.environ["JOB_ID"], flush=True)
time.sleep(600)
)py");
    const auto process = program.start({QStringLiteral("run"), script});
    QByteArray seen;
    QVERIFY2(ym::test::waitForOutput(process.get(), "id ", &seen), seen.constData());
    ::kill(pid_t(process->processId()), signal);
    const Ended ended = ym::test::collect(process.get(), seen);
    QVERIFY2(ended.code == 130, ended.all().constData());
    QVERIFY2(ended.out.contains("leaving in order"), ended.all().constData());
    QCOMPARE(livingProcessesOf(idIn(ended.out)), QList<int>());
    const QJsonObject job = onlyJob(program);
    QCOMPARE(job[u"state"].toString(), QStringLiteral("failed"));
    QCOMPARE(job[u"error"].toString(), QStringLiteral("stopped_by_request"));
}

void TestCliRun::secondInterruptEndsAtOnce()
{
    const Program program;
    const auto process = program.start({QStringLiteral("run"), program.file(QStringLiteral("stubborn.py"), stubborn)});
    QByteArray seen;
    QVERIFY2(ym::test::waitForOutput(process.get(), "id ", &seen), seen.constData());
    ::kill(pid_t(process->processId()), SIGINT);
    ::kill(pid_t(process->processId()), SIGINT);
    const Ended ended = ym::test::collect(process.get(), seen);
    QVERIFY2(ended.code == 130, ended.all().constData());
    QCOMPARE(livingProcessesOf(idIn(ended.out)), QList<int>());
    const QString state = onlyJob(program)[u"state"].toString();
    QVERIFY2(state == QStringLiteral("failed"), qPrintable(state)); // neither running nor queued for nobody
}

void TestCliRun::missingInterpreterIsSaidBeforeAnythingIsQueued()
{
    Program program;
    const QString script = program.file(QStringLiteral("hello.py"), "print(1)");
    program.setVariable(QStringLiteral("PATH"), QStringLiteral("/nonexistent"));
    const Ended ended = program.run({QStringLiteral("run"), script});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QVERIFY2(ended.err.startsWith("yardmaster: ") && ended.err.count('\n') == 1 && ended.err.contains("python3"),
             ended.all().constData());
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("list")}).out, QByteArray("[]\n"));
}

void TestCliRun::unknownTypeIsSaidBeforeAnythingIsQueued()
{
    const Program program;
    const QString script = program.file(QStringLiteral("hello.py"), "print(1)");
    const Ended ended = program.run({QStringLiteral("run"), script, QStringLiteral("--type"), QStringLiteral("cobol")});
    QVERIFY2(ended.code != 0, ended.all().constData());
    QVERIFY2(ended.err.startsWith("yardmaster: ") && ended.err.count('\n') == 1 && ended.err.contains("cobol"),
             ended.all().constData());
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("list")}).out, QByteArray("[]\n"));
}

void TestCliRun::environmentReachesTheScript()
{
    const Program program;
    const QString script =
        program.file(QStringLiteral("env.py"), "import os\nprint(repr(os.environ['A']), repr(os.environ['B']))\n");
    const Ended ended = program.run({QStringLiteral("run"), script, QStringLiteral("--env"),
                                     QStringLiteral("A=x=y z, ä"), QStringLiteral("-e"), QStringLiteral("B=")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("'x=y z, ä' ''\n"));
}

void TestCliRun::callerAndContextReachTheScript()
{
    const Program program;
    const QString script = program.file(QStringLiteral("who.py"), "import os\nprint(os.environ['CALLER_ID'], os.environ['CONTEXT_ID'])\n");
    const Ended ended = program.run({QStringLiteral("run"), script, QStringLiteral("--caller"), QStringLiteral("the ci"),
                                     QStringLiteral("--context"), QStringLiteral("build 7"), QStringLiteral("--log"),
                                     QStringLiteral("ci/7.log")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("the ci build 7\n"));
    const QJsonArray jobs = program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array();
    const Ended log = program.run({QStringLiteral("logs"), jobs.at(0)[u"id"].toString()});
    QVERIFY2(log.out.contains("the ci build 7"), log.all().constData());
    const Ended refused = program.run({QStringLiteral("run"), script, QStringLiteral("--log"), QStringLiteral("../x")});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("log folder"), refused.all().constData());
}

void TestCliRun::secretsOfTheToolStayOutOfTheScript()
{
    Program program;
    program.setVariable(QStringLiteral("YARDMASTER_PASSWORD"), QStringLiteral("hunter2"));
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), QStringLiteral("memory:"));
    const QString script = program.file(QStringLiteral("look.py"), R"py(
import os
print(sorted(os.environ))
for pid in (os.getpid(), os.getppid()):
    print(open(f"/proc/{pid}/environ", "rb").read())
)py");
    const Ended ended = program.run({QStringLiteral("run"), script});
    QVERIFY2(ended.out.contains("JOB_ID"), ended.all().constData());
    QVERIFY2(!ended.out.contains("hunter2"), ended.all().constData());
}

void TestCliRun::retriesUntilItWorks()
{
    const Program program;
    const QString script = program.file(QStringLiteral("third.py"), R"py(
import os, sys
attempt = int(os.environ["JOB_ATTEMPT"])
print("attempt", attempt)
sys.exit(0 if attempt == 2 else 1)
)py");
    const Ended ended = program.run({QStringLiteral("run"), script, QStringLiteral("--retries"), QStringLiteral("3")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("attempt 1\nattempt 2\n"));
}

void TestCliRun::retriesEndWithTheFailure()
{
    const Program program;
    const QString script =
        program.file(QStringLiteral("never.py"), "import os, sys\nprint(os.environ['JOB_ATTEMPT'])\nsys.exit(1)\n");
    const Ended ended = program.run({QStringLiteral("run"), script, QStringLiteral("--retries"), QStringLiteral("1")});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("1\n2\n"));
}

void TestCliRun::jsonIsAStreamOfEvents()
{
    const Program program;
    const QString script =
        program.file(QStringLiteral("two.py"), "import sys\nprint('ä')\nprint('oh', file=sys.stderr)\nsys.exit(4)\n");
    const Ended ended = program.run({QStringLiteral("--json"), QStringLiteral("run"), script});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QStringList events;
    QString out;
    QString err;
    const QList<QJsonObject> lines = ended.jsonLines();
    for (const QJsonObject &line : lines) {
        const QString event = line[u"event"].toString();
        if (event != QStringLiteral("output"))
            events.append(event);
        else
            (line[u"stream"].toString() == QStringLiteral("out") ? out : err) += line[u"text"].toString();
    }
    QCOMPARE(events, (QStringList{QStringLiteral("submitted"), QStringLiteral("started"), QStringLiteral("ended")}));
    QCOMPARE(out, QStringLiteral("ä\n"));
    QCOMPARE(err, QStringLiteral("oh\n"));
    QCOMPARE(lines.last()[u"fate"].toString(), QStringLiteral("failed"));
    QCOMPARE(lines.last()[u"exit_code"].toInt(), 4);
    QCOMPARE(lines.last()[u"state"].toString(), QStringLiteral("failed"));
    QCOMPARE(ended.err, QByteArray());
}

void TestCliRun::jsonKeepsBytesThatAreNoText_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("never in UTF-8") << QByteArray("\xff\0", 2);
    QTest::newRow("half a character at the end") << QByteArray("\xc3");
    QTest::newRow("a lead of no character") << QByteArray("\xf8\x80\x80");
}

void TestCliRun::jsonKeepsBytesThatAreNoText()
{
    QFETCH(QByteArray, bytes);
    const Program program;
    const QString script = program.file(
        QStringLiteral("bytes.py"), "import sys\nsys.stdout.buffer.write(bytes.fromhex('" + bytes.toHex() + "'))\n");
    const Ended ended = program.run({QStringLiteral("--json"), QStringLiteral("run"), script});
    QCOMPARE(ended.code, 0);
    QByteArray written;
    for (const QJsonObject &line : ended.jsonLines())
        written += QByteArray::fromBase64(line[u"text"].toObject()[u"base64"].toString().toLatin1());
    QCOMPARE(written, bytes);
}

void TestCliRun::runTakesNoOtherJob()
{
    const Program program;
    const QString other = program.file(QStringLiteral("other.py"), "print('other')\n");
    const QByteArray id = program.run({QStringLiteral("submit"), other}).out.trimmed();
    const QString failing =
        program.file(QStringLiteral("again.py"), "import os, sys\nsys.exit(os.environ['JOB_ATTEMPT'] == '1')\n");
    QCOMPARE(program.run({QStringLiteral("run"), failing, QStringLiteral("--retries"), QStringLiteral("1")}).code, 0);
    const Ended shown = program.run({QStringLiteral("--json"), QStringLiteral("show"), QString::fromLatin1(id)});
    QCOMPARE(shown.json()[u"state"].toString(), QStringLiteral("queued"));
}

void TestCliRun::standardInputIsTheScript()
{
    const Program program;
    const Ended ended =
        program.run({QStringLiteral("run"), QStringLiteral("-"), QStringLiteral("--type"), QStringLiteral("python")},
                    "print(6 * 7)\n");
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("42\n"));
}

void TestCliRun::memoryStoreNeedsNoHome()
{
    Program program;
    program.unsetVariable(QStringLiteral("HOME"));
    const Ended ended =
        program.run({QStringLiteral("--store"), QStringLiteral("memory:"), QStringLiteral("run"), hello});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QVERIFY2(ended.out.contains("says goodbye"), ended.all().constData());
}

void TestCliRun::muchOutputComesWhole()
{
    const Program program;
    const QString script =
        program.file(QStringLiteral("much.py"), "import sys\nsys.stdout.write('0123456789abcde\\n' * (2 << 20))\n");
    const Ended ended = program.run({QStringLiteral("run"), script});
    QVERIFY2(ended.code == 0, ended.err.constData());
    QCOMPARE(ended.out.size(), qsizetype(32) << 20);
}

void TestCliRun::readerThatLeavesStopsTheJob()
{
    const Program program;
    program.file(QStringLiteral("endless.py"), "while True:\n    print('y', flush=True)\n");
    const Ended ended = program.shell(QStringLiteral("\"$YM\" run endless.py | head -n 1; echo \"${PIPESTATUS[0]}\""));
    QVERIFY2(ended.out == "y\n130\n", ended.all().constData());
    QCOMPARE(onlyJob(program)[u"state"].toString(), QStringLiteral("failed"));
}

QTEST_GUILESS_MAIN(TestCliRun)
#include "tst_cli_run.moc"
