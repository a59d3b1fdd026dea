// The worker of the command line when the server hangs, forgets or lets others lose jobs.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonObject>
#include <QTest>

#include <csignal>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

namespace {

class Setup {
public:
    Setup()
    {
        if (!server.isRunning())
            qFatal("%s", qPrintable(server.error()));
        program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
        program.runShellJobs();
    }

    QByteArray cli(const QString &arguments) const { return server.cli(arguments.split(u' ')); }

    std::unique_ptr<QProcess> startWorker() const
    {
        auto worker = program.start({QStringLiteral("--json"), QStringLiteral("worker"), QStringLiteral("--type"),
                                     QStringLiteral("sh"), QStringLiteral("--lease"), QStringLiteral("1")});
        while (cli(QStringLiteral("EXISTS hero:meta:actor:inst:sh:default:1")) != "1")
            if (worker->waitForFinished(20))
                qFatal("the worker does not serve: %s", worker->readAllStandardError().constData());
        return worker;
    }

    QString submit(const QByteArray &script) const
    {
        return QString::fromLatin1(program
                                       .run({QStringLiteral("submit"), QStringLiteral("-"), QStringLiteral("--type"),
                                             QStringLiteral("sh"), QStringLiteral("--env"), QStringLiteral("A=b")},
                                            script)
                                       .out.trimmed());
    }

    RedisServer server;
    Program program;
};

} // namespace

class TestCliWorker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anIdleWorkerLeavesAServerThatHangs();
    void itTakesThePlaceOfOneThatWasKilled();
    void itTellsWhyItCannotTakeJobs();
    void aJobThatTheServerLostIsKept();
    void whatItRunsWhileItIsStoppedIsNotTakenFromItByItself();
    void aJobThatAForeignWorkerLostIsFoundAgain();
};

void TestCliWorker::anIdleWorkerLeavesAServerThatHangs()
{
    Setup setup;
    const auto worker = setup.startWorker();
    setup.server.pause();
    worker->terminate();
    const bool ended = worker->waitForFinished(6'000); // a command would wait for its answer for ten seconds
    setup.server.resume();
    QVERIFY(ended);
    QCOMPARE(worker->exitCode(), 0);
}

/// As whoever supervises it starts it again at once, under the same name.
void TestCliWorker::itTakesThePlaceOfOneThatWasKilled()
{
    Setup setup;
    setup.cli(QStringLiteral("SET hero:meta:actor:inst:sh:default:1 {\"pid\":1} PX 1500"));
    const auto worker = setup.program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("sh"),
                                             QStringLiteral("--instance"), QStringLiteral("1")});
    QVERIFY(ym::test::waitForRemark(worker.get(), "is instance 1 of this group. Waiting"));
    QVERIFY(ym::test::waitForRemark(worker.get(), "Serving sh as default:1"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliWorker::itTellsWhyItCannotTakeJobs()
{
    Setup setup;
    setup.cli(QStringLiteral("SET hero:q:lease:sh x"));
    const QString id = setup.submit("echo ran\n");
    const auto worker = setup.startWorker();
    QByteArray diary;
    QVERIFY(ym::test::waitForOutput(worker.get(), "\"trouble\"", &diary));
    QVERIFY2(diary.contains("WRONGTYPE") || diary.contains("type of value"), diary.constData());
    QCOMPARE(setup.cli(QStringLiteral("LLEN hero:q:work:type:sh")), QByteArray("1")); // nothing was popped
    setup.cli(QStringLiteral("DEL hero:q:lease:sh"));
    QVERIFY(ym::test::waitForOutput(worker.get(), "\"ended\"", &diary));
    QVERIFY2(diary.contains("null"), diary.constData());
    QCOMPARE(setup.cli(QStringLiteral("HGET hero:job:%1 output").arg(id)), QByteArray("ran\n"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliWorker::aJobThatTheServerLostIsKept()
{
    Setup setup;
    const auto worker = setup.startWorker();
    const QString id = setup.submit("[ $JOB_ATTEMPT = 1 ] && sleep 60\necho $A again\n");
    QByteArray diary;
    QVERIFY(ym::test::waitForOutput(worker.get(), "\"started\"", &diary));
    setup.cli(QStringLiteral("DEL hero:job:") + id);
    QVERIFY(ym::test::waitForOutput(worker.get(), "\"ended\"", &diary));
    QVERIFY2(diary.contains("\"lost\"") && diary.contains("\"abandoned\""), diary.constData());
    QCOMPARE(setup.cli(QStringLiteral("EXISTS hero:job:") + id), QByteArray("0")); // nobody makes it again unasked
    const Ended restored = setup.program.run({QStringLiteral("restore")});
    QVERIFY2(restored.code == 0 && restored.out.startsWith("1 of 1"), restored.all().constData());
    const Ended waited =
        setup.program.run({QStringLiteral("wait"), id, QStringLiteral("--timeout"), QStringLiteral("20")});
    QVERIFY2(waited.code == 0, waited.all().constData());
    QCOMPARE(setup.cli(QStringLiteral("HGET hero:job:%1 output").arg(id)), QByteArray("b again\n"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

/// Its process stands still for longer than a lease and nobody else is there: the script went on, and when the worker
/// wakes it renews what it has before it rescues anything.
void TestCliWorker::whatItRunsWhileItIsStoppedIsNotTakenFromItByItself()
{
    Setup setup;
    const auto worker = setup.startWorker();
    const QString id = setup.submit("sleep 4\necho ran\n");
    QByteArray diary;
    QVERIFY(ym::test::waitForOutput(worker.get(), "\"started\"", &diary));
    ::kill(pid_t(worker->processId()), SIGSTOP);
    const auto isLeaseOver = [&setup, &id] {
        const double now = setup.cli(QStringLiteral("TIME")).split('\n').first().toDouble() * 1'000;
        return setup.cli(QStringLiteral("ZSCORE hero:q:lease:sh ") + id).toDouble() < now - 500;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isLeaseOver(), 20'000);
    ::kill(pid_t(worker->processId()), SIGCONT);
    const Ended waited =
        setup.program.run({QStringLiteral("wait"), id, QStringLiteral("--timeout"), QStringLiteral("30")});
    QVERIFY2(waited.code == 0, waited.all().constData());
    QCOMPARE(setup.cli(QStringLiteral("HGET hero:job:%1 attempt").arg(id)), QByteArray("1"));
    QCOMPARE(setup.cli(QStringLiteral("HEXISTS hero:job:%1 rescues").arg(id)), QByteArray("0"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

/// With no window open anywhere.
void TestCliWorker::aJobThatAForeignWorkerLostIsFoundAgain()
{
    Setup setup;
    const QString id = setup.submit("echo found\n");
    QCOMPARE(setup.cli(QStringLiteral("BLPOP hero:q:work:type:sh 1")).split('\n').value(1), id.toLatin1());
    setup.cli(QStringLiteral("HSET hero:job:%1 updated_at 2001-01-01T00:00:00Z").arg(id));
    const auto worker = setup.startWorker();
    const Ended waited =
        setup.program.run({QStringLiteral("wait"), id, QStringLiteral("--timeout"), QStringLiteral("20")});
    QVERIFY2(waited.code == 0, waited.all().constData());
    QCOMPARE(setup.cli(QStringLiteral("HGET hero:job:%1 output").arg(id)), QByteArray("found\n"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

QTEST_GUILESS_MAIN(TestCliWorker)
#include "tst_cli_worker.moc"
