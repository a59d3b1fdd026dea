// A workspace on a disk of two megabytes: writes are refused when it is full, nothing that was acknowledged is lost,
// and it heals by itself; a compaction gives way. The disk is mounted in a name space of this process's own.
#include "tests/support/endpoint_server.h"
#include "tests/support/raw_socket.h"
#include "tests/support/small_disk.h"
#include "tests/support/workspace.h"

#include <QCoreApplication>
#include <QTest>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace ym;
using namespace ym::test;

namespace {

QString noMount; ///< why no disk can be mounted; empty = it can

/// Pushes numbers until one is refused; returns the last that was acknowledged.
int pushUntilRefused(EmbeddedStore &store, int first, const QByteArray &padding)
{
    for (int number = first;; ++number) {
        const auto failed = failureOf(store.command(cmd("RPUSH", "l", QByteArray::number(number) + ' ' + padding)));
        if (failed) {
            if (*failed != ErrorKind::NotWritable)
                QTest::qFail("refused for another reason", __FILE__, __LINE__);
            return number - 1;
        }
        if (number % 10 == 0)
            QCoreApplication::processEvents();
    }
}

/// The reply, which must be one line; empty when the endpoint has cut the client.
QByteArray lineFor(RawSocket &client, const QList<QByteArray> &words)
{
    client.send(respRequest(words));
    QByteArray line;
    while (!line.endsWith("\r\n")) {
        const QByteArray more = client.readSome();
        if (more.isEmpty())
            return {};
        line += more;
    }
    return line;
}

int numberAt(EmbeddedStore &store, int index)
{
    return await(store.command(cmd("LINDEX", "l", index))).string.split(' ').front().toInt();
}

} // namespace

class TestFullDisk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (!noMount.isEmpty())
            QSKIP(qPrintable(noMount));
        if (!SmallDisk().isMounted())
            QSKIP("no tmpfs can be mounted");
    }

    void itIsRefusedAndHeals_data()
    {
        QTest::addColumn<bool>("isAlways");
        QTest::addColumn<int>("padding");
        for (const int padding : {10, 3000, 100'000}) {
            QTest::addRow("always, %d bytes", padding) << true << padding;
            QTest::addRow("everysec, %d bytes", padding) << false << padding;
        }
    }

    void itIsRefusedAndHeals()
    {
        QFETCH(bool, isAlways);
        QFETCH(int, padding);
        const QByteArray text(padding, 'x');
        SmallDisk disk;
        ManualClock clock;
        EmbeddedStore::Options options;
        options.folder = disk.path();
        options.fsync = isAlways ? EmbeddedStore::Fsync::Always : EmbeddedStore::Fsync::EverySecond;
        {
            EmbeddedStore store(options, &clock);
            await(store.open());
            await(store.command(cmd("RPUSH", "l", "1")));
            disk.fill(100'000);
            const int acknowledged = pushUntilRefused(store, 2, text);
            QVERIFY(acknowledged >= (padding > 1000 ? 1 : 100));
            QTRY_COMPARE(store.status().warnings.size(), 1);
            const std::vector<Reply> refused = await(store.pipeline({cmd("SET", "a", "1")}));
            QCOMPARE(refused[0].string, QByteArray("MISCONF Errors writing to the AOF file: No space left on device"));
            QCOMPARE(await(store.command(cmd("LINDEX", "l", 0))), Reply::bulk("1")); // reading goes on

            // What the file holds now is whole, and everything that was acknowledged can still get there.
            disk.empty();
            clock.advance(Milliseconds{1000});
            QVERIFY(store.status().warnings.isEmpty());
            await(store.command(cmd("RPUSH", "l", "last")));
            QTRY_VERIFY(contentOf(logPathIn(disk.path())).endsWith(wire({{"RPUSH", "l", "last"}})));
            QVERIFY(numberAt(store, acknowledged - 1) == acknowledged);
        }
        EmbeddedStore again(options, &clock);
        await(again.open());
        QVERIFY(again.status().warnings.isEmpty());
        QCOMPARE(await(again.command(cmd("LINDEX", "l", -1))), Reply::bulk("last"));
    }

    /// Another program is told, or cut before it is told something that is not so; then it is served again.
    void clientsOfTheEndpointAreTold()
    {
        SmallDisk disk;
        EndpointServer::Options options;
        options.store.folder = disk.path();
        options.store.fsync = EmbeddedStore::Fsync::Always;
        const EndpointServer server(options);
        const QList<QByteArray> push{"RPUSH", "l", QByteArray(3000, 'x')};
        RawSocket reader(server.socketPath());
        QCOMPARE(lineFor(reader, push), QByteArray(":1\r\n"));
        disk.fill(100'000);
        qint64 acknowledged = 1;
        RawSocket writer(server.socketPath());
        QByteArray reply = lineFor(writer, push);
        for (; reply.startsWith(':'); reply = lineFor(writer, push))
            ++acknowledged;
        const bool wasCut = reply.isEmpty();
        const QByteArray refused = "-MISCONF Errors writing to the AOF file: No space left on device\r\n";
        QVERIFY2(wasCut || reply == refused, reply.constData());
        QCOMPARE(lineFor(reader, push), refused);
        QCOMPARE(lineFor(reader, {"EVAL", "return redis.call('SET', 'a', 1)", "0"}).first(8), QByteArray("-MISCONF"));
        const qint64 length = lineFor(reader, {"LLEN", "l"}).mid(1).trimmed().toLongLong(); // reading goes on
        QVERIFY(length == acknowledged || (wasCut && length == acknowledged + 1));
        disk.empty();
        QTRY_COMPARE(lineFor(reader, {"SET", "a", "1"}), QByteArray("+OK\r\n"));
    }

    /// The process dies while the disk is full: what was acknowledged must be in the file already.
    void aKillWhileItIsFullLosesNothing_data()
    {
        QTest::addColumn<bool>("isAlways");
        QTest::addColumn<int>("padding");
        for (const int padding : {10, 3000, 100'000}) {
            QTest::addRow("always, %d bytes", padding) << true << padding;
            QTest::addRow("everysec, %d bytes", padding) << false << padding;
        }
    }

    void aKillWhileItIsFullLosesNothing()
    {
        QFETCH(bool, isAlways);
        QFETCH(int, padding);
        SmallDisk disk;
        int said[2];
        QCOMPARE(::pipe(said), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            EmbeddedStore::Options options;
            options.folder = disk.path();
            options.fsync = isAlways ? EmbeddedStore::Fsync::Always : EmbeddedStore::Fsync::EverySecond;
            EmbeddedStore store(options, &Clock::system());
            await(store.open());
            disk.fill(100'000);
            const int acknowledged = pushUntilRefused(store, 1, QByteArray(padding, 'x'));
            for (int turn = 0; turn < 3; ++turn)
                QCoreApplication::processEvents();
            if (::write(said[1], &acknowledged, sizeof acknowledged) == sizeof acknowledged)
                ::kill(::getpid(), SIGKILL);
            ::_exit(1);
        }
        int acknowledged = 0;
        QCOMPARE(::read(said[0], &acknowledged, sizeof acknowledged), ssize_t(sizeof acknowledged));
        ::waitpid(child, nullptr, 0);
        ::close(said[0]);
        ::close(said[1]);
        disk.empty();
        EmbeddedStore store({disk.path()}, &Clock::system());
        await(store.open());
        const int there = await(store.command(cmd("LLEN", "l"))).toInteger();
        QVERIFY2(there >= acknowledged, qPrintable(QStringLiteral("%1 of %2").arg(there).arg(acknowledged)));
        if (there > 0)
            QCOMPARE(numberAt(store, -1), there);
    }

    void aCompactionThatDoesNotFitFailsAlone()
    {
        SmallDisk disk("size=4m");
        ManualClock clock;
        EmbeddedStore store({disk.path()}, &clock);
        await(store.open());
        for (int i = 0; i < 10; ++i)
            await(store.command(cmd("SET", i, QByteArray(100'000, char('0' + i)))));
        const KeyspaceText before = describeAll(store);
        QTRY_VERIFY(contentOf(logPathIn(disk.path())).size() > 1'000'000);
        disk.fill(300'000);
        await(store.command(cmd("BGREWRITEAOF")));
        QTRY_VERIFY(await(store.command(cmd("INFO"))).string.contains("aof_last_bgrewrite_status:err\r\n"));
        QVERIFY(!QFile::exists(logPathIn(disk.path()) + QStringLiteral(".new"))); // gives its space back
        await(store.command(cmd("SET", "after", "1"))); // the log itself has its room still
        disk.empty();
        await(store.command(cmd("BGREWRITEAOF")));
        QTRY_VERIFY(await(store.command(cmd("INFO"))).string.contains("aof_last_bgrewrite_status:ok\r\n"));
        await(store.command(cmd("DEL", "after")));
        store.close();
        EmbeddedStore again({disk.path()}, &clock);
        await(again.open());
        QCOMPARE(describeAll(again), before);
    }

    /// When both want the last bytes, the log gets them.
    void aCompactionGivesWayToTheLog()
    {
        SmallDisk disk("size=32m");
        ManualClock clock;
        EmbeddedStore store({disk.path()}, &clock);
        await(store.open());
        for (int i = 0; i < 30; ++i)
            await(store.command(cmd("SET", i, QByteArray(100'000, 'x'))));
        QTRY_VERIFY(contentOf(logPathIn(disk.path())).size() > 3'000'000);
        int number = 0;
        for (int round = 0; round < 5; ++round) {
            await(store.command(cmd("BGREWRITEAOF")));
            disk.fill(round * 600'000);
            const int last = pushUntilRefused(store, number + 1, QByteArray(2000, 'x'));
            disk.empty();
            clock.advance(Milliseconds{1000});
            QTRY_VERIFY(await(store.command(cmd("INFO"))).string.contains("aof_rewrite_in_progress:0\r\n"));
            QVERIFY(store.status().warnings.size() <= 1); // the compaction's
            QVERIFY(last >= number);
            await(store.command(cmd("LTRIM", "l", "1", "0")));
            number = last + 1; // the refused one may be there or not
        }
        await(store.command(cmd("SET", "after", "1")));
        await(store.command(cmd("BGREWRITEAOF")));
        QTRY_VERIFY(await(store.command(cmd("INFO"))).string.contains("aof_last_bgrewrite_status:ok\r\n"));
        QVERIFY(store.status().warnings.isEmpty());
        const KeyspaceText before = describeAll(store);
        store.close();
        EmbeddedStore again({disk.path()}, &clock);
        await(again.open());
        QCOMPARE(describeAll(again), before);
        QVERIFY(again.status().warnings.isEmpty());
    }

    void aWorkspaceOnAFullDiskCanBeOpenedAndRead()
    {
        SmallDisk disk;
        ManualClock clock;
        {
            EmbeddedStore store({disk.path()}, &clock);
            await(store.open());
            await(store.command(cmd("SET", "a", "1")));
        }
        disk.fill();
        EmbeddedStore store({disk.path()}, &clock);
        await(store.open());
        QCOMPARE(await(store.command(cmd("GET", "a"))), Reply::bulk("1"));
        QCOMPARE(failureOf(store.command(cmd("SET", "a", "2"))), ErrorKind::NotWritable);
        disk.empty();
        clock.advance(Milliseconds{1000});
        await(store.command(cmd("SET", "a", "2")));
    }
};

int main(int argc, char **argv)
{
    noMount = enterMountSpace();
    QCoreApplication app(argc, argv);
    TestFullDisk test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_full_disk.moc"
