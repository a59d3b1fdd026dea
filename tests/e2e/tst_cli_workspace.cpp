// A damaged workspace, from the refusal to the salvage, as a person meets it.
#include "tests/support/program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;

class TestCliWorkspace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDamagedWorkspaceIsCheckedAndSalvaged()
    {
        Program program;
        const QString folder = program.homeFolder() + QStringLiteral("/w");
        program.setVariable(QStringLiteral("YARDMASTER_STORE"), QStringLiteral("embedded:") + folder);
        const QString script = program.file(QStringLiteral("a.py"), "print(1)");
        const QStringList submit{QStringLiteral("submit"), script};
        const QStringList list{QStringLiteral("--json"), QStringLiteral("list")};
        QCOMPARE(program.run(submit).code, 0);
        QCOMPARE(program.run(submit).code, 0);
        const QStringList check{QStringLiteral("--json"), QStringLiteral("workspace"), QStringLiteral("check")};
        QCOMPARE(program.run(check).json().object().value(QStringLiteral("state")).toString(), QStringLiteral("sound"));

        QFile log(folder + QStringLiteral("/appendonly.aof"));
        QVERIFY(log.open(QIODevice::ReadWrite));
        const QByteArray sound = log.readAll();
        const QByteArray damaged = sound + "rubbish" + "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";
        log.seek(0);
        log.write(damaged);
        log.close();

        const Ended refused = program.run(list);
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains("damaged at byte ") && refused.err.contains("workspace salvage"),
                 refused.all().constData());
        const Ended found = program.run(check);
        QCOMPARE(found.code, 1);
        const QJsonObject report = found.json().object();
        QCOMPARE(report.value(QStringLiteral("state")).toString(), QStringLiteral("damaged"));
        const QJsonObject gap = report.value(QStringLiteral("damage")).toArray().first().toObject();
        QCOMPARE(gap.value(QStringLiteral("from")).toInt(), int(sound.size()));
        QCOMPARE(gap.value(QStringLiteral("to")).toInt(), int(sound.size()) + 7);

        const Ended salvaged = program.run({QStringLiteral("workspace"), QStringLiteral("salvage")});
        QVERIFY2(salvaged.code == 0 && salvaged.out.contains("kept: "), salvaged.all().constData());
        QFile kept(folder + QStringLiteral("/appendonly.aof.damaged-1"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), damaged);
        QCOMPARE(program.run(list).json().array().size(), 2);
    }

    void whatCannotBeMeantIsRefused()
    {
        Program program;
        const QString workspace = QStringLiteral("workspace");
        QCOMPARE(program.run({workspace}).code, 2);
        QCOMPARE(program.run({workspace, QStringLiteral("repair")}).code, 2);
        QCOMPARE(program.run({workspace, QStringLiteral("check"), QStringLiteral("--beginning")}).code, 2);
        QCOMPARE(program
                     .run({QStringLiteral("--store"), QStringLiteral("redis://localhost"), workspace,
                           QStringLiteral("check")})
                     .code,
                 2);
        const Ended missing = program.run({workspace, QStringLiteral("salvage")});
        QCOMPARE(missing.code, 1);
        QCOMPARE(program.run({workspace, QStringLiteral("check")}).code, 0); // an empty one is not damaged
        QVERIFY(!QDir(program.homeFolder() + QStringLiteral("/.local/share/yardmaster/workspaces")).exists());
    }
};

QTEST_GUILESS_MAIN(TestCliWorkspace)
#include "tst_cli_workspace.moc"
