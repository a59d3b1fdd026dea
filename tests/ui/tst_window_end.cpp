// The program with its window, told to end: it goes without a question and keeps what was being written.
#include "tests/support/program.h"

#include <QDir>
#include <QTest>

#include <csignal>

using namespace ym::test;

class TestWindowEnd : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDraftIsKeptWithoutAQuestion_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
        QTest::newRow("SIGINT") << SIGINT;
    }
    void aDraftIsKeptWithoutAQuestion()
    {
        QFETCH(int, signal);
        Program program;
        program.setVariable(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        const QDir drafts(program.homeFolder() + QStringLiteral("/.local/share/yardmaster/drafts"));
        const auto files = [&drafts](const QString &pattern) { return drafts.entryList({pattern}, QDir::Files); };
        const auto process = program.start({}); // the first start offers the sample job in a window, as a draft
        QTRY_COMPARE_WITH_TIMEOUT(files(QStringLiteral("*.draft")).size(), 1, 60'000);
        ::kill(pid_t(process->processId()), signal);
        const Ended ended = collect(process.get());
        QVERIFY2(ended.code == 0, ended.all().constData());
        QCOMPARE(files(QStringLiteral("*.draft")).size(), 1);
        QCOMPARE(files(QStringLiteral("*.lock")), QStringList());
    }
};

QTEST_GUILESS_MAIN(TestWindowEnd)
#include "tst_window_end.moc"
