// What the feed reads, when, and what it tells: with a clock and a store that the test plays.
#include "core/engine/live_feed.h"
#include "tests/support/await.h"
#include "tests/support/scripted_store.h"

#include <QSignalSpy>

using namespace ym;
using namespace ym::test;
using namespace std::chrono_literals;

class TestLiveFeed : public QObject {
    Q_OBJECT

    struct Stage {
        ManualClock clock;
        ScriptedStore store;
        ScriptedInspector inspector{&store};
        LiveFeed feed{&store, &inspector, &clock, 0};
        std::map<QByteArray, JobSummary> picture;
        int completed = 0;
        quint64 generation = 0;
        QList<QueueInfo> queues;
        std::optional<QList<WorkerInfo>> workers;

        Stage()
        {
            QObject::connect(feed.batcher(), &ChangeBatcher::batch, &feed, [this](const std::shared_ptr<ChangeSet> &changes) {
                for (const JobSummary &job : changes->jobs)
                    picture[job.id] = job;
                for (const auto &[id, why] : changes->lostJobs)
                    picture.erase(id);
                completed += changes->listingComplete;
                generation = changes->generation;
                if (changes->queues)
                    queues = *changes->queues;
                if (changes->workers)
                    workers = changes->workers;
            });
        }
        ~Stage() { await(feed.stop()); }

        void start(int jobs)
        {
            for (int i = 0; i < jobs; ++i)
                inspector.put("j" + QByteArray::number(i), JobState::Queued);
            store.setReady(true);
            feed.start();
        }
        /// How often this id was asked for.
        int readsOf(const QByteArray &id) const
        {
            int count = 0;
            for (const auto &ids : inspector.asked)
                count += int(ids.count(id));
            return count;
        }
        void pass(Milliseconds time)
        {
            for (Milliseconds t = 0ms; t < time; t += 20ms)
                clock.advance(20ms);
        }
    };

private Q_SLOTS:
    void theFirstListingBringsEveryJobAndSaysWhenItIsComplete()
    {
        Stage stage;
        stage.start(7);
        QTRY_COMPARE(stage.completed, 1);
        QCOMPARE(stage.picture.size(), 7u);
        QCOMPARE(stage.inspector.listings, 1);
    }

    void whatIsOnScreenIsReadAgainEverySecondAndNothingElse()
    {
        Stage stage;
        stage.start(5);
        stage.feed.setVisible({"j1"});
        stage.pass(500ms);
        const int before = stage.readsOf("j1");
        stage.pass(5000ms);
        const int reads = stage.readsOf("j1") - before;
        QVERIFY2(reads >= 4 && reads <= 6, qPrintable(QString::number(reads)));
        QCOMPARE(stage.readsOf("j2"), 0);
    }

    void aHiddenConnectionIsLookedAtRarely()
    {
        Stage stage;
        stage.start(2);
        stage.feed.setVisible({"j0"});
        stage.pass(100ms);
        stage.feed.setOnScreen(false);
        stage.pass(2000ms);
        const int reads = stage.readsOf("j0");
        const int overviews = stage.inspector.overviews;
        stage.pass(30000ms);
        QVERIFY(stage.readsOf("j0") - reads <= 4);
        QVERIFY(stage.inspector.overviews - overviews <= 4);
        stage.feed.setOnScreen(true);
        const int shown = stage.readsOf("j0");
        stage.pass(1400ms); // at most one second after the last look
        QVERIFY(stage.readsOf("j0") > shown);
    }

    void aJobThatIsGoneIsTold()
    {
        Stage stage;
        stage.start(3);
        QTRY_COMPARE(stage.picture.size(), 3u);
        stage.inspector.all.erase("j1");
        stage.feed.touch({"j1"});
        stage.pass(200ms);
        QTRY_COMPARE(stage.picture.size(), 2u);
    }

    void touchedJobsAreReadWithinATenthOfASecond()
    {
        Stage stage;
        stage.start(1);
        stage.pass(2000ms);
        stage.inspector.put("new", JobState::Running);
        stage.feed.touch({"new"});
        stage.pass(100ms);
        QCOMPARE(stage.readsOf("new"), 1);
        QTRY_COMPARE(stage.picture["new"].state, JobState::Running);
    }

    void theFocusedJobTellsOnlyRealChanges()
    {
        Stage stage;
        stage.start(1);
        QSignalSpy changed(&stage.feed, &LiveFeed::focusedJobChanged);
        stage.feed.setFocused("j0");
        stage.pass(3000ms);
        QCOMPARE(changed.count(), 1); // the first sight
        stage.inspector.put("j0", JobState::Running);
        stage.pass(2000ms);
        QCOMPARE(changed.count(), 2);
    }

    void aWatchedJobIsToldOnceWhenItEnds()
    {
        Stage stage;
        stage.start(1);
        QSignalSpy ended(&stage.feed, &LiveFeed::watchedJobEnded);
        stage.feed.watch("j0", true);
        stage.pass(2000ms);
        QCOMPARE(ended.count(), 0);
        stage.inspector.put("j0", JobState::Failed);
        stage.pass(5000ms);
        QCOMPARE(ended.count(), 1);
        QVERIFY(!stage.feed.isWatched("j0"));
    }

    void afterALossEverythingIsReadAgainInANewGeneration()
    {
        Stage stage;
        stage.start(4);
        QTRY_COMPARE(stage.completed, 1);
        const quint64 first = stage.generation;
        stage.store.setReady(false);
        stage.pass(3000ms);
        stage.inspector.put("while-away", JobState::Finished);
        stage.inspector.all.erase("j0");
        stage.store.setReady(true);
        stage.pass(1500ms);
        QTRY_COMPARE(stage.completed, 2);
        QVERIFY(stage.generation > first);
        QVERIFY(stage.picture.contains("while-away"));
    }

    void manyAreReadAgainInParts()
    {
        Stage stage;
        QList<QByteArray> ids;
        for (int i = 0; i < 1'200; ++i) {
            ids.append("m" + QByteArray::number(i));
            stage.inspector.put(ids.last(), JobState::Running);
        }
        stage.inspector.pageSize = 2'000;
        stage.start(0);
        stage.feed.setVisible(ids);
        stage.inspector.asked.clear();
        stage.pass(1200ms);
        for (const QByteArray &id : ids)
            QVERIFY2(stage.readsOf(id) > 0, id.constData());
        for (const QList<QByteArray> &part : std::as_const(stage.inspector.asked))
            QVERIFY2(part.size() <= 500, QByteArray::number(part.size()).constData());
    }

    void whatIsRefusedIsToldAndTakesNothingWithIt_data()
    {
        QTest::addColumn<QByteArray>("refused");
        QTest::newRow("the jobs") << QByteArray("jobs");
        QTest::newRow("the queues") << QByteArray("queues");
        QTest::newRow("the workers") << QByteArray("workers");
    }
    void whatIsRefusedIsToldAndTakesNothingWithIt()
    {
        QFETCH(QByteArray, refused);
        const Error why{ErrorKind::Permission, QStringLiteral("NOPERM"), {}, false};
        Stage stage;
        stage.inspector.refusals[refused] = why;
        stage.inspector.queueList = {QueueInfo{}};
        QSignalSpy told(&stage.feed, &LiveFeed::unreadChanged);
        stage.start(3);
        stage.pass(2000ms);
        QCOMPARE(told.count(), 1);
        const Unread unread = stage.feed.unread();
        QCOMPARE(unread.jobs == why, refused == "jobs");
        QCOMPARE(unread.queues == why, refused == "queues");
        QCOMPARE(unread.workers == why, refused == "workers");
        QTRY_COMPARE(stage.completed, refused == "jobs" ? 0 : 1);
        QTRY_COMPARE(stage.queues.size(), refused == "queues" ? 0 : 1);
        QTRY_COMPARE(stage.workers.has_value(), refused != "workers");
        stage.inspector.refusals.clear();
        stage.feed.refresh();
        QCOMPARE(stage.feed.unread(), Unread()); // asked again: nobody knows yet
        stage.pass(1000ms);
        QCOMPARE(stage.feed.unread(), Unread());
        QTRY_COMPARE(stage.completed, refused == "jobs" ? 1 : 2);
        QTRY_COMPARE(stage.queues.size(), 1);
        QTRY_VERIFY(stage.workers.has_value());
    }
    void whatIsRefusedIsAskedForRarely()
    {
        Stage stage;
        stage.inspector.refusals["queues"] = {ErrorKind::Permission, QStringLiteral("NOPERM"), {}, false};
        stage.start(1);
        stage.pass(1000ms);
        const int before = stage.inspector.overviews;
        stage.pass(20000ms);
        const int overviews = stage.inspector.overviews - before;
        QVERIFY2(overviews >= 1 && overviews <= 3, qPrintable(QString::number(overviews)));
    }
    void aLostConnectionIsNoRefusal()
    {
        Stage stage;
        stage.start(1);
        QSignalSpy told(&stage.feed, &LiveFeed::unreadChanged);
        stage.pass(1000ms);
        stage.inspector.refusals["queues"] = {ErrorKind::Unavailable, QStringLiteral("lost"), {}, false};
        stage.pass(3000ms);
        QCOMPARE(told.count(), 0);
    }

    void withoutEventsListingsRestBetweenAndWithEventsTheyAreRare_data()
    {
        QTest::addColumn<QByteArray>("flags");
        QTest::addColumn<int>("most");
        QTest::newRow("no events") << QByteArray("") << 6;
        QTest::newRow("keyspace events for hashes") << QByteArray("Kh") << 1;
        QTest::newRow("events, but of another kind") << QByteArray("Ex") << 6;
    }
    void withoutEventsListingsRestBetweenAndWithEventsTheyAreRare()
    {
        QFETCH(QByteArray, flags);
        QFETCH(int, most);
        Stage stage;
        stage.store.eventFlags = flags;
        stage.start(3);
        stage.pass(60000ms);
        QVERIFY2(stage.inspector.listings <= most, qPrintable(QString::number(stage.inspector.listings)));
        QCOMPARE(stage.inspector.listings > 1, most > 1);
    }

    void anEventLeadsToAReadOfThatJob()
    {
        Stage stage;
        stage.store.eventFlags = "AK";
        stage.start(2);
        QVERIFY(stage.store.isSubscribed());
        stage.pass(2000ms);
        const int before = stage.readsOf("j1");
        stage.inspector.put("j1", JobState::Finished);
        stage.store.tellEvent("event:j1");
        stage.pass(100ms);
        QCOMPARE(stage.readsOf("j1"), before + 1);
    }

    void aFloodOfEventsBecomesOneListing()
    {
        Stage stage;
        stage.store.eventFlags = "AK";
        stage.start(2);
        stage.pass(2000ms);
        QCOMPARE(stage.inspector.listings, 1);
        for (int i = 0; i < 25000; ++i)
            stage.store.tellEvent("event:x" + QByteArray::number(i));
        stage.pass(2000ms);
        QCOMPARE(stage.inspector.listings, 2);
        QVERIFY(stage.inspector.asked.size() < 40);
    }
};

QTEST_GUILESS_MAIN(TestLiveFeed)
#include "tst_live_feed.moc"
