// yardmaster doctor, as a person at night uses it: what it says, what it advises, and that its advice helps.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using ym::test::Ended;
using ym::test::Program;
using ym::test::RedisServer;

class TestCliDoctor : public QObject {
    Q_OBJECT

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Program> m_program;

    Ended run(const QStringList &arguments, const QByteArray &input = {}) const
    {
        return m_program->run(QStringList{QStringLiteral("--store"), m_server->url()} + arguments, input);
    }
    /// Runs a command as it was printed.
    Ended follow(const QString &command) const
    {
        return run(command.split(u' ').mid(1));
    }
    QJsonObject examine() const { return run({"--json", "doctor"}).json().object(); }
    /// The finding of this rule; empty when there is none.
    static QJsonObject findingIn(const QJsonObject &report, const char *rule)
    {
        for (const QJsonValue &finding : report[u"findings"].toArray()) {
            if (finding[u"rule"].toString() == QLatin1String(rule))
                return finding.toObject();
        }
        return {};
    }

private Q_SLOTS:
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
        m_program = std::make_unique<Program>();
        m_program->runShellJobs();
    }

    void nothingIsStuckInAStoreThatWorks()
    {
        const Ended ended = run({"doctor"});
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("Nothing is stuck."), ended.out.constData());
        QVERIFY2(ended.err.contains("Looked at 0 jobs, 0 queues and 0 workers: 0 problems"), ended.err.constData());
    }

    void itsAdviceForAQueueThatNobodyServesServesIt()
    {
        const QString id =
            QString::fromUtf8(run({"submit", "-", "--type", "sh", "--group", "night"}, "echo hi").out.trimmed());
        const Ended told = run({"doctor"});
        QCOMPARE(told.code, 1);
        QVERIFY2(told.out.contains("PROBLEM  Nobody serves hero:q:work:type:sh:group:night: 1 job waits there"),
                 told.out.constData());
        const QJsonObject finding = findingIn(examine(), "no_worker");
        QCOMPARE(finding[u"command"].toString(), QStringLiteral("yardmaster worker --type sh --group night"));
        const Ended about = run({"doctor", id});
        QCOMPARE(about.code, 1);
        QVERIFY2(about.out.contains("next one in") && about.out.contains("$ yardmaster worker --type sh --group night"),
                 about.out.constData());
        QCOMPARE(follow(finding[u"command"].toString() + QStringLiteral(" --drain")).code, 0);
        QCOMPARE(run({"doctor"}).code, 0);
        const Ended over = run({"--json", "doctor", id});
        QCOMPARE(over.code, 0);
        QCOMPARE(over.json().array().at(0)[u"state"].toString(), QStringLiteral("finished"));
        QVERIFY(over.json().array().at(0)[u"rule"].isNull());
    }

    void itsAdviceForAJobOfAWorkerThatIsGoneBringsItBack()
    {
        m_server->cli({"HSET",        "hero:job:gone",
                       "id",          "gone",
                       "status",      "started",
                       "script_type", "sh",
                       "script",      "echo back",
                       "timeout",     "5",
                       "caller_id",   "a",
                       "context_id",  "b",
                       "created_at",  "2026-01-01T00:00:00Z",
                       "started_at",  "2026-01-01T00:00:01Z"});
        const QJsonObject finding = findingIn(examine(), "overtime");
        QCOMPARE(finding[u"severity"].toString(), QStringLiteral("problem"));
        QCOMPARE(finding[u"jobs"].toArray().at(0)[u"id"].toString(), QStringLiteral("gone"));
        QCOMPARE(finding[u"command"].toString(), QStringLiteral("yardmaster requeue gone"));
        QCOMPARE(follow(finding[u"command"].toString()).code, 0);
        QCOMPARE(run({"worker", "--type", "sh", "--drain"}).code, 0);
        QCOMPARE(run({"output", "gone"}).out, QByteArray("back\n"));
        QCOMPARE(run({"doctor"}).code, 0);
    }

    void whatIsNotThereIsToldAndTheOthersAreLookedAt()
    {
        m_server->cli({"SET", "hero:job:string", "no job"});
        m_server->cli({"HSET", "hero:job:odd", "id", "odd", "status", "dispached", "script_type", "sh"});
        const Ended ended = run({"doctor", "nobody", "string", "odd"});
        QCOMPARE(ended.code, 1);
        QVERIFY2(ended.out.contains("nobody  There is no such job."), ended.out.constData());
        QVERIFY2(ended.out.contains("“dispached” is none that a worker knows"), ended.out.constData());
        const QJsonArray array = run({"--json", "doctor", "nobody", "string", "odd"}).json().array();
        QCOMPARE(array.size(), 3);
        QCOMPARE(array.at(0)[u"rule"].toString(), QStringLiteral("not_found"));
        QCOMPARE(array.at(1)[u"rule"].toString(), QStringLiteral("unreadable"));
        QCOMPARE(array.at(2)[u"rule"].toString(), QStringLiteral("unknown_status"));
    }

    void namesFromTheStoreCannotBecomeOptionsOrCommands()
    {
        m_server->cli({"HSET", "hero:job:x; rm -rf ~", "status", "started", "script_type", "sh", "timeout", "5",
                       "started_at", "2026-01-01T00:00:01Z"});
        QCOMPARE(findingIn(examine(), "overtime")[u"command"].toString(),
                 QStringLiteral("yardmaster requeue 'x; rm -rf ~'"));
        m_server->cli({"HSET", "hero:job:--all", "status", "started", "script_type", "sh", "timeout", "5", "started_at",
                       "2026-01-01T00:00:01Z"});
        QVERIFY(findingIn(examine(), "overtime")[u"command"].isNull());
    }

    void whoMayOnlyLookMayAsk()
    {
        m_server->cli({"LPUSH", "hero:q:work:type:sh", "a"});
        const QByteArray rule = run({"acl", "viewer"}).out;
        const QByteArray password = rule.mid(rule.indexOf(" >") + 2).split(' ').first().trimmed();
        QStringList words{QStringLiteral("ACL"), QStringLiteral("SETUSER")};
        for (const QByteArray &word : rule.mid(5).simplified().split(' ')) // behind "user "
            words.append(QString::fromUtf8(word));
        QCOMPARE(m_server->cli(words), QByteArray("OK"));
        const QString user = words.at(2);
        const QString url =
            QStringLiteral("unix://%1:%2@%3").arg(user, QString::fromUtf8(password), m_server->socketPath());
        for (const QStringList &look : {QStringList{"--store", url, "doctor"},
                                        QStringList{"--store", m_server->url(), "--read-only", "doctor"}}) {
            const Ended ended = m_program->run(look);
            QVERIFY2(ended.code == 1 && ended.out.contains("Nobody serves hero:q:work:type:sh"),
                     ended.all().constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestCliDoctor)
#include "tst_cli_doctor.moc"
