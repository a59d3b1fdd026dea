// News leaves in batches: at once after a pause, then at most ten a second, the newest of every job only.
#include "core/engine/change_batcher.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace ym;

namespace {

std::vector<JobSummary> summaries(int from, int count, JobState state = JobState::Queued)
{
    std::vector<JobSummary> jobs;
    for (int i = from; i < from + count; ++i) {
        JobSummary job;
        job.id = QByteArray::number(i);
        job.state = state;
        jobs.push_back(job);
    }
    return jobs;
}

} // namespace

class TestChangeBatcher : public QObject {
    Q_OBJECT

    std::vector<std::shared_ptr<ChangeSet>> m_batches;

    void collect(ChangeBatcher *batcher)
    {
        m_batches.clear();
        connect(batcher, &ChangeBatcher::batch, this, [this](const std::shared_ptr<ChangeSet> &b) { m_batches.push_back(b); });
    }

private Q_SLOTS:
    void ofSeveralSummariesOfOneJobOnlyTheLastLeaves()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.addJobs(summaries(1, 3));
        batcher.addJobs(summaries(2, 1, JobState::Running));
        QTRY_COMPARE(m_batches.size(), 1u);
        QCOMPARE(m_batches[0]->jobs.size(), 3u);
        QCOMPARE(m_batches[0]->jobs[1].state, JobState::Running);
    }

    void aJobWithoutAnIdLeavesLikeAnyOther()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        std::vector<JobSummary> jobs = summaries(1, 2);
        jobs.front().id.clear(); // others may leave the key hero:job: behind
        batcher.addJobs(jobs);
        QTRY_COMPARE(m_batches.size(), 1u);
        QCOMPARE(m_batches[0]->jobs.size(), 2u);
        batcher.addJobs(jobs);
        batcher.removeJob({});
        QTRY_COMPARE(m_batches.size(), 2u);
        QCOMPARE(m_batches[1]->jobs.size(), 1u);
        QCOMPARE(m_batches[1]->removedJobs.size(), 1u);
    }

    void aRemovalReplacesWhatWaitedToLeave()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.addJobs(summaries(1, 2));
        batcher.removeJob("1");
        QTRY_COMPARE(m_batches.size(), 1u);
        QCOMPARE(m_batches[0]->jobs.size(), 1u);
        QCOMPARE(m_batches[0]->jobs[0].id, QByteArray("2"));
        QCOMPARE(m_batches[0]->removedJobs, std::vector<QByteArray>{"1"});
    }

    void aJobThatComesBackAfterItsRemovalIsNew()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.addJobs(summaries(1, 1));
        batcher.removeJob("1");
        QTRY_COMPARE(m_batches.size(), 1u);
        batcher.addJobs(summaries(1, 1, JobState::Finished));
        QTRY_COMPARE(m_batches.size(), 2u);
        QCOMPARE(m_batches[1]->jobs.size(), 1u);
        QVERIFY(m_batches[1]->removedJobs.empty());
    }

    void aFloodLeavesInBoundedBatchesInOrderAndIsCompleteAtTheEnd()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.beginListing(7);
        const int total = int(ChangeBatcher::jobsPerBatch) * 2 + 10;
        for (int i = 0; i < total; i += 10)
            batcher.addJobs(summaries(i, 10));
        batcher.completeListing({});
        QTRY_VERIFY(!m_batches.empty() && m_batches.back()->listingComplete);
        int seen = 0;
        for (size_t b = 0; b < m_batches.size(); ++b) {
            QVERIFY(m_batches[b]->jobs.size() <= ChangeBatcher::jobsPerBatch);
            QCOMPARE(m_batches[b]->generation, 7u);
            QCOMPARE(m_batches[b]->listingComplete, b + 1 == m_batches.size());
            for (const JobSummary &job : m_batches[b]->jobs)
                QCOMPARE(job.id, QByteArray::number(seen++));
        }
        QCOMPARE(seen, total);
        QCOMPARE(batcher.backlog(), 0u);
    }

    void batchesAreATenthOfASecondApart()
    {
        ChangeBatcher batcher;
        std::vector<qint64> times;
        QElapsedTimer clock;
        clock.start();
        int next = 0;
        connect(&batcher, &ChangeBatcher::batch, this, [&](const std::shared_ptr<ChangeSet> &) {
            times.push_back(clock.elapsed());
            if (times.size() < 4)
                QMetaObject::invokeMethod(&batcher, [&] { batcher.addJobs(summaries(next++, 1)); }, Qt::QueuedConnection);
        });
        batcher.addJobs(summaries(next++, 1));
        QTRY_COMPARE(times.size(), 4u);
        for (size_t i = 1; i < times.size(); ++i)
            QVERIFY2(times[i] - times[i - 1] >= ChangeBatcher::interval.count() - 2, qPrintable(QString::number(times[i] - times[i - 1])));
    }

    void outputOfOneStreamIsJoinedAndTheOrderOfStreamsIsKept()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.addOutput({"1", 1, OutputChunk::Stream::Out, "a"});
        batcher.addOutput({"1", 1, OutputChunk::Stream::Out, "b"});
        batcher.addOutput({"1", 1, OutputChunk::Stream::Err, "c"});
        batcher.addOutput({"1", 1, OutputChunk::Stream::Out, "d"});
        QTRY_COMPARE(m_batches.size(), 1u);
        QCOMPARE(m_batches[0]->output.size(), 3u);
        QCOMPARE(m_batches[0]->output[0].bytes, QByteArray("ab"));
        QCOMPARE(m_batches[0]->output[2].bytes, QByteArray("d"));
    }

    void ofAFloodTheBeginningAndTheEndLeave()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        constexpr qsizetype chunkBytes = 64 * 1024, chunks = 300;
        for (qsizetype i = 0; i < chunks; ++i)
            batcher.addOutput({"1", 1, OutputChunk::Stream::Out, QByteArray(chunkBytes, char('a' + i % 26))});
        QTRY_COMPARE(m_batches.size(), 1u);
        qint64 bytes = 0, skipped = 0;
        for (const OutputChunk &chunk : m_batches[0]->output) {
            bytes += chunk.bytes.size();
            skipped += chunk.skipped;
        }
        QCOMPARE(bytes + skipped, chunkBytes * chunks);
        QVERIFY(bytes <= ChangeBatcher::outputHead + ChangeBatcher::outputTail + chunkBytes);
        QVERIFY(bytes >= ChangeBatcher::outputHead + ChangeBatcher::outputTail);
        QCOMPARE(m_batches[0]->output.front().bytes.front(), 'a');
        QCOMPARE(m_batches[0]->output.back().bytes.back(), char('a' + (chunks - 1) % 26));
        // One chunk that is larger than everything is cut too.
        batcher.addOutput({"1", 1, OutputChunk::Stream::Err, QByteArray(40 << 20, 'x')});
        QTRY_COMPARE(m_batches.size(), 2u);
        QCOMPARE(m_batches[1]->output.size(), 2u);
        QCOMPARE(m_batches[1]->output[1].skipped, (40 << 20) - ChangeBatcher::outputHead - ChangeBatcher::outputTail);
    }

    void outputLeavesEarlierAndTheRestInItsTime()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.addJobs(summaries(0, 1));
        QTRY_COMPARE(m_batches.size(), 1u);
        QElapsedTimer sinceNews;
        sinceNews.start();
        batcher.addJobs(summaries(1, 1));
        int sent = 0;
        std::vector<qint64> newsAt;
        connect(&batcher, &ChangeBatcher::batch, this, [&](const std::shared_ptr<ChangeSet> &changes) {
            if (!changes->jobs.empty())
                newsAt.push_back(sinceNews.elapsed());
            if (changes->output.empty() || newsAt.size() >= 2)
                return;
            batcher.addJobs(summaries(2 + sent, 1));
            batcher.addOutput({"1", 1, OutputChunk::Stream::Out, QByteArray::number(++sent)});
        });
        batcher.addOutput({"1", 1, OutputChunk::Stream::Out, "0"});
        QTRY_COMPARE(newsAt.size(), 2u);
        QVERIFY(m_batches[1]->jobs.empty()); // output alone, before the other news is due
        QCOMPARE(m_batches[1]->output.size(), 1u);
        QVERIFY2(newsAt[0] >= ChangeBatcher::interval.count() - 2, qPrintable(QString::number(newsAt[0])));
        QVERIFY(newsAt[1] - newsAt[0] >= ChangeBatcher::interval.count() - 2);
        QVERIFY(m_batches.size() > 4);
    }

    void nothingLeavesWhenThereIsNoNews()
    {
        ChangeBatcher batcher;
        collect(&batcher);
        batcher.beginListing(1);
        batcher.setKnownJobs(5);
        batcher.addJobs({});
        QCoreApplication::sendPostedEvents();
        QVERIFY(m_batches.empty());
        batcher.setQueues({});
        QTRY_COMPARE(m_batches.size(), 1u);
        QCOMPARE(m_batches[0]->knownJobs, 5);
    }
};

QTEST_GUILESS_MAIN(TestChangeBatcher)
#include "tst_change_batcher.moc"
