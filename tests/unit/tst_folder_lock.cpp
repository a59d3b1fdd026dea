// One process per workspace folder, and how others find it.
#include "core/store/embedded/folder_lock.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace ym;
using ym::embedded::FolderLock;

class TestFolderLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOwnerIsKnownWhileItHolds()
    {
        QTemporaryDir folder;
        QVERIFY(!FolderLock::owner(folder.path()));
        QVERIFY(!FolderLock::owner(folder.filePath(QStringLiteral("nosuch"))));
        {
            FolderLock lock;
            QVERIFY(lock.take(folder.path()));
            const auto owner = FolderLock::owner(folder.path());
            QVERIFY(owner);
            QCOMPARE(owner->pid, qint64(::getpid()));
            QCOMPARE(owner->socket, QString());
        }
        QVERIFY(!FolderLock::owner(folder.path()));
    }

    void aSecondOneIsToldWhoHasItAndWhereItAnswers()
    {
        QTemporaryDir folder;
        FolderLock first;
        QVERIFY(first.take(folder.path()));
        QVERIFY(first.publish(QStringLiteral("/run/a b/ä.sock")));
        QCOMPARE(FolderLock::owner(folder.path())->socket, QStringLiteral("/run/a b/ä.sock"));

        FolderLock second;
        const auto taken = second.take(folder.path());
        QVERIFY(!taken);
        QCOMPARE(taken.error().kind, ErrorKind::Conflict);
        QVERIFY(taken.error().message.contains(QString::number(::getpid())));
        QVERIFY(taken.error().advice.contains(QStringLiteral("/run/a b/ä.sock")));
        QVERIFY(!second.isHeld());
        QVERIFY(FolderLock::owner(folder.path())); // the refused one has left the lock alone

        QVERIFY(first.publish({}));
        QCOMPARE(FolderLock::owner(folder.path())->socket, QString());
        QCOMPARE(FolderLock::owner(folder.path())->pid, qint64(::getpid()));
        first.release();
        QVERIFY(second.take(folder.path()));
    }

    void aSocketThatCannotBeWrittenDownIsRefused()
    {
        QTemporaryDir folder;
        FolderLock lock;
        QVERIFY(!lock.publish(QStringLiteral("/s"))); // not taken
        QVERIFY(lock.take(folder.path()));
        QVERIFY(!lock.publish(QStringLiteral("/a\nb")));
        QVERIFY(!lock.publish(QString(9000, u'x')));
        QCOMPARE(FolderLock::owner(folder.path())->socket, QString());
    }

    void theLockOfADeadProcessIsFree()
    {
        QTemporaryDir folder;
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            FolderLock lock;
            const bool isTaken = lock.take(folder.path()) && lock.publish(QStringLiteral("/gone.sock"));
            const char mark = isTaken ? 'y' : 'n';
            if (::write(ready[1], &mark, 1) == 1)
                ::pause();
            ::_exit(1);
        }
        char mark = 0;
        QCOMPARE(::read(ready[0], &mark, 1), ssize_t(1));
        QCOMPARE(mark, 'y');
        QCOMPARE(FolderLock::owner(folder.path())->pid, qint64(child));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(!FolderLock::owner(folder.path())); // whatever its file says
        FolderLock lock;
        QVERIFY(lock.take(folder.path()));
        QCOMPARE(FolderLock::owner(folder.path())->socket, QString());
        ::close(ready[0]);
        ::close(ready[1]);
    }

    void aLockFileWithRubbishHarmsNobody()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("lock")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(20'000, 'x'));
        file.close();
        QVERIFY(!FolderLock::owner(folder.path()));
        FolderLock lock;
        QVERIFY(lock.take(folder.path()));
        QCOMPARE(FolderLock::owner(folder.path())->pid, qint64(::getpid()));
    }
};

QTEST_GUILESS_MAIN(TestFolderLock)
#include "tst_folder_lock.moc"
