// The command line against people's mistakes and hostile surroundings: nothing here reaches a job.
#include "tests/support/program.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;

namespace {

/// One line that begins with the program's name.
bool isOneLine(const QByteArray &text)
{
    return text.startsWith("yardmaster: ") && text.count('\n') == 1 && text.endsWith('\n');
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesWrongUsageInOneLine_data();
    void refusesWrongUsageInOneLine();
    void helpTeachesWithExamples_data();
    void helpTeachesWithExamples();
    void overviewNamesEveryCommand();
    void versionIsOneLine();
    void globalOptionsMayStandBehindTheCommand();
    void noDisplayIsSaid();
    void homeThatCannotHoldDataIsSaid_data();
    void homeThatCannotHoldDataIsSaid();
    void storeOfTheEnvironmentIsUsed();
    void unreachableServerIsOneLineWithoutThePassword();
    void passwordIsNotInTheProcessList();
    void closedStandardInputIsAnEmptyScript();
    void oddScriptsAreRefused_data();
    void oddScriptsAreRefused();
    void fileNameNeedNotBeText();
    void idNeedNotBeText();
    void readerThatLeavesIsNoError();
    void coloursOnlyForAPersonAtATerminal_data();
    void coloursOnlyForAPersonAtATerminal();
    void nothingButColoursOfAJobReachesATerminal_data();
    void nothingButColoursOfAJobReachesATerminal();
    void closedStandardOutputDoesNotReachTheStore();
};

void TestCli::refusesWrongUsageInOneLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const char *commandLine, const char *says) {
        QTest::newRow(name) << QString::fromLatin1(commandLine).split(u' ') << QByteArray(says);
    };
    row("unknown command", "frobnicate", "neither a command");
    row("unknown option", "--frobnicate list", "--frobnicate");
    row("unknown option of a command", "list --frobnicate", "list --help");
    row("two commands", "list queues", "queues");
    row("no file", "run", "FILE");
    row("two files", "run a.py b.py", "b.py");
    row("value is missing", "run a.py --type", "--type");
    row("number is a word", "run a.py --timeout soon", "soon");
    row("timeout over a day", "run a.py --timeout 86401", "86401");
    row("negative retries", "run a.py --retries -1", "-1");
    row("variable without a value", "submit a.py --env A", "NAME=VALUE");
    row("variable without a name", "submit a.py --env =1", "NAME=VALUE");
    row("variable with a bad name", "submit a.py --env 1A=1", "1A");
    row("variable twice", "submit a.py --env A=1 --env A=2", "twice");
    row("unknown ending", "submit a.txt", ".py, .v, .rhai, .hero");
    row("no ending", "submit script", "--type");
    row("standard input without a type", "submit -", "--type");
    row("type in capitals", "submit a.py --type Python", "type");
    row("type with a colon", "submit a.py --type a:b", "type");
    row("group with a colon", "submit a.py --group a:b", "group");
    row("instance without a group", "submit a.py --instance 1", "group");
    row("id that is no UUID", "submit a.py --id 42", "UUID");
    row("waits for itself",
        "submit a.py --id 11111111-2222-4333-8444-555555555555 --after 11111111-2222-4333-8444-555555555555", "itself");
    row("submit into memory", "--store memory: submit a.py", "embedded:");
    row("unknown state", "list --state sleeping", "running");
    row("negative limit", "list --limit -1", "-1");
    row("show without an id", "show", "ID");
    row("wait without an id", "wait", "ID");
    row("worker without a type", "worker", "--type");
    row("worker of a group with a colon", "worker --type python --group a:b", "group");
    row("worker of an instance with a slash", "worker --type python --instance a/b", "instance");
    row("worker of a type in capitals", "worker --type Python", "type");
    row("worker with no slots", "worker --type python --slots 0", "0");
    row("worker with 65 slots", "worker --type python --slots 65", "65");
    row("unknown protocol", "--protocol carrier-pigeon list", "hero");
    row("unknown scheme", "--store mysql://localhost list", "redis://");
    row("port that is none", "--store redis://localhost:65536 list", "port");
    row("database that is none", "--store redis://localhost/x list", "database");
    row("password as an option", "--password hunter2 list", "YARDMASTER_PASSWORD");
    row("password as an option with =", "list --password=hunter2", "YARDMASTER_PASSWORD");
    row("password in a wrong URL", "--store redis://me:hunter2@localhost:99999 list", "port");
}

void TestCli::refusesWrongUsageInOneLine()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    Program program;
    program.file(QStringLiteral("a.py"), "print(1)\n");
    program.file(QStringLiteral("a.txt"), "print(1)\n");
    program.file(QStringLiteral("script"), "print(1)\n");
    const Ended ended = program.run(arguments);
    QVERIFY2(ended.code == 2, ended.all().constData());
    QVERIFY2(isOneLine(ended.err), ended.all().constData());
    QVERIFY2(ended.err.contains(says), ended.all().constData());
    QVERIFY2(!ended.err.contains("hunter2"), ended.all().constData());
    QCOMPARE(ended.out, QByteArray());
}

void TestCli::helpTeachesWithExamples_data()
{
    QTest::addColumn<QString>("command");
    for (const char *name :
         {"run", "submit", "list", "show", "output", "logs", "wait", "stop", "remove", "queues", "workers", "worker"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestCli::helpTeachesWithExamples()
{
    QFETCH(QString, command);
    const Program program;
    const Ended ended = program.run({command, QStringLiteral("--help")});
    QCOMPARE(ended.code, 0);
    QVERIFY(ended.out.contains("Usage: yardmaster " + command.toLatin1()));
    QCOMPARE(ended.err, QByteArray());
    QVERIFY2(!QFileInfo::exists(program.homeFolder() + QStringLiteral("/.local")), "help wrote something");
}

void TestCli::overviewNamesEveryCommand()
{
    const Ended ended = Program().run({QStringLiteral("--help")});
    QCOMPARE(ended.code, 0);
    for (const char *word :
         {"run", "submit", "list", "show", "output", "logs", "wait", "stop", "remove", "queues", "workers", "worker",
          "--store", "--json", "embedded:", "rediss://", "YARDMASTER_PASSWORD", "124", "Examples:"})
        QVERIFY2(ended.out.contains(word), word);
}

void TestCli::versionIsOneLine()
{
    const Ended ended = Program().run({QStringLiteral("--version")});
    QCOMPARE(ended.code, 0);
    static const QRegularExpression version(QStringLiteral("^yardmaster \\d+\\.\\d+\\.\\d+\n$"));
    QVERIFY2(version.match(QString::fromUtf8(ended.out)).hasMatch(), ended.all().constData());
}

void TestCli::globalOptionsMayStandBehindTheCommand()
{
    const Program program;
    const Ended ended = program.run({QStringLiteral("list"), QStringLiteral("--json"), QStringLiteral("--store"),
                                     QStringLiteral("embedded:") + program.homeFolder() + QStringLiteral("/w")});
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out, QByteArray("[]\n"));
}

void TestCli::noDisplayIsSaid()
{
    const Ended ended = Program().run({});
    const bool hasWindow = !ended.err.contains("has no window"); // a build of the core alone
    QVERIFY2(ended.code == (hasWindow ? 1 : 2), ended.all().constData());
    QVERIFY2(isOneLine(ended.err), ended.all().constData());
    QVERIFY2(ended.err.contains(hasWindow ? "display" : "Name a command"), ended.all().constData());
    QVERIFY2(ended.err.contains("--help"), ended.all().constData());
}

void TestCli::homeThatCannotHoldDataIsSaid_data()
{
    QTest::addColumn<QString>("home");
    QTest::newRow("HOME is not set") << QString();
    QTest::newRow("HOME is a file") << QStringLiteral("/dev/null");
    QTest::newRow("HOME cannot be written") << QStringLiteral("/proc/self");
    QTest::newRow("HOME is relative") << QStringLiteral("somewhere");
}

void TestCli::homeThatCannotHoldDataIsSaid()
{
    QFETCH(QString, home);
    Program program;
    if (home.isNull())
        program.unsetVariable(QStringLiteral("HOME"));
    else
        program.setVariable(QStringLiteral("HOME"), home);
    const Ended ended = program.run({QStringLiteral("list")});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QVERIFY2(isOneLine(ended.err), ended.all().constData());
    QVERIFY2(ended.err.contains("XDG_DATA_HOME"), ended.all().constData());
}

void TestCli::storeOfTheEnvironmentIsUsed()
{
    Program program;
    const QString folder = program.homeFolder() + QStringLiteral("/elsewhere");
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), QStringLiteral("embedded:") + folder);
    QCOMPARE(program.run({QStringLiteral("list")}).code, 0);
    QVERIFY(QFileInfo::exists(folder));
    QVERIFY(!QFileInfo::exists(program.homeFolder() + QStringLiteral("/.local/share/yardmaster/workspaces")));
}

void TestCli::unreachableServerIsOneLineWithoutThePassword()
{
    Program program;
    const Ended ended = program.run(
        {QStringLiteral("--store"), QStringLiteral("redis://me:hunter2@127.0.0.1:1"), QStringLiteral("list")});
    QVERIFY2(ended.code == 1, ended.all().constData());
    QVERIFY2(isOneLine(ended.err), ended.all().constData());
    QVERIFY2(ended.err.contains("127.0.0.1"), ended.all().constData());
    QVERIFY2(!ended.err.contains("hunter2"), ended.all().constData());
    program.setVariable(QStringLiteral("YARDMASTER_PASSWORD"), QStringLiteral("hunter2"));
    const Ended other =
        program.run({QStringLiteral("--store"), QStringLiteral("redis://127.0.0.1:1"), QStringLiteral("list")});
    QVERIFY2(other.code == 1 && !other.err.contains("hunter2"), other.all().constData());
}

void TestCli::passwordIsNotInTheProcessList()
{
    const Program program;
    // `worker` waits for a server that does not answer, so there is time to look.
    const auto process = program.start({QStringLiteral("--store"), QStringLiteral("redis://me:hunter2@127.0.0.1:1"),
                                        QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python")});
    QVERIFY(ym::test::waitForRemark(process.get(), "127.0.0.1"));
    QFile list(QStringLiteral("/proc/%1/cmdline").arg(process->processId()));
    QVERIFY(list.open(QIODevice::ReadOnly));
    const QByteArray commandLine = list.readAll();
    QVERIFY2(commandLine.contains("redis://me:"), commandLine.constData());
    QVERIFY2(!commandLine.contains("hunter2"), commandLine.constData());
    process->terminate();
    QCOMPARE(ym::test::collect(process.get()).code, 130);
}

void TestCli::closedStandardInputIsAnEmptyScript()
{
    const Ended ended = Program().shell(QStringLiteral("\"$YM\" --store memory: run - --type python <&-"));
    QVERIFY2(ended.code == 2, ended.all().constData());
    QVERIFY2(ended.err.contains("empty"), ended.all().constData());
}

void TestCli::oddScriptsAreRefused_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("empty") << QByteArray() << 2 << QByteArray("empty");
    QTest::newRow("blank") << QByteArray(" \n\n") << 2 << QByteArray("empty");
    QTest::newRow("with a NUL") << QByteArray("print(1)\0", 9) << 2 << QByteArray("NUL");
    QTest::newRow("17 MB") << QByteArray(17 * 1024 * 1024, '#') << 1 << QByteArray("16 MB");
}

void TestCli::oddScriptsAreRefused()
{
    QFETCH(QByteArray, script);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    const Program program;
    const QStringList arguments{QStringLiteral("--store"), QStringLiteral("memory:"), QStringLiteral("run"),
                                QStringLiteral("-"),       QStringLiteral("--type"),  QStringLiteral("python")};
    const Ended ended = program.run(arguments, script);
    QVERIFY2(ended.code == code, ended.all().constData());
    QVERIFY2(isOneLine(ended.err) && ended.err.contains(says), ended.all().constData());
}

void TestCli::fileNameNeedNotBeText()
{
    const Ended ended = Program().shell(
        QStringLiteral("printf 'print(6*7)' > $'odd\\xff\\n.py' && \"$YM\" --store memory: run $'odd\\xff\\n.py'"));
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(ended.out, QByteArray("42\n"));
}

void TestCli::idNeedNotBeText()
{
    const Ended ended = Program().shell(QStringLiteral("\"$YM\" --store embedded:$PWD/w show $'\\xff\\x1b[2J'"));
    QVERIFY2(ended.code == 1, ended.all().constData());
    QVERIFY2(isOneLine(ended.err), ended.all().constData());
    QVERIFY2(!ended.err.contains('\x1b') && !ended.err.contains('\xff'), ended.all().constData());
}

void TestCli::readerThatLeavesIsNoError()
{
    const Ended ended =
        Program().shell(QStringLiteral("\"$YM\" --help | head -n 1; echo \"${PIPESTATUS[0]}\"; \"$YM\" --store "
                                       "embedded:$PWD/w --json list | true; echo \"${PIPESTATUS[0]}\""));
    QVERIFY2(ended.out.endsWith("\n0\n0\n"), ended.all().constData());
    QCOMPARE(ended.err, QByteArray());
}

void TestCli::coloursOnlyForAPersonAtATerminal_data()
{
    QTest::addColumn<QString>("environment");
    QTest::addColumn<bool>("atTerminal");
    QTest::addColumn<bool>("coloured");
    QTest::newRow("a terminal") << QStringLiteral("TERM=xterm-256color") << true << true;
    QTest::newRow("a terminal without colours") << QStringLiteral("TERM=dumb") << true << false;
    QTest::newRow("a terminal without a name") << QStringLiteral("TERM=") << true << false;
    QTest::newRow("a person who refuses") << QStringLiteral("TERM=xterm NO_COLOR=1") << true << false;
    QTest::newRow("a pipe") << QStringLiteral("TERM=xterm") << false << false;
}

void TestCli::coloursOnlyForAPersonAtATerminal()
{
    QFETCH(QString, environment);
    QFETCH(bool, atTerminal);
    QFETCH(bool, coloured);
    const Program program;
    program.file(QStringLiteral("a.py"), "print(1)\n");
    const QString store = QStringLiteral("\"$YM\" --store embedded:$PWD/w ");
    const QString list = QStringLiteral("env %1 \"$YM\" --store embedded:$PWD/w list").arg(environment);
    const QString seen =
        atTerminal ? QStringLiteral("script -qec '%1' /dev/null").arg(list) : list + QStringLiteral(" | cat");
    const Ended ended = program.shell(store + QStringLiteral("submit a.py > /dev/null && ") + seen);
    QVERIFY2(ended.out.contains("queued"), ended.all().constData());
    QCOMPARE(ended.out.contains("\x1b["), coloured);
}

void TestCli::nothingButColoursOfAJobReachesATerminal_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QByteArray>("seen");
    const QString run = QStringLiteral("run evil.py");
    const QByteArray coloured = "a\x1b[31mred";
    QTest::newRow("while it runs") << run << QStringLiteral("TERM=xterm") << coloured;
    QTest::newRow("without colours") << run << QStringLiteral("TERM=dumb") << QByteArray("ared");
    const QString stored = QStringLiteral("%1 $(\"$YM\" --store embedded:$PWD/w --json list | sed -E \"s/.*\\\"id\\\":\\\"([^\\\"]+).*/\\1/\")");
    QTest::newRow("from the store") << stored.arg(QStringLiteral("output")) << QStringLiteral("TERM=xterm") << coloured;
    QTest::newRow("from its log") << stored.arg(QStringLiteral("logs")) << QStringLiteral("TERM=xterm") << coloured;
}

void TestCli::nothingButColoursOfAJobReachesATerminal()
{
    QFETCH(QString, command);
    QFETCH(QString, environment);
    QFETCH(QByteArray, seen);
    const Program program;
    program.file(QStringLiteral("evil.py"),
                 "import os\n"
                 "os.write(1, b'\\x1b]0;title\\x07\\x1b[2J\\x1b[?1049ha\\x1b[31mred\\x1b]52;c;cm0=\\x07\\xc2\\x9b5n\\x9b6n\\x0e\\n')\n");
    const QString store = QStringLiteral("env %1 \"$YM\" --store embedded:$PWD/w ").arg(environment);
    if (!command.startsWith(QStringLiteral("run")))
        QVERIFY2(program.shell(store + QStringLiteral("run evil.py > /dev/null")).code == 0, "the job did not run");
    program.file(QStringLiteral("command"), (store + command + u'\n').toUtf8());
    const Ended ended = program.shell(QStringLiteral("script -qec 'bash command' /dev/null"));
    QVERIFY2(ended.out.contains(seen), ended.out.toHex(' ').constData());
    for (qsizetype at = ended.out.indexOf('\x1b'); at >= 0; at = ended.out.indexOf('\x1b', at + 1)) {
        const qsizetype end = ended.out.indexOf('m', at);
        QVERIFY2(ended.out[at + 1] == '[' && end - at < 8, ended.out.toHex(' ').constData());
    }
    QVERIFY(!ended.out.contains("\x9b") && !ended.out.contains('\x0e') && !ended.out.contains("title"));
}

void TestCli::closedStandardOutputDoesNotReachTheStore()
{
    const Program program;
    program.file(QStringLiteral("a.py"), "print(1)\n");
    const Ended ended = program.shell(QStringLiteral("\"$YM\" --store embedded:$PWD/w submit a.py >&-; "
                                                     "\"$YM\" --store embedded:$PWD/w --json list"));
    QVERIFY2(ended.out.contains("\"state\":\"queued\""), ended.all().constData());
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
