// Scripts of every built-in type: with stand-ins that behave as PROTOCOLS (Scripts) says of the real interpreters, and
// with the real ones where they are on PATH.
#include "core/worker/process_executor.h"
#include "tests/support/await.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace ym;
using ym::test::await;

namespace {

/// Takes a file and nothing else, reads no standard input, and exits 0 whatever happens: an error goes to standard
/// error, its caret to standard output. Knows constants, print(NAME) and print("text").
constexpr auto rhaiRun = R"(#!/usr/bin/python3
import json, re, sys
if len(sys.argv) != 2 or sys.stdin.read():
    sys.exit('usage: rhai-run FILE')
names = {}
for number, line in enumerate(open(sys.argv[1], encoding='utf-8').read().split('\n'), 1):
    for statement in re.findall(r'(?:[^;"]|"(?:\\.|[^"\\])*")+', line):
        statement = statement.strip()
        constant = re.fullmatch(r'const (\w+) = ("(?:\\.|[^"\\])*")', statement)
        call = re.fullmatch(r'print\((?:(\w+)|("(?:\\.|[^"\\])*"))\)', statement)
        if constant:
            names[constant[1]] = json.loads(constant[2])
        elif call and (call[2] or call[1] in names):
            print(json.loads(call[2]) if call[2] else names[call[1]])
        elif statement:
            column = line.index(statement) + 1
            print(line)
            print(' ' * (column - 1) + '^ Syntax error (line %d, position %d)' % (number, column))
            print('Syntax error (line %d, position %d)' % (number, column), file=sys.stderr)
            sys.exit(0)
)";

/// Takes the script on standard input. Fails by its exit code.
constexpr auto hero = R"(#!/usr/bin/python3
import sys
if sys.argv[1:] != ['run', '-s']:
    sys.exit('usage: hero run -s')
for line in sys.stdin:
    if line.startswith('!!fail.'):
        print('action failed: ' + line.strip(), file=sys.stderr)
        sys.exit(3)
    if line.startswith('!!'):
        print('ran ' + line[2:].strip())
)";

/// Takes a file whose name ends with .v, compiles with notes on standard error, and fails by its exit code.
constexpr auto v = R"(#!/usr/bin/python3
import sys
if len(sys.argv) != 3 or sys.argv[1] != 'run' or not sys.argv[2].endswith('.v'):
    sys.exit('usage: v run FILE.v')
text = open(sys.argv[2]).read()
print('notice: unused', file=sys.stderr)
if 'panic(' in text:
    sys.exit(1)
print('hello from v')
)";

} // namespace

class TestScriptTypes : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path;
    InterpreterTable m_table;
    std::unique_ptr<ProcessExecutor> m_executor;

    void plant(const char *name, const char *text)
    {
        QFile file(m_folder.filePath(QStringLiteral("programs/") + QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    Execution run(const QByteArray &type, const QByteArray &script, const QByteArray &caller = "ada",
                  const QByteArray &context = "night")
    {
        Job job;
        job.id = newJobId();
        job.target.type = type;
        job.script = script;
        job.callerId = caller;
        job.contextId = context;
        job.attempt = 1;
        job.timeout = std::chrono::seconds{60};
        ExecutionRequest request{job};
        request.grant.limitsOnly = true;
        return await(m_executor->run(request, {}, RunControl()), 120'000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("programs")));
        plant("rhai-run", rhaiRun);
        plant("hero", hero);
        plant("v", v);
        m_path = qgetenv("PATH");
        ProcessExecutor::Options options;
        options.tempRoot = m_folder.filePath(QStringLiteral("jobs"));
        m_executor = std::make_unique<ProcessExecutor>(&m_table, options, &Clock::system());
    }
    void init() { qputenv("PATH", QFile::encodeName(m_folder.filePath(QStringLiteral("programs"))) + ':' + m_path); }
    void cleanup() { qputenv("PATH", m_path); }

    void everyTypeIsFoundAndRuns_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Execution::Fate>("fate");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QByteArray>("error");
        using Fate = Execution::Fate;
        for (const QByteArray type : {"osis", "sal"}) {
            QTest::newRow((type + ": the constants").constData())
                << type << QByteArray("print(CALLER_ID);\nprint(CONTEXT_ID);") << Fate::Finished << 0
                << QByteArray("ada\nnight\n") << QByteArray();
            QTest::newRow((type + ": an error, although the exit code is 0").constData())
                << type << QByteArray("print(\"one\");\n\n  let x = ;\nprint(\"never\");") << Fate::Failed << 0
                << QByteArray("one\n  let x = ;\n  ^ Syntax error (line 3, position 3)\n")
                << QByteArray("Syntax error (line 3, position 3)\n");
        }
        QTest::newRow("osis: an error on the first line")
            << QByteArray("osis") << QByteArray("nonsense") << Fate::Failed << 0 << QByteArray() << QByteArray("line 1");
        QTest::newRow("osis: an empty script")
            << QByteArray("osis") << QByteArray() << Fate::Finished << 0 << QByteArray() << QByteArray();
        QTest::newRow("heroscript")
            << QByteArray("heroscript") << QByteArray("text\n!!site.define name:x\n") << Fate::Finished << 0
            << QByteArray("ran site.define name:x\n") << QByteArray();
        QTest::newRow("heroscript: an error")
            << QByteArray("heroscript") << QByteArray("!!fail.now\n") << Fate::Failed << 3 << QByteArray()
            << QByteArray("action failed: !!fail.now\n");
        for (const QByteArray type : {"python", "v"})
            QTest::newRow((type + " that is HeroScript").constData())
                << type << QByteArray("!!site.define\n") << Fate::Finished << 0 << QByteArray("ran site.define\n")
                << QByteArray();
        QTest::newRow("v: notes are no failure") << QByteArray("v") << QByteArray("println('x')") << Fate::Finished << 0
                                                 << QByteArray("hello from v\n") << QByteArray("notice: unused\n");
        QTest::newRow("v: an error") << QByteArray("v") << QByteArray("panic('x')") << Fate::Failed << 1 << QByteArray()
                                     << QByteArray("notice: unused\n");
    }
    void everyTypeIsFoundAndRuns()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, output);
        QFETCH(QByteArray, error);
        QVERIFY(m_executor->canRun(type));
        const Execution e = run(type, script);
        QVERIFY2(e.error == error || (!error.isEmpty() && e.error.contains(error)), e.error.constData());
        QTEST(e.fate, "fate");
        QTEST(e.exitCode, "exitCode");
        if (!output.isEmpty() || error.isEmpty())
            QCOMPARE(e.output, output);
    }

    void idsOfOthersAreTextAndNothingElse_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::newRow("quotes") << QByteArray("a\"; print(\"owned");
        QTest::newRow("a backslash at the end") << QByteArray("a\\");
        QTest::newRow("lines") << QByteArray("a\nprint(\"owned\");\nb");
        QTest::newRow("a placeholder") << QByteArray("{context}{file}");
        QTest::newRow("right to left") << QByteArray("\xE2\x80\xAE" "abc");
    }
    void idsOfOthersAreTextAndNothingElse()
    {
        QFETCH(QByteArray, id);
        const Execution e = run("osis", "print(CALLER_ID); print(\"2\");", id, "c");
        QCOMPARE(e.error, QByteArray());
        QCOMPARE(e.output, id + "\n2\n");
    }

    void anInterpreterThatIsMissingIsNamedBeforeDispatch_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QString>("program");
        QTest::newRow("osis") << QByteArray("osis") << QStringLiteral("rhai-run");
        QTest::newRow("sal") << QByteArray("sal") << QStringLiteral("rhai-run");
        QTest::newRow("heroscript") << QByteArray("heroscript") << QStringLiteral("hero");
        QTest::newRow("v") << QByteArray("v") << QStringLiteral("v");
    }
    void anInterpreterThatIsMissingIsNamedBeforeDispatch()
    {
        QFETCH(QByteArray, type);
        QFETCH(QString, program);
        qputenv("PATH", QFile::encodeName(m_folder.path()));
        const Result<void> answer = m_executor->canRun(type);
        QVERIFY(!answer);
        QCOMPARE(answer.error().message,
                 program + QStringLiteral(" was not found; set it in Settings › Interpreters"));
    }

    void aVersionIsShownOrWhyThereIsNone_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<bool>("isExecutable");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("told"); ///< the version, or a part of the reason
        const auto row = [](const char *name, const QByteArray &program, const char *state, const char *told) {
            QTest::newRow(name) << program << true << QString::fromUtf8(state) << QString::fromUtf8(told);
        };
        row("says it", "#!/bin/sh\necho tool 1.2.3\necho more\n", "found", "tool 1.2.3");
        row("says it on standard error", "#!/bin/sh\necho tool 1.2.3 >&2\n", "found", "tool 1.2.3");
        row("says nothing", "#!/bin/sh\n", "found", "");
        row("fails with a word", "#!/bin/sh\necho no licence >&2\nexit 1\n", "broken", "does not run where jobs run: no licence");
        row("fails in silence", "#!/bin/sh\nexit 3\n", "broken", "it says nothing and ends with exit code 3");
        row("crashes", "#!/bin/sh\nkill -11 $$\n", "broken", "it is killed by SIGSEGV (11)");
        row("hangs", "#!/bin/sh\necho tool 1.2.3\nexec sleep 1000\n", "broken", "did not say its version within 5 s");
        row("hangs and is deaf", "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n", "broken",
            "did not say its version within 5 s");
        row("writes without an end", "#!/bin/sh\nexec yes\n", "broken", "did not say its version within 5 s");
        row("is no program", "\x7f" "ELF, or not", "broken", "Exec format error");
        row("its own interpreter is missing", "#!/no/such/thing\n", "broken", "No such file or directory");
        QTest::newRow("is not executable") << QByteArray("#!/bin/sh\n") << false << QStringLiteral("not found")
                                           << QStringLiteral("cannot be executed; make it executable");
    }
    void aVersionIsShownOrWhyThereIsNone()
    {
        QFETCH(QByteArray, program);
        QFETCH(bool, isExecutable);
        const QString path = m_folder.filePath(QStringLiteral("programs/tool"));
        plant("tool", program.constData());
        if (!isExecutable)
            QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
        Interpreter row;
        row.type = "tool";
        row.command = {path, QStringLiteral("{file}")};
        ManualClock clock;
        ProcessExecutor::Options options;
        options.tempRoot = m_folder.filePath(QStringLiteral("jobs"));
        ProcessExecutor executor(&m_table, options, &clock);
        await(executor.containment(), 60'000);
        QFETCH(QString, told);
        QTimer patience; // lets the time pass for a program that does not end by itself
        if (told.startsWith(QStringLiteral("did not"))) {
            connect(&patience, &QTimer::timeout, this, [&clock] {
                if (clock.sleeperCount() > 0)
                    clock.advance(Milliseconds{5'000});
            });
            patience.start(20);
        }
        const InterpreterStatus status = await(executor.examine(row), 60'000);
        QFile::remove(path);
        const char *const state = !status.found ? "not found" : status.isBroken ? "broken" : "found";
        QTEST(QString::fromLatin1(state), "state");
        if (status.isBroken || !status.found)
            QVERIFY2(status.detail.contains(told), qPrintable(status.detail));
        else
            QCOMPARE(status.version, told);
    }

    void theRealOneBehavesLikeItsStandIn_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QString>("program");
        QTest::addColumn<QByteArray>("good");
        QTest::addColumn<QByteArray>("bad");
        QTest::newRow("rhai-run") << QByteArray("osis") << QStringLiteral("rhai-run")
                                  << QByteArray("print(CALLER_ID + CONTEXT_ID);") << QByteArray("let x = ;");
        QTest::newRow("v") << QByteArray("v") << QStringLiteral("v") << QByteArray("println('adanight')")
                           << QByteArray("fn (");
        QTest::newRow("hero") << QByteArray("heroscript") << QStringLiteral("hero") << QByteArray() << QByteArray();
    }
    void theRealOneBehavesLikeItsStandIn()
    {
        QFETCH(QByteArray, type);
        QFETCH(QString, program);
        QFETCH(QByteArray, good);
        QFETCH(QByteArray, bad);
        qputenv("PATH", m_path);
        if (QStandardPaths::findExecutable(program).isEmpty())
            QSKIP(qPrintable(program + QStringLiteral(" is not on PATH")));
        const InterpreterStatus status = await(m_executor->examine(*m_table.find(type)), 60'000);
        QVERIFY2(!status.isBroken, qPrintable(status.detail));
        if (good.isEmpty())
            return;
        const Execution e = run(type, good);
        QVERIFY2(e.output.contains("adanight"), (e.output + e.error).constData());
        QCOMPARE(e.fate, Execution::Fate::Finished);
        QCOMPARE(run(type, bad).fate, Execution::Fate::Failed);
    }
};

QTEST_GUILESS_MAIN(TestScriptTypes)
#include "tst_script_types.moc"
