// Checking and salvaging a log: what is damaged is found, the rest is saved, and the damaged file is kept.
#include "tests/support/redis_server.h"
#include "tests/support/workspace.h"

#include <QProcess>
#include <QTest>

using namespace ym;
using namespace ym::test;
using embedded::checkLog;
using embedded::FolderLock;
using embedded::LogReport;
using embedded::Salvage;
using embedded::salvageLog;
using State = LogReport::State;

namespace {

const QByteArray head = wire({{"SELECT", "0"}, {"SET", "a", "1"}});
const QByteArray tail = wire({{"SET", "b", "2"}, {"RPUSH", "l", "x"}});

struct Folder {
    explicit Folder(const QByteArray &log) { writeFile(logPathIn(path()), log); }
    QString path() const { return dir.path(); }
    QByteArray log() const { return contentOf(logPathIn(path())); }
    KeyspaceText keys() const
    {
        EmbeddedStore store({path()}, &Clock::system());
        await(store.open());
        return describeAll(store);
    }
    QTemporaryDir dir;
};

} // namespace

class TestLogSalvage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSoundLogIsDescribedAndLeftAlone()
    {
        Folder folder(head + tail);
        const auto report = checkLog(folder.path());
        QVERIFY(report);
        QCOMPARE(report->state, State::Sound);
        QCOMPARE(report->size, folder.log().size());
        QCOMPARE(report->readableSize, report->size);
        QCOMPARE(report->commandCount, 4);
        QCOMPARE(report->keyCount, 3);
        QCOMPARE(report->baseSize, 0);
        QVERIFY(report->gaps.empty() && !report->owner && report->kept.isEmpty());
        const auto salvaged = salvageLog(folder.path(), Salvage::All);
        QVERIFY(!salvaged);
        QCOMPARE(salvaged.error().kind, ErrorKind::Conflict);
        QCOMPARE(folder.log(), head + tail);
    }

    void noLogIsAnEmptyWorkspace()
    {
        QTemporaryDir folder;
        QCOMPARE(checkLog(folder.path())->state, State::Missing);
        QCOMPARE(salvageLog(folder.path(), Salvage::All).error().kind, ErrorKind::NotFound);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void damageIsFoundAndTheRestIsSaved_data()
    {
        QTest::addColumn<QByteArray>("damage");
        QTest::addColumn<int>("gaps");
        QTest::newRow("zeros") << QByteArray(100, '\0') << 1;
        QTest::newRow("rubbish with a star") << QByteArray("*3\r\n$3\r\nSET\r\nrubbish") << 1;
        QTest::newRow("a wrong length") << QByteArray("*3\r\n$3\r\nSET\r\n$9\r\na\r\n$1\r\n1\r\n") << 1;
        QTest::newRow("an unknown command") << wire({{"NOSUCH", "x"}}) << 1;
        QTest::newRow("a command that fails") << wire({{"LPUSH", "a", "x"}}) << 1;
        QTest::newRow("half a transaction") << wire({{"MULTI"}, {"SET", "c", "1"}}) + "rubbish" << 1;
        QTest::newRow("the end of a transaction") << wire({{"EXEC"}}) << 1;
        QTest::newRow("two places") << "rubbish" + wire({{"SET", "a", "1"}}) + "rubbish" << 2;
    }

    void damageIsFoundAndTheRestIsSaved()
    {
        QFETCH(QByteArray, damage);
        QFETCH(int, gaps);
        const KeyspaceText all = Folder(head + tail).keys();
        const KeyspaceText beginning = Folder(head).keys();
        for (const Salvage what : {Salvage::All, Salvage::Beginning}) {
            Folder folder(head + damage + tail);
            const QByteArray before = folder.log();
            EmbeddedStore store({folder.path()}, &Clock::system());
            QCOMPARE(failureOf(store.open()), ErrorKind::Io);
            QVERIFY(store.status().trouble.advice.contains(QStringLiteral("workspace salvage")));
            store.close();

            const auto report = checkLog(folder.path());
            QVERIFY(report);
            QCOMPARE(report->state, State::Damaged);
            QCOMPARE(int(report->gaps.size()), gaps);
            QCOMPARE(report->gaps.front().from, head.size());
            QCOMPARE(report->gaps.back().to, head.size() + damage.size());
            QVERIFY(!report->gaps.front().reason.isEmpty());
            QCOMPARE(folder.log(), before);

            const auto salvaged = salvageLog(folder.path(), what);
            QVERIFY(salvaged);
            QCOMPARE(contentOf(salvaged->keptAs), before);
            QCOMPARE(salvaged->size, folder.log().size());
            QCOMPARE(folder.keys(), what == Salvage::All ? all : beginning);
            const auto after = checkLog(folder.path());
            QCOMPARE(after->state, State::Sound);
            QCOMPARE(after->kept, QStringList{QStringLiteral("appendonly.aof.damaged-1")});
            QProcess check;
            check.start(QStringLiteral("redis-check-aof"), {logPathIn(folder.path())});
            QVERIFY(check.waitForFinished());
            QCOMPARE(check.exitCode(), 0);
        }
    }

    void theWholeRestOfAHalfTransactionIsLeftOut()
    {
        Folder folder(head + wire({{"MULTI"}, {"SET", "c", "1"}}) + "rubbish" + tail);
        QVERIFY(salvageLog(folder.path(), Salvage::All));
        QVERIFY(!folder.keys().contains("0:c"));
    }

    void aTornEndIsNoDamage()
    {
        Folder folder(head + tail + "*3\r\n$3\r\nSE");
        const auto report = checkLog(folder.path());
        QCOMPARE(report->state, State::Torn);
        QCOMPARE(report->readableSize, head.size() + tail.size());
        QCOMPARE(folder.keys().size(), 3);
        const auto after = checkLog(folder.path());
        QCOMPARE(after->state, State::Sound);
        QCOMPARE(after->kept, QStringList{QStringLiteral("appendonly.aof.torn-1")});
    }

    void anOpenWorkspaceIsLookedAtButNotSalvaged()
    {
        Folder folder(head + tail);
        EmbeddedStore store({folder.path()}, &Clock::system());
        await(store.open());
        const auto report = checkLog(folder.path());
        QCOMPARE(report->state, State::Sound);
        QVERIFY(report->owner);
        QCOMPARE(report->owner->pid, QCoreApplication::applicationPid());
        QCOMPARE(salvageLog(folder.path(), Salvage::All).error().kind, ErrorKind::Conflict);
    }

    void salvagingTwiceKeepsBoth()
    {
        Folder folder(head + "rubbish" + tail);
        QVERIFY(salvageLog(folder.path(), Salvage::All));
        writeFile(logPathIn(folder.path()), head + "more rubbish" + tail);
        const auto second = salvageLog(folder.path(), Salvage::All);
        QVERIFY(second);
        QVERIFY(second->keptAs.endsWith(QStringLiteral(".damaged-2")));
        QCOMPARE(second->before.kept.size(), 1);
        QCOMPARE(contentOf(second->keptAs), head + "more rubbish" + tail);
    }

    /// Every single byte of a log is flipped once: it is noticed or harmless, and what stands elsewhere is always
    /// saved.
    void anyFlippedByteCostsNoMoreThanItsOwnCommand()
    {
        QByteArray whole = wire({{"SELECT", "0"}});
        for (int i = 0; i < 6; ++i)
            whole += wire({{"SET", "key" + QByteArray::number(i), "value"}});
        for (qsizetype at = 0; at < whole.size(); ++at) {
            QByteArray flipped = whole;
            flipped[at] = char(flipped[at] ^ 0x15);
            Folder folder(flipped);
            const auto report = checkLog(folder.path());
            QVERIFY(report);
            if (report->state == State::Damaged)
                QVERIFY(salvageLog(folder.path(), Salvage::All));
            const qsizetype left = folder.keys().size();
            const bool isNearTheEnd = at >= whole.size() - 2 * wire({{"SET", "key1", "value"}}).size();
            QVERIFY2(left >= (isNearTheEnd ? 4 : 5), qPrintable(QStringLiteral("byte %1: %2").arg(at).arg(left)));
        }
    }
};

QTEST_GUILESS_MAIN(TestLogSalvage)
#include "tst_log_salvage.moc"
