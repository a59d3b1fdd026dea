// A test that is killed leaves no server behind.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QTest>

#include <csignal>
#include <cstdio>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ym::test;

namespace {

const QString victimOption = QStringLiteral("--victim-with");

/// The test that is killed: starts the server, says its process id and waits.
int victim(const QString &kind)
{
    const RedisServer redis;
    const Program program;
    std::unique_ptr<QProcess> yardmaster;
    qint64 pid = redis.pid();
    if (kind == QLatin1String("yardmaster")) {
        yardmaster = program.start({QStringLiteral("--json"), QStringLiteral("serve")});
        QByteArray told;
        if (!waitForOutput(yardmaster.get(), "}\n", &told)) // until then it would end because nobody hears it
            return 1;
        pid = yardmaster->processId();
    }
    std::printf("%lld\n", static_cast<long long>(pid));
    std::fflush(stdout);
    ::pause();
    return 0;
}

/// Whether a process ends within ten seconds; a handle of it was taken while it lived.
bool ends(int handle)
{
    pollfd end{handle, POLLIN, 0};
    return ::poll(&end, 1, 10'000) == 1;
}

} // namespace

class TestOrphans : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void serverEndsWithAKilledTest_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("redis-server") << QStringLiteral("redis");
        QTest::newRow("yardmaster") << QStringLiteral("yardmaster");
    }
    void serverEndsWithAKilledTest()
    {
        QFETCH(const QString, kind);
        const QTemporaryDir folder; // whose folders are left behind, too
        QProcess test;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("TMPDIR"), folder.path());
        test.setProcessEnvironment(environment);
        test.start(QCoreApplication::applicationFilePath(), {victimOption, kind});
        QVERIFY(test.waitForReadyRead(30'000));
        const int pid = test.readLine().trimmed().toInt();
        QVERIFY(pid > 0);
        const int server = int(::syscall(SYS_pidfd_open, pid, 0));
        QVERIFY(server >= 0);
        QCOMPARE(::kill(pid_t(test.processId()), SIGKILL), 0);
        QVERIFY(test.waitForFinished());
        const bool hasEnded = ends(server);
        if (!hasEnded)
            ::kill(pid, SIGKILL);
        ::close(server);
        QVERIFY(hasEnded);
    }
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 3 && arguments[1] == victimOption)
        return victim(arguments[2]);
    TestOrphans test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_orphans.moc"
