// How jobs are contained, as the command line tells it before, at and after a run, on machines that offer less and less:
// everything, no bubblewrap, and no Landlock either.
#include "tests/support/program.h"
#include "tests/support/bare_machine.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

using namespace ym::test;

class TestCliLevels : public QObject {
    Q_OBJECT

    static QStringList onScript(const Program &program, const QStringList &words)
    {
        return words + QStringList{program.file(QStringLiteral("one.py"), "print(1)\n")};
    }

private Q_SLOTS:
    void aLevelIsToldBeforeAndAfterTheRun_data()
    {
        QTest::addColumn<bool>("hasBubblewrap");
        QTest::addColumn<bool>("hasLandlock");
        QTest::addColumn<QString>("level");
        QTest::addColumn<QString>("reason");
        QTest::newRow("everything") << true << true << QStringLiteral("bubblewrap") << QString();
        QTest::newRow("no bubblewrap") << false << true << QStringLiteral("confined") << QStringLiteral("bwrap was not found");
        // The last: there is no way back.
        QTest::newRow("no Landlock either") << false << false << QStringLiteral("limits")
                                            << QStringLiteral("Landlock and seccomp do not work here");
    }
    void aLevelIsToldBeforeAndAfterTheRun()
    {
        QFETCH(bool, hasBubblewrap);
        QFETCH(bool, hasLandlock);
        QFETCH(QString, level);
        QFETCH(QString, reason);
        if (!hasLandlock && !hideLandlock())
            QSKIP("this process may not filter its system calls");
        Program program;
        if (!hasBubblewrap) {
            const QString folder = program.homeFolder() + QStringLiteral("/bin");
            QVERIFY(makeBareFolder(folder));
            program.setVariable(QStringLiteral("PATH"), folder);
        }
        const QJsonObject before =
            program.run(onScript(program, {QStringLiteral("--json"), QStringLiteral("run"), QStringLiteral("--explain")}))
                .json()
                .object();
        if (hasLandlock && before[u"level"].toString() != level)
            QSKIP(qPrintable(QStringLiteral("this machine has no such level: ") + before[u"reason"].toString()));
        QCOMPARE(before[u"level"].toString(), level);
        QVERIFY2(before[u"reason"].toString().contains(reason), qPrintable(before[u"reason"].toString()));
        QCOMPARE(before[u"refused"].toBool(), !hasLandlock);
        QCOMPARE(before[u"limits"][u"address_space"].toInteger(), qint64{4} << 30);
        QCOMPARE(before[u"limits"][u"open_files"].toInt(), 256);
        const Ended told = program.run(onScript(program, {QStringLiteral("run"), QStringLiteral("--explain")}));
        QVERIFY2(told.out.contains("level         " + level.toUtf8() + '\n') && told.out.contains(reason.toUtf8()),
                 told.all().constData());
        QCOMPARE(told.out.contains("--containment limits"), !hasLandlock);

        QStringList run{QStringLiteral("run")};
        if (!hasLandlock) {
            const Ended refused = program.run(onScript(program, run));
            QCOMPARE(refused.code, 1);
            QVERIFY2(refused.err.contains("can only be limited") && refused.err.contains(reason.toUtf8())
                         && refused.err.contains("--containment limits"),
                     refused.all().constData());
            run += {QStringLiteral("--containment"), QStringLiteral("limits")};
        }
        const Ended ended = program.run(onScript(program, run));
        QVERIFY2(ended.code == 0 && ended.out == "1\n", ended.all().constData());

        const QJsonArray jobs = program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array();
        QCOMPARE(jobs.size(), 1);
        const QString id = jobs[0][u"id"].toString();
        const QJsonObject job = program.run({QStringLiteral("--json"), QStringLiteral("show"), id}).json().object();
        QCOMPARE(job[u"runs"][0][u"contained"].toString(), level);
        const Ended shown = program.run({QStringLiteral("show"), id});
        QVERIFY2(shown.out.contains(", " + level.toUtf8() + '\n'), shown.all().constData());
        const QList<QJsonObject> audit = program.run({QStringLiteral("--json"), QStringLiteral("audit")}).jsonLines();
        QVERIFY(!audit.isEmpty());
        QCOMPARE(audit.last()[u"contained"].toString(), level);
    }
};

QTEST_GUILESS_MAIN(TestCliLevels)
#include "tst_cli_levels.moc"
