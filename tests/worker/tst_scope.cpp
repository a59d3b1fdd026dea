// The systemd scope around bubblewrap, with a stand-in for systemd-run: a service manager of the user is rare where
// tests run. With a real one (XDG_RUNTIME_DIR of a session) the last test asks it.
#include "core/worker/process_executor.h"
#include "tests/support/await.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace ym;
using ym::test::await;

class TestScope : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_path;
    QByteArray m_runtime;
    InterpreterTable m_table;

    QString log() const { return m_folder.filePath(QStringLiteral("arguments")); }

    void plantSystemdRun(const QByteArray &behaviour)
    {
        QFile file(m_folder.filePath(QStringLiteral("programs/systemd-run")));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("#!/bin/sh\nprintf '%s\\n' \"$XDG_RUNTIME_DIR\" \"$@\" > " + QFile::encodeName(log()) + '\n' + behaviour);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    Containment contain()
    {
        ProcessExecutor executor(&m_table, options(), &Clock::system());
        return await(executor.containment(), 60'000);
    }
    ProcessExecutor::Options options() const
    {
        ProcessExecutor::Options options;
        options.tempRoot = m_folder.filePath(QStringLiteral("jobs"));
        return options;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("programs")));
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("run/systemd")));
        QFile manager(m_folder.filePath(QStringLiteral("run/systemd/private")));
        QVERIFY(manager.open(QIODevice::WriteOnly));
        m_path = qgetenv("PATH");
        m_runtime = qgetenv("XDG_RUNTIME_DIR");
        if (const Containment found = contain(); found.level != ContainmentLevel::Bubblewrap)
            QSKIP(qPrintable(QStringLiteral("a scope is only around bubblewrap: ") + containmentText(found)));
    }
    void init()
    {
        QFile::remove(log());
        qputenv("PATH", QFile::encodeName(m_folder.filePath(QStringLiteral("programs"))) + ':' + m_path);
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.filePath(QStringLiteral("run"))));
    }
    void cleanup()
    {
        qputenv("PATH", m_path);
        qputenv("XDG_RUNTIME_DIR", m_runtime);
    }

    void aJobRunsInAScopeWithItsLimits()
    {
        plantSystemdRun("while [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
        ProcessExecutor executor(&m_table, options(), &Clock::system());
        const Containment found = await(executor.containment(), 60'000);
        QVERIFY(found.hasScope);
        QCOMPARE(found.level, ContainmentLevel::Bubblewrap);
        Interpreter row = builtinInterpreters().constFirst();
        row.command[0] = QStringLiteral("/usr/bin/python3");
        row.limits.memoryBytes = 300 << 20;
        row.limits.processes = 30;
        QVERIFY(m_table.setRow(row));
        Job job;
        job.id = newJobId();
        job.target.type = "python";
        job.script = "import os\nprint(sorted(k for k in os.environ if 'XDG' in k or 'DBUS' in k), 'ran')";
        job.timeout = std::chrono::seconds{60};
        const Execution e = await(executor.run({job}, {}, RunControl()), 60'000);
        QCOMPARE(e.output, QByteArray("[] ran\n"));
        QFile file(log());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> said = file.readAll().split('\n');
        QCOMPARE(said.constFirst(), QFile::encodeName(m_folder.filePath(QStringLiteral("run"))));
        const QByteArrayList wanted{"--user", "--scope", "--collect", "MemoryMax=314572800", "MemorySwapMax=0",
                                    "TasksMax=38", "CPUQuota=200%"};
        for (const QByteArray &word : wanted)
            QVERIFY2(said.contains(word), word.constData());
    }

    void aManagerThatDoesNotAnswerIsNoObstacle()
    {
        plantSystemdRun("echo 'Failed to connect to bus' >&2\nexit 1\n");
        const Containment found = contain();
        QVERIFY(QFile::exists(log())); // it was asked
        QVERIFY(!found.hasScope);
        QCOMPARE(found.level, ContainmentLevel::Bubblewrap);
    }

    void withoutAManagerNobodyIsAsked()
    {
        plantSystemdRun("exit 1\n");
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
        QVERIFY(!contain().hasScope);
        QVERIFY(!QFile::exists(log()));
    }

    void theRealManagerGivesAScope()
    {
        cleanup();
        if (m_runtime.isEmpty() || !QFile::exists(QFile::decodeName(m_runtime) + QStringLiteral("/systemd/private")))
            QSKIP("there is no service manager of this user");
        if (QStandardPaths::findExecutable(QStringLiteral("systemd-run")).isEmpty())
            QSKIP("systemd-run is not installed");
        QVERIFY(contain().hasScope);
    }
};

QTEST_GUILESS_MAIN(TestScope)
#include "tst_scope.moc"
