// `logs --follow` beside a running worker: what a job writes is there a moment later, and all of it.
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/stamped_lines.h"

#include <QTest>

using namespace ym::test;

class TestCliFollow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesAreThereAtOnce_data();
    void linesAreThereAtOnce();
    void nothingIsLostOverRotation();

private:
    static std::unique_ptr<QProcess> worker(const Program &program)
    {
        auto started = program.start({QStringLiteral("worker"), QStringLiteral("--type"), QStringLiteral("python")});
        if (!waitForRemark(started.get(), "Serving python as "))
            qFatal("the worker does not serve");
        return started;
    }
    static QString submitted(const Program &program, const QByteArray &script)
    {
        const Ended ended = program.run({QStringLiteral("submit"), program.file(QStringLiteral("job.py"), script)});
        if (ended.code != 0)
            qFatal("submit failed: %s", ended.all().constData());
        return QString::fromLatin1(ended.out.trimmed());
    }
};

void TestCliFollow::linesAreThereAtOnce_data()
{
    QTest::addColumn<bool>("isEmbedded");
    QTest::newRow("the embedded store") << true;
    QTest::newRow("a Redis") << false;
}

/// The goal is 100 ms; the bounds leave room for a machine that does a lot besides.
void TestCliFollow::linesAreThereAtOnce()
{
    QFETCH(bool, isEmbedded);
    constexpr int count = 100;
    const RedisServer server;
    QVERIFY2(server.isRunning(), qPrintable(server.error()));
    Program program;
    if (!isEmbedded)
        program.setVariable(QStringLiteral("YARDMASTER_STORE"), server.url());
    const auto serving = worker(program);
    const QString id = submitted(program, stampedLines(count));
    const auto follower = program.start({QStringLiteral("logs"), id, QStringLiteral("--follow")});
    StampedAges ages;
    connect(follower.get(), &QProcess::readyReadStandardOutput, this,
            [&] { ages.read(follower->readAllStandardOutput()); });
    QTRY_COMPARE_WITH_TIMEOUT(follower->state(), QProcess::NotRunning, 60'000);
    QCOMPARE(follower->exitCode(), 0);
    ages.read(follower->readAllStandardOutput());
    QCOMPARE(ages.count(), size_t(count));
    qInfo("%s", qPrintable(ages.report()));
    serving->terminate();
    QVERIFY(serving->waitForFinished());
    QVERIFY2(ages.percentile(0.5) < 100, qPrintable(ages.report()));
    QVERIFY2(ages.percentile(0.9) < 400, qPrintable(ages.report()));
}

void TestCliFollow::nothingIsLostOverRotation()
{
    const Program program;
    const auto serving = worker(program);
    // 40 MB in files of 16 MiB, slowly enough that nobody has to catch up with two files.
    const QString id = submitted(program, "import sys, time\n"
                                          "for i in range(400):\n"
                                          "    sys.stdout.write(('%09d' % i + 'x' * 90 + '\\n') * 1000)\n"
                                          "    sys.stdout.flush()\n"
                                          "    time.sleep(0.005)\n");
    const Ended followed = program.run({QStringLiteral("logs"), id, QStringLiteral("--follow")});
    serving->terminate();
    QVERIFY(serving->waitForFinished());
    QCOMPARE(followed.code, 0);
    QCOMPARE(followed.out.size(), 400 * 1000 * 100);
    for (int i = 0; i < 400; ++i)
        QCOMPARE(followed.out.mid(qsizetype(i) * 100'000, 9).toInt(), i);
}

QTEST_GUILESS_MAIN(TestCliFollow)
#include "tst_cli_follow.moc"
