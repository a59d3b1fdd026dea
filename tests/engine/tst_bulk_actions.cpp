// Actions on many jobs: how far they are, their end before the time, and the way back from a removal.
#include "core/engine/bulk_actions.h"
#include "core/engine/purge.h"
#include "core/protocol/hero/hero_protocol.h"
#include "core/protocol/hero/keys.h"
#include "core/store/embedded/embedded_store.h"
#include "tests/support/await.h"
#include "tests/support/faulty_store.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <sys/resource.h>

#include <csignal>

using namespace ym;
using namespace ym::test;

namespace {

/// No file of this process grows beyond so many bytes.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
        : m_onExcess(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_onExcess);
    }
    Q_DISABLE_COPY_MOVE(FileSizeLimit)

private:
    void (*m_onExcess)(int);
    rlimit m_before{};
};

} // namespace

class TestBulkActions : public QObject {
    Q_OBJECT

    const HeroProtocol m_protocol;
    QTemporaryDir m_folder;
    std::unique_ptr<EmbeddedStore> m_inner;
    std::unique_ptr<FaultyStore> m_store;
    std::unique_ptr<Producer> m_producer;
    std::unique_ptr<Inspector> m_inspector;
    std::unique_ptr<BulkActions> m_bulk;
    const QByteArray m_queue = hero::keys::work({"python", {}, {}, 1, {}});

    QString journalFolder() const { return m_folder.filePath(QStringLiteral("removed")); }
    QList<QByteArray> submit(int count)
    {
        QList<QByteArray> ids;
        for (int i = 0; i < count; ++i) {
            Job draft;
            draft.target.type = "python";
            draft.script = "print(1)";
            draft.env = {{"TOKEN", "secret"}};
            ids.append(await(m_producer->submit(draft)).id);
        }
        return ids;
    }
    qint64 depth() { return await(m_inner->command(cmd("LLEN", m_queue))).toInteger(); }

private Q_SLOTS:
    void init()
    {
        QDir(journalFolder()).removeRecursively();
        m_inner = std::make_unique<EmbeddedStore>(EmbeddedStore::Options{}, &Clock::system());
        await(m_inner->open());
        m_store = std::make_unique<FaultyStore>(m_inner.get());
        m_producer = m_protocol.producer(m_store.get(), {}, &Clock::system());
        m_inspector = m_protocol.inspector(m_store.get(), {}, &Clock::system());
        m_bulk = std::make_unique<BulkActions>(
            BulkActions::Parts{m_producer.get(), m_inspector.get(), &Clock::system(), journalFolder()});
    }
    void cleanup()
    {
        await(m_bulk->drain());
        m_bulk.reset();
        m_inspector.reset();
        m_producer.reset();
        m_store.reset();
        m_inner->close();
        m_inner.reset();
    }

    void tellsHowFarItIsAndStopsWhenCancelled();
    void whatFailsIsToldAndTheRestIsDone();
    void aRemovalIsUndone();
    void theNewestRemovalIsUndoneFirst();
    void theNamedRemovalIsUndoneAndNoOther();
    void whatNobodyTriedIsNotToldAsFailed_data();
    void whatNobodyTriedIsNotToldAsFailed();
    void aPurgedQueueComesBack();
    void onlyQueuesOfWaitingJobsArePurged();
    void aBigQueueIsPurgedInTime();
    void whatIsKeptIsForItsOwnerAlone();
    void aTornJournalGivesWhatIsWhole();
    void whatCannotBeKeptIsNotRemoved();
    void whatHasNoRoomIsPutBack();
    void aRemovalWhoseAnswerIsLostIsUndoneToo();
    void whatWasRemovedIsOnDiskAtOnce();
    void removalsOfTheSameMillisecondAreKeptApart();
    void requeueAndMoveGoThroughTheStore();
};

void TestBulkActions::tellsHowFarItIsAndStopsWhenCancelled()
{
    const QList<QByteArray> ids = submit(100);
    QSignalSpy progress(m_bulk.get(), &BulkActions::progressed);
    FaultyStore::Plan plan;
    plan.fault = FaultyStore::Fault::Stuck;
    plan.only = "hero/remove";
    plan.nth = 41;
    plan.times = -1;
    m_store->fail(plan);
    auto removal = m_bulk->remove(ids);
    QTRY_VERIFY(m_store->stuckCount() == 32); // every lane stands
    QTRY_COMPARE(progress.value(progress.size() - 1).value(0).toInt(), 40);
    QCOMPARE(progress.last().value(1).toInt(), 100);
    m_bulk->cancel();
    m_store->heal();
    m_store->release();
    const BulkResult result = await(std::move(removal));
    QCOMPARE(result.done, 72);
    QCOMPARE(result.skipped, 28);
    QVERIFY(result.failed.isEmpty());
    QCOMPARE(depth(), 28);
    QCOMPARE(progress.last().value(1).toInt(), 0);
    QCOMPARE(await(m_bulk->remove(ids)).done, 28); // what was cancelled can be done later
}

void TestBulkActions::whatFailsIsToldAndTheRestIsDone()
{
    QList<QByteArray> ids = submit(5);
    await(m_inner->command(cmd("HSET", hero::keys::job(ids[2]), "status", "started")));
    ids.append("nobody");
    const BulkResult result = await(m_bulk->remove(ids));
    QCOMPARE(result.done, 4);
    QCOMPARE(result.unchanged, 1);
    QCOMPARE(result.failed.size(), 1);
    QCOMPARE(result.failed.first().first, ids[2]);
    QCOMPARE(result.failed.first().second.kind, ErrorKind::Conflict);
}

void TestBulkActions::aRemovalIsUndone()
{
    const QList<QByteArray> ids = submit(50);
    QSignalSpy changed(m_bulk.get(), &BulkActions::restorableChanged);
    await(m_bulk->remove(ids));
    QCOMPARE(depth(), 0);
    QCOMPARE(m_bulk->restorableCount(), 50);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(await(m_bulk->restore()).done, 50);
    QCOMPARE(depth(), 50);
    QCOMPARE(m_bulk->restorableCount(), 0);
    QCOMPARE(failureOf(m_bulk->restore()), ErrorKind::NotFound);
    QVERIFY(QDir(journalFolder()).entryList(QDir::Files).isEmpty());
}

void TestBulkActions::theNewestRemovalIsUndoneFirst()
{
    const QList<QByteArray> ids = submit(5);
    await(m_bulk->remove(ids.mid(0, 3)));
    await(m_bulk->remove(ids.mid(3)));
    await(m_bulk->remove(ids)); // nothing is left: nothing to undo
    QCOMPARE(m_bulk->restorableCount(), 2);
    QCOMPARE(await(m_bulk->restore()).done, 2);
    QCOMPARE(await(m_bulk->restore()).done, 3);
    QCOMPARE(depth(), 5);
}

/// A note offers to undo a removal while others are made of which there is no note.
void TestBulkActions::theNamedRemovalIsUndoneAndNoOther()
{
    const QList<QByteArray> ids = submit(5);
    const QString first = await(m_bulk->remove(ids.mid(0, 3))).removal;
    const QString second = await(m_bulk->remove(ids.mid(3))).removal;
    QVERIFY(!first.isEmpty() && first != second);
    QVERIFY(await(m_bulk->remove(ids)).removal.isEmpty()); // nothing was there
    QCOMPARE(await(m_bulk->restore(first)).done, 3);
    QCOMPARE(depth(), 3);
    QCOMPARE(failureOf(m_bulk->restore(first)), ErrorKind::NotFound);
    QCOMPARE(depth(), 3);
    QCOMPARE(m_bulk->restorableCount(), 2);
    QCOMPARE(await(m_bulk->restore(second)).done, 2);
    QCOMPARE(m_bulk->restorableCount(), 0);
}

void TestBulkActions::whatNobodyTriedIsNotToldAsFailed_data()
{
    QTest::addColumn<FaultyStore::Fault>("fault");
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("no connection") << FaultyStore::Fault::NotSent << QByteArray();
    QTest::newRow("lost while it was looked at") << FaultyStore::Fault::ReplyLost << QByteArray("hero/kept");
}

/// The server is killed in the middle of a removal.
void TestBulkActions::whatNobodyTriedIsNotToldAsFailed()
{
    QFETCH(FaultyStore::Fault, fault);
    QFETCH(QByteArray, script);
    const QList<QByteArray> ids = submit(50);
    FaultyStore::Plan gone;
    gone.fault = fault;
    gone.nth = 11;
    gone.times = -1;
    gone.only = script;
    m_store->fail(gone);
    const BulkResult result = await(m_bulk->remove(ids));
    QVERIFY(result.failed.isEmpty());
    QVERIFY(result.untried > 0);
    QCOMPARE(result.done + result.untried, 50);
    QCOMPARE(result.whyUntried.kind, ErrorKind::Unavailable);
    QVERIFY(!result.isWhole());
    QCOMPARE(depth(), result.untried);
}

void TestBulkActions::aPurgedQueueComesBack()
{
    submit(1'200);
    await(m_inner->command(cmd("LPUSH", m_queue, "nobody")));
    const BulkResult purged = await(m_bulk->purge(m_queue), 60'000);
    QCOMPARE(purged.done, 1'200);
    QCOMPARE(depth(), 0);
    QCOMPARE(await(m_bulk->restore(), 60'000).done, 1'200);
    QCOMPARE(depth(), 1'200);
}

void TestBulkActions::onlyQueuesOfWaitingJobsArePurged()
{
    const QByteArray control = hero::keys::control({"python", {}, {}, 1, {}});
    await(m_inner->command(cmd("LPUSH", control, "x")));
    QCOMPARE(failureOf(m_bulk->purge(control)), ErrorKind::Usage);
    QCOMPARE(await(m_inner->command(cmd("LLEN", control))).toInteger(), 1);
    QCOMPARE(await(m_bulk->purge("hero:q:work:type:nothing")).done, 0);
}

/// Each removal finds its entry at an end of the list: a search would take minutes.
void TestBulkActions::aBigQueueIsPurgedInTime()
{
    submit(100);
    Command more = cmd("LPUSH", m_queue);
    for (int i = 0; i < 200'000; ++i)
        more.add("gone-" + QByteArray::number(i));
    await(m_inner->command(more));
    QCOMPARE(await(m_bulk->purge(m_queue), 60'000).done, 100);
    QCOMPARE(depth(), 0);
}

void TestBulkActions::whatIsKeptIsForItsOwnerAlone()
{
    await(m_bulk->remove(submit(1)));
    const QFileInfoList files = QDir(journalFolder()).entryInfoList(QDir::Files);
    QCOMPARE(files.size(), 1);
    QCOMPARE(files.first().permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther), QFile::Permissions());
}

void TestBulkActions::aTornJournalGivesWhatIsWhole()
{
    RemovalJournal journal(journalFolder(), &Clock::system());
    {
        const auto batch = journal.begin();
        QVERIFY(batch.has_value());
        QVERIFY((*batch)->add({"a", {{"status", "finished"}}}));
        QVERIFY((*batch)->add({"b", {{"status", QByteArray(1'000, 'x')}}}));
        QCOMPARE((*batch)->close().count, 2);
    }
    const QString name = journal.entries().value(0).name;
    QFile file(journalFolder() + u'/' + name + QStringLiteral(".removed"));
    QVERIFY(file.resize(file.size() - 10));
    const auto kept = journal.read(name);
    QVERIFY(kept.has_value());
    QCOMPARE(kept->size(), size_t(1));
    QCOMPARE(kept->front().id, QByteArray("a"));
    QVERIFY(!journal.read(QStringLiteral("../../etc/passwd")).has_value());
}

void TestBulkActions::whatCannotBeKeptIsNotRemoved()
{
    const QList<QByteArray> ids = submit(3);
    QFile inTheWay(journalFolder());
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    QCOMPARE(failureOf(m_bulk->remove(ids)), ErrorKind::Io);
    QCOMPARE(failureOf(m_bulk->purge(m_queue)), ErrorKind::Io);
    QCOMPARE(depth(), 3);
    QVERIFY(inTheWay.remove());
    QCOMPARE(await(m_bulk->remove(ids)).done, 3);
}

/// As on a disk that is full: what was kept until then is whole, what was not is put back.
void TestBulkActions::aRemovalWhoseAnswerIsLostIsUndoneToo()
{
    const QList<QByteArray> ids = submit(40);
    FaultyStore::Plan lost;
    lost.fault = FaultyStore::Fault::ReplyLost;
    lost.nth = 10;
    lost.times = 5;
    lost.only = "hero/remove";
    m_store->fail(lost);
    FaultyStore::Plan notSent;
    notSent.nth = 20;
    notSent.times = 5;
    notSent.only = "hero/remove";
    m_store->fail(notSent);
    const BulkResult result = await(m_bulk->remove(ids));
    QCOMPARE(result.done, 30);
    QCOMPARE(result.failed.size(), 5);
    QCOMPARE(result.untried, 5);
    QCOMPARE(depth(), 5);
    QCOMPARE(await(m_bulk->restore()).done, 35);
    QCOMPARE(depth(), 40);
}

void TestBulkActions::whatHasNoRoomIsPutBack()
{
    QList<QByteArray> ids = submit(20);
    Job large;
    large.target.type = "python";
    large.script = QByteArray(40'000, 'x');
    ids.insert(10, await(m_producer->submit(large)).id);
    const auto before = await(m_inspector->summaries(ids)).size();
    BulkResult result;
    {
        const FileSizeLimit limit(20'000);
        result = await(m_bulk->remove(ids));
    }
    QCOMPARE(result.done, 20);
    QCOMPARE(result.failed.size(), 1);
    QCOMPARE(result.failed.first().first, ids[10]);
    QVERIFY2(result.failed.first().second.message.contains(u"could not be kept"), qPrintable(result.failed.first().second.message));
    QCOMPARE(depth(), 1);
    QCOMPARE(await(m_bulk->restore()).done, 20);
    QCOMPARE(await(m_inspector->summaries(ids)).size(), before);
    QCOMPARE(depth(), 21);
}

/// kill -9 in the middle of a removal.
void TestBulkActions::whatWasRemovedIsOnDiskAtOnce()
{
    RemovalJournal journal(journalFolder(), &Clock::system());
    const auto batch = journal.begin();
    QVERIFY(batch.has_value());
    QVERIFY((*batch)->add({"a", {{"status", "finished"}}}));
    const RemovalJournal other(journalFolder(), &Clock::system());
    QCOMPARE(other.entries().value(0).count, 1);
}

void TestBulkActions::removalsOfTheSameMillisecondAreKeptApart()
{
    ManualClock clock;
    RemovalJournal journal(journalFolder(), &clock);
    QStringList names;
    for (const char *id : {"a", "b", "c"}) {
        const auto batch = journal.begin();
        QVERIFY(batch && (*batch)->add({id, {{"status", "finished"}}}));
        names.append((*batch)->close().name);
    }
    QCOMPARE(journal.entries().size(), 3);
    for (const QByteArray id : {"a", "b", "c"}) {
        const auto jobs = journal.read(names.takeFirst());
        QVERIFY(jobs && jobs->size() == 1);
        QCOMPARE(jobs->front().id, id);
    }
}

void TestBulkActions::requeueAndMoveGoThroughTheStore()
{
    const QList<QByteArray> ids = submit(3);
    await(m_inner->command(cmd("RPOP", m_queue)));
    await(m_inner->command(cmd("HSET", hero::keys::job(ids[0]), "status", "started")));
    QCOMPARE(await(m_bulk->requeue({ids[0]})).done, 1);
    QCOMPARE(depth(), 3);
    const BulkResult moved = await(m_bulk->move(ids, {"osis", {}, {}, 1, {}}));
    QCOMPARE(moved.done, 3);
    QCOMPARE(depth(), 0);
    QCOMPARE(await(m_bulk->move(ids, {"osis", {}, {}, 1, {}})).unchanged, 3);
}

QTEST_GUILESS_MAIN(TestBulkActions)
#include "tst_bulk_actions.moc"
