// Which program runs which script, and the user's file of rows.
#include "core/worker/interpreter_table.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace ym;

namespace {

Interpreter lua()
{
    return {"lua",
            {QStringLiteral("lua5.4"), QStringLiteral("{file}")},
            Interpreter::Feed::File,
            Interpreter::Failure::ExitCode,
            QStringLiteral(".lua"),
            {}};
}

QList<QByteArray> typesOf(const QList<Interpreter> &rows)
{
    QList<QByteArray> types;
    for (const Interpreter &row : rows)
        types.append(row.type);
    return types;
}

void makeProgram(const QString &path, QFile::Permissions permissions)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n") > 0);
    QVERIFY(file.setPermissions(permissions));
}

} // namespace

class TestInterpreterTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTheExampleWithItsComments()
    {
        const QString file = QStringLiteral(":/yardmaster.json");
        InterpreterTable table;
        const Result<void> added = table.add(file);
        QVERIFY2(added, added ? "" : qPrintable(added.error().text()));
        const auto ruby = table.find("ruby");
        QVERIFY(ruby);
        QCOMPARE(ruby->limits, RunLimits());
        QCOMPARE(ruby->access.readable, QStringList{QStringLiteral("/usr/share/dict")});
        QVERIFY(!table.add(QStringLiteral("/no/such/file")));
    }

    void keepsLimitsAndOptIns()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("table.json"));
        Interpreter row;
        row.type = "ruby";
        row.command = {QStringLiteral("ruby"), QStringLiteral("{file}")};
        row.versionArguments = {QStringLiteral("-v")};
        row.access = {true, {QStringLiteral("/data")}, {QStringLiteral("/out")}};
        row.limits.memoryBytes = qint64{3} << 30;
        row.limits.processes = 7;
        InterpreterTable table;
        QVERIFY(table.setRow(row));
        QVERIFY(table.save(file));
        InterpreterTable again;
        QVERIFY(again.load(file));
        QCOMPARE(again.find("ruby"), std::optional(row));
        row.access.readable = {QStringLiteral("data")};
        QVERIFY(!table.setRow(row));
    }

    void knowsTheBuiltInTypes()
    {
        const InterpreterTable table;
        QCOMPARE(typesOf(table.rows()), (QList<QByteArray>{"python", "v", "osis", "sal", "heroscript"}));
        const Interpreter python = table.find("python").value();
        QCOMPARE(python.command,
                 (QStringList{QStringLiteral("python3"), QStringLiteral("-u"), QStringLiteral("{file}")}));
        QCOMPARE(table.find("osis")->failure, Interpreter::Failure::ExitCodeOrStderr);
        QCOMPARE(table.find("heroscript")->feed, Interpreter::Feed::StandardInput);
        QVERIFY(!table.find("cobol"));
    }

    void theUsersRowStandsOnTopUntilItIsReset()
    {
        InterpreterTable table;
        Interpreter python = table.find("python").value();
        python.command[0] = QStringLiteral("/opt/python/bin/python3");
        QVERIFY(table.setRow(python));
        QVERIFY(table.setRow(lua()));
        QCOMPARE(typesOf(table.rows()), (QList<QByteArray>{"python", "v", "osis", "sal", "heroscript", "lua"}));
        QCOMPARE(*table.find("python"), python);
        QVERIFY(table.resetRow("python"));
        QCOMPARE(table.find("python")->command[0], QStringLiteral("python3"));
        QVERIFY(!table.resetRow("python"));
    }

    void choosesTheTypeOfAFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("type");
        QTest::newRow("python") << QStringLiteral("/tmp/a.py") << QByteArray("python");
        QTest::newRow("upper case") << QStringLiteral("A.PY") << QByteArray("python");
        QTest::newRow("rhai is osis") << QStringLiteral("a.rhai") << QByteArray("osis");
        QTest::newRow("v") << QStringLiteral("a.v") << QByteArray("v");
        QTest::newRow("hero") << QStringLiteral("a.b.hero") << QByteArray("heroscript");
        QTest::newRow("the user's") << QStringLiteral("a.lua") << QByteArray("lua");
        QTest::newRow("unknown") << QStringLiteral("a.txt") << QByteArray();
        QTest::newRow("none") << QStringLiteral("py") << QByteArray();
    }
    void choosesTheTypeOfAFile()
    {
        QFETCH(QString, name);
        InterpreterTable table;
        QVERIFY(table.setRow(lua()));
        QTEST(table.typeForFileName(name), "type");
    }

    void heroScriptGoesToHero_data()
    {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("python") << QByteArray("python") << QByteArray("print(1)") << QByteArray("python");
        QTest::newRow("python with !!") << QByteArray("python") << QByteArray("!!a.b\n") << QByteArray("heroscript");
        QTest::newRow("v with !! after blank lines")
            << QByteArray("v") << QByteArray("\n  !!a.b") << QByteArray("heroscript");
        QTest::newRow("osis with !!") << QByteArray("osis") << QByteArray("!!a.b") << QByteArray("osis");
        QTest::newRow("one ! only") << QByteArray("python") << QByteArray("!a.b") << QByteArray("python");
    }
    void heroScriptGoesToHero()
    {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, script);
        const InterpreterTable table;
        QTEST(table.findForScript(type, script)->type, "row");
    }

    void thePreludeKeepsLineNumbersAndQuotesIds()
    {
        const InterpreterTable table;
        Job job;
        job.script = "let a = 1;\nthrow a;\n";
        job.callerId = "a\"b\\c\n{context}";
        job.contextId = "\xe2\x80\xa8x";
        const QByteArray text = preparedScript(*table.find("osis"), job);
        QCOMPARE(
            text,
            QByteArray("const CALLER_ID = \"a\\\"b\\\\c\\u000a{context}\"; const CONTEXT_ID = \"\\u2028x\"; let a = 1;"
                       "\nthrow a;\n"));
        QCOMPARE(preparedScript(*table.find("python"), job), job.script);
    }

    void probesTheProgram()
    {
        const QTemporaryDir folder;
        const QString good = folder.filePath(QStringLiteral("good"));
        const QString plain = folder.filePath(QStringLiteral("plain"));
        makeProgram(good, QFile::ReadOwner | QFile::ExeOwner);
        makeProgram(plain, QFile::ReadOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(folder.path()));
        Interpreter row = lua();
        row.command[0] = QStringLiteral("good");
        const InterpreterStatus onPath = InterpreterTable::probe(row);
        qputenv("PATH", path);
        QVERIFY(onPath.found);
        QCOMPARE(onPath.path, good);
        row.command[0] = good;
        QCOMPARE(InterpreterTable::probe(row).detail, QStringLiteral("found at ") + good);
        row.command[0] = plain;
        QVERIFY(!InterpreterTable::probe(row).found);
        const InterpreterTable table;
        QCOMPARE(table.probe("osis").detail,
                 QStringLiteral("rhai-run was not found; set it in Settings › Interpreters"));
    }

    void refusesRowsThatCannotWork_data()
    {
        QTest::addColumn<Interpreter>("row");
        QTest::addColumn<QString>("says");
        const auto with = [](auto change) {
            Interpreter row = lua();
            change(row);
            return row;
        };
        QTest::newRow("bad type") << with([](Interpreter &r) { r.type = "Lua!"; }) << QStringLiteral("A type is");
        QTest::newRow("no command") << with([](Interpreter &r) { r.command.clear(); })
                                    << QStringLiteral("has no program");
        QTest::newRow("relative program")
            << with([](Interpreter &r) { r.command[0] = QStringLiteral("./lua"); }) << QStringLiteral("relative path");
        QTest::newRow("no place for the script")
            << with([](Interpreter &r) { r.command.removeLast(); }) << QStringLiteral("write {file}");
        QTest::newRow("prelude of two lines")
            << with([](Interpreter &r) { r.prelude = QStringLiteral("a\nb"); }) << QStringLiteral("several lines");
        QTest::newRow("ending with a slash")
            << with([](Interpreter &r) { r.fileSuffix = QStringLiteral("./x"); }) << QStringLiteral("begin with a dot");
        QTest::newRow("ending without a dot")
            << with([](Interpreter &r) { r.fileSuffix = QStringLiteral("lua"); }) << QStringLiteral("begin with a dot");
    }
    void refusesRowsThatCannotWork()
    {
        QFETCH(Interpreter, row);
        QFETCH(QString, says);
        InterpreterTable table;
        const auto result = table.setRow(row);
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::Usage);
        QVERIFY2(result.error().message.contains(says), qPrintable(result.error().message));
        QVERIFY(table.userRows().isEmpty());
    }

    void comesBackFromItsFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("interpreters.json"));
        InterpreterTable table;
        Interpreter odd = lua();
        odd.type = "odd";
        odd.feed = Interpreter::Feed::StandardInput;
        odd.failure = Interpreter::Failure::ExitCodeOrStderr;
        odd.prelude = QStringLiteral("local ä = {caller} ");
        QVERIFY(table.setRow(odd));
        QVERIFY(table.setRow(lua()));
        QVERIFY(table.save(path));
        InterpreterTable again;
        QVERIFY(again.load(path));
        QCOMPARE(again.userRows(), (QList<Interpreter>{lua(), odd}));
    }

    void aMissingFileIsAnEmptyTable()
    {
        InterpreterTable table;
        QVERIFY(table.setRow(lua()));
        QVERIFY(table.load(QStringLiteral("/nonexistent/interpreters.json")));
        QVERIFY(table.userRows().isEmpty());
    }

    void refusesADamagedFileAndKeepsItsRows_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("not JSON");
        QTest::newRow("cut") << QByteArray("{\"version\":1,\"interp") << QStringLiteral("not JSON");
        QTest::newRow("too deep") << QByteArray(100000, '[') << QStringLiteral("not JSON");
        QTest::newRow("too large") << QByteArray(2 << 20, ' ') << QStringLiteral("over 1 MiB");
        QTest::newRow("another file") << QByteArray("[1,2]") << QStringLiteral("not an interpreter table");
        QTest::newRow("newer") << QByteArray("{\"version\":2,\"interpreters\":[]}")
                               << QStringLiteral("newer Yardmaster");
        QTest::newRow("row of a wrong type")
            << QByteArray("{\"version\":1,\"interpreters\":[7]}") << QStringLiteral("Row 1 is not an interpreter");
        QTest::newRow("unknown feed") << QByteArray(
            "{\"version\":1,\"interpreters\":[{\"type\":\"a\",\"command\":[\"b\"],\"feed\":\"pipe\"}]}")
                                      << QStringLiteral("Row 1");
        QTest::newRow("row that cannot work")
            << QByteArray("{\"version\":1,\"interpreters\":[{\"type\":\"a\",\"command\":[\"b\"]}]}")
            << QStringLiteral("write {file}");
    }
    void refusesADamagedFileAndKeepsItsRows()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("interpreters.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        InterpreterTable table;
        QVERIFY(table.setRow(lua()));
        const auto result = table.load(file.fileName());
        QVERIFY(!result);
        QVERIFY2(result.error().message.contains(says), qPrintable(result.error().text()));
        QCOMPARE(table.userRows(), QList<Interpreter>{lua()});
    }

    void saysWhyItCannotSave()
    {
        const InterpreterTable table;
        const auto result = table.save(QStringLiteral("/nonexistent/interpreters.json"));
        QVERIFY(!result);
        QCOMPARE(result.error().kind, ErrorKind::Io);
    }
};

QTEST_APPLESS_MAIN(TestInterpreterTable)
#include "tst_interpreter_table.moc"
