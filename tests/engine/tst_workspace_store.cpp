// One workspace folder, several who work on it: the first has it, the others come through its socket and take over.
#include "core/engine/endpoint_path.h"
#include "core/engine/workspace_store.h"
#include "core/store/embedded/embedded_store.h"
#include "core/store/embedded/folder_lock.h"

#include "tests/support/await.h"

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ym;
using namespace ym::test;

namespace {

constexpr int patienceMs = 20'000;

/// A folder and the stores on it. Each stands for a process of its own: the folder's lock belongs to the open file.
class Shared {
public:
    std::unique_ptr<WorkspaceStore> join()
    {
        auto store = std::make_unique<WorkspaceStore>(folder(), socket(), &Clock::system());
        await(store->open());
        return store;
    }
    QString folder() const { return m_root.filePath(QStringLiteral("place")); }
    QString socket() const { return m_root.filePath(QStringLiteral("s")); }

private:
    QTemporaryDir m_root;
};

Reply ask(WorkspaceStore *store, QList<QByteArray> words)
{
    return await(store->command(Command{std::move(words)}));
}

bool isReady(const WorkspaceStore *store)
{
    return store->status().phase == StoreStatus::Phase::Ready;
}

} // namespace

class TestWorkspaceStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void firstHasTheFolderAndOthersVisit();
    void allSeeTheSame();
    void guestTakesOverWhenTheHostEnds();
    void oneOfTwoGuestsTakesOver();
    void waitingCommandIsLostAndNotCancelled();
    void subscriptionGoesOnAfterATakeOver();
    void closedGuestStaysClosed();
    void hostWithoutASocketIsAConflict();
    void socketThatCannotBeOpenedIsAWarning();
    void pathIsStablePrivateAndShort();
};

void TestWorkspaceStore::firstHasTheFolderAndOthersVisit()
{
    Shared shared;
    const auto host = shared.join();
    const auto guest = shared.join();
    QVERIFY(host->embedded());
    QVERIFY(!guest->embedded());
    QVERIFY(!guest->endpoint());
    QCOMPARE(host->socketPath(), shared.socket());
    QCOMPARE(guest->socketPath(), shared.socket());
    QCOMPARE(guest->hostPid(), QCoreApplication::applicationPid());
    QCOMPARE(guest->displayName(), shared.folder());
    QVERIFY(guest->status().server.contains(QString::number(QCoreApplication::applicationPid())));
}

void TestWorkspaceStore::allSeeTheSame()
{
    Shared shared;
    const auto host = shared.join();
    const auto guest = shared.join();
    ask(host.get(), {"SET", "a", "1"});
    QCOMPARE(ask(guest.get(), {"GET", "a"}).toBytes(), QByteArray("1"));
    std::vector<Command> commands;
    commands.push_back(cmd("INCR", "a"));
    commands.push_back(cmd("RPUSH", "list", "x"));
    QCOMPARE(await(guest->transaction(commands)).size(), size_t(2));
    QCOMPARE(await(guest->pipeline(commands))[0].integer, 3);
    QCOMPARE(ask(host.get(), {"LLEN", "list"}).integer, 2);
    // One waits for what the other brings, both ways.
    auto waiting = guest->blocking(cmd("BLPOP", "work", "5"), Milliseconds{5'000}, {});
    while (ask(host.get(), {"INFO", "clients"}).string.contains("blocked_clients:0"))
        QTest::qWait(1);
    ask(host.get(), {"RPUSH", "work", "job"});
    QCOMPARE(await(std::move(waiting)).toList(), (QList<QByteArray>{"work", "job"}));
}

void TestWorkspaceStore::guestTakesOverWhenTheHostEnds()
{
    Shared shared;
    auto host = shared.join();
    const auto guest = shared.join();
    ask(guest.get(), {"SET", "kept", "yes"});
    QSignalSpy changes(guest.get(), &WorkspaceStore::hostChanged);
    host.reset();
    QTRY_VERIFY_WITH_TIMEOUT(guest->embedded(), patienceMs);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(ask(guest.get(), {"GET", "kept"}).toBytes(), QByteArray("yes"));
    QCOMPARE(guest->socketPath(), shared.socket());
    const auto next = shared.join(); // the door is open again
    QCOMPARE(ask(next.get(), {"GET", "kept"}).toBytes(), QByteArray("yes"));
}

void TestWorkspaceStore::oneOfTwoGuestsTakesOver()
{
    Shared shared;
    auto host = shared.join();
    const auto first = shared.join();
    const auto second = shared.join();
    host.reset();
    QTRY_VERIFY_WITH_TIMEOUT(isReady(first.get()) && isReady(second.get()) && (first->embedded() || second->embedded()),
                             patienceMs);
    QVERIFY(!first->embedded() || !second->embedded());
    ask(first.get(), {"SET", "a", "1"});
    QCOMPARE(ask(second.get(), {"GET", "a"}).toBytes(), QByteArray("1"));
}

void TestWorkspaceStore::waitingCommandIsLostAndNotCancelled()
{
    Shared shared;
    auto host = shared.join();
    const auto guest = shared.join();
    auto waiting = guest->blocking(cmd("BLPOP", "work", "5"), Milliseconds{5'000}, {});
    while (ask(host.get(), {"INFO", "clients"}).string.contains("blocked_clients:0"))
        QTest::qWait(1);
    host.reset();
    QCOMPARE(failureOf(std::move(waiting)), ErrorKind::Unavailable);
    QCOMPARE(await(guest->waitUntilReady({})), true);
}

void TestWorkspaceStore::subscriptionGoesOnAfterATakeOver()
{
    Shared shared;
    auto host = shared.join();
    const auto guest = shared.join();
    const auto subscription = guest->subscribe({"news"}, Store::Match::Channels);
    QSignalSpy heard(subscription.get(), &Subscription::message);
    QSignalSpy resumed(subscription.get(), &Subscription::resumed);
    QTRY_VERIFY_WITH_TIMEOUT(ask(host.get(), {"PUBLISH", "news", "one"}).integer == 1, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!heard.isEmpty(), patienceMs);
    host.reset();
    QTRY_VERIFY_WITH_TIMEOUT(guest->embedded(), patienceMs);
    QVERIFY(!resumed.isEmpty());
    ask(guest.get(), {"PUBLISH", "news", "two"});
    QTRY_VERIFY_WITH_TIMEOUT(heard.last().at(1).toByteArray() == "two", patienceMs);
}

void TestWorkspaceStore::closedGuestStaysClosed()
{
    Shared shared;
    auto host = shared.join();
    const auto guest = shared.join();
    guest->close();
    host.reset();
    const auto next = shared.join();
    QVERIFY(next->embedded());
    QCOMPARE(guest->status().phase, StoreStatus::Phase::Closed);
    QCOMPARE(failureOf(guest->command(cmd("PING"))), ErrorKind::Cancelled);
    QCOMPARE(await(guest->waitUntilReady({})), false);
}

void TestWorkspaceStore::hostWithoutASocketIsAConflict()
{
    Shared shared;
    EmbeddedStore silent({shared.folder()}, &Clock::system());
    await(silent.open());
    WorkspaceStore store(shared.folder(), shared.socket(), &Clock::system());
    QCOMPARE(failureOf(store.open()), ErrorKind::Conflict);
    QCOMPARE(store.status().phase, StoreStatus::Phase::Refused);
    silent.close();
    await(store.open()); // a person tries again
    QVERIFY(store.embedded());
}

void TestWorkspaceStore::socketThatCannotBeOpenedIsAWarning()
{
    Shared shared;
    QVERIFY(QDir().mkpath(shared.socket())); // a folder is in its place
    const auto store = shared.join();
    QVERIFY(store->embedded());
    QCOMPARE(store->status().warnings.size(), 1);
    QVERIFY(store->status().warnings.constFirst().contains(shared.socket()));
}

void TestWorkspaceStore::pathIsStablePrivateAndShort()
{
    const QTemporaryDir runtime;
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(runtime.path()));
    const QString path = *workspaceEndpointPath(QStringLiteral("/home/ann/queue"));
    QCOMPARE(*workspaceEndpointPath(QStringLiteral("/home/ann//queue/")), path);
    QVERIFY(*workspaceEndpointPath(QStringLiteral("/home/bob/queue")) != path);
    QVERIFY2(path.startsWith(runtime.path() + QStringLiteral("/yardmaster/queue-")), qPrintable(path));
    QCOMPARE(QFileInfo(path).dir().exists(), true);
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther
        | QFile::ExeOther;
    QVERIFY(!(QFileInfo(QFileInfo(path).path()).permissions() & others));
    // A runtime folder whose path is too long for a socket, or none at all: the place in /tmp.
    const QString deep = runtime.filePath(QString(100, u'x'));
    QVERIFY(QDir().mkpath(deep));
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(deep));
    const QString shorter = *workspaceEndpointPath(QStringLiteral("/home/ann/queue"));
    QVERIFY2(shorter.startsWith(QStringLiteral("/tmp/yardmaster-")), qPrintable(shorter));
    qunsetenv("XDG_RUNTIME_DIR");
    QCOMPARE(*workspaceEndpointPath(QStringLiteral("/home/ann/queue")), shorter);
    QVERIFY(workspaceEndpointPath(QString(300, u'n'))->size() < 108);
}

QTEST_GUILESS_MAIN(TestWorkspaceStore)
#include "tst_workspace_store.moc"
