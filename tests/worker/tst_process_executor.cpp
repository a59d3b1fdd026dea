// Real scripts through the real launcher: fates, output, environment, and that nothing is left behind.
#include "core/worker/process_executor.h"
#include "tests/support/await.h"
#include "tests/support/die_with_test.h"
#include "tests/support/living_processes.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <cstdio>

#include "core/base/task_scope.h"

using namespace ym;
using ym::test::await;
using ym::test::livingProcessesOf;

namespace {

Interpreter shell()
{
    return {"sh",
            {QStringLiteral("/bin/sh"), QStringLiteral("{file}")},
            Interpreter::Feed::File,
            Interpreter::Failure::ExitCode,
            QStringLiteral(".sh"),
            {}};
}

Interpreter shellFromInput()
{
    return {"shin",
            {QStringLiteral("/bin/sh"), QStringLiteral("-s")},
            Interpreter::Feed::StandardInput,
            Interpreter::Failure::ExitCode,
            {},
            {}};
}

Interpreter strictShell()
{
    Interpreter row = shell();
    row.type = "strict";
    row.failure = Interpreter::Failure::ExitCodeOrStderr;
    return row;
}

Job shellJob(const QByteArray &script)
{
    Job job;
    job.id = newJobId();
    job.target.type = "sh";
    job.script = script;
    job.timeout = std::chrono::seconds{20};
    job.attempt = 1;
    return job;
}

/// A script that leaves a daemon behind: forked twice, a session of its own, deaf to SIGTERM, output kept open.
const QByteArray daemonScript = R"(
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(told, b"x")
        time.sleep(1000)
    os._exit(0)
os.wait()
os.read(ready, 1)
print("daemon is up", flush=True)
)";

struct Bench {
    QTemporaryDir folder;
    InterpreterTable table;
    ProcessExecutor::Options options;

    Bench()
    {
        options.tempRoot = folder.filePath(QStringLiteral("jobs"));
        for (const Interpreter &row : {shell(), shellFromInput(), strictShell()})
            addRow(row);
    }
    void addRow(const Interpreter &row)
    {
        if (const auto ok = table.setRow(row); !ok)
            qFatal("%s", qPrintable(ok.error().text()));
    }
    Execution run(const Job &job, OutputSink sink = {}, RunControl control = {}, Milliseconds grace = Milliseconds{200})
    {
        ProcessExecutor executor(&table, options, &Clock::system());
        RunGrant grant;
        grant.limitsOnly = true;
        return await(executor.run({job, grace, grant}, std::move(sink), control), 60000);
    }
    /// Job folders that are still there.
    QStringList leftFolders() const { return QDir(options.tempRoot).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }
};

/// Runs a job and calls `react` when its first output arrives.
OutputSink onFirstOutput(std::function<void()> react)
{
    return [react = std::move(react), called = false](const OutputChunk &) mutable {
        if (!std::exchange(called, true))
            react();
    };
}

} // namespace

class TestProcessExecutor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsPython()
    {
        Bench bench;
        Job job = shellJob("import sys\nprint('hello')\nprint('oops', file=sys.stderr)\n");
        job.target.type = "python";
        const Execution e = bench.run(job);
        QCOMPARE(e.fate, Execution::Fate::Finished);
        QCOMPARE(e.exitCode, 0);
        QCOMPARE(e.output, QByteArray("hello\n"));
        QCOMPARE(e.error, QByteArray("oops\n"));
        QCOMPARE(e.outputBytes, 6);
        QVERIFY(e.maxRssKb > 1000);
        QVERIFY(bench.leftFolders().isEmpty());
    }

    void reportsHowAScriptEnded_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Execution::Fate>("fate");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("error");
        using Fate = Execution::Fate;
        QTest::newRow("exit 0") << QByteArray("exit 0") << Fate::Finished << 0 << 0 << QByteArray();
        QTest::newRow("exit 1") << QByteArray("exit 1") << Fate::Failed << 1 << 0 << QByteArray("exit code 1");
        QTest::newRow("exit 126") << QByteArray("exit 126") << Fate::Failed << 126 << 0 << QByteArray("exit code 126");
        QTest::newRow("exit 127") << QByteArray("exit 127") << Fate::Failed << 127 << 0 << QByteArray("exit code 127");
        QTest::newRow("exit 255") << QByteArray("exit 255") << Fate::Failed << 255 << 0 << QByteArray("exit code 255");
        QTest::newRow("failure with a message")
            << QByteArray("echo why >&2; exit 3") << Fate::Failed << 3 << 0 << QByteArray("why\n");
        QTest::newRow("killed by 9") << QByteArray("kill -9 $$") << Fate::Failed << -1 << 9
                                     << QByteArray("killed by SIGKILL (9), Killed: not by Yardmaster; by itself, or "
                                                   "by the system when memory ran out");
        QTest::newRow("killed by 11 after a message")
            << QByteArray("echo why >&2; kill -11 $$") << Fate::Failed << -1 << 11
            << QByteArray("why\nkilled by SIGSEGV (11), Segmentation fault: the program itself crashed, or one of its "
                          "modules");
        QTest::newRow("messages alone are no failure")
            << QByteArray("echo note >&2") << Fate::Finished << 0 << 0 << QByteArray("note\n");
    }
    void reportsHowAScriptEnded()
    {
        QFETCH(QByteArray, script);
        Bench bench;
        const Execution e = bench.run(shellJob(script));
        QTEST(e.fate, "fate");
        QTEST(e.exitCode, "exitCode");
        QTEST(e.signal, "signal");
        QTEST(e.error, "error");
    }

    void takesStandardErrorAsFailureWhereTheRowSaysSo()
    {
        Bench bench;
        Job job = shellJob("echo '        ^ here'; echo 'Syntax error' >&2; exit 0");
        job.target.type = "strict";
        const Execution e = bench.run(job);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QCOMPARE(e.exitCode, 0);
        QCOMPARE(e.error, QByteArray("Syntax error\n"));
        QCOMPARE(e.output, QByteArray("        ^ here\n"));
    }

    void feedsTheScriptOnStandardInputWithoutAnythingInArguments()
    {
        Bench bench;
        Job job = shellJob("tr '\\0' ' ' < /proc/$$/cmdline; echo; echo \"$#\"");
        job.target.type = "shin";
        job.env = {{"SECRET_KEY", "hunter2"}};
        const Execution e = bench.run(job);
        QCOMPARE(e.output, QByteArray("/bin/sh -s \n0\n"));
    }

    void streamsOutputWhileTheJobRuns()
    {
        Bench bench;
        QByteArray seen;
        RunControl control;
        // The script waits for ever behind its first line: only streaming can end it.
        const auto sink = [&](const OutputChunk &chunk) {
            seen += chunk.bytes;
            if (seen.contains("first\n"))
                control.stop(StopReason::Request);
        };
        const Execution e = bench.run(shellJob("echo first; sleep 1000"), sink, control);
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QCOMPARE(e.error, QByteArray("stopped_by_request"));
        QCOMPARE(seen, QByteArray("first\n"));
    }

    void deliversBothStreamsWithJobAndAttempt()
    {
        Bench bench;
        Job job = shellJob("printf out; printf err >&2");
        job.attempt = 3;
        QByteArray out;
        QByteArray err;
        const auto sink = [&](const OutputChunk &chunk) {
            QCOMPARE(chunk.jobId, job.id);
            QCOMPARE(chunk.attempt, 3);
            (chunk.stream == OutputChunk::Stream::Out ? out : err) += chunk.bytes;
        };
        bench.run(job, sink);
        QCOMPARE(out, QByteArray("out")); // no line feed at the end
        QCOMPARE(err, QByteArray("err"));
    }

    void gathersManySmallWrites()
    {
        Bench bench;
        Job job = shellJob("import os\nfor i in range(20000): os.write(1, b'.')\n");
        job.target.type = "python";
        int chunks = 0;
        const Execution e = bench.run(job, [&chunks](const OutputChunk &) { ++chunks; });
        QCOMPARE(e.output, QByteArray(20000, '.'));
        QVERIFY2(chunks < 2000, qPrintable(QString::number(chunks)));
    }

    void keepsHeadAndTailOfAFlood()
    {
        Bench bench;
        bench.options.headBytes = 1000;
        bench.options.tailBytes = 2000;
        const Execution e = bench.run(shellJob("yes 0123456 | head -c 50000000; printf END"));
        QCOMPARE(e.fate, Execution::Fate::Finished);
        QCOMPARE(e.outputBytes, 50000003);
        QVERIFY(e.output.startsWith("0123456\n0123456\n"));
        QVERIFY(e.output.endsWith("END"));
        QVERIFY(e.output.contains("[… 49997003 bytes left out …]"));
        QVERIFY(e.output.size() < 3100);
    }

    void endsAnEndlessFlood()
    {
        Bench bench;
        bench.options.headBytes = 1000;
        bench.options.tailBytes = 1000;
        RunControl control;
        qint64 seen = 0;
        const Job job = shellJob("yes");
        const Execution e = bench.run(
            job,
            [&](const OutputChunk &chunk) {
                seen += chunk.bytes.size();
                if (seen > 10'000'000)
                    control.stop(StopReason::Request);
            },
            control);
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QCOMPARE(e.outputBytes, seen);
        QVERIFY(livingProcessesOf(job.id).isEmpty());
    }

    void givesTheJobACleanEnvironment()
    {
        qputenv("REDIS_PASSWORD", "hunter2");
        Bench bench;
        Job job = shellJob("cat /proc/$$/environ | tr '\\0' '\\n' | sort");
        job.callerId = "caller";
        job.contextId = "context";
        job.attempt = 2;
        job.env = {{"GREETING", "hi"},
                   {"LD_PRELOAD", "/x.so"},
                   {"PATH", "/evil"},
                   {"A=B", "x"},
                   {"GIT_DIR", "x"},
                   {"PYTHONPATH", "x"},
                   {"BASH_ENV", "x"},
                   {"", "x"},
                   {"NUL", QByteArray("a\0b", 3)},
                   {"JOB_ID", "forged"}};
        const Execution e = bench.run(job);
        qunsetenv("REDIS_PASSWORD");
        QList<QByteArray> lines = e.output.trimmed().split('\n');
        QVERIFY2(lines.size() == 9, e.output.constData());
        const QByteArray home = lines[3].mid(5);
        // Inside bubblewrap it is always this one; elsewhere one below the root.
        QVERIFY(home == "/job" || home.startsWith(QFile::encodeName(bench.options.tempRoot) + "/job-"));
        lines.removeIf([](const QByteArray &line) { return line.startsWith("PATH=/"); });
        QCOMPARE(lines,
                 (QList<QByteArray>{"CALLER_ID=caller", "CONTEXT_ID=context", "GREETING=hi", "HOME=" + home,
                                    "JOB_ATTEMPT=2", "JOB_ID=" + job.id, "LANG=C.UTF-8", "TMPDIR=" + home}));
    }

    void givesTheJobCleanSurroundings()
    {
        Bench bench;
        Job job =
            shellJob("import os, resource\n"
                     "print(sorted(map(int, os.listdir('/proc/self/fd')))[:3], len(os.listdir('/proc/self/fd')))\n"
                     "print(oct(os.umask(0)), resource.getrlimit(resource.RLIMIT_CORE)[1])\n"
                     "print(os.getpriority(os.PRIO_PROCESS, 0), os.getpgid(0) == os.getpid())\n"
                     "print(os.getcwd() == os.environ['HOME'], oct(os.stat('.').st_mode), os.read(0, 1))\n");
        job.target.type = "py";
        QVERIFY(bench.table.setRow({"py",
                                    {QStringLiteral("/usr/bin/python3"), QStringLiteral("{file}")},
                                    Interpreter::Feed::File,
                                    Interpreter::Failure::ExitCode,
                                    {},
                                    {}}));
        const Execution e = bench.run(job);
        QCOMPARE(e.output, QByteArray("[0, 1, 2] 4\n0o77 0\n10 True\nTrue 0o40700 b''\n"));
    }

    void leavesNothingBehind_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<bool>("endsByItself");
        QTest::newRow("a background child after a normal end")
            << QByteArray("sh") << QByteArray("sleep 1000 & echo up") << true;
        QTest::newRow("a daemon after a normal end") << QByteArray("python") << daemonScript << true;
        QTest::newRow("a daemon that is stopped")
            << QByteArray("python") << QByteArray(daemonScript + "time.sleep(1000)\n") << false;
        QTest::newRow("deaf to SIGTERM") << QByteArray("sh")
                                         << QByteArray("trap '' TERM; sleep 1000 & echo up; while :; do sleep 1; done")
                                         << false;
        QTest::newRow("standard output closed")
            << QByteArray("sh") << QByteArray("echo up; exec >&- 2>&-; sleep 1000") << false;
        QTest::newRow("a stopped child") << QByteArray("sh") << QByteArray("sleep 1000 & kill -STOP $!; echo up; wait")
                                         << false;
        QTest::newRow("its own session") << QByteArray("sh") << QByteArray("setsid sleep 1000 & echo up; sleep 1000")
                                         << false;
    }
    void leavesNothingBehind()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, script);
        QFETCH(bool, endsByItself);
        Bench bench;
        Job job = shellJob(script);
        job.target.type = type;
        RunControl control;
        qsizetype aliveBefore = 0;
        const auto sink = onFirstOutput([&] {
            aliveBefore = livingProcessesOf(job.id).size();
            if (!endsByItself)
                control.stop(StopReason::Request);
        });
        const Execution e = bench.run(job, sink, control);
        QVERIFY2(aliveBefore > 0, e.error.constData());
        QCOMPARE(e.fate, endsByItself ? Execution::Fate::Finished : Execution::Fate::Stopped);
        QCOMPARE(livingProcessesOf(job.id), QList<int>());
        QCOMPARE(e.leftProcesses, endsByItself ? 1 : 0);
        QVERIFY(bench.leftFolders().isEmpty());
        QCOMPARE(test::zombieCount(), 0);
    }

    void aScriptMayEndItselfOnSigterm()
    {
        Bench bench;
        RunControl control;
        const auto sink = onFirstOutput([&] { control.stop(StopReason::Request); });
        QByteArray output;
        const Execution e = bench.run(shellJob("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done"),
                                      sink, control, Milliseconds{60'000});
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QCOMPARE(e.output, QByteArray("up\nbye\n"));
    }

    void endsARunAtItsTimeoutByTheClock()
    {
        Bench bench;
        ManualClock clock;
        ProcessExecutor executor(&bench.table, bench.options, &clock);
        Job job = shellJob("trap '' TERM; echo up; while :; do sleep 1; done");
        job.timeout = std::chrono::seconds{300};
        const auto sink = onFirstOutput([&clock] {
            QTimer::singleShot(0, qApp, [&clock] {
                clock.advance(Milliseconds{299'999});
                QCOMPARE(clock.sleeperCount(), 1);
                clock.advance(Milliseconds{1}); // SIGTERM, which it ignores
                clock.advance(Milliseconds{2'000}); // SIGKILL
            });
        });
        const Execution e = await(executor.run({job, Milliseconds{2'000}}, sink, RunControl()));
        QCOMPARE(e.fate, Execution::Fate::TimedOut);
        QCOMPARE(e.error, QByteArray("timeout"));
        QCOMPARE(e.signal, 9);
        QCOMPARE(e.duration, Milliseconds{302'000});
        QCOMPARE(livingProcessesOf(job.id), QList<int>());
    }

    void aStopRightAfterTheStartIsHeard_data()
    {
        QTest::addColumn<bool>("isWarm");
        QTest::newRow("cold") << false;
        QTest::newRow("forked") << true;
    }
    /// The orders to end and to kill come in one piece with the start, and nothing comes after them.
    void aStopRightAfterTheStartIsHeard()
    {
        QFETCH(bool, isWarm);
        Bench bench;
        bench.options.isWarm = isWarm;
        ManualClock clock;
        ProcessExecutor executor(&bench.table, bench.options, &clock);
        await(executor.containment(), 60'000);
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.script = "print(1)\n"; // after it the next one starts in the turn in which it is asked for
        QCOMPARE(await(executor.run({job}, {}, RunControl()), 60'000).fate, Execution::Fate::Finished);
        job.script = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)\n";
        const RunControl control;
        QCoro::Task<Execution> running = executor.run({job, Milliseconds{2'000}}, {}, control);
        control.stop(StopReason::Request);
        clock.advance(Milliseconds{2'000});
        const Execution e = await(std::move(running), 60'000);
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QVERIFY(!e.containment.isEmpty());
    }

    void aStopWhileTheInterpreterIsLookedAtStartsNothing()
    {
        Bench bench;
        ManualClock clock;
        ProcessExecutor executor(&bench.table, bench.options, &clock);
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.script = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)\n";
        const RunControl control;
        QCoro::Task<Execution> running = executor.run({job, Milliseconds{2'000}}, {}, control);
        QVERIFY(!running.isReady());
        control.stop(StopReason::Request);
        const Execution e = await(std::move(running), 60'000);
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QCOMPARE(e.containment, QByteArray());
    }

    void aTimeoutOfZeroIsNone()
    {
        Bench bench;
        ManualClock clock;
        ProcessExecutor executor(&bench.table, bench.options, &clock);
        Job job = shellJob("echo up");
        job.timeout = std::chrono::seconds{0};
        const auto sink = onFirstOutput([&clock] { QCOMPARE(clock.sleeperCount(), 0); });
        QCOMPARE(await(executor.run({job, Milliseconds{1}}, sink, RunControl())).fate, Execution::Fate::Finished);
    }

    void aStopBeforeTheStartStartsNothing()
    {
        Bench bench;
        RunControl control;
        control.stop(StopReason::Request);
        const Execution e = bench.run(shellJob("echo never > /tmp/never"), {}, control);
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QVERIFY(!QDir(bench.options.tempRoot).exists());
    }

    void aLostClaimEndsTheRunWithNothingToCommit()
    {
        Bench bench;
        RunControl control;
        const auto sink = onFirstOutput([&] { control.stop(StopReason::ClaimLost); });
        const Execution e = bench.run(shellJob("echo up; sleep 1000"), sink, control);
        QCOMPARE(e.fate, Execution::Fate::Abandoned);
    }

    void saysWhatIsMissing_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QString>("message");
        QTest::newRow("a program that is not installed")
            << QByteArray("nothere")
            << QStringLiteral("no-such-program was not found; set it in Settings › Interpreters");
        QTest::newRow("a type nobody knows")
            << QByteArray("cobol")
            << QStringLiteral("No interpreter is set for the type “cobol”; add one in Settings › Interpreters");
    }
    void saysWhatIsMissing()
    {
        QFETCH(QByteArray, type);
        Bench bench;
        QVERIFY(bench.table.setRow({"nothere",
                                    {QStringLiteral("no-such-program"), QStringLiteral("{file}")},
                                    Interpreter::Feed::File,
                                    Interpreter::Failure::ExitCode,
                                    {},
                                    {}}));
        const ProcessExecutor executor(&bench.table, bench.options, &Clock::system());
        const auto can = executor.canRun(type);
        QVERIFY(!can);
        QTEST(can.error().text(), "message");
        Job job = shellJob("x");
        job.target.type = type;
        const Execution e = bench.run(job);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QTEST(QString::fromUtf8(e.error), "message");
        QVERIFY(executor.canRun("sh"));
    }

    void aProgramThatCannotBeExecutedIsAClearFailure()
    {
        Bench bench;
        const QString program = bench.folder.filePath(QStringLiteral("bad"));
        QFile file(program);
        QVERIFY(file.open(QIODevice::WriteOnly)
                && file.write("\x7f"
                              "ELFgarbage")
                    > 0);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        QVERIFY(bench.table.setRow({"bad",
                                    {program, QStringLiteral("{file}")},
                                    Interpreter::Feed::File,
                                    Interpreter::Failure::ExitCode,
                                    {},
                                    {}}));
        Job job = shellJob("x");
        job.target.type = "bad";
        const Execution e = bench.run(job);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QCOMPARE(e.exitCode, -1);
        QCOMPARE(QString::fromUtf8(e.error),
                 program + QStringLiteral(" could not be started: Exec format error; check Settings › Interpreters"));
        QVERIFY(bench.leftFolders().isEmpty());
    }

    void anOversizedVariableIsAClearFailure()
    {
        Bench bench;
        Job job = shellJob("echo no");
        job.env = {{"BIG", QByteArray(200'000, 'x')}};
        const Execution e = bench.run(job);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QVERIFY(e.error.startsWith("The variable BIG is longer"));
    }

    /// Only where nothing but limits contains it, a script can reach its launcher.
    void aScriptThatKillsItsLauncherIsStillCleanedUp()
    {
        Bench bench;
        bench.options.bestLevel = ContainmentLevel::LimitsOnly;
        const Job job = shellJob("trap '' TERM; setsid sleep 1000 & sleep 1000 & kill -9 $PPID; sleep 1000");
        const Execution e = bench.run(job);
        QCOMPARE(e.fate, Execution::Fate::Failed);
        QVERIFY2(e.error.startsWith("the launcher of /bin/sh was lost"), e.error.constData());
        QCOMPARE(livingProcessesOf(job.id), QList<int>());
        QVERIFY(bench.leftFolders().isEmpty());
    }

    void removesTheFolderWithoutFollowingLinks()
    {
        Bench bench;
        const QString outside = bench.folder.filePath(QStringLiteral("outside"));
        QVERIFY(QDir().mkpath(outside));
        QFile keep(outside + QStringLiteral("/keep"));
        QVERIFY(keep.open(QIODevice::WriteOnly));
        const QByteArray target = QFile::encodeName(outside);
        const Execution e =
            bench.run(shellJob("ln -s '" + target + "' link; mkdir -p a/b/c; ln -s '" + target
                               + "' a/b/c/link; mkdir closed; touch closed/x; chmod 000 closed; mkfifo pipe;"
                                 "i=0; d=.; while [ $i -lt 300 ]; do d=$d/deep; i=$((i+1)); done; mkdir -p $d"));
        QCOMPARE(e.fate, Execution::Fate::Finished);
        QVERIFY(bench.leftFolders().isEmpty());
        QVERIFY(keep.exists());
    }

    void runsSixtyFourAtOnceInOneThread()
    {
        Bench bench;
        ProcessExecutor executor(&bench.table, bench.options, &Clock::system());
        TaskScope scope("runs");
        RunControl control;
        int started = 0;
        QList<Execution::Fate> fates;
        // Nobody ends before all have started.
        const auto sink = [&](const OutputChunk &) {
            if (++started == 64)
                control.stop(StopReason::WorkerStops);
        };
        for (int i = 0; i < 64; ++i)
            scope.spawn(
                note(&executor, {shellJob("echo up; exec sleep 1000"), Milliseconds{500}}, sink, control, &fates));
        QTRY_COMPARE_WITH_TIMEOUT(fates.size(), 64, 60000);
        QCOMPARE(fates, QList<Execution::Fate>(64, Execution::Fate::Abandoned));
        QCOMPARE(test::zombieCount(), 0);
    }

    void leaksNoDescriptor()
    {
        Bench bench;
        bench.run(shellJob("echo warm"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const int before = test::openDescriptorCount();
        for (int i = 0; i < 20; ++i)
            bench.run(shellJob("echo $$; exit 1"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(test::openDescriptorCount(), before);
    }

    void diesWithTheApplication()
    {
        QProcess application;
        test::dieWithTest(&application);
        const QByteArray id = newJobId();
        QTemporaryDir folder;
        application.start(QCoreApplication::applicationFilePath(),
                          {QStringLiteral("--run-for-ever"), QString::fromUtf8(id), folder.path()});
        QVERIFY(application.waitForReadyRead(20000)); // the daemon is up
        QVERIFY(livingProcessesOf(id).size() >= 2);
        QCOMPARE(::kill(pid_t(application.processId()), SIGKILL), 0);
        QVERIFY(application.waitForFinished());
        QTRY_COMPARE_WITH_TIMEOUT(livingProcessesOf(id), QList<int>(), 10000);
        QTRY_VERIFY(QDir(folder.path()).isEmpty());
    }

private:
    static QCoro::Task<void> note(ProcessExecutor *executor, ExecutionRequest request, OutputSink sink,
                                  RunControl control, QList<Execution::Fate> *fates)
    {
        const Execution e = co_await executor->run(request, sink, control);
        fates->append(e.fate);
    }
};

/// The application of diesWithTheApplication(): runs a job that never ends and has a daemon.
static int runForEver(const QByteArray &id, const QString &folder)
{
    const InterpreterTable table;
    ProcessExecutor::Options options;
    options.tempRoot = folder;
    ProcessExecutor executor(&table, options, &Clock::system());
    Job job = shellJob(daemonScript + "time.sleep(1000)\n");
    job.id = id;
    job.target.type = "python";
    const auto sink = [](const OutputChunk &chunk) {
        std::fwrite(chunk.bytes.constData(), 1, size_t(chunk.bytes.size()), stdout);
        std::fflush(stdout);
    };
    await(executor.run({job, Milliseconds{100}}, sink, RunControl()), 60000);
    return 0;
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == QLatin1String("--run-for-ever"))
        return runForEver(arguments[2].toUtf8(), arguments[3]);
    TestProcessExecutor tests;
    return QTest::qExec(&tests, argc, argv);
}

#include "tst_process_executor.moc"
