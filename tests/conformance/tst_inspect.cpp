// The protocol suite: looking.
#include "tests/conformance/protocol_fixture.h"

using namespace ym;
using namespace ym::test;

class InspectSuite : public QObject {
    Q_OBJECT

    ProtocolFixture m;

private Q_SLOTS:
    void initTestCase_data() { ProtocolFixture::addCanonicalRows(); }
    void init()
    {
        QFETCH_GLOBAL(QString, storeKind);
        QVERIFY(m.start(storeKind));
    }
    void cleanup() { m.stop(); }

    void listsEveryJobOnceOrMore();
    void aPageNeverCarriesBigFields();
    void summariesKeepTheOrderAndLeaveOutWhatIsGone();
    void otherTypesUnderTheJobPrefixAreNotListed();
    void showsOneJobWholeOrCut();
    void whatWasCutIsNoFaultOfTheRecord();
    void aFieldIsReadInPieces();
    void aJobWithManyFieldsIsShownInPart();
    void queuesAreFoundByPresenceByJobsAndByLooking();
    void queuesTellDepthNextAndOldest();
    void queueContentIsInServingOrder();
    void newestFirstContentWhenServedSo();
    void hotIdsAreTheEndsAndTheLeased();
    void hotIdsAreTheNewestThatWait();
    void eventsNameTheJob();
    void looksChangeNothing();
};

void InspectSuite::listsEveryJobOnceOrMore()
{
    QSet<QByteArray> submitted;
    for (int i = 0; i < 500; ++i)
        submitted.insert(m.submit());
    QSet<QByteArray> listed;
    QByteArray cursor;
    int pages = 0;
    do {
        const auto page = await(m.inspector->jobs(cursor));
        for (const JobSummary &job : page.jobs)
            listed.insert(job.id);
        cursor = page.cursor;
        QVERIFY(++pages < 100);
    } while (!cursor.isEmpty());
    QCOMPARE(listed, submitted);
    QVERIFY(await(m.inspector->estimateJobs()) >= 500);
}

void InspectSuite::aPageNeverCarriesBigFields()
{
    Job draft = m.draft("python", QByteArray(200'000, 'x'));
    m.submit(draft);
    m.setField(draft.id, "output", QByteArray(300'000, 'y'));
    const quint64 before = m.store->cost().bytesIn;
    const auto page = await(m.inspector->jobs({}));
    QCOMPARE(page.jobs.size(), size_t(1));
    QCOMPARE(page.jobs.front().callerId, QByteArray("tester"));
    QCOMPARE(page.jobs.front().state, JobState::Queued);
    QVERIFY(page.jobs.front().createdAt.has_value());
    QVERIFY(m.store->cost().bytesIn - before < 5'000);
}

void InspectSuite::summariesKeepTheOrderAndLeaveOutWhatIsGone()
{
    const QByteArray a = m.submit();
    const QByteArray b = m.submit();
    m.run(cmd("SET", hero::keys::job("text"), "x"));
    const auto list = await(m.inspector->summaries({b, newJobId(), a, "text"}));
    QCOMPARE(list.size(), size_t(3));
    QCOMPARE(list[0].id, b);
    QCOMPARE(list[1].id, a);
    QCOMPARE(list[2].id, QByteArray("text"));
    QVERIFY(list[2].invalid);
}

void InspectSuite::otherTypesUnderTheJobPrefixAreNotListed()
{
    const QByteArray id = m.submit();
    m.run(cmd("LPUSH", "hero:job:actor_queue:osis", "some-id"));
    m.run(cmd("SET", "hero:job:a-string", "x"));
    const auto page = await(m.inspector->jobs({}));
    QCOMPARE(page.jobs.size(), size_t(1));
    QCOMPARE(page.jobs.front().id, id);
    QCOMPARE(failureOf(m.inspector->job("actor_queue:osis", 1000)), ErrorKind::WrongType);
    QCOMPARE(failureOf(m.inspector->job("nobody", 1000)), ErrorKind::NotFound);
}

void InspectSuite::showsOneJobWholeOrCut()
{
    Job draft = m.draft("python", QByteArray(1'000, 'x'));
    m.submit(draft);
    const QByteArray output(100'000, '\xff');
    m.setField(draft.id, "output", output);
    const auto whole = await(m.inspector->job(draft.id, 1'000'000));
    QCOMPARE(whole.job.output, output);
    QVERIFY(whole.fullSize.isEmpty());
    QCOMPARE(whole.job.script, draft.script);
    const auto cut = await(m.inspector->job(draft.id, 500));
    QCOMPARE(cut.job.output, output.left(500));
    QCOMPARE(cut.fullSize, (QHash<QByteArray, qint64>{{"output", 100'000}, {"script", 1'000}}));
    QCOMPARE(cut.job.callerId, QByteArray("tester"));
}

void InspectSuite::whatWasCutIsNoFaultOfTheRecord()
{
    const QByteArray id = m.submit();
    m.setField(id, "env_vars", R"({"A":")" + QByteArray(1'000, 'x') + "\"}");
    const QStringList cut = await(m.inspector->job(id, 100)).job.problems;
    QCOMPARE(cut, QStringList{QStringLiteral("env_vars is too long to be read here.")});
    QVERIFY(await(m.inspector->job(id, 10'000)).job.problems.isEmpty());
}

void InspectSuite::aFieldIsReadInPieces()
{
    const QByteArray id = m.submit();
    const QByteArray output = QByteArray("\xff\x00 begins, ", 11) + QByteArray(1'000, 'x') + "ends";
    m.setField(id, "output", output);
    QByteArray read;
    for (;;) {
        const Inspector::FieldPart part = await(m.inspector->fieldPart(id, "output", read.size(), 300));
        QCOMPARE(part.fullSize, qint64(output.size()));
        if (part.bytes.isEmpty())
            break;
        QVERIFY(part.bytes.size() <= 300);
        read += part.bytes;
    }
    QCOMPARE(read, output);
    QCOMPARE(failureOf(m.inspector->fieldPart(id, "nothing", 0, 1)), ErrorKind::NotFound);
    QCOMPARE(failureOf(m.inspector->fieldPart("nobody", "output", 0, 1)), ErrorKind::NotFound);
}

void InspectSuite::aJobWithManyFieldsIsShownInPart()
{
    const QByteArray id = m.submit();
    Command fill = cmd("HSET", hero::keys::job(id));
    for (int i = 0; i < 100'000; ++i)
        fill.add("field-" + QByteArray::number(i)).add("v");
    m.run(fill);
    const auto detail = await(m.inspector->job(id, 1'000));
    QVERIFY(detail.job.raw.size() <= 2'000);
    QCOMPARE(detail.job.raw.size(), 2'000);
    QCOMPARE(detail.job.state, JobState::Queued); // its own fields are among them
    QCOMPARE(detail.job.script, QByteArray("print(1)"));
    QVERIFY2(detail.job.problems.constLast().contains(u"more than 2000 fields"), qPrintable(detail.job.problems.join(u' ')));
}

void InspectSuite::queuesAreFoundByPresenceByJobsAndByLooking()
{
    m.run(cmd("LPUSH", "hero:q:work:type:sal:group:io", "foreign"));
    await(m.worker("osis", "1")->announce());
    m.submit(m.draft("v"));
    QSet<QByteArray> found;
    for (const QueueInfo &queue : await(m.inspector->queues()))
        found.insert(queue.key);
    QVERIFY(found.contains("hero:q:work:type:sal:group:io"));
    QVERIFY(found.contains("hero:q:work:type:osis"));
    QVERIFY(found.contains("hero:q:work:type:osis:group:default:inst:1"));
    QVERIFY(found.contains("hero:q:work:type:v"));
}

void InspectSuite::queuesTellDepthNextAndOldest()
{
    const QByteArray first = m.submit();
    m.submit();
    m.setField(first, "created_at", "2026-01-02T03:04:05.678Z");
    await(m.worker("python", "1")->announce());
    await(m.worker("python", "2")->announce());
    m.run(cmd("LPUSH", hero::keys::dead("python"), "poison"));
    m.run(cmd("LPUSH", "hero:q:ctl:type:python", "someone"));
    m.run(cmd("ZADD", hero::keys::delayed(), 5, "later", 3, "sooner"));
    QHash<QByteArray, QueueInfo> queues;
    for (const QueueInfo &queue : await(m.inspector->queues()))
        queues.insert(queue.key, queue);
    const QueueInfo work = queues.value(m.workKey());
    QCOMPARE(work.kind, QueueKind::Work);
    QCOMPARE(work.depth, 2);
    QCOMPARE(work.nextJob, first);
    QCOMPARE(work.oldest, parseTimestamp("2026-01-02T03:04:05.678Z"));
    QCOMPARE(work.listeners, 2);
    QCOMPARE(work.order, ServingOrder::Fifo);
    QCOMPARE(queues.value(hero::keys::dead("python")).kind, QueueKind::Dead);
    QCOMPARE(queues.value("hero:q:ctl:type:python").kind, QueueKind::Control);
    const QueueInfo delayed = queues.value(hero::keys::delayed());
    QCOMPARE(delayed.kind, QueueKind::Delayed);
    QCOMPARE(delayed.depth, 2);
    QCOMPARE(delayed.nextJob, QByteArray("sooner"));
    QCOMPARE(queues.value("hero:q:work:type:python:group:default:inst:1").listeners, 1);
    QVERIFY(!queues.contains(hero::keys::lease("python")));
}

void InspectSuite::queueContentIsInServingOrder()
{
    QList<QByteArray> ids;
    for (int i = 0; i < 7; ++i)
        ids.append(m.submit());
    QCOMPARE(await(m.inspector->queueContent(m.workKey(), 0, 100)), ids);
    QCOMPARE(await(m.inspector->queueContent(m.workKey(), 2, 3)), ids.mid(2, 3));
    QCOMPARE(await(m.inspector->queueContent(m.workKey(), 5, 10)), ids.mid(5));
    QVERIFY(await(m.inspector->queueContent(m.workKey(), 7, 10)).isEmpty());
    QVERIFY(await(m.inspector->queueContent("not:a:queue", 0, 10)).isEmpty());
    QCOMPARE(await(m.inspector->queueContent(m.workKey(), -5, 2)), ids.mid(0, 2));
    auto *worker = m.worker();
    for (const QByteArray &id : ids)
        QCOMPARE(m.claim(worker).front().job.id, id);
}

void InspectSuite::newestFirstContentWhenServedSo()
{
    m.stop();
    ProtocolOptions lifo;
    lifo.order = ServingOrder::Lifo;
    QFETCH_GLOBAL(QString, storeKind);
    QVERIFY(m.start(storeKind, lifo));
    const QByteArray first = m.submit();
    const QByteArray second = m.submit();
    QCOMPARE(await(m.inspector->queueContent(m.workKey(), 0, 10)), (QList<QByteArray>{second, first}));
    const auto queues = await(m.inspector->queues());
    QCOMPARE(queues.front().nextJob, second);
    QCOMPARE(queues.front().order, ServingOrder::Lifo);
}

void InspectSuite::hotIdsAreTheEndsAndTheLeased()
{
    const QByteArray running = m.submit();
    m.claim(m.worker());
    QList<QByteArray> ids;
    for (int i = 0; i < 100; ++i)
        ids.append(m.submit());
    await(m.inspector->queues());
    const auto hot = await(m.inspector->hotIds());
    QVERIFY(hot.contains(running));
    QVERIFY(hot.contains(ids.first()));
    QVERIFY(hot.contains(ids.last()));
    QVERIFY(hot.size() < 60);
    QCOMPARE(QSet<QByteArray>(hot.cbegin(), hot.cend()).size(), hot.size());
}

void InspectSuite::hotIdsAreTheNewestThatWait()
{
    const QByteArray first = m.submit();
    const auto submitBehind = [&] {
        Job job = m.draft();
        job.prerequisites = {first};
        return m.submit(job);
    };
    const QByteArray old = submitBehind();
    m.run(cmd("ZADD", "hero:q:waiting", 1, old)); // of long ago
    for (int i = 0; i < 100; ++i)
        submitBehind();
    await(m.inspector->queues());
    const auto hot = await(m.inspector->hotIds());
    QCOMPARE(hot.size(), 1 + 20);
    QVERIFY(!hot.contains(old));
}

void InspectSuite::eventsNameTheJob()
{
    QCOMPARE(m.inspector->jobEventPattern(3), QByteArray("__keyspace@3__:hero:job:*"));
    QCOMPARE(m.inspector->jobOfEvent("__keyspace@3__:hero:job:abc"), QByteArray("abc"));
    QVERIFY(m.inspector->jobOfEvent("__keyspace@3__:hero:q:work:type:v").isEmpty());
    QVERIFY(m.inspector->jobOfEvent("chatter").isEmpty());
}

void InspectSuite::looksChangeNothing()
{
    const QByteArray id = m.submit();
    m.submit();
    m.claim(m.worker());
    await(m.worker("python", "2")->announce());
    const auto picture = [this] {
        std::vector<Reply> all;
        QList<QByteArray> names = m.run(cmd("KEYS", "*")).toList();
        std::sort(names.begin(), names.end());
        for (const QByteArray &name : names) {
            const QByteArray type = m.run(cmd("TYPE", name)).toBytes();
            const char *verb = type == "hash" ? "HGETALL" : type == "string" ? "GET" : "EXISTS";
            all.push_back(type == "list"       ? m.run(cmd("LRANGE", name, 0, -1))
                              : type == "zset" ? m.run(cmd("ZRANGE", name, 0, -1, "WITHSCORES"))
                                               : m.run(cmd(verb, name)));
        }
        return all;
    };
    const auto before = picture();
    await(m.inspector->jobs({}));
    await(m.inspector->job(id, 10));
    await(m.inspector->queues());
    await(m.inspector->workers());
    await(m.inspector->hotIds());
    await(m.inspector->queueContent(m.workKey(), 0, 10));
    await(m.producer->preview({"python", {}, {}, 1, {}}));
    QCOMPARE(picture(), before);
}

QTEST_GUILESS_MAIN(InspectSuite)
#include "tst_inspect.moc"
