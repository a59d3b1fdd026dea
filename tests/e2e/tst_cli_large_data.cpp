// The command line and a worker on a store with the biggest values and lists that others may leave there (RELIABILITY 9):
// each command ends by itself and says what it sees, in bounded memory.
#include "tests/support/large_data.h"
#include "tests/support/memory.h"
#include "tests/support/program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using namespace ym;
using namespace ym::test;

class TestCliLargeData : public QObject {
    Q_OBJECT

    RedisServer m_server;
    Program m_program;

    Ended run(const QStringList &arguments)
    {
        QElapsedTimer time;
        time.start();
        Ended ended = m_program.run(arguments);
        qInfo("%s: code %d, %lld ms, %lld bytes, peak so far %lld MiB", qPrintable(arguments.join(u' ')), ended.code,
              time.elapsed(), qint64(ended.out.size()), peakOfChildrenMiB());
        return ended;
    }
    QByteArray field(const QByteArray &id, const char *name) const
    {
        return m_server.cli({"hget", "hero:job:" + QString::fromLatin1(id), QLatin1String(name)});
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        m_program.setVariable(QStringLiteral("YARDMASTER_STORE"), m_server.url());
        m_program.runShellJobs();
        for (const LargeData &data : largeData()) {
            const QByteArray trouble = put(m_server, data);
            QVERIFY2(!trouble.startsWith("ERR"), trouble.constData());
        }
    }

    void listsAreShort()
    {
        const Ended jobs = run({"list", "--json"});
        QCOMPARE(jobs.code, 0);
        QVERIFY(jobs.json().array().size() > 8);
        const Ended queues = run({"queues", "--json"});
        QCOMPARE(queues.code, 0);
        int millions = 0;
        for (const QJsonValue &queue : queues.json().array())
            millions += queue[QLatin1String("depth")].toInt() == 1'000'000 ? 1 : 0;
        QCOMPARE(millions, 6);
        QCOMPARE(run({"workers"}).code, 0);
    }

    void eachJobIsShown_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const LargeData &data : largeData()) {
            if (!data.job.isEmpty())
                QTest::newRow(data.name) << data.job;
        }
    }
    void eachJobIsShown()
    {
        QFETCH(QByteArray, id);
        for (const QStringList &options : {QStringList{}, QStringList{"--json"}}) {
            const Ended shown = run(options + QStringList{"show", QString::fromLatin1(id)});
            QVERIFY2(shown.code == 0, shown.err.left(500).constData());
            QVERIFY(shown.out.contains(id));
            const bool isCut = shown.err.contains("it is cut");
            const bool isHuge = QByteArray(QTest::currentDataTag()).contains("100 MB");
            QVERIFY2(isCut == (isHuge && options.isEmpty()), shown.err.left(500).constData());
            QVERIFY(options.isEmpty() || shown.json().object().value(QLatin1String("state")) != QStringLiteral("unknown"));
            QVERIFY(options.isEmpty() || shown.json().object().value(QLatin1String("cut")).toObject().isEmpty() != isHuge);
        }
        if (QByteArray(QTest::currentDataTag()).contains("100 MB"))
            return;
        const Ended output = run({"output", QString::fromLatin1(id)});
        QVERIFY2(output.code == 0 || (output.code == 1 && output.err.trimmed().count('\n') == 0), output.err.left(500).constData());
    }

    /// What is shown in part can be had whole: in pieces, so that the tool stays small.
    void hugeFieldsAreWrittenWhole()
    {
        constexpr qsizetype size = 104'857'600;
        const auto id = [](int number) { return QString::fromLatin1(largeData().at(number).job); };
        const auto isWhole = [this](const QStringList &arguments, QByteArray Ended::*stream, char c) {
            const Ended ended = run(arguments);
            return ended.code == 0 && (ended.*stream).size() == size && (ended.*stream).count(c) == size;
        };
        QVERIFY(isWhole({"output", id(2)}, &Ended::out, 'x'));
        QVERIFY(isWhole({"output", id(4)}, &Ended::err, 'y'));
        QVERIFY(isWhole({"show", id(0), "--field", "script"}, &Ended::out, 'x'));
        const Ended json = run({"--json", "output", id(2)});
        QVERIFY2(json.code == 1 && json.err.contains("Leave out --json"), json.err.left(500).constData());
        const Ended none = run({"show", id(0), "--field", "nothing"});
        QVERIFY2(none.code == 1 && none.err.contains("no field"), none.err.left(500).constData());
    }

    /// What is too large for a worker ends with a reason and holds nobody up.
    void aWorkerTakesWhatItCan()
    {
        const auto worker = m_program.start({"worker", "-t", "sh"});
        const QByteArray huge = largeData().at(0).job;
        QTRY_COMPARE_WITH_TIMEOUT(field(largeData().at(1).job, "status"), QByteArray("finished"), 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(field(huge, "status"), QByteArray("error"), 60'000);
        QVERIFY2(field(huge, "error").contains("16 MiB"), field(huge, "error").left(200).constData());
        ::kill(pid_t(worker->processId()), SIGTERM);
        QVERIFY(worker->waitForFinished(60'000));
        QCOMPARE(worker->exitCode(), 0);
    }

    void allCanBeStoppedAndRemoved()
    {
        QStringList ids;
        for (const LargeData &data : largeData()) {
            if (!data.job.isEmpty())
                ids.append(QString::fromLatin1(data.job));
        }
        QCOMPARE(run(QStringList{"retry"} + ids.mid(0, 2)).code, 0);
        QCOMPARE(run(QStringList{"stop"} + ids.mid(0, 2)).code, 0);
        const Ended removed = run(QStringList{"remove"} + ids);
        QVERIFY2(removed.code == 0, removed.err.left(500).constData());
        for (const QString &id : ids)
            QCOMPARE(m_server.cli({"exists", "hero:job:" + id}), QByteArray("0"));
    }

    void memoryIsBounded() { QVERIFY2(!isMemoryMeasurable || peakOfChildrenMiB() < 500, qPrintable(QString::number(peakOfChildrenMiB()))); }
};

QTEST_GUILESS_MAIN(TestCliLargeData)
#include "tst_cli_large_data.moc"
