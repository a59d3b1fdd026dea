// A process that writes into a workspace is killed again and again, also in the middle of a compaction. What is there
// afterwards is what some number of its steps make, and no step that it was told of is missing: never with fsync
// always, none that is older than a second with everysec (RELIABILITY I14). Real Redis reads the same from the same file.
// Short in the test run; `tst_fault_kill_loop --long` kills 200 times. Prints its figures.
#include "tests/support/die_with_test.h"
#include "tests/support/redis_server.h"
#include "tests/support/workspace.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

#include <chrono>
#include <csignal>
#include <random>

#include <unistd.h>

using namespace ym;
using namespace ym::test;

namespace {

bool isLong = false;

using Words = QList<QByteArray>;

/// One step of the writer; the same number is always the same step, and its number is the last of the list `seq`.
struct Step {
    enum class Kind : quint8 { Plain, Transaction, Script };
    Kind kind;
    QList<Words> commands;
};

constexpr char stepScript[] = "redis.call('RPUSH', KEYS[1], ARGV[1])"
                              "redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])"
                              "redis.call('LTRIM', KEYS[1], -50, -1)";

Words anyCommand(std::mt19937 &random)
{
    const auto key = [&random](const char *type) { return type + QByteArray::number(random() % 40); };
    const QByteArray text(qsizetype(random() % 300), char('a' + random() % 26));
    const QByteArray member = QByteArray::number(random() % 100);
    switch (random() % 12) {
    case 0:
        return {"SET", key("s"), random() % 20 ? text : QByteArray(60'000, 'L')};
    case 1:
        return {"INCR", key("n")};
    case 2:
        return {"HSET", key("h"), member, text};
    case 3:
        return {"HDEL", key("h"), member};
    case 4:
        return {"SADD", key("m"), member};
    case 5:
        return {"SREM", key("m"), member};
    case 6:
        return {"ZADD", key("z"), QByteArray::number(random() % 1000), member};
    case 7:
        return {"LPUSH", key("l"), text};
    case 8:
        return {"RPOP", key("l")};
    case 9:
        return {"DEL", key("s")};
    case 10:
        return {"PEXPIREAT", key("s"), "4000000000000"};
    default:
        return {"ZREM", key("z"), member};
    }
}

Step stepOf(qint64 number)
{
    std::mt19937 random{quint32(number)};
    const QByteArray mark = QByteArray::number(number);
    Step step{Step::Kind(random() % 3), {}};
    if (step.kind == Step::Kind::Script) {
        step.commands = {{"EVAL", stepScript, "2", "seq", "h1", mark, mark}};
        return step;
    }
    const int count = step.kind == Step::Kind::Plain ? 1 : 3;
    for (int i = 0; i < count; ++i)
        step.commands.append(anyCommand(random));
    step.commands.append({"RPUSH", "seq", mark});
    return step;
}

std::vector<Command> commandsOf(const QList<Words> &all)
{
    std::vector<Command> commands;
    for (const Words &words : all)
        commands.push_back(Command{words});
    return commands;
}

QCoro::Task<std::vector<Reply>> take(Store *store, Step step)
{
    const std::vector<Command> commands = commandsOf(step.commands);
    if (step.kind == Step::Kind::Transaction)
        return store->transaction(commands);
    return store->pipeline(commands);
}

qint64 monotonicMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void say(const QByteArray &line)
{
    if (::write(STDOUT_FILENO, line.constData(), size_t(line.size())) != line.size())
        ::_exit(1);
}

/// On a machine that has no time for the compaction, the log would grow and grow.
constexpr qint64 mostStepsMeanwhile = 4000;
constexpr char compacted[] = "compacted\n";

/// The process that gets killed: takes steps from `first` on, compacts all the time, and says which are done.
int writeUntilKilled(const QString &folder, bool isAlways, qint64 first)
{
    EmbeddedStore::Options options;
    options.folder = folder;
    options.fsync = isAlways ? EmbeddedStore::Fsync::Always : EmbeddedStore::Fsync::EverySecond;
    EmbeddedStore store(options, &Clock::system());
    await(store.open());
    std::mt19937 random{std::random_device{}()};
    const auto fact = [&store](const QByteArray &name) {
        const QByteArray info = await(store.command(cmd("INFO", "persistence"))).string;
        return info.mid(info.indexOf(name + ':') + name.size() + 1).split('\r').front().toLongLong();
    };
    qint64 compactions = 0;
    qint64 pauseAt = first + mostStepsMeanwhile;
    for (qint64 next = first;;) {
        while (next > pauseAt && fact("aof_rewrite_in_progress") != 0)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        if (random() % 8 == 0) {
            const qint64 count = fact("aof_rewrites");
            if (std::exchange(compactions, count) != count)
                say(compacted);
            if (!await(store.pipeline({cmd("BGREWRITEAOF")}))[0].isError()) // else one is running
                pauseAt = next + mostStepsMeanwhile;
        }
        std::vector<QCoro::Task<std::vector<Reply>>> batch; // begun in order, synced together
        const qint64 end = next + 1 + qint64(random() % 8);
        for (qint64 number = next; number < end; ++number)
            batch.push_back(take(&store, stepOf(number)));
        for (auto &task : batch) {
            await(std::move(task));
            say(QByteArray::number(next++) + ' ' + QByteArray::number(monotonicMs()) + '\n');
        }
        QCoreApplication::processEvents();
    }
}

/// What the writer has said before it died.
struct Said {
    qint64 last = 0;
    qint64 lastOld = 0; ///< a second or more before the kill
};

Said read(const QByteArray &lines, qint64 killedAt)
{
    Said said;
    for (const QByteArray &line : lines.first(lines.lastIndexOf('\n') + 1).split('\n')) {
        const QList<QByteArray> parts = line.split(' ');
        if (parts.size() != 2)
            continue;
        said.last = parts[0].toLongLong();
        if (parts[1].toLongLong() <= killedAt - 1000)
            said.lastOld = said.last;
    }
    return said;
}

} // namespace

class TestKillLoop : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    qint64 m_known = 0; ///< steps that the model has taken
    std::unique_ptr<EmbeddedStore> m_model;
    QByteArray m_baseSize;
    int m_compactions = 0; ///< rounds that left a compacted log

    /// Starts the writer, kills it when it has compacted so often and taken `count` steps since, and returns what it
    /// has said.
    Said writeAndKill(bool isAlways, int compactions, int count)
    {
        QProcess writer;
        writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        dieWithTest(&writer);
        writer.start(
            QCoreApplication::applicationFilePath(),
            {QStringLiteral("--writer"), m_folder.path(), QString::number(isAlways), QString::number(m_known + 1)});
        QByteArray lines;
        const auto isEnough = [&] {
            qsizetype at = 0;
            for (int i = 0; i < compactions && at >= 0; ++i)
                at = lines.indexOf(compacted, at + 1);
            return at >= 0 && lines.sliced(at).count('\n') >= count;
        };
        while (!isEnough() && writer.waitForReadyRead(60'000))
            lines += writer.readAllStandardOutput();
        ::kill(pid_t(writer.processId()), SIGKILL);
        const qint64 killedAt = monotonicMs();
        writer.waitForFinished();
        lines += writer.readAllStandardOutput();
        if (writer.exitStatus() != QProcess::CrashExit)
            QTest::qFail("the writer ended by itself", __FILE__, __LINE__);
        return read(lines, killedAt);
    }

    void takeOnModel(qint64 last)
    {
        while (m_known < last)
            await(take(m_model.get(), stepOf(++m_known)));
    }

    /// Compares the workspace with the model, which is brought to where the workspace is. Returns that step.
    qint64 compare()
    {
        EmbeddedStore store({m_folder.path()}, &Clock::system());
        await(store.open());
        const QByteArray info = await(store.command(cmd("INFO", "persistence"))).string;
        const QByteArray baseSize = info.mid(info.indexOf("aof_base_size:")).split('\r').front();
        m_compactions += std::exchange(m_baseSize, baseSize) != baseSize;
        const Reply mark = await(store.command(cmd("LINDEX", "seq", -1)));
        const qint64 reached = mark.string.toLongLong();
        if (reached < m_known)
            return reached;
        takeOnModel(reached);
        const KeyspaceText found = describeAll(store);
        if (found != describeAll(*m_model)) { // the first half of a step that is two commands
            await(m_model->pipeline({Command{stepOf(reached + 1).commands.front()}}));
            if (stepOf(reached + 1).kind != Step::Kind::Plain || found != describeAll(*m_model))
                QTest::qFail("the keys are not what the steps make", __FILE__, __LINE__);
        }
        return reached;
    }

    void checkWithRedis(bool loads)
    {
        QProcess check;
        check.start(QStringLiteral("redis-check-aof"), {logPathIn(m_folder.path())});
        QVERIFY(check.waitForFinished());
        const QByteArray verdict = check.readAll();
        QVERIFY2(check.exitCode() == 0 && verdict.contains("is valid"), verdict.constData());
        if (!loads)
            return;
        QTemporaryDir other; // a server changes what it finds
        QVERIFY(QFile::copy(logPathIn(m_folder.path()), logPathIn(other.path())));
        RedisServer server({.appendOnly = true, .extra = {QStringLiteral("--dir"), other.path()}});
        QVERIFY2(server.isRunning(), qPrintable(server.error()));
        RespConnection connection(server.socketPath());
        QCOMPARE(describeAll(connection), describeAll(*m_model));
    }

private Q_SLOTS:
    /// Enough keys that a compaction takes a while.
    void initTestCase()
    {
        m_model = std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
        await(m_model->open());
        EmbeddedStore store({m_folder.path()}, &Clock::system());
        await(store.open());
        for (EmbeddedStore *each : {&store, m_model.get()}) {
            Words words{"RPUSH", "ballast"};
            for (int i = 0; i < 20'000; ++i)
                words.append(QByteArray::number(i));
            await(each->command(Command{words}));
        }
    }

    void killed_data()
    {
        QTest::addColumn<bool>("isAlways");
        QTest::newRow("always") << true;
        QTest::newRow("everysec") << false;
    }

    void killed()
    {
        QFETCH(bool, isAlways);
        const int rounds = isLong ? 100 : 10;
        std::mt19937 random{std::random_device{}()};
        int whileCompacting = 0;
        m_compactions = 0;
        int torn = 0;
        qint64 lost = 0;
        for (int round = 0; round < rounds; ++round) {
            const int count = 1 + int(random() % (isAlways ? 150 : 3000));
            const Said said = writeAndKill(isAlways, round % 2, count);
            whileCompacting += QFile::exists(logPathIn(m_folder.path()) + QStringLiteral(".new"));
            const qsizetype tornBefore = QDir(m_folder.path()).entryList({QStringLiteral("*.torn-*")}).size();
            const qint64 reached = compare();
            torn += QDir(m_folder.path()).entryList({QStringLiteral("*.torn-*")}).size() > tornBefore;
            QVERIFY2(reached >= (isAlways ? said.last : said.lastOld),
                     qPrintable(QStringLiteral("%1 of %2 steps are there").arg(reached).arg(said.last)));
            lost = std::max(lost, said.last - reached);
            QVERIFY(!QTest::currentTestFailed());
            checkWithRedis(round % 5 == 4);
            QVERIFY(!QTest::currentTestFailed());
        }
        qInfo("%d kills: %d during a compaction, %d after one; %d torn ends; at most %lld acknowledged steps lost",
              rounds, whileCompacting, m_compactions, torn, lost);
        QVERIFY(whileCompacting > 0 && m_compactions > 0);
    }

    void tornAtEveryByteOfTheLastRecord()
    {
        const QByteArray whole = contentOf(logPathIn(m_folder.path()));
        const QByteArray last = wire({{"MULTI"}, {"RPUSH", "seq", "x"}, {"SET", "s1", "torn"}, {"EXEC"}});
        const KeyspaceText before = describeAll(*m_model);
        for (qsizetype cut = 1; cut < last.size(); cut += isLong ? 1 : 7) {
            writeFile(logPathIn(m_folder.path()), whole + last.first(cut));
            EmbeddedStore store({m_folder.path()}, &Clock::system());
            await(store.open());
            QCOMPARE(store.status().warnings.size(), 1);
            QCOMPARE(await(store.command(cmd("LINDEX", "seq", -1))).string.toLongLong(), m_known);
            if (cut % 10 == 1)
                QCOMPARE(describeAll(store), before);
            store.close();
            QCOMPARE(contentOf(logPathIn(m_folder.path())), whole);
        }
        checkWithRedis(true);
    }

    void cleanupTestCase() { m_model.reset(); }
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QStringList arguments = app.arguments();
    if (arguments.value(1) == QStringLiteral("--writer"))
        return writeUntilKilled(arguments.value(2), arguments.value(3).toInt() != 0, arguments.value(4).toLongLong());
    isLong = arguments.removeAll(QStringLiteral("--long")) > 0;
    if (isLong)
        qputenv("QTEST_FUNCTION_TIMEOUT", "3600000");
    TestKillLoop test;
    return QTest::qExec(&test, arguments);
}

#include "tst_kill_loop.moc"
