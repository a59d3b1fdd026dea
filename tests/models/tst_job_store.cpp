// The packed rows: every byte of a job comes back, texts are freed, frozen rows stay, and a row costs what it may.
#include "models/job_store.h"
#include "models/job_table_model.h"
#include "tests/models/random_jobs.h"
#include "tests/support/memory.h"

#include <QSignalSpy>
#include <QTest>

#include <malloc.h>
#include <map>

using namespace ym;
using ym::test::isMemoryMeasurable;
using ym::test::RandomJobs;

namespace {

qint64 allocated()
{
    const struct mallinfo2 info = mallinfo2();
    return qint64(info.uordblks + info.hblkhd);
}

} // namespace

class TestJobStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finds_what_a_map_finds_under_random_edits();
    void tells_which_columns_changed();
    void frozen_rows_do_not_change();
    void freed_slots_are_used_again_only_after_thawing();
    void texts_that_nobody_uses_are_freed();
    void a_row_costs_at_most_80_bytes();
};

void TestJobStore::finds_what_a_map_finds_under_random_edits()
{
    RandomJobs random(1);
    JobStore store;
    std::map<QByteArray, JobSummary> jobs;
    QList<QByteArray> ids;
    for (int step = 0; step < 30'000; ++step) {
        const JobSummary job =
            ids.isEmpty() || random.below(2) ? random.job() : random.job(ids[random.below(unsigned(ids.size()))]);
        const quint32 slot = store.find(job.id);
        const bool isKnown = jobs.count(job.id) > 0;
        QCOMPARE(slot != JobStore::none, isKnown);
        if (!isKnown) {
            store.insert(job, 1);
            ids.append(job.id);
            jobs[job.id] = job;
        } else if (random.below(2)) {
            store.update(slot, job);
            jobs[job.id] = job;
        } else {
            store.remove(slot);
            jobs.erase(job.id);
        }
    }
    QCOMPARE(size_t(store.count()), jobs.size());
    for (const auto &[id, job] : jobs)
        QCOMPARE(store.summary(store.find(id)), job);
}

void TestJobStore::tells_which_columns_changed()
{
    JobStore store;
    JobSummary job;
    job.id = "a";
    const quint32 slot = store.insert(job, 1);
    QCOMPARE(store.update(slot, job), JobColumns(0));
    job.callerId = "me";
    job.attempt = 1;
    QCOMPARE(store.update(slot, job), bit(JobColumn::Caller) | bit(JobColumn::Attempt));
    job.statusText = "odd";
    QCOMPARE(store.update(slot, job), bit(JobColumn::State));
    job.access.network = true;
    QCOMPARE(store.update(slot, job), bit(JobColumn::Access) | bit(JobColumn::Type));
    job.target.group = "gpu";
    QVERIFY(store.update(slot, job) & bit(JobColumn::Target));
}

void TestJobStore::frozen_rows_do_not_change()
{
    RandomJobs random(2);
    JobStore store;
    std::vector<JobSummary> jobs;
    for (int i = 0; i < 10'000; ++i) {
        jobs.push_back(random.job());
        store.insert(jobs.back(), 1);
    }
    const JobRows frozen = store.freeze();
    for (quint32 slot = 0; slot < 10'000; ++slot) {
        if (slot % 3 == 0)
            store.remove(slot);
        else
            store.update(slot, random.job(jobs[slot].id));
    }
    for (int i = 0; i < 10'000; ++i)
        store.insert(random.job(), 1);
    QCOMPARE(frozen.slotEnd(), 10'000u);
    for (quint32 slot = 0; slot < 10'000; ++slot)
        QCOMPARE(frozen.summary(slot), jobs[slot]);
    store.thaw();
}

void TestJobStore::freed_slots_are_used_again_only_after_thawing()
{
    RandomJobs random(3);
    JobStore store;
    const quint32 first = store.insert(random.job(), 1);
    store.freeze();
    store.freeze();
    store.remove(first);
    QVERIFY(store.insert(random.job(), 1) != first);
    store.thaw();
    QVERIFY(store.insert(random.job(), 1) != first);
    store.thaw();
    QCOMPARE(store.insert(random.job(), 1), first);
}

void TestJobStore::texts_that_nobody_uses_are_freed()
{
    JobStore store;
    JobSummary job;
    job.callerId = QByteArray(1000, 'c');
    qint64 most = 0;
    for (int i = 0; i < 20'000; ++i) {
        job.id = "job" + QByteArray::number(i);
        job.callerId = QByteArray(1000, 'c') + job.id;
        const quint32 slot = store.insert(job, 1);
        if (i == 500)
            most = store.textBytesUsed();
        if (i >= 500)
            store.remove(store.find("job" + QByteArray::number(i - 500)));
        QVERIFY(slot <= 501);
    }
    QVERIFY2(store.textBytesUsed() <= most * 11 / 10,
             qPrintable(QString("%1 after %2").arg(store.textBytesUsed()).arg(most)));
}

void TestJobStore::a_row_costs_at_most_80_bytes()
{
    ManualClock clock;
    JobTableModel model(Capability::Priority, &clock);
    RandomJobs random(4);
    const auto listed = [&](int batches) {
        for (int i = 0; i < batches; ++i) {
            ChangeSet changes = random.batch(2000);
            for (JobSummary &job : changes.jobs)
                job.id = random.uuid();
            model.apply(changes);
        }
    };
    malloc_trim(0);
    const qint64 before = allocated();
    listed(100);
    const double rows = double(model.totalCount());
    const double own = double(model.bytesUsed()) / rows;
    QCOMPARE(model.totalCount(), 200'000);
    QVERIFY2(own <= 80, qPrintable(QString::number(own)));
    QVERIFY(double(model.stringBytesUsed()) / rows < 4);
    if (isMemoryMeasurable) {
        const double real = double(allocated() - before) / rows;
        QVERIFY2(real < 80, qPrintable(QString::number(real)));
        QVERIFY2(qAbs(real - own) < own * 0.1, qPrintable(QString("%1 said, %2 allocated").arg(own).arg(real)));
    }
    // Also when rows were put into the middle of a sorted table.
    model.sort(model.section(JobColumn::Id), Qt::AscendingOrder);
    QSignalSpy arranged(&model, &JobTableModel::arrangingChanged);
    QVERIFY(arranged.wait(30'000));
    listed(50);
    QVERIFY2(double(model.bytesUsed()) / double(model.totalCount()) <= 80,
             qPrintable(QString::number(double(model.bytesUsed()) / double(model.totalCount()))));
}

QTEST_GUILESS_MAIN(TestJobStore)
#include "tst_job_store.moc"
