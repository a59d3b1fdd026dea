// The command line on a real Redis, looked at from outside with redis-cli, and shared with workers and clients that are
// a few lines of shell (PROTOCOLS, Hero canonical keys).
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

namespace {

// A foreign worker: takes one job of type python, runs it, writes its fate, replies.
constexpr auto shellWorker = R"sh(#!/bin/bash
set -eu
cli() { redis-cli -s "$SOCKET" "$@"; }
me=hero:meta:actor:inst:python:default:shell
cli SET "$me" '{"pid":1,"hostname":"elsewhere","version":"shell","capabilities":[]}' EX 15 > /dev/null
echo ready
id=$(cli BLPOP hero:q:work:type:python 20 | tail -n 1)
[ -n "$id" ]
cli HGETALL "hero:job:$id" > fields
cli HSET "hero:job:$id" status started > /dev/null
cli HGET "hero:job:$id" script > script.py
if out=$(python3 script.py 2> errors); then
    cli HSET "hero:job:$id" status finished output "$out" > /dev/null
    cli LPUSH "hero:q:reply:$id" "$out" > /dev/null
else
    cli HSET "hero:job:$id" status error error "$(cat errors)" > /dev/null
    cli LPUSH "hero:q:reply:$id" "$(cat errors)" > /dev/null
fi
cli DEL "$me" > /dev/null
)sh";

class Setup {
public:
    Setup()
    {
        if (!server.isRunning())
            qFatal("%s", qPrintable(server.error()));
        program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
        program.setVariable(QStringLiteral("SOCKET"), server.socketPath());
    }

    QByteArray cli(const QString &arguments) const { return server.cli(arguments.split(u' ')); }

    std::unique_ptr<QProcess> startWorker(const QStringList &options = {}) const
    {
        auto worker = program.start(
            QStringList{QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python")} + options);
        if (!ym::test::waitForRemark(worker.get(), "Serving python as "))
            qFatal("the worker does not serve");
        return worker;
    }

    RedisServer server;
    Program program;
};

} // namespace

class TestCliRedis : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void submitAndWaitIsServedByAWorkerElsewhere();
    void keysAreThoseOfTheProtocol();
    void presenceLivesAsLongAsTheWorker();
    void foreignWorkerServesOurJob();
    void foreignWorkerFailsOurJob();
    void ourWorkerServesAForeignJob();
    void stopReachesAWorkerElsewhere();
    void wrongPasswordIsSaidOnce();
    void passwordOfTheEnvironmentIsUsed();
    void databaseIsChosen();
    void workerWaitsForAServerThatComesLater();
    void foreignRecordsAreShownAsTheyAre();
    void aclLinesAreTakenByTheServer();
};

void TestCliRedis::submitAndWaitIsServedByAWorkerElsewhere()
{
    const Setup setup;
    const auto worker = setup.startWorker({QStringLiteral("--slots"), QStringLiteral("4")});
    const QString script = setup.program.file(QStringLiteral("a.py"), "print('done elsewhere')\n");
    const Ended ended = setup.program.run({QStringLiteral("submit"), script, QStringLiteral("--wait")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QVERIFY2(ended.out.endsWith("\ndone elsewhere\n"), ended.all().constData());
    const QString bad = setup.program.file(QStringLiteral("b.py"), "raise ValueError('the reason')\n");
    const Ended failed = setup.program.run({QStringLiteral("submit"), bad, QStringLiteral("--wait")});
    QVERIFY2(failed.code == 1 && failed.err.contains("the reason"), failed.all().constData());
    const QString slow = setup.program.file(QStringLiteral("c.py"), "import time\ntime.sleep(600)\n");
    const Ended late = setup.program.run(
        {QStringLiteral("submit"), slow, QStringLiteral("--wait"), QStringLiteral("--timeout"), QStringLiteral("1")});
    QVERIFY2(late.code == 124, late.all().constData());
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliRedis::keysAreThoseOfTheProtocol()
{
    const Setup setup;
    const QString script = setup.program.file(QStringLiteral("a.py"), "print('out')\n");
    const QString id = QString::fromLatin1(
        setup.program.run({QStringLiteral("submit"), script, QStringLiteral("--env"), QStringLiteral("A=1")})
            .out.trimmed());
    const QString job = QStringLiteral("hero:job:") + id;
    QCOMPARE(setup.cli(QStringLiteral("TYPE ") + job), QByteArray("hash"));
    QCOMPARE(setup.cli(QStringLiteral("HMGET %1 id script_type script status timeout retries concurrent").arg(job)),
             id.toLatin1() + "\npython\nprint('out')\n\ndispatched\n300\n0\nfalse");
    QCOMPARE(setup.cli(QStringLiteral("HGET %1 env_vars").arg(job)), QByteArray("{\"A\":\"1\"}"));
    QCOMPARE(setup.cli(QStringLiteral("HEXISTS %1 log_path").arg(job)), QByteArray("0"));
    QCOMPARE(setup.cli(QStringLiteral("LRANGE hero:q:work:type:python 0 -1")), id.toLatin1());

    const auto worker = setup.startWorker({QStringLiteral("--instance"), QStringLiteral("7")});
    const Ended waited = setup.program.run({QStringLiteral("wait"), id});
    QVERIFY2(waited.code == 0, waited.all().constData());
    QCOMPARE(setup.cli(QStringLiteral("HMGET %1 status output attempt claimed_by").arg(job)),
             QByteArray("finished\nout\n\n1\npython:default:7"));
    QCOMPARE(setup.cli(QStringLiteral("LLEN hero:q:work:type:python")), QByteArray("0"));
    QCOMPARE(setup.cli(QStringLiteral("ZCARD hero:q:lease:python")), QByteArray("0"));
    QCOMPARE(setup.cli(QStringLiteral("HLEN hero:q:claims:python")), QByteArray("0"));

    // Nobody waited for this one while it ended, so its reply is still there, and it expires.
    const QString other = QString::fromLatin1(setup.program.run({QStringLiteral("submit"), script}).out.trimmed());
    QTRY_COMPARE_WITH_TIMEOUT(setup.cli(QStringLiteral("HGET hero:job:%1 status").arg(other)), QByteArray("finished"),
                              20000);
    QCOMPARE(setup.cli(QStringLiteral("LRANGE hero:q:reply:%1 0 -1").arg(other)).trimmed(), QByteArray("out"));
    const int ttl = setup.cli(QStringLiteral("TTL hero:q:reply:%1").arg(other)).toInt();
    QVERIFY2(ttl > 250 && ttl <= 300, QByteArray::number(ttl).constData());
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliRedis::presenceLivesAsLongAsTheWorker()
{
    const Setup setup;
    const auto worker = setup.startWorker(
        {QStringLiteral("--group"), QStringLiteral("etl"), QStringLiteral("--instance"), QStringLiteral("7")});
    const QString key = QStringLiteral("hero:meta:actor:inst:python:etl:7");
    const QJsonObject presence = QJsonDocument::fromJson(setup.cli(QStringLiteral("GET ") + key)).object();
    QCOMPARE(presence[u"pid"].toInteger(), worker->processId());
    QVERIFY(presence[u"hostname"].isString() && presence[u"started_at"].isString()
            && presence[u"last_heartbeat"].isString());
    QVERIFY(presence[u"capabilities"].isArray());
    const int ttl = setup.cli(QStringLiteral("TTL ") + key).toInt();
    QVERIFY2(ttl > 5 && ttl <= 15, QByteArray::number(ttl).constData());
    const Ended listed = setup.program.run({QStringLiteral("workers")});
    QVERIFY2(listed.out.contains("etl") && listed.out.contains(QByteArray::number(worker->processId())),
             listed.all().constData());

    const Ended twin = setup.program.run({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                                          QStringLiteral("--group"), QStringLiteral("etl"),
                                          QStringLiteral("--instance"), QStringLiteral("7")});
    QVERIFY2(twin.code == 1, twin.all().constData());
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
    QCOMPARE(setup.cli(QStringLiteral("EXISTS ") + key), QByteArray("0"));
}

void TestCliRedis::foreignWorkerServesOurJob()
{
    const Setup setup;
    setup.program.file(QStringLiteral("worker.sh"), shellWorker);
    setup.program.file(QStringLiteral("a.py"), "print('by the shell')\n");
    const Ended ended = setup.program.shell(
        QStringLiteral("bash worker.sh & \"$YM\" submit a.py --wait; code=$?; wait; echo; cat fields; exit $code"));
    QVERIFY2(ended.code == 0, ended.all().constData());
    QVERIFY2(ended.out.contains("\nby the shell"), ended.all().constData());
    QVERIFY2(ended.out.contains("\nscript_type\npython\n") && ended.out.contains("\nstatus\ndispatched"),
             ended.all().constData());
}

void TestCliRedis::foreignWorkerFailsOurJob()
{
    const Setup setup;
    setup.program.file(QStringLiteral("worker.sh"), shellWorker);
    setup.program.file(QStringLiteral("a.py"), "raise ValueError('by the shell')\n");
    const Ended ended =
        setup.program.shell(QStringLiteral("bash worker.sh & \"$YM\" submit a.py --wait; code=$?; wait; exit $code"));
    QVERIFY2(ended.code == 1 && ended.err.contains("ValueError: by the shell"), ended.all().constData());
}

void TestCliRedis::ourWorkerServesAForeignJob()
{
    const Setup setup;
    const auto worker = setup.startWorker();
    const QByteArray id = "3f2b8c1e-0000-4000-8000-000000000001";
    setup.server.cli({QStringLiteral("HSET"),
                      QStringLiteral("hero:job:") + QString::fromLatin1(id),
                      QStringLiteral("caller_id"),
                      QStringLiteral("elsewhere"),
                      QStringLiteral("context_id"),
                      QStringLiteral("ctx"),
                      QStringLiteral("script_type"),
                      QStringLiteral("python"),
                      QStringLiteral("script"),
                      QStringLiteral("import os\nprint(os.environ['CALLER_ID'], os.environ['WHO'])"),
                      QStringLiteral("timeout"),
                      QStringLiteral("30"),
                      QStringLiteral("retries"),
                      QStringLiteral("0"),
                      QStringLiteral("concurrent"),
                      QStringLiteral("false"),
                      QStringLiteral("status"),
                      QStringLiteral("dispatched"),
                      QStringLiteral("created_at"),
                      QStringLiteral("2026-11-21T00:00:00+00:00"),
                      QStringLiteral("updated_at"),
                      QStringLiteral("2026-11-21T00:00:00+00:00"),
                      QStringLiteral("env_vars"),
                      QStringLiteral("{\"WHO\":\"me\"}"),
                      QStringLiteral("their_own_field"),
                      QStringLiteral("kept")});
    setup.cli(QStringLiteral("LPUSH hero:q:work:type:python ") + QString::fromLatin1(id));
    QCOMPARE(setup.cli(QStringLiteral("BLPOP hero:q:reply:%1 20").arg(QString::fromLatin1(id))).trimmed(),
             "hero:q:reply:" + id + "\nelsewhere me");
    QCOMPARE(setup.cli(QStringLiteral("HMGET hero:job:%1 status output their_own_field").arg(QString::fromLatin1(id))),
             QByteArray("finished\nelsewhere me\n\nkept"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliRedis::stopReachesAWorkerElsewhere()
{
    const Setup setup;
    const auto worker = setup.startWorker();
    const QString script = setup.program.file(QStringLiteral("a.py"), "import time\ntime.sleep(600)\n");
    const QString id = QString::fromLatin1(setup.program.run({QStringLiteral("submit"), script}).out.trimmed());
    QByteArray seen;
    QVERIFY2(ym::test::waitForOutput(worker.get(), "started", &seen), seen.constData());
    const Ended stopped = setup.program.run({QStringLiteral("stop"), id});
    QVERIFY2(stopped.code == 0 && stopped.out.contains("asked to stop"), stopped.all().constData());
    const Ended waited =
        setup.program.run({QStringLiteral("wait"), id, QStringLiteral("--timeout"), QStringLiteral("20")});
    QVERIFY2(waited.code == 1, waited.all().constData());
    QCOMPARE(setup.cli(QStringLiteral("HGET hero:job:%1 error").arg(id)), QByteArray("stopped_by_request"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliRedis::wrongPasswordIsSaidOnce()
{
    RedisServer::Options options;
    options.extra = {QStringLiteral("--requirepass"), QStringLiteral("correct")};
    const RedisServer server(options);
    Program program;
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
    program.setVariable(QStringLiteral("YARDMASTER_PASSWORD"), QStringLiteral("hunter2"));
    for (const char *command : {"list", "worker --type python"}) {
        const Ended ended = program.run(QString::fromLatin1(command).split(u' '));
        QVERIFY2(ended.code == 1, ended.all().constData());
        QVERIFY2(ended.err.count('\n') == 1 && ended.err.contains("password"), ended.all().constData());
        QVERIFY2(!ended.err.contains("hunter2"), ended.all().constData());
    }
}

void TestCliRedis::passwordOfTheEnvironmentIsUsed()
{
    RedisServer::Options options;
    options.extra = {QStringLiteral("--requirepass"), QStringLiteral("correct")};
    const RedisServer server(options);
    Program program;
    program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
    program.setVariable(QStringLiteral("YARDMASTER_PASSWORD"), QStringLiteral("correct"));
    const Ended ended = program.run({QStringLiteral("--json"), QStringLiteral("list")});
    QVERIFY2(ended.code == 0 && ended.out == "[]\n", ended.all().constData());
}

void TestCliRedis::databaseIsChosen()
{
    const Setup setup;
    const QString script = setup.program.file(QStringLiteral("a.py"), "print(1)\n");
    const Ended ended = setup.program.run(
        {QStringLiteral("submit"), script, QStringLiteral("--store"), setup.server.url() + QStringLiteral("?db=3")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(setup.cli(QStringLiteral("-n 3 LLEN hero:q:work:type:python")), QByteArray("1"));
    QCOMPARE(setup.cli(QStringLiteral("-n 0 DBSIZE")), QByteArray("0"));
}

void TestCliRedis::workerWaitsForAServerThatComesLater()
{
    Setup setup;
    const QString script = setup.program.file(QStringLiteral("a.py"), "print(1)\n");
    setup.server.killHard();
    const auto worker =
        setup.program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python")});
    QVERIFY(ym::test::waitForRemark(worker.get(), "Trying again"));
    QVERIFY(setup.server.startAgain());
    QVERIFY(ym::test::waitForRemark(worker.get(), "append-only file (AOF) is off"));
    const Ended ended = setup.program.run({QStringLiteral("submit"), script, QStringLiteral("--wait")});
    QVERIFY2(ended.code == 0, ended.all().constData());
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
}

void TestCliRedis::foreignRecordsAreShownAsTheyAre()
{
    const Setup setup;
    setup.server.cli({QStringLiteral("HSET"), QStringLiteral("hero:job:odd"), QStringLiteral("status"),
                      QStringLiteral("dispached"), QStringLiteral("script"), QStringLiteral("\x1b[2Jx"),
                      QStringLiteral("timeout"), QStringLiteral("abc")});
    setup.server.cli({QStringLiteral("LPUSH"), QStringLiteral("hero:job:actor_queue:osis"), QStringLiteral("x")});
    const Ended listed = setup.program.run({QStringLiteral("list")});
    QVERIFY2(listed.code == 0 && listed.out.contains("unknown (dispached)"), listed.all().constData());
    const Ended shown = setup.program.run({QStringLiteral("show"), QStringLiteral("odd")});
    QVERIFY2(shown.code == 0 && !shown.out.contains('\x1b') && shown.out.contains("<U+001B>[2Jx"),
             shown.all().constData());
    const QJsonObject job =
        setup.program.run({QStringLiteral("--json"), QStringLiteral("show"), QStringLiteral("odd")}).json().object();
    QCOMPARE(job[u"state"].toString(), QStringLiteral("unknown"));
    QCOMPARE(job[u"status"].toString(), QStringLiteral("dispached"));
    QVERIFY(!job[u"problems"].toArray().isEmpty());
}

void TestCliRedis::aclLinesAreTakenByTheServer()
{
    const Setup setup;
    const QString script = setup.program.file(QStringLiteral("a.py"), "print(1)\n");
    QCOMPARE(setup.program.run({QStringLiteral("submit"), script}).code, 0);
    for (const char *role : {"viewer", "worker", "dispatcher"}) {
        const Ended ended = setup.program.run({QStringLiteral("acl"), QLatin1String(role)});
        QVERIFY2(ended.code == 0 && ended.out.startsWith(QByteArray("user hero-") + role + " on >"), ended.all().constData());
        QVERIFY(role != QByteArray("worker") || ended.out.contains("~hero:q:work:type:python "));
        // Rules in brackets are one word; the last line feed is none.
        static const QRegularExpression words(QStringLiteral("\\([^)]*\\)|\\S+"));
        QStringList rule{QStringLiteral("ACL"), QStringLiteral("SETUSER")};
        auto matches = words.globalMatch(QString::fromUtf8(ended.out.mid(5)));
        while (matches.hasNext())
            rule.append(matches.next().captured());
        QCOMPARE(setup.server.cli(rule), QByteArray("OK"));
    }
    QCOMPARE(setup.program.run({QStringLiteral("acl"), QStringLiteral("king")}).code, 2);
    QCOMPARE(setup.program.run({QStringLiteral("acl"), QStringLiteral("worker"), QStringLiteral("-t"), QStringLiteral("a ~*")}).code, 2);
}

QTEST_GUILESS_MAIN(TestCliRedis)
#include "tst_cli_redis.moc"
