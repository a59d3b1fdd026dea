// A redis-server whose disk is slow and which is killed: with `everysec` it answers before it has written, for as long
// as an fsync is on its way, so what it acknowledged may be gone; with `always` it answers only afterwards.
#include "core/protocol/hero/hero_protocol.h"
#include "core/store/redis/redis_store.h"
#include "tests/support/await.h"
#include "tests/support/redis_server.h"

#include <QFile>

using namespace ym;
using namespace ym::test;

namespace {

Job draft(const QList<QByteArray> &prerequisites = {})
{
    Job job;
    job.id = newJobId();
    job.target.type = "python";
    job.script = "print(1)";
    job.prerequisites = prerequisites;
    return job;
}

} // namespace

class TestSlowDisk : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<RedisStore> m_store;
    std::unique_ptr<Producer> m_producer;

    QString sign() const { return m_folder.filePath(QStringLiteral("slow")); }
    void begin(const QString &policy);
    void makeSlow() { QVERIFY(QFile(sign()).open(QIODevice::WriteOnly)); }
    void killAndStartAgain();
    QByteArray persistence(const char *name) const;
    bool isThere(const QByteArray &id) const
    {
        return m_server->cli({"exists", "hero:job:" + QString::fromLatin1(id)}) == "1";
    }

private Q_SLOTS:
    void cleanup();
    void whatIsAnsweredDuringAnFsyncMayBeLost();
    void whatIsAnsweredAfterItsFsyncIsKept();
};

void TestSlowDisk::begin(const QString &policy)
{
    RedisServer::Options options{true, false, {"--appendfsync", policy}};
    options.environment = {QStringLiteral("LD_PRELOAD=" YM_SLOW_DISK), QStringLiteral("YM_SLOW_DISK=") + sign()};
    m_server = std::make_unique<RedisServer>(options);
    QVERIFY2(m_server->isRunning(), qPrintable(m_server->error()));
    m_store = std::make_unique<RedisStore>(*parseStoreAddress(m_server->url()), RedisStore::Options{}, &Clock::system());
    await(m_store->open());
    m_producer = HeroProtocol().producer(m_store.get(), {}, &Clock::system());
}

void TestSlowDisk::cleanup()
{
    QFile::remove(sign());
    if (m_store)
        m_store->close();
    m_producer.reset();
    m_store.reset();
    m_server.reset();
}

void TestSlowDisk::killAndStartAgain()
{
    m_server->killHard();
    QTRY_VERIFY(m_store->status().phase != StoreStatus::Phase::Ready);
    QFile::remove(sign());
    QVERIFY2(m_server->startAgain(), qPrintable(m_server->error()));
    QVERIFY(await(m_store->waitUntilReady({})));
}

QByteArray TestSlowDisk::persistence(const char *name) const
{
    for (const QByteArray &line : m_server->cli({"info", "persistence"}).split('\n')) {
        if (line.startsWith(name))
            return line.mid(line.indexOf(':') + 1).trimmed();
    }
    return {};
}

void TestSlowDisk::whatIsAnsweredDuringAnFsyncMayBeLost()
{
    begin(QStringLiteral("everysec"));
    const QByteArray kept = await(m_producer->submit(draft())).id;
    QTRY_COMPARE_WITH_TIMEOUT(persistence("aof_pending_bio_fsync"), QByteArray("0"), 20'000);
    makeSlow();
    QList<QByteArray> acknowledged;
    // The first answer that was not written comes when an fsync has just begun, and that one lasts two seconds.
    QTRY_VERIFY_WITH_TIMEOUT((acknowledged.append(await(m_producer->submit(draft())).id),
                              persistence("aof_buffer_length").toInt() > 0),
                             20'000);
    killAndStartAgain();
    QVERIFY(isThere(kept));
    QVERIFY(!isThere(acknowledged.last()));
    // Who names a lost job is told at once and by name; asking again would change nothing.
    try {
        await(m_producer->submit(draft({acknowledged.last()})));
        QFAIL("a prerequisite that is gone was accepted");
    } catch (const StoreError &e) {
        QCOMPARE(e.kind(), ErrorKind::NotFound);
        QVERIFY2(e.error().message.contains(QLatin1String(acknowledged.last())), e.what());
    }
}

void TestSlowDisk::whatIsAnsweredAfterItsFsyncIsKept()
{
    begin(QStringLiteral("always"));
    makeSlow();
    const QByteArray acknowledged = await(m_producer->submit(draft())).id;
    killAndStartAgain();
    QVERIFY(isThere(acknowledged));
}

QTEST_GUILESS_MAIN(TestSlowDisk)
#include "tst_slow_disk.moc"
