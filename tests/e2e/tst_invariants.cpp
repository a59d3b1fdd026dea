// Invariants that only the program as a whole can break: what "stopped" means (RELIABILITY I10), and where no secret may
// be found (I13).
#include "core/job/interpreter.h"
#include "core/worker/interpreter_table.h"
#include "tests/support/living_processes.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int killGraceMs = 2'000; ///< between SIGTERM and SIGKILL
constexpr char password[] = "pass-hunter2";
constexpr char token[] = "token-hunter2";

RedisServer::Options withPassword()
{
    RedisServer::Options options;
    options.extra = {QStringLiteral("--requirepass"), QLatin1String(password)};
    return options;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Processes that were begun by this one or by one of them.
QList<int> descendantsOf(qint64 pid)
{
    QList<int> found;
    const QString path = QStringLiteral("/proc/%1/task/%1/children").arg(pid);
    for (const QByteArray &child : contentOf(path).simplified().split(' ')) {
        if (child.toInt() > 0)
            found += QList<int>{child.toInt()} + descendantsOf(child.toInt());
    }
    return found;
}

} // namespace

class TestInvariants : public QObject {
    Q_OBJECT

    RedisServer m_server{withPassword()};
    std::unique_ptr<Program> m_program;

    QByteArray redis(const QStringList &words) const
    {
        return m_server.cli(QStringList{QStringLiteral("--no-auth-warning"), QStringLiteral("-a"), QLatin1String(password)} + words);
    }
    QByteArray field(const QString &id, const char *name) const
    {
        return redis({QStringLiteral("hget"), QStringLiteral("hero:job:") + id, QLatin1String(name)});
    }
    /// Submits shell lines by a graph file, so that no value of the environment stands on a command line.
    QString submit(const QByteArray &script, const QByteArray &more = {}) const
    {
        m_program->file(QStringLiteral("job.sh"), script);
        const QString graph = m_program->file(
            QStringLiteral("graph.json"), R"({"jobs": [{"name": "a", "type": "sh", "file": "job.sh")" + more + "}]}");
        const Ended ended = m_program->run({QStringLiteral("--json"), QStringLiteral("submit"), QStringLiteral("--graph"), graph});
        if (ended.code != 0)
            qWarning("%s", ended.all().constData());
        return ended.json().array().first()[u"id"].toString();
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY2(m_server.isRunning(), qPrintable(m_server.error()));
        redis({QStringLiteral("flushall")});
        m_program = std::make_unique<Program>();
        m_program->setVariable(QStringLiteral("YARDMASTER_STORE"), m_server.url());
        m_program->setVariable(QStringLiteral("YARDMASTER_PASSWORD"), QLatin1String(password));
        const QString config = m_program->homeFolder() + QStringLiteral("/.config/yardmaster");
        QVERIFY(QDir().mkpath(config));
        InterpreterTable table;
        Interpreter shell;
        shell.type = "sh";
        shell.command = QStringList{QStringLiteral("/bin/sh"), QStringLiteral("{file}")};
        shell.access.readable = {m_program->homeFolder()};
        QVERIFY(table.setRow(shell).has_value());
        QVERIFY(table.save(config + QStringLiteral("/interpreters.json")).has_value());
    }

    void whatIsStoppedIsOver();
    void secretsStayWhereTheyBelong();
};

/// I10: an error, no process of its tree 2 s after the kill grace, and never finished later.
void TestInvariants::whatIsStoppedIsOver()
{
    const auto worker = m_program->start({"worker", "-t", "sh"});
    const QString id = submit("trap '' TERM HUP INT\n(setsid sh -c \"trap '' TERM; sleep 1000 & wait\") &\nsleep 1000 &\necho up\n"
                              "while :; do sleep 1; done\n");
    QTRY_COMPARE_WITH_TIMEOUT(field(id, "status"), QByteArray("started"), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(livingProcessesOf(id.toLatin1()).size() >= 4, 30'000);
    const Ended stopped = m_program->run({"stop", id});
    QVERIFY2(stopped.code == 0, stopped.all().constData());
    QTRY_COMPARE_WITH_TIMEOUT(livingProcessesOf(id.toLatin1()), QList<int>(), killGraceMs + 2'000 + 2'000); // and until it is heard
    QTRY_COMPARE_WITH_TIMEOUT(field(id, "status"), QByteArray("error"), 10'000);
    QCOMPARE(field(id, "error"), QByteArray("stopped_by_request"));
    ::kill(pid_t(worker->processId()), SIGTERM);
    QCOMPARE(collect(worker.get()).code, 0);
    QCOMPARE(field(id, "status"), QByteArray("error"));
    QCOMPARE(field(id, "attempt"), QByteArray("1"));
}

/// I13: the password of the store and the value of a job's secret are in no log, message, argument or other process, and
/// in no file that the program wrote.
void TestInvariants::secretsStayWhereTheyBelong()
{
    m_program->setVariable(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("yardmaster.*=true"));
    const QString go = m_program->homeFolder() + QStringLiteral("/go");
    const QString id = submit("echo token=$API_TOKEN; echo err=$API_TOKEN >&2; cat /proc/*/environ | tr '\\0' '\\n' | grep -a pass-hun\n"
                                  "until [ -e " + go.toLocal8Bit() + " ]; do sleep 0.05; done\n",
                              QByteArray(R"(, "log": "a.log", "env": {"API_TOKEN": ")") + token + "\"}");
    QFile::remove(m_program->homeFolder() + QStringLiteral("/graph.json")); // what the person wrote
    const auto worker = m_program->start({"worker", "-t", "sh"});
    QTRY_VERIFY_WITH_TIMEOUT(!livingProcessesOf(id.toLatin1()).isEmpty(), 30'000);
    const QList<int> begun = descendantsOf(worker->processId());
    QVERIFY(!begun.isEmpty());
    for (const int pid : begun + QList<int>{int(worker->processId())}) {
        const QByteArray arguments = contentOf(QStringLiteral("/proc/%1/cmdline").arg(pid));
        QVERIFY2(!arguments.contains("hunter2"), arguments.constData());
        const QByteArray environment = contentOf(QStringLiteral("/proc/%1/environ").arg(pid));
        QVERIFY2(pid == worker->processId() || !environment.contains(password), environment.constData());
    }
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(field(id, "status"), QByteArray("finished"), 30'000);
    QCOMPARE(field(id, "output"), QByteArray("token=") + token + '\n'); // its own; nobody's password
    ::kill(pid_t(worker->processId()), SIGTERM);
    const Ended worked = collect(worker.get());
    QVERIFY2(worked.code == 0 && worked.err.size() > 100, worked.all().constData()); // it did log
    QVERIFY2(!worked.err.contains("hunter2"), worked.err.constData());

    const QString copy = QStringLiteral("embedded:") + m_program->homeFolder() + QStringLiteral("/copy");
    for (const QStringList &words : {QStringList{"list"}, {"--json", "list"}, {"queues"}, {"workers"}, {"audit"}, {"--json", "audit"},
                                     {"logs", id}, {"export", "--to", copy, "--dry-run"}, {"stop", id}, {"acl", "viewer"}}) {
        const QByteArray said = m_program->run(words).all();
        QVERIFY2(!said.contains("hunter2"), said.constData());
    }
    const QByteArray shown = m_program->run({"show", id}).out;
    QVERIFY2(shown.contains("API_TOKEN=(hidden; --reveal shows it)"), shown.constData());
    const Ended log = m_program->run({"logs", id});
    QVERIFY2(log.out.contains("token=********") && log.out.contains("err=********"), log.all().constData());
    int files = 0;
    for (QDirIterator file(m_program->homeFolder(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); file.hasNext();) {
        const QByteArray content = contentOf(file.next());
        QVERIFY2(!content.contains(password) && !content.contains(token), qPrintable(file.filePath()));
        ++files;
    }
    QVERIFY(files >= 3); // interpreters, log, audit log
}

QTEST_GUILESS_MAIN(TestInvariants)
#include "tst_invariants.moc"
