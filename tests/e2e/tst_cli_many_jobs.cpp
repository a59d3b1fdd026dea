// The command line on a store with very many jobs and a queue as long: answers stay short, memory is bounded, the server
// is not held up. YM_JOBS=1000000 tries it with as many.
#include "tests/support/many_jobs.h"
#include "tests/support/memory.h"
#include "tests/support/program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace ym::test;

namespace {

const int jobCount = qEnvironmentVariableIsSet("YM_JOBS") ? qEnvironmentVariableIntValue("YM_JOBS") : 20'000;

} // namespace

class TestCliManyJobs : public QObject {
    Q_OBJECT

    RedisServer m_server;
    Program m_program;

    Ended run(const QStringList &arguments)
    {
        QElapsedTimer time;
        time.start();
        Ended ended = m_program.run(arguments);
        qInfo("%s: %lld ms, %lld bytes, peak so far %lld MiB", qPrintable(arguments.join(u' ')), time.elapsed(),
              qint64(ended.out.size()), peakOfChildrenMiB());
        return ended;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        fillWithJobs(m_server, jobCount);
        QCOMPARE(m_server.cli({"dbsize"}).toInt(), jobCount + 1);
        m_program.setVariable(QStringLiteral("YARDMASTER_STORE"), m_server.url());
    }

    void aShortListIsShort()
    {
        const Ended newest = run({"list", "--limit", "20", "--json"});
        QCOMPARE(newest.code, 0);
        QCOMPARE(newest.json().array().size(), 20);
        const Ended failed = run({"list", "--state", "failed", "--limit", "5"});
        QCOMPARE(failed.code, 0);
        QCOMPARE(failed.out.count('\n'), 6); // with the heading
        QVERIFY2(failed.err.contains(QByteArray::number(jobCount / 4)), failed.err.constData());
        QVERIFY2(!isMemoryMeasurable || peakOfChildrenMiB() < 64 + jobCount / 10'000, qPrintable(QString::number(peakOfChildrenMiB())));
    }
    void oneJobIsOneJob()
    {
        const QString id = QStringLiteral("00000000-0000-4000-8000-%1").arg(jobCount / 2, 12, 10, QLatin1Char('0'));
        const Ended shown = run({"show", "--json", id});
        QCOMPARE(shown.code, 0);
        QCOMPARE(shown.json().object().value(QLatin1String("id")).toString(), id);
    }
    void aLongQueueIsOneRow()
    {
        const Ended queues = run({"queues", "--json"});
        QCOMPARE(queues.code, 0);
        QCOMPARE(queues.json().array().size(), 1);
        QCOMPARE(queues.json().array().first().toObject().value(QLatin1String("depth")).toInt(), jobCount);
    }
    void everythingIsListed()
    {
        const Ended table = run({"list", "--limit", "0"});
        QCOMPARE(table.code, 0);
        QCOMPARE(table.out.count('\n'), jobCount + 1); // with the heading
        const Ended all = run({"list", "--limit", "0", "--json"});
        QCOMPARE(all.code, 0);
        // Before anything is read here: a child that was only just forked counts with what its parent has.
        QVERIFY2(!isMemoryMeasurable || peakOfChildrenMiB() < 64 + jobCount / 7'000, qPrintable(QString::number(peakOfChildrenMiB())));
        const QJsonArray jobs = all.json().array();
        QCOMPARE(jobs.size(), jobCount);
        for (qsizetype i = 1; i < jobs.size(); ++i) // all of one age: by id
            QVERIFY(jobs[i - 1][u"id"].toString() < jobs[i][u"id"].toString());
    }
    void theServerWasNotHeldUp()
    {
        const QByteArray commands = m_server.cli({"info", "commandstats"});
        QVERIFY(!commands.contains("cmdstat_keys") && !commands.contains("cmdstat_monitor"));
    }
};

QTEST_GUILESS_MAIN(TestCliManyJobs)
#include "tst_cli_many_jobs.moc"
