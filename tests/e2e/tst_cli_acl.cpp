// The lines of `yardmaster acl`, given to a real server, and the whole life of jobs under them with the program itself.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

class TestCliAcl : public QObject {
    Q_OBJECT

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Program> m_program;
    QHash<QString, QString> m_urls; ///< by role; the default user is off

    /// Makes the user as a person would: by what the program prints.
    void addUser(const QString &role, const QStringList &options = {})
    {
        const Ended ended = m_program->run(
            QStringList{QStringLiteral("--store"), m_server->url(), QStringLiteral("acl"), role} + options);
        QVERIFY2(ended.code == 0, ended.all().constData());
        static const QRegularExpression words(QStringLiteral("\\([^)]*\\)|\\S+"));
        QStringList rule{QStringLiteral("ACL"), QStringLiteral("SETUSER")};
        auto matches = words.globalMatch(QString::fromUtf8(ended.out.mid(5)));
        while (matches.hasNext())
            rule.append(matches.next().captured());
        QCOMPARE(m_server->cli(rule), QByteArray("OK"));
        const QString password = rule.at(4).mid(1);
        m_urls.insert(role, QStringLiteral("unix://%1:%2@%3").arg(rule.at(2), password, m_server->socketPath()));
    }
    Ended run(const char *role, const QString &arguments, const QByteArray &input = {}) const
    {
        const QStringList store{QStringLiteral("--store"), m_urls.value(QLatin1String(role))};
        return m_program->run(store + arguments.split(u' ', Qt::SkipEmptyParts), input);
    }
    QString submit(const QString &options, const QByteArray &script) const
    {
        return QString::fromUtf8(run("dispatcher", QStringLiteral("submit - --type sh ") + options, script).out.trimmed());
    }
    std::unique_ptr<QProcess> start(const char *role, const QStringList &arguments) const
    {
        const QStringList store{QStringLiteral("--store"), m_urls.value(QLatin1String(role))};
        auto process = m_program->start(store + arguments);
        if (!ym::test::waitForRemark(process.get(), "Serving "))
            qFatal("the worker does not serve");
        return process;
    }
    QString stateOf(const QString &id) const
    {
        return run("viewer", QStringLiteral("--json show ") + id).json().object()[u"state"].toString();
    }

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
        m_program = std::make_unique<Program>();
        m_program->runShellJobs();
        addUser(QStringLiteral("viewer"));
        addUser(QStringLiteral("dispatcher"));
        addUser(QStringLiteral("worker"), {QStringLiteral("--type"), QStringLiteral("sh"), QStringLiteral("--worker-id"),
                                           QStringLiteral("w1")});
    }

    void aJobLivesUnderLeastRights();
    void retriesAndReleasesAreQueuedByWhoeverDispatches();
    void aViewerSeesEverythingAndChangesNothing();
    void nothingIsChangedWhenThatIsAskedFor();
};

/// From submit to reply, in both families, with a stop and a failure.
void TestCliAcl::aJobLivesUnderLeastRights()
{
    const auto worker = start("worker", {"worker", "--type", "sh", "--worker-id", "w1", "--lease", "2"});
    const QString good = submit(QStringLiteral("--env A=b"), "echo got $A\n");
    const QString bad = submit({QStringLiteral("--priority 0")}, "echo broken >&2; exit 3\n");
    const QString old = QString::fromUtf8(
        run("dispatcher", QStringLiteral("--keys legacy submit - --type sh --worker-id w1"), "echo old\n").out.trimmed());
    const Ended waited = run("viewer", QStringLiteral("wait %1 %2 %3 --timeout 30").arg(good, bad, old));
    QVERIFY2(waited.code == 1 && waited.out.count("finished") == 2 && waited.out.count("failed") == 1, waited.all().constData());
    QCOMPARE(run("viewer", QStringLiteral("output ") + good).out, QByteArray("got b\n"));
    const QString longer = submit({QStringLiteral("--timeout 60")}, "sleep 60\n");
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(longer), QStringLiteral("running"), 10'000);
    const Ended stopped = run("dispatcher", QStringLiteral("stop ") + longer);
    QVERIFY2(stopped.code == 0, stopped.all().constData());
    const Ended ended = run("dispatcher", QStringLiteral("wait %1 --timeout 20").arg(longer));
    QVERIFY2(ended.code == 1, ended.all().constData());
    QCOMPARE(m_server->cli({"KEYS", "hero:q:ctl:*"}), QByteArray());
    QCOMPARE(m_server->cli({"ZCARD", "hero:q:lease:sh"}), QByteArray("0"));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
    QCOMPARE(m_server->cli({"KEYS", "hero:meta:actor:*"}), QByteArray("hero:meta:actor:inst:sh:default:1")); // it expires
}

/// A worker queues nothing. A second one with more rights, of another type, does it for it.
void TestCliAcl::retriesAndReleasesAreQueuedByWhoeverDispatches()
{
    const auto worker = start("worker", {"worker", "--type", "sh", "--lease", "1"});
    const auto other = start("dispatcher", {"worker", "--type", "python", "--lease", "1"});
    const QString first = submit(QStringLiteral("--retries 3"), "[ $JOB_ATTEMPT = 2 ] && echo at last\n");
    const QString second = submit(QStringLiteral("--after ") + first, "echo behind it\n");
    const Ended waited = run("dispatcher", QStringLiteral("wait %1 %2 --timeout 40").arg(first, second));
    QVERIFY2(waited.code == 0, waited.all().constData());
    QCOMPARE(m_server->cli({"HGET", QStringLiteral("hero:job:") + first, "rescues"}), QByteArray());
    for (QProcess *process : {worker.get(), other.get()}) {
        process->terminate();
        QCOMPARE(ym::test::collect(process).code, 0);
    }
}

void TestCliAcl::aViewerSeesEverythingAndChangesNothing()
{
    const QString id = submit({}, "echo 1\n");
    const QString waiting = submit(QStringLiteral("--after ") + id, "echo 2\n");
    for (const char *look : {"list", "queues", "workers", "show %1", "--json show %1", "show %1 --field script", "wait %1 --timeout 1"}) {
        const Ended ended = run("viewer", QString::fromLatin1(look).replace(QStringLiteral("%1"), id));
        QVERIFY2((ended.code == 0 || ended.code == 124) && !ended.err.contains("NOPERM"), ended.all().constData());
    }
    QCOMPARE(run("viewer", QStringLiteral("--json list")).json().array().size(), 2);
    const QByteArray before = m_server->cli({"HGETALL", QStringLiteral("hero:job:") + id});
    for (const char *change : {"stop %1", "retry %1", "requeue %1", "move %1 --type python", "remove %1",
                               "purge hero:q:work:type:sh --yes"}) {
        const Ended ended = run("viewer", QString::fromLatin1(change).replace(QStringLiteral("%1"), id));
        QVERIFY2(ended.code == 1 && ended.err.contains("permission"), ended.all().constData());
    }
    QCOMPARE(m_server->cli({"HGETALL", QStringLiteral("hero:job:") + id}), before);
    QCOMPARE(m_server->cli({"LLEN", "hero:q:work:type:sh"}), QByteArray("1"));
    QCOMPARE(stateOf(waiting), QStringLiteral("waiting"));
}

/// Whatever the user may do.
void TestCliAcl::nothingIsChangedWhenThatIsAskedFor()
{
    const QString id = submit({}, "echo 1\n");
    const QByteArray before = m_server->cli({"HGETALL", QStringLiteral("hero:job:") + id});
    for (const char *look : {"list", "queues", "workers", "show %1", "wait %1 --timeout 1"}) {
        const Ended ended = run("dispatcher", QString::fromLatin1(look).replace(QStringLiteral("%1"), id) + " --read-only");
        QVERIFY2(ended.code == 0 || ended.code == 124, ended.all().constData());
    }
    for (const char *change : {"stop %1", "retry %1", "requeue %1", "move %1 --type python", "remove %1", "restore",
                               "purge hero:q:work:type:sh --yes", "submit - --type sh", "worker --type sh --drain"}) {
        const Ended ended = run("dispatcher", QString::fromLatin1(change).replace(QStringLiteral("%1"), id) + " --read-only", "echo 2\n");
        QVERIFY2(ended.code == 1, ended.all().constData());
        QVERIFY2(ended.err.contains("--read-only") || ended.err.contains("Nothing was removed"), ended.all().constData());
    }
    QCOMPARE(m_server->cli({"HGETALL", QStringLiteral("hero:job:") + id}), before);
    QCOMPARE(m_server->cli({"KEYS", "hero:*"}).count('\n') + 1, 3); // the job, its queue, and that one's counters
    const Ended served = m_program->run({"serve", "--read-only"});
    QCOMPARE(served.code, 2);
}

QTEST_GUILESS_MAIN(TestCliAcl)
#include "tst_cli_acl.moc"
