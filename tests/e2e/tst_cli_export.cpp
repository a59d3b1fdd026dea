// The way out, from outside: a workspace and a Redis into another store, killed in the middle, with keys in the way.
#include "tests/support/memory.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using ym::test::Ended;
using ym::test::isMemoryMeasurable;
using ym::test::Program;
using ym::test::RedisServer;

namespace {

RedisServer::Options withDigest()
{
    RedisServer::Options options;
    options.extra = {QStringLiteral("--enable-debug-command"), QStringLiteral("local")};
    return options;
}

/// Keys of every type, binary ones among them, and as many small ones as wanted.
void fill(const RedisServer &server, int smallKeys)
{
    const QString script = QStringLiteral(R"lua(
        local bytes = ''
        for i = 0, 255 do bytes = bytes .. string.char(i) end
        redis.call('SET', bytes, bytes)
        redis.call('HSET', 'hash:' .. bytes, bytes, bytes, 'empty', '')
        redis.call('SET', 'large', string.rep(bytes, 20000))
        for i = 1, 5000 do
            redis.call('RPUSH', 'list', bytes .. i)
            redis.call('SADD', 'set', bytes .. i)
            redis.call('ZADD', 'scores', i / 3, bytes .. i)
            redis.call('HSET', 'fields', bytes .. i, i)
        end
        for i = 1, tonumber(ARGV[1]) do redis.call('SET', 'small:' .. i, i) end
        redis.call('PEXPIRE', 'large', 3600000)
        return redis.status_reply('done'))lua");
    const QByteArray done = server.cli({QStringLiteral("EVAL"), script, QStringLiteral("0"), QString::number(smallKeys)});
    if (done != "done")
        qFatal("the store cannot be filled: %s", done.constData());
}

QByteArray digest(const RedisServer &server)
{
    return server.cli({QStringLiteral("DEBUG"), QStringLiteral("DIGEST")});
}

/// Without what an interrupted copy was about to build: that expires by itself.
QByteArray digestOfWhatStays(const RedisServer &server)
{
    server.cli({QStringLiteral("EVAL"),
                QStringLiteral("for _, k in ipairs(redis.call('KEYS', 'yardmaster:copy:*')) do "
                               "assert(redis.call('TTL', k) > 0) redis.call('DEL', k) end"),
                QStringLiteral("0")});
    return digest(server);
}

qint64 keyCount(const RedisServer &server)
{
    return server.cli({QStringLiteral("DBSIZE")}).toLongLong();
}

QJsonObject lastOf(const Ended &ended, const char *event)
{
    QJsonObject last;
    for (const QJsonObject &line : ended.jsonLines()) {
        if (line[QStringLiteral("event")].toString() == QLatin1String(event))
            last = line;
    }
    return last;
}

} // namespace

class TestCliExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingArrivesOverAWorkspace();
    void jobsOfTheWorkspaceRunOnTheServer();
    void dryRunChangesNothing();
    void keysInTheWayStopIt();
    void keysInTheWayAreSkippedOrReplaced();
    void killedCopyGoesOn();
    void interruptedCopySaysSo();
    void serverThatComesBackIsWaitedFor();
    void wrongUseIsRefused_data();
    void wrongUseIsRefused();
    void sameStoreIsRefused();
    void passwordOfTheTargetComesFromTheEnvironment();
    void memoryStaysFlat();
};

void TestCliExport::everythingArrivesOverAWorkspace()
{
    const RedisServer first(withDigest());
    const RedisServer second(withDigest());
    fill(first, 1'000);
    const Program program;
    const Ended in = program.run({QStringLiteral("--store"), first.url(), QStringLiteral("export"), QStringLiteral("--to"),
                                  QStringLiteral("embedded:") + program.homeFolder() + QStringLiteral("/place")});
    QVERIFY2(in.code == 0, in.all().constData());
    const Ended out = program.run({QStringLiteral("--json"), QStringLiteral("export"), QStringLiteral("--from"),
                                   QStringLiteral("embedded:") + program.homeFolder() + QStringLiteral("/place"),
                                   QStringLiteral("--to"), second.url()});
    QVERIFY2(out.code == 0, out.all().constData());
    QCOMPARE(digest(second), digest(first));
    const qint64 ttl = second.cli({QStringLiteral("PTTL"), QStringLiteral("large")}).toLongLong();
    QVERIFY2(ttl > 3'500'000 && ttl <= 3'600'000, QByteArray::number(ttl).constData());
    const QJsonObject plan = lastOf(out, "plan");
    QCOMPARE(plan[QStringLiteral("keys")].toInteger(), 1'007);
    QCOMPARE(plan[QStringLiteral("types")].toObject()[QStringLiteral("string")].toInteger(), 1'002);
    QCOMPARE(plan[QStringLiteral("expiring")].toInteger(), 1);
    const QJsonObject end = lastOf(out, "ended");
    QCOMPARE(end[QStringLiteral("outcome")].toString(), QStringLiteral("copied"));
    QCOMPARE(end[QStringLiteral("copied")].toInteger(), 1'007);
    QCOMPARE(end[QStringLiteral("verified")].toBool(), true);
    QCOMPARE(end[QStringLiteral("different")].toInteger(), 0);
}

void TestCliExport::jobsOfTheWorkspaceRunOnTheServer()
{
    const RedisServer server;
    const Program program;
    const QString script = program.file(QStringLiteral("a.py"), "print('moved')\n");
    const QString id =
        QString::fromLatin1(program.run({QStringLiteral("submit"), script}).out.trimmed());
    const Ended moved = program.run({QStringLiteral("export"), QStringLiteral("--to"), server.url()});
    QVERIFY2(moved.code == 0, moved.all().constData());
    const Ended worked = program.run({QStringLiteral("--store"), server.url(), QStringLiteral("worker"),
                                      QStringLiteral("--type"), QStringLiteral("python"), QStringLiteral("--drain")});
    QVERIFY2(worked.code == 0, worked.all().constData());
    QCOMPARE(program.run({QStringLiteral("--store"), server.url(), QStringLiteral("output"), id}).out, QByteArray("moved\n"));
    const Ended left = program.run({QStringLiteral("--json"), QStringLiteral("show"), id});
    QCOMPARE(left.json()[QStringLiteral("state")].toString(), QStringLiteral("queued"));
}

void TestCliExport::dryRunChangesNothing()
{
    const RedisServer from;
    const RedisServer to;
    fill(from, 10);
    const Program program;
    const Ended ended = program.run({QStringLiteral("--store"), from.url(), QStringLiteral("export"),
                                     QStringLiteral("--dry-run"), QStringLiteral("--to"), to.url()});
    QVERIFY2(ended.code == 0, ended.all().constData());
    QVERIFY2(ended.err.contains("17 keys"), ended.all().constData());
    QVERIFY2(ended.err.contains("12 string"), ended.all().constData());
    QCOMPARE(keyCount(to), 0);
}

void TestCliExport::keysInTheWayStopIt()
{
    const RedisServer from;
    const RedisServer to;
    fill(from, 10);
    to.cli({QStringLiteral("SET"), QStringLiteral("small:3"), QStringLiteral("theirs")});
    to.cli({QStringLiteral("SET"), QStringLiteral("small:4"), QStringLiteral("4")}); // equal: in nobody's way
    const Program program;
    for (const bool isDryRun : {true, false}) {
        QStringList words{QStringLiteral("--store"), from.url(), QStringLiteral("export"), QStringLiteral("--to"), to.url()};
        if (isDryRun)
            words.append(QStringLiteral("--dry-run"));
        const Ended ended = program.run(words);
        QVERIFY2(ended.code == 1, ended.all().constData());
        QVERIFY2(ended.err.contains("small:3  exists there"), ended.all().constData());
        QVERIFY2(!ended.err.contains("small:4"), ended.all().constData());
        QCOMPARE(ended.err.contains("--overwrite"), !isDryRun);
        QCOMPARE(keyCount(to), 2);
    }
}

void TestCliExport::keysInTheWayAreSkippedOrReplaced()
{
    const RedisServer from(withDigest());
    const RedisServer to(withDigest());
    fill(from, 10);
    to.cli({QStringLiteral("LPUSH"), QStringLiteral("small:3"), QStringLiteral("theirs")});
    const Program program;
    const QStringList words{QStringLiteral("--json"), QStringLiteral("--store"), from.url(), QStringLiteral("export"),
                            QStringLiteral("--to"), to.url()};
    const Ended skipped = program.run(words + QStringList{QStringLiteral("--skip-existing")});
    QVERIFY2(skipped.code == 0, skipped.all().constData());
    QCOMPARE(lastOf(skipped, "ended")[QStringLiteral("collisions")].toInteger(), 1);
    QCOMPARE(to.cli({QStringLiteral("TYPE"), QStringLiteral("small:3")}), QByteArray("list"));
    QCOMPARE(keyCount(to), keyCount(from));
    const Ended replaced = program.run(words + QStringList{QStringLiteral("--overwrite")});
    QVERIFY2(replaced.code == 0, replaced.all().constData());
    QCOMPARE(lastOf(replaced, "ended")[QStringLiteral("copied")].toInteger(), 1);
    QCOMPARE(digest(to), digest(from));
}

void TestCliExport::killedCopyGoesOn()
{
    const RedisServer from(withDigest());
    const RedisServer to(withDigest());
    fill(from, 40'000);
    const Program program;
    const QStringList words{QStringLiteral("--json"), QStringLiteral("--store"), from.url(), QStringLiteral("export"),
                            QStringLiteral("--to"), to.url()};
    const auto copying = program.start(words);
    QElapsedTimer timer;
    timer.start();
    while (keyCount(to) == 0 && timer.elapsed() < 60'000) { }
    copying->kill();
    QVERIFY(copying->waitForFinished());
    const qint64 there = keyCount(to);
    QVERIFY2(there > 0 && there < keyCount(from), QByteArray::number(there).constData());
    const Ended again = program.run(words);
    QVERIFY2(again.code == 0, again.all().constData());
    QVERIFY(lastOf(again, "ended")[QStringLiteral("equal")].toInteger() > 0);
    QCOMPARE(digestOfWhatStays(to), digest(from));
}

void TestCliExport::interruptedCopySaysSo()
{
    const RedisServer from;
    const RedisServer to;
    fill(from, 40'000);
    const Program program;
    const auto copying = program.start(
        {QStringLiteral("--store"), from.url(), QStringLiteral("export"), QStringLiteral("--to"), to.url()});
    QElapsedTimer timer;
    timer.start();
    while (keyCount(to) == 0 && timer.elapsed() < 60'000) { }
    ::kill(pid_t(copying->processId()), SIGINT);
    const Ended ended = ym::test::collect(copying.get());
    QVERIFY2(ended.code == 130, ended.all().constData());
    QVERIFY2(ended.err.contains("goes on from here"), ended.all().constData());
    QVERIFY(keyCount(to) < keyCount(from));
}

void TestCliExport::serverThatComesBackIsWaitedFor()
{
    const RedisServer from(withDigest());
    RedisServer::Options options = withDigest();
    options.appendOnly = true;
    RedisServer to(options);
    fill(from, 40'000);
    const Program program;
    const auto copying = program.start(
        {QStringLiteral("--store"), from.url(), QStringLiteral("export"), QStringLiteral("--to"), to.url()});
    QElapsedTimer timer;
    timer.start();
    while (keyCount(to) == 0 && timer.elapsed() < 60'000) { }
    to.killHard();
    QVERIFY(ym::test::waitForRemark(copying.get(), "Waiting up to a minute"));
    QVERIFY(to.startAgain());
    const Ended ended = ym::test::collect(copying.get());
    QVERIFY2(ended.code == 0, ended.all().constData());
    QCOMPARE(digestOfWhatStays(to), digest(from));
}

void TestCliExport::wrongUseIsRefused_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no target") << QStringList{} << QByteArray("Add --to");
    QTest::newRow("both ways with keys in the way")
        << QStringList{QStringLiteral("--to"), QStringLiteral("redis://localhost:1"), QStringLiteral("--overwrite"),
                       QStringLiteral("--skip-existing")}
        << QByteArray("exclude each other");
    QTest::newRow("into memory") << QStringList{QStringLiteral("--to"), QStringLiteral("memory:")}
                                 << QByteArray("gone when the command ends");
    QTest::newRow("no store") << QStringList{QStringLiteral("--to"), QStringLiteral("nonsense")} << QByteArray("nonsense");
}

void TestCliExport::wrongUseIsRefused()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, says);
    const Program program;
    const Ended ended = program.run(QStringList{QStringLiteral("export")} + words);
    QVERIFY2(ended.code == 2, ended.all().constData());
    QVERIFY2(ended.err.contains(says), ended.all().constData());
}

void TestCliExport::sameStoreIsRefused()
{
    RedisServer::Options options;
    options.tcp = true;
    const RedisServer server(options);
    const Program program;
    const QString overTcp = QStringLiteral("redis://127.0.0.1:%1").arg(server.port());
    const auto copy = [&](const QString &to) {
        return program.run({QStringLiteral("--store"), server.url(), QStringLiteral("export"), QStringLiteral("--to"), to});
    };
    for (const QString &to : {server.url(), overTcp}) {
        const Ended ended = copy(to);
        QVERIFY2(ended.code == 2 && ended.err.contains("are the same store"), ended.all().constData());
    }
    server.cli({QStringLiteral("SET"), QStringLiteral("a"), QStringLiteral("1")});
    const Ended other = copy(overTcp + QStringLiteral("/3"));
    QVERIFY2(other.code == 0, other.all().constData());
    QCOMPARE(server.cli({QStringLiteral("-n"), QStringLiteral("3"), QStringLiteral("GET"), QStringLiteral("a")}),
             QByteArray("1"));
}

void TestCliExport::passwordOfTheTargetComesFromTheEnvironment()
{
    const RedisServer from;
    RedisServer::Options options;
    options.extra = {QStringLiteral("--requirepass"), QStringLiteral("open sesame")};
    const RedisServer to(options);
    from.cli({QStringLiteral("SET"), QStringLiteral("a"), QStringLiteral("1")});
    Program program;
    const QStringList words{QStringLiteral("--store"), from.url(), QStringLiteral("export"), QStringLiteral("--to"), to.url()};
    const Ended without = program.run(words);
    QVERIFY2(without.code == 1 && without.err.contains("password"), without.all().constData());
    program.setVariable(QStringLiteral("YARDMASTER_TO_PASSWORD"), QStringLiteral("open sesame"));
    const Ended with = program.run(words);
    QVERIFY2(with.code == 0, with.all().constData());
}

void TestCliExport::memoryStaysFlat()
{
    const RedisServer from;
    const RedisServer to;
    const Program program;
    const auto peak = [&](int keys) {
        from.cli({QStringLiteral("FLUSHALL")});
        to.cli({QStringLiteral("FLUSHALL")});
        fill(from, keys);
        // The shell reads the peak of the process it has waited for.
        const Ended ended = program.shell(
            QStringLiteral("python3 -c 'import resource, subprocess, sys;"
                           "code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
                           "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'"
                           " $YM --store %1 export --to %2")
                .arg(from.url(), to.url()));
        const QList<QByteArray> words = ended.out.trimmed().split(' ');
        return words.size() == 2 && words[0] == "0" ? words[1].toLongLong() : -1;
    };
    const qint64 few = peak(1'000);
    const qint64 many = peak(40'000);
    QVERIFY(few > 0);
    const QByteArray peaks = QByteArray::number(few) + " KiB, then " + QByteArray::number(many) + " KiB";
    QVERIFY2(many > 0 && (!isMemoryMeasurable || many < few + 8 * 1024), peaks.constData());
}

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cli_export.moc"
