// Both families of queue keys on the command line (PROTOCOLS 1 and 2), looked at from outside with redis-cli.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

namespace {

/// A client as the first protocol document has it: writes the record, queues it, waits for the reply.
constexpr auto oldClient = R"sh(
set -eu
cli() { redis-cli -s "$SOCKET" "$@"; }
id=11111111-2222-4333-8444-555555555555
cli HSET "hero:job:$id" id "$id" caller_id me worker_id w1 context_id here script 'print(6 * 7)' timeout 30 retries 0 \
    concurrent false status dispatched created_at 2026-11-21T10:00:00Z updated_at 2026-11-21T10:00:00Z > /dev/null
cli LPUSH hero:work_queue:w1 "$id" > /dev/null
cli BLPOP "hero:reply:$id" 30 | tail -n +2
)sh";

} // namespace

class TestCliKeys : public QObject {
    Q_OBJECT

    RedisServer m_server;
    Program m_program;

    QByteArray cli(const QString &arguments) const { return m_server.cli(arguments.split(u' ')); }
    Ended run(const QString &arguments) const { return m_program.run(arguments.split(u' ')); }
    std::unique_ptr<QProcess> startWorker(const QString &options) const
    {
        auto worker = m_program.start((QStringLiteral("worker --type python ") + options).split(u' '));
        if (!ym::test::waitForRemark(worker.get(), "Serving python as "))
            qFatal("the worker does not serve");
        return worker;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        m_program.setVariable(QStringLiteral("YARDMASTER_STORE"), m_server.url());
        m_program.setVariable(QStringLiteral("SOCKET"), m_server.socketPath());
    }
    void init() { cli(QStringLiteral("FLUSHALL")); }

    void eachModeQueuesWhereItSays_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QStringList>("queues");
        const QString canonical = QStringLiteral("hero:q:work:type:python");
        QTest::newRow("nothing said, no worker named") << QString() << QStringList{canonical};
        QTest::newRow("auto, nobody present")
            << QStringLiteral("--worker-id w1") << QStringList{QStringLiteral("hero:work_queue:w1")};
        QTest::newRow("canonical") << QStringLiteral("--keys canonical --worker-id w1") << QStringList{canonical};
        QTest::newRow("legacy, of a type") << QStringLiteral("--keys legacy --legacy-queue type")
                                           << QStringList{QStringLiteral("hero:job:actor_queue:python")};
        QTest::newRow("legacy, of an actor") << QStringLiteral("--keys legacy --legacy-queue actor --worker-id w1")
                                             << QStringList{QStringLiteral("hero:job:w1")};
        QTest::newRow("dual") << QStringLiteral("--keys dual --worker-id w1")
                              << QStringList{canonical, QStringLiteral("hero:work_queue:w1")};
        QTest::newRow("first of all") << QStringLiteral("--priority 0")
                                      << QStringList{QStringLiteral("hero:q:work:type:python:prio:0")};
        QTest::newRow("in an hour") << QStringLiteral("--delay 3600") << QStringList{};
    }
    void eachModeQueuesWhereItSays()
    {
        QFETCH(QString, options);
        QFETCH(QStringList, queues);
        const QString script = m_program.file(QStringLiteral("a.py"), "print(1)\n");
        const Ended ended = run(QStringLiteral("--json submit %1 %2").arg(script, options).trimmed());
        QVERIFY2(ended.code == 0, ended.all().constData());
        const QString id = ended.json().object().value(QStringLiteral("id")).toString();
        QStringList told;
        for (const QJsonValue &queue : ended.json().object().value(QStringLiteral("queues")).toArray())
            told.append(queue.toString());
        QCOMPARE(told, queues);
        for (const QString &queue : queues)
            QCOMPARE(cli(QStringLiteral("LRANGE %1 0 -1").arg(queue)), id.toLatin1());
        QSet<QString> listed;
        const Ended all = run(QStringLiteral("--json queues"));
        for (const QJsonValue &queue : all.json().array()) {
            if (queue.toObject().value(QStringLiteral("depth")).toInt() > 0)
                listed.insert(queue.toObject().value(QStringLiteral("key")).toString());
        }
        const QStringList expected = queues.isEmpty() ? QStringList{QStringLiteral("hero:q:delayed")} : queues;
        QCOMPARE(listed, QSet<QString>(expected.cbegin(), expected.cend()));
    }

    void legacyWithoutAWorkerIdIsRefused()
    {
        const QString script = m_program.file(QStringLiteral("a.py"), "print(1)\n");
        const Ended submit = run(QStringLiteral("--keys legacy submit ") + script);
        QVERIFY2(submit.code == 2 && submit.err.contains("worker id"), submit.all().constData());
        const Ended worker = run(QStringLiteral("--keys legacy worker --type python"));
        QVERIFY2(worker.code == 2 && worker.err.contains("worker id"), worker.all().constData());
        const Ended mode = run(QStringLiteral("--keys both list"));
        QVERIFY2(mode.code == 2, mode.all().constData());
    }

    void dualSaysWhatItCosts()
    {
        const QString script = m_program.file(QStringLiteral("a.py"), "print(1)\n");
        const Ended ended = run(QStringLiteral("--keys dual submit %1 --worker-id w1").arg(script));
        QVERIFY2(ended.code == 0 && ended.err.contains("twice"), ended.all().constData());
    }

    void anOldClientIsServed()
    {
        const auto worker = startWorker(QStringLiteral("--worker-id w1"));
        const Ended client = m_program.shell(QString::fromLatin1(oldClient));
        QCOMPARE(client.out.trimmed(), QByteArray("42"));
        const Ended shown = run(QStringLiteral("--json show 11111111-2222-4333-8444-555555555555"));
        QCOMPARE(shown.json().object().value(QStringLiteral("state")).toString(), QStringLiteral("finished"));
        QCOMPARE(shown.json().object().value(QStringLiteral("worker_id")).toString(), QStringLiteral("w1"));
        worker->terminate();
        QCOMPARE(ym::test::collect(worker.get()).code, 0);
    }

    void anOldStopRequestReachesOurWorker()
    {
        const auto worker = startWorker(QStringLiteral("--keys legacy --worker-id w1"));
        const QString script =
            m_program.file(QStringLiteral("slow.py"), "import time\nprint('up', flush=True)\ntime.sleep(600)\n");
        const auto waiting =
            m_program.start(QStringLiteral("--keys legacy submit %1 --worker-id w1 --wait").arg(script).split(u' '));
        QByteArray id;
        QVERIFY(ym::test::waitForOutput(waiting.get(), "\n", &id));
        id = id.trimmed();
        const QString job = QString::fromLatin1(id);
        QTRY_COMPARE_WITH_TIMEOUT(cli(QStringLiteral("HGET hero:job:%1 status").arg(job)), QByteArray("started"),
                                  20'000);
        QCOMPARE(cli(QStringLiteral("EXISTS hero:meta:actor:inst:python:default:1")), QByteArray("0"));
        cli(QStringLiteral("LPUSH hero:stop_queue:w1 ") + job);
        const Ended ended = ym::test::collect(waiting.get());
        QVERIFY2(ended.code == 1, ended.all().constData());
        QCOMPARE(cli(QStringLiteral("HGET hero:job:%1 error").arg(job)), QByteArray("stopped_by_request"));
        QCOMPARE(cli(QStringLiteral("EXISTS hero:stop_queue:w1")), QByteArray("0"));
        worker->terminate();
        QCOMPARE(ym::test::collect(worker.get()).code, 0);
    }

    void runIsItsOwnWorkerInEveryMode()
    {
        const QString script = m_program.file(QStringLiteral("a.py"), "print('here')\n");
        for (const char *mode : {"canonical", "legacy", "auto", "dual"}) {
            const Ended ended = run(QStringLiteral("--keys %1 run %2").arg(QLatin1String(mode), script));
            QVERIFY2(ended.code == 0 && ended.out.contains("here"), ended.all().constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestCliKeys)
#include "tst_cli_keys.moc"
