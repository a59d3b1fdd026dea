// The protocol suite: the whole catalogue of bad data at once (RELIABILITY 9). Everything is listed, read, served, kept
// in order and taken away again, and nothing fails.
#include "tests/conformance/protocol_fixture.h"
#include "tests/support/bad_data.h"

using namespace ym;
using namespace ym::test;

class BadCatalogueSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

    void fill(const std::vector<BadData> &rows)
    {
        for (const BadData &row : rows) {
            for (const Command &command : row.commands)
                m.run(command);
        }
    }
    QSet<QByteArray> listed()
    {
        QSet<QByteArray> ids;
        QByteArray cursor;
        do {
            const Inspector::JobPage page = await(m.inspector->jobs(cursor));
            for (const JobSummary &job : page.jobs)
                ids.insert(job.id);
            cursor = page.cursor;
        } while (!cursor.isEmpty());
        return ids;
    }

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void everyRecordIsListedAndRead();
    void everyRecordIsServedStoppedAndRemoved();
    void everythingAroundIsShown();
    void whoKeepsOrderIsNotStopped();
};

void BadCatalogueSuite::everyRecordIsListedAndRead()
{
    fill(badJobs());
    const QSet<QByteArray> ids = listed();
    QMap<QByteArray, int> told; ///< by number: how many records have a sentence about what is wrong
    for (const BadData &row : badJobs()) {
        QVERIFY2(ids.contains(row.job) == row.isRecord, row.name.constData());
        if (!row.isRecord) {
            QVERIFY2(failureOf(m.inspector->job(row.job, 1'000)) == ErrorKind::WrongType, row.name.constData());
            continue;
        }
        const Job job = await(m.inspector->job(row.job, 1'000)).job;
        told[row.name.split(' ').constFirst()] += job.problems.isEmpty() ? 0 : 1;
        QVERIFY2(job.id == row.job, row.name.constData());
        QVERIFY2(job.timeout.count() >= 0 && job.retries >= 0, row.name.constData());
        for (const ByteField &field : job.raw)
            QVERIFY2(field.second.size() <= 1'000, row.name.constData());
    }
    // What is read in spite of its spelling has no sentence: no id, another case, a timeout of 0, TRUE, an epoch.
    const QMap<QByteArray, int> faulty{{"D2", 4}, {"D4", 3}, {"D6", 5}, {"D7", 2}, {"D8", 2}, {"D9", 2}, {"D10", 6}, {"D11", 3}};
    for (auto row = faulty.cbegin(); row != faulty.cend(); ++row)
        QVERIFY2(told.value(row.key()) == *row, (row.key() + ": " + QByteArray::number(told.value(row.key()))).constData());
    QVERIFY(qsizetype(await(m.inspector->summaries(QList<QByteArray>(ids.cbegin(), ids.cend()))).size()) == ids.size());
}

void BadCatalogueSuite::everyRecordIsServedStoppedAndRemoved()
{
    fill(badJobs());
    for (const BadData &row : badJobs())
        m.run(cmd("LPUSH", m.workKey(), row.job));
    auto *worker = m.worker();
    size_t served = 0;
    for (;;) {
        const std::vector<Claim> claims = m.claim(worker, 20);
        if (claims.empty())
            break;
        served += claims.size();
        QVERIFY(await(worker->beat(claims)).isEmpty());
        await(worker->stopRequested(claims));
        for (const Claim &claim : claims)
            QCOMPARE(await(worker->finish(claim, m.failure("x"))), Consumer::FinishOutcome::Committed);
    }
    QVERIFY2(served > 40, QByteArray::number(qulonglong(served)).constData());
    QVERIFY(m.list(m.workKey()).isEmpty());
    for (const BadData &row : badJobs()) {
        if (!row.isRecord) {
            QVERIFY2(failureOf(m.producer->stop(row.job)) == ErrorKind::WrongType, row.name.constData());
            QVERIFY2(failureOf(m.producer->remove(row.job)) == ErrorKind::WrongType, row.name.constData());
            continue;
        }
        await(m.producer->stop(row.job));
        QVERIFY2(await(m.producer->remove(row.job)), row.name.constData());
    }
    QVERIFY(listed().isEmpty());
}

void BadCatalogueSuite::everythingAroundIsShown()
{
    fill(badSurroundings());
    QHash<QByteArray, QueueInfo> queues;
    for (const QueueInfo &queue : await(m.inspector->queues()))
        queues.insert(queue.key, queue);
    for (const char *key : {"hero:q:work:type:osis", "hero:q:work:type:sal:group:g", "hero:work_queue:w2",
                            "hero:stop_queue:w2", "hero:q:dead:osis", "hero:q:delayed"})
        QVERIFY2(queues.value(key).invalid, key);
    QCOMPARE(queues.value("hero:stop_queue:w1").depth, 20'000);
    QCOMPARE(queues.value(QByteArray("hero:work_queue:\xff")).depth, 1);
    QCOMPARE(queues.value("hero:job:some-actor").kind, QueueKind::Legacy);
    for (auto queue = queues.cbegin(); queue != queues.cend(); ++queue) {
        if (!queue->invalid)
            await(m.inspector->queueContent(queue.key(), 0, 100));
    }
    const QList<WorkerInfo> workers = await(m.inspector->workers());
    int invalid = 0, lasting = 0;
    for (const WorkerInfo &worker : workers) {
        invalid += worker.invalid ? 1 : 0;
        lasting += worker.ttlMs < 0 ? 1 : 0;
        QVERIFY(worker.pid >= 0 && worker.slotCount >= 0);
    }
    QVERIFY2(invalid >= 1 && lasting >= 1, QByteArray::number(workers.size()).constData());
    await(m.inspector->hotIds());
}

void BadCatalogueSuite::whoKeepsOrderIsNotStopped()
{
    fill(badJobs());
    fill(badSurroundings());
    m.options.lostGrace = Milliseconds{0};
    const auto rescuer = m.protocol.rescuer(m.store.get(), m.options, &Clock::system());
    await(rescuer->recover());
    await(rescuer->reconcile({}));
    auto *worker = m.worker("v", "9");
    await(worker->announce());
    await(worker->refreshPresence({}, false));
    const QByteArray good = m.submit(m.draft("v"));
    const auto claims = m.claim(worker);
    QCOMPARE(claims.size(), size_t(1));
    QVERIFY(await(worker->stopRequested(claims)).isEmpty());
    await(worker->finish(claims.front(), m.success("ok")));
    QCOMPARE(await(m.producer->waitUntilOver(good, Milliseconds{2'000}, {})).output, QByteArray("ok"));
}

QTEST_GUILESS_MAIN(BadCatalogueSuite)
#include "tst_bad_catalogue.moc"
