// Several processes on one embedded workspace: workers, commands, the window; and what happens when the first one ends.
#include "tests/support/program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using ym::test::Ended;
using ym::test::Program;

namespace {

constexpr int patienceMs = 60'000;

/// The two lines of the lock file: who has the default workspace, and where it answers.
QList<QByteArray> host(const Program &program)
{
    QFile file(program.homeFolder() + QStringLiteral("/.local/share/yardmaster/workspaces/default/lock"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().split('\n');
}

/// Waits until this process has the workspace and answers others.
bool becomesHost(const Program &program, const QProcess &process)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < patienceMs) {
        const QList<QByteArray> lines = host(program);
        if (lines.size() > 2 && lines[0] == QByteArray::number(process.processId()) && !lines[1].isEmpty())
            return true;
        QTest::qWait(5);
    }
    return false;
}

std::unique_ptr<QProcess> startWorker(const Program &program, const QString &instance)
{
    auto worker = program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python"),
                                 QStringLiteral("--instance"), instance, QStringLiteral("--slots"), QStringLiteral("2")});
    if (!ym::test::waitForRemark(worker.get(), "Serving python as "))
        qFatal("the worker does not serve");
    return worker;
}

} // namespace

class TestSharedWorkspace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void commandsWorkBesideAWorker();
    void twoWorkersShareTheJobs();
    void guestGoesOnWhenTheHostEnds_data();
    void guestGoesOnWhenTheHostEnds();
    void manyCommandsAtOnce();
    void commandsWorkBesideTheWindow();
    void redisClientsFindTheSocket();
};

void TestSharedWorkspace::commandsWorkBesideAWorker()
{
    const Program program;
    const auto worker = startWorker(program, QStringLiteral("a"));
    const QString script = program.file(QStringLiteral("a.py"), "print('from the worker')\n");
    const Ended submitted = program.run({QStringLiteral("submit"), script, QStringLiteral("--wait")});
    QVERIFY2(submitted.code == 0, submitted.all().constData());
    QVERIFY2(submitted.out.endsWith("from the worker\n"), submitted.all().constData());
    const Ended run = program.run({QStringLiteral("run"), script});
    QVERIFY2(run.code == 0 && run.out == "from the worker\n", run.all().constData());
    const Ended list = program.run({QStringLiteral("--json"), QStringLiteral("list")});
    QCOMPARE(list.json().array().size(), 2);
    const Ended workers = program.run({QStringLiteral("--json"), QStringLiteral("workers")});
    QCOMPARE(workers.json().array().size(), 1);
    QCOMPARE(host(program).value(0), QByteArray::number(worker->processId()));
    worker->terminate();
    QCOMPARE(ym::test::collect(worker.get()).code, 0);
    QCOMPARE(program.run({QStringLiteral("--json"), QStringLiteral("list")}).json().array().size(), 2);
}

void TestSharedWorkspace::twoWorkersShareTheJobs()
{
    const Program program;
    const auto first = startWorker(program, QStringLiteral("a"));
    const auto second = startWorker(program, QStringLiteral("b"));
    const QString script = program.file(QStringLiteral("a.py"), "print('done')\n");
    QStringList ids;
    for (const QString &instance : {QStringLiteral("a"), QStringLiteral("b")}) {
        const Ended submitted = program.run({QStringLiteral("submit"), script, QStringLiteral("--group"),
                                             QStringLiteral("default"), QStringLiteral("--instance"), instance});
        QVERIFY2(submitted.code == 0, submitted.all().constData());
        ids.append(QString::fromLatin1(submitted.out.trimmed()));
    }
    const Ended waited = program.run(QStringList{QStringLiteral("wait")} + ids);
    QVERIFY2(waited.code == 0, waited.all().constData());
    QStringList by;
    for (const QString &id : ids) {
        const Ended shown = program.run({QStringLiteral("--json"), QStringLiteral("show"), id});
        by.append(shown.json()[QStringLiteral("claimed_by")].toString());
    }
    QCOMPARE(by, (QStringList{QStringLiteral("python:default:a"), QStringLiteral("python:default:b")}));
}

void TestSharedWorkspace::guestGoesOnWhenTheHostEnds_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("told to end") << SIGTERM;
    QTest::newRow("killed") << SIGKILL;
}

void TestSharedWorkspace::guestGoesOnWhenTheHostEnds()
{
    QFETCH(int, signal);
    const Program program;
    const auto first = startWorker(program, QStringLiteral("a"));
    const auto second = startWorker(program, QStringLiteral("b"));
    QVERIFY(becomesHost(program, *first));
    ::kill(pid_t(first->processId()), signal);
    QVERIFY(first->waitForFinished(patienceMs));
    QVERIFY(becomesHost(program, *second));
    const QString script = program.file(QStringLiteral("a.py"), "print('after it')\n");
    const Ended submitted = program.run({QStringLiteral("submit"), script, QStringLiteral("--wait")});
    QVERIFY2(submitted.code == 0 && submitted.out.endsWith("after it\n"), submitted.all().constData());
    second->terminate();
    QCOMPARE(ym::test::collect(second.get()).code, 0);
}

void TestSharedWorkspace::manyCommandsAtOnce()
{
    const Program program;
    const auto worker = startWorker(program, QStringLiteral("a"));
    program.file(QStringLiteral("a.py"), "print('one of many')\n");
    const Ended all = program.shell(
        QStringLiteral("for i in 1 2 3 4 5 6 7 8; do $YM submit a.py --wait & done; for p in $(jobs -p); do wait $p || exit 1; done"));
    QVERIFY2(all.code == 0, all.all().constData());
    QCOMPARE(all.out.count("one of many"), 8);
}

void TestSharedWorkspace::commandsWorkBesideTheWindow()
{
    Program program;
    program.setVariable(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    // The job that is offered at the first start would ask whether to keep it.
    QVERIFY(QDir().mkpath(program.homeFolder() + QStringLiteral("/.config/yardmaster")));
    program.file(QStringLiteral(".config/yardmaster/window.ini"), "[text]\nstart\\sampleOffered=yes\n");
    const auto window = program.start({});
    if (!becomesHost(program, *window)) {
        window->kill();
        window->waitForFinished();
        QFAIL("the window does not have the workspace");
    }
    const QString script = program.file(QStringLiteral("a.py"), "print('beside the window')\n");
    const Ended run = program.run({QStringLiteral("run"), script});
    QVERIFY2(run.code == 0 && run.out == "beside the window\n", run.all().constData());
    const Ended list = program.run({QStringLiteral("list")});
    QVERIFY2(list.code == 0 && list.out.contains("finished"), list.all().constData());
    QCOMPARE(host(program).value(0), QByteArray::number(window->processId()));
    window->terminate();
    QVERIFY(window->waitForFinished(patienceMs));
    const Ended after = program.run({QStringLiteral("list")});
    QVERIFY2(after.code == 0 && after.out.contains("finished"), after.all().constData());
}

void TestSharedWorkspace::redisClientsFindTheSocket()
{
    const Program program;
    const auto worker = startWorker(program, QStringLiteral("a"));
    const QString path = QFile::decodeName(host(program).value(1));
    const Ended pong = program.shell(QStringLiteral("redis-cli -s '%1' PING").arg(path));
    QVERIFY2(pong.out == "PONG\n", pong.all().constData());
    const Ended list = program.run({QStringLiteral("--store"), QStringLiteral("unix:") + path, QStringLiteral("list")});
    QVERIFY2(list.code == 0, list.all().constData());
    worker->terminate();
    QVERIFY(worker->waitForFinished(patienceMs));
    QVERIFY2(!QFile::exists(path), "the socket was left behind");
}

QTEST_GUILESS_MAIN(TestSharedWorkspace)
#include "tst_shared_workspace.moc"
