// Python jobs that are forked from a warm interpreter: each must look like a fresh start, whatever the one before did.
#include "core/base/task_scope.h"
#include "core/worker/process_executor.h"
#include "core/worker/warm_python.h"
#include "tests/support/await.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace ym;
using ym::test::await;

namespace {

/// In a job: the process id of the zygote, which is the one beside the launcher (1) and the job itself.
const QByteArray findZygote = "import os\nzygote = [int(p) for p in os.listdir('/proc') if p.isdigit()"
                              " and int(p) not in (1, os.getpid())][0]\n";
/// When it was started, in clock ticks: tells one from another.
const QByteArray birth = findZygote + "print(open('/proc/%d/stat' % zygote).read().rsplit(')')[1].split()[19])\n";

} // namespace

class TestWarmPython : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    InterpreterTable m_table;
    std::unique_ptr<ProcessExecutor> m_executor;

    void setRow(const RunLimits &limits = {})
    {
        Interpreter row = builtinInterpreters().constFirst();
        row.command[0] = QStringLiteral("/usr/bin/python3");
        row.limits = limits;
        QVERIFY(m_table.setRow(row));
    }

    Execution run(const QByteArray &script, const QList<ByteField> &env = {}, OutputSink sink = {},
                  RunControl control = {})
    {
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.script = script;
        job.env = env;
        job.attempt = 1;
        job.timeout = std::chrono::seconds{60};
        return await(m_executor->run({job, Milliseconds{300}}, std::move(sink), control), 120'000);
    }
    QByteArray output(const QByteArray &script, const QList<ByteField> &env = {})
    {
        const Execution e = run(script, env);
        return e.output + e.error;
    }

private Q_SLOTS:
    void initTestCase()
    {
        setRow();
        ProcessExecutor::Options options;
        options.tempRoot = m_folder.filePath(QStringLiteral("jobs"));
        options.isWarm = true;
        m_executor = std::make_unique<ProcessExecutor>(&m_table, options, &Clock::system());
        const Containment found = await(m_executor->containment(), 60'000);
        if (found.level != ContainmentLevel::Bubblewrap)
            QSKIP(qPrintable(QStringLiteral("jobs start cold here: ") + containmentText(found)));
    }
    void cleanupTestCase() { m_executor.reset(); }

    void oneZygoteServesManyJobs()
    {
        const QByteArray first = output(birth);
        QVERIFY2(first.trimmed().toLongLong() > 0, first.constData());
        for (int i = 0; i < 5; ++i)
            QCOMPARE(output(birth), first);
    }

    void aJobSeesNothingOfTheOneBefore()
    {
        QCOMPARE(output("import os, json, sys, signal\n"
                        "os.environ['LEFT'] = 'x'\n"
                        "json.dumps = lambda v: 'poisoned'\n"
                        "sys.path.insert(0, '/poison')\n"
                        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                        "open('left', 'w').write('x'); open('/tmp/left', 'w').write('x')\n"
                        "open('/dev/shm/left', 'w').write('x')\n"
                        "os.mkdir('folder'); open('folder/deep', 'w').write('x'); os.chdir('/tmp'); os.umask(0)\n"
                        "print('done')\n"),
                 QByteArray("done\n"));
        QCOMPARE(output("import os, json, sys, signal\n"
                        "print(os.environ.get('LEFT'), json.dumps([1]), '/poison' in sys.path, os.getcwd())\n"
                        "print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, oct(os.umask(0)))\n"
                        "print(os.listdir('.'), os.listdir('/tmp'), os.listdir('/dev/shm'))\n"),
                 QByteArray("None [1] False /job\nTrue 0o77\n['script.py'] [] []\n"));
    }

    void aJobCannotCloseTheFoldersOfTheNextOne()
    {
        run("import os\nfor f in ('/job', '/tmp', '/dev/shm'): os.chmod(f, 0)\nopen('/proc/self/fd/1', 'w')\n");
        QCOMPARE(output("for f in ('/job', '/tmp', '/dev/shm'):\n    open(f + '/x', 'w').close()\nprint('open')\n"),
                 QByteArray("open\n"));
    }

    void variablesOfAJobLeaveWithIt()
    {
        const QByteArray show = "import os\nprint(sorted(k for k in os.environ if k.startswith(('A', 'J', 'LD'))))\n";
        QCOMPARE(output(show, {{"A", "1"}}), QByteArray("['A', 'JOB_ATTEMPT', 'JOB_ID']\n"));
        QCOMPARE(output(show), QByteArray("['JOB_ATTEMPT', 'JOB_ID']\n"));
    }

    void aJobHasItsOwnEnvironmentAndStreams()
    {
        const Execution e = run("import os, sys\n"
                                "print(os.environ['GREETING'], os.environ['HOME'], len(os.environ['JOB_ID']), __name__)\n"
                                "print(sys.argv, __file__, repr(sys.stdin.read()))\n"
                                "print('to err', file=sys.stderr)\n"
                                "os.system('echo $GREETING from a child')\n"
                                "print(sorted(os.listdir('/proc/self/fd'))[:3], len(os.listdir('/proc/self/fd')))\n",
                                {{"GREETING", "hi"}});
        QCOMPARE(e.output,
                 QByteArray("hi /job 36 __main__\n['/job/script.py'] /job/script.py ''\nhi from a child\n"
                            "['0', '1', '2'] 4\n"));
        QCOMPARE(e.error, QByteArray("to err\n"));
        QCOMPARE(e.fate, Execution::Fate::Finished);
        QVERIFY(e.maxRssKb > 1000);
        QCOMPARE(e.containment, QByteArray("bubblewrap"));
    }

    void endsAsAnInterpreterDoes_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("exit 3") << QByteArray("import sys; sys.exit(3)") << 3 << 0 << QByteArray();
        QTest::newRow("exit with a message")
            << QByteArray("import sys; sys.exit('why')") << 1 << 0 << QByteArray("why\n");
        QTest::newRow("at once") << QByteArray("import os; os._exit(7)") << 7 << 0 << QByteArray();
        QTest::newRow("killed") << QByteArray("import os; os.kill(os.getpid(), 9)") << -1 << 9 << QByteArray();
        QTest::newRow("an exception")
            << QByteArray("def f():\n    raise ValueError('no')\n\nf()\n") << 1 << 0
            << QByteArray("Traceback (most recent call last):\n  File \"/job/script.py\", line 4, in <module>\n    f()\n"
                          "  File \"/job/script.py\", line 2, in f\n    raise ValueError('no')\nValueError: no\n");
        QTest::newRow("no Python")
            << QByteArray("x = 1\ny = = 2\n") << 1 << 0
            << QByteArray("  File \"/job/script.py\", line 2\n    y = = 2\n        ^\nSyntaxError: invalid syntax\n");
        QTest::newRow("a NUL in the text") << QByteArray("print(1)\0print(2)", 17) << 1 << 0
                                           << QByteArray("SyntaxError: source code cannot contain null bytes\n");
        QTest::newRow("a declared encoding")
            << QByteArray("# -*- coding: latin-1 -*-\nprint(len('\xe4\xf6'))\n") << 0 << 0 << QByteArray("2\n");
        QTest::newRow("an undeclared encoding")
            << QByteArray("print('\xe4')\n") << 1 << 0
            << QByteArray("  File \"/job/script.py\", line 1\n    print('\xef\xbf\xbd')\n");
        QTest::newRow("a byte order mark") << QByteArray("\xef\xbb\xbfprint(3)\n") << 0 << 0 << QByteArray("3\n");
        QTest::newRow("interrupted") << QByteArray("raise KeyboardInterrupt") << -1 << SIGINT
                                     << QByteArray("Traceback (most recent call last):\n  File \"/job/script.py\", line 1");
        QTest::newRow("a hook for exceptions")
            << QByteArray("import sys\nsys.excepthook = lambda kind, value, trace:"
                          " print(kind.__name__, trace.tb_lineno, value.__traceback__ is trace)\nx\n")
            << 1 << 0 << QByteArray("NameError 3 True\n");
        QTest::newRow("a hook that fails itself")
            << QByteArray("import sys\nsys.excepthook = lambda *a: 1 / 0\nx\n") << 1 << 0
            << QByteArray("Error in sys.excepthook:\n");
        QTest::newRow("garbage in a circle")
            << QByteArray("class A:\n    def __del__(self): print('gone')\na = A(); a.a = a; del a\nprint('end')\n")
            << 0 << 0 << QByteArray("end\ngone\n");
        QTest::newRow("garbage that is old")
            << QByteArray("import gc\nclass A:\n    def __del__(self): print('gone')\na = A(); a.a = a\ngc.collect()\n"
                          "del a\nprint('end')\n")
            << 0 << 0 << QByteArray("end\ngone\n");
        QTest::newRow("an exit function, a thread, an open file")
            << QByteArray("import atexit, threading, time\natexit.register(lambda: print('exit'))\n"
                          "def later():\n    time.sleep(0.1)\n    print('thread')\n"
                          "threading.Thread(target=later).start()\nf = open('f', 'w')\nf.write('x')\n"
                          "atexit.register(lambda: print(open('f').read() == ''))\nprint('end', end='')\n")
            << 0 << 0 << QByteArray("endthread\nTrue\nexit\n");
    }
    void endsAsAnInterpreterDoes()
    {
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, text);
        const Execution e = run(script);
        QTEST(e.exitCode, "exitCode");
        QTEST(e.signal, "signal");
        const QByteArray said = e.output + e.error;
        QVERIFY2(text.isEmpty() || said.startsWith(text), said.constData());
    }

    void bytesThatWereNotFlushedReachTheFile()
    {
        QCOMPARE(output("import os\nif os.fork() == 0:\n    f = open('f', 'w')\n    f.write('kept')\n    raise SystemExit\n"
                        "os.wait()\nprint(open('f').read())\n"),
                 QByteArray("kept\n"));
    }

    void aZygoteThatWasTamperedWithIsReplaced_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("killed") << findZygote + "os.kill(zygote, 9); print('alive')";
        QTest::newRow("stopped") << findZygote + "os.kill(zygote, 19); print('alive')";
        QTest::newRow("everything killed")
            << QByteArray("import os\nif os.getpid() < 100: os.kill(-1, 9)\nprint('alive')");
        QTest::newRow("a daemon left behind")
            << QByteArray("import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.fork()\n    time.sleep(1000)\n"
                          "print('alive', flush=True)");
    }
    void aZygoteThatWasTamperedWithIsReplaced()
    {
        QFETCH(QByteArray, script);
        const QByteArray before = output(birth);
        const Execution e = run(script);
        QCOMPARE(e.output, QByteArray("alive\n"));
        QCOMPARE(e.fate, Execution::Fate::Finished);
        const QByteArray after = output(birth);
        QVERIFY(after.trimmed().toLongLong() > 0);
        QVERIFY(after != before);
        QCOMPARE(output("import os\nprint(len([p for p in os.listdir('/proc') if p.isdigit()]))"), QByteArray("3\n"));
    }

    void theZygoteIsOutOfReach()
    {
        const QByteArray said = output(findZygote
                                       + "import resource\n"
                                       "for what in (lambda: open('/proc/%d/mem' % zygote, 'rb'),\n"
                                       "             lambda: os.readlink('/proc/%d/fd/3' % zygote),\n"
                                       "             lambda: open('/proc/%d/environ' % zygote, 'rb').read(1),\n"
                                       "             lambda: resource.prlimit(zygote, resource.RLIMIT_NOFILE, (3, 3))):\n"
                                       "    try: print('REACHED', what())\n"
                                       "    except PermissionError: print('held')\n");
        QCOMPARE(said, QByteArray("held\nheld\nheld\nheld\n"));
    }

    void aModuleIsImportedOnceForAllJobs()
    {
        const auto known = [this](const QByteArray &statement) {
            return output("import sys\nknown = set(sys.modules)\n" + statement
                          + "\nprint('fractions' in known, 'this' in known)\n");
        };
        QCOMPARE(known({}), QByteArray("False False\n"));
        run("from fractions import Fraction");
        QCOMPARE(known({}), QByteArray("True False\n"));
        QCOMPARE(known("if 0:\n    import this"), QByteArray("True False\n"));
        // Each job draws its own numbers.
        const QByteArray draw = "import random\nprint(random.random())\n";
        QVERIFY(output(draw) != output(draw));
    }

    void findsTheImportsOfAScript_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QList<QByteArray>>("names");
        using Names = QList<QByteArray>;
        QTest::newRow("several in a line") << QByteArray("import json, re as r,time\n") << Names{"json", "re", "time"};
        QTest::newRow("from a part") << QByteArray("from urllib.parse import quote, json\n") << Names{"urllib"};
        QTest::newRow("indented, twice")
            << QByteArray("def f():\n\timport json # x\nimport json\r\n") << Names{"json"};
        QTest::newRow("none that is quiet")
            << QByteArray("import numpy, this, antigravity, os\nfrom . import json\n") << Names{};
        QTest::newRow("no statement")
            << QByteArray("important json\n'import json'\nfrom\nimport\n,\n") << Names{};
    }
    void findsTheImportsOfAScript()
    {
        QFETCH(QByteArray, script);
        QTEST(importedModules(script), "names");
    }

    void aStopEndsTheJobAndTheNextOneRuns()
    {
        RunControl control;
        const auto sink = [&control](const OutputChunk &) { control.stop(StopReason::Request); };
        const Execution e = run("import time\nprint('up', flush=True)\ntime.sleep(1000)\n", {}, sink, control);
        QCOMPARE(e.fate, Execution::Fate::Stopped);
        QCOMPARE(output("print('next')"), QByteArray("next\n"));
    }

    void limitsHoldForEachJob()
    {
        RunLimits limits;
        limits.cpu = std::chrono::seconds{1};
        limits.memoryBytes = 128 << 20;
        limits.processes = 20;
        setRow(limits);
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.timeout = std::chrono::seconds{0};
        job.script = "while True: pass";
        const Execution busy = await(m_executor->run({job}, {}, RunControl()), 60'000);
        QCOMPARE(busy.signal, SIGXCPU);
        const Execution large = run("import time\nx = b'x' * (400 << 20)\ntime.sleep(60)\n");
        QVERIFY2(large.error.contains("of memory"), large.error.constData());
        setRow();
        QCOMPARE(output("print('next')"), QByteArray("next\n"));
    }

    void twoJobsAtOnceHaveAZygoteEach()
    {
        QList<Execution> ends;
        TaskScope scope("runs");
        const auto start = [&](const QByteArray &script) {
            Job job;
            job.id = newJobId();
            job.target.type = "python";
            job.script = script;
            scope.spawn(note(m_executor.get(), {job}, &ends));
        };
        for (int i = 0; i < 2; ++i)
            start("import os, time\nopen('mine', 'w').close()\ntime.sleep(0.3)\nprint(sorted(os.listdir('.')),"
                  " len([p for p in os.listdir('/proc') if p.isdigit()]))\n");
        QTRY_COMPARE_WITH_TIMEOUT(ends.size(), 2, 60'000);
        for (const Execution &e : std::as_const(ends))
            QCOMPARE(e.output, QByteArray("['mine', 'script.py'] 3\n"));
    }

    void aVersionIsShownAndABrokenProgramIsCalledSo()
    {
        const Interpreter python = *m_table.find("python");
        const InterpreterStatus found = await(m_executor->examine(python), 60'000);
        QVERIFY(found.found && !found.isBroken);
        QVERIFY2(found.version.startsWith(QStringLiteral("Python 3.")), qPrintable(found.version));
        Interpreter broken = python;
        broken.command = {QStringLiteral("/bin/false"), QStringLiteral("{file}")};
        const InterpreterStatus status = await(m_executor->examine(broken), 60'000);
        QVERIFY(status.found && status.isBroken);
        QVERIFY2(status.detail.contains(QStringLiteral("does not run where jobs run")), qPrintable(status.detail));
    }

private:
    static QCoro::Task<void> note(ProcessExecutor *executor, ExecutionRequest request, QList<Execution> *ends)
    {
        const Execution e = co_await executor->run(request, {}, RunControl());
        ends->append(e);
    }
};

QTEST_GUILESS_MAIN(TestWarmPython)
#include "tst_warm_python.moc"
