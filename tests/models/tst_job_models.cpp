// The raw fields of a job, the picker for prerequisites, and ages in words.
#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "models/cell_text.h"
#include "models/job_fields_model.h"
#include "models/job_picker_model.h"
#include "models/job_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

using namespace ym;

namespace {

JobDetail detail(const QByteArray &id, QList<ByteField> fields)
{
    JobDetail result;
    result.job.id = id;
    result.job.raw = std::move(fields);
    return result;
}

std::vector<JobSummary> twentyJobs(Timestamp now)
{
    std::vector<JobSummary> jobs(20);
    for (int i = 0; i < 20; ++i) {
        jobs[size_t(i)].id = "job" + QByteArray::number(i);
        jobs[size_t(i)].state = JobState::Running;
        jobs[size_t(i)].callerId = i % 2 ? "odd" : "even";
        jobs[size_t(i)].createdAt = now + Milliseconds{i};
    }
    return jobs;
}

QList<QByteArray> idsOf(const JobPickerModel &picker)
{
    QList<QByteArray> ids;
    for (int row = 0; row < picker.rowCount(); ++row)
        ids.append(picker.idAt(row));
    return ids;
}

} // namespace

class TestJobModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fields_are_previews_with_their_size();
    void fields_keep_their_rows_when_the_job_is_read_again();
    void a_field_loaded_whole_stays_whole_while_it_is_the_same();
    void secrets_are_hidden_until_they_are_revealed();
    void fields_are_never_markup();
    void the_picker_finds_the_newest_matches();
    void the_picker_searches_for_what_it_cannot_parse();
    void the_picker_leaves_out_what_was_chosen();
    void the_picker_keeps_its_rows_fresh();
    void the_picker_outlives_the_table();
    void ages_are_told_data();
    void ages_are_told();
    void sizes_and_ids_are_short();
};

void TestJobModels::fields_are_previews_with_their_size()
{
    JobFieldsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    JobDetail job = detail("a", {{"script", QByteArray(2000, 'x')}, {"big", "begin"}, {"odd\n", "\xff\x01"}});
    job.fullSize = {{"big", 5'000'000}};
    model.setJob(job);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.nameAt(0), QByteArray("big"));
    const int script = model.rowOf("script");
    QCOMPARE(model.index(script, JobFieldsModel::Value).data().toString().size(), 513);
    QCOMPARE(model.index(script, 0).data(JobFieldsModel::CutRole).toBool(), false);
    QCOMPARE(model.index(script, 0).data(JobFieldsModel::BytesRole).toByteArray().size(), 2000);
    QCOMPARE(model.index(0, 0).data(JobFieldsModel::CutRole).toBool(), true);
    QCOMPARE(model.index(0, JobFieldsModel::Size).data(JobFieldsModel::SortRole).toLongLong(), 5'000'000);
    QCOMPARE(model.index(model.rowOf("odd\n"), JobFieldsModel::Value).data().toString(), "\\xff<U+0001>");
}

void TestJobModels::fields_keep_their_rows_when_the_job_is_read_again()
{
    JobFieldsModel model;
    model.setJob(detail("a", {{"a", "1"}, {"c", "3"}}));
    const QPersistentModelIndex kept(model.index(1, 0));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setJob(detail("a", {{"a", "2"}, {"b", "2"}, {"c", "3"}}));
    QCOMPARE(kept.row(), 2);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(reset.size(), 0);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.jobId().isEmpty());
}

void TestJobModels::a_field_loaded_whole_stays_whole_while_it_is_the_same()
{
    JobFieldsModel model;
    JobDetail job = detail("a", {{"output", "beg"}});
    job.fullSize = {{"output", 9}};
    model.setJob(job);
    const auto bytes = [&] { return model.index(0, 0).data(JobFieldsModel::BytesRole).toByteArray(); };
    model.setWhole("b", "output", "beginning");
    QCOMPARE(bytes(), QByteArray("beg"));
    model.setWhole("a", "output", "beginning");
    QCOMPARE(bytes(), QByteArray("beginning"));
    model.setJob(job);
    QCOMPARE(bytes(), QByteArray("beginning"));
    job.fullSize = {{"output", 12}};
    model.setJob(job);
    QCOMPARE(bytes(), QByteArray("beg"));
    QCOMPARE(model.index(0, 0).data(JobFieldsModel::CutRole).toBool(), true);
}

void TestJobModels::secrets_are_hidden_until_they_are_revealed()
{
    const QByteArray environment = R"({"DAY":"monday","TOKEN":"hunter2"})";
    const QList<ByteField> fields{{"env_vars", environment}, {"password", "hunter2"}, {"script", "print(1)"}};
    JobFieldsModel model;
    QAbstractItemModelTester tester(&model);
    model.setJob(detail("one", fields));
    const auto valueOf = [&model](const char *field) {
        const QModelIndex cell = model.index(model.rowOf(field), JobFieldsModel::Value);
        return cell.data().toString() + cell.data(JobFieldsModel::BytesRole).toString();
    };
    const auto isSecret = [&model](const char *field) {
        return model.index(model.rowOf(field), 0).data(JobFieldsModel::SecretRole).toBool();
    };
    QVERIFY(isSecret("env_vars") && isSecret("password") && !isSecret("script"));
    QVERIFY(!valueOf("env_vars").contains("hunter2") && valueOf("env_vars").contains("monday"));
    QVERIFY(!valueOf("password").contains("hunter2"));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.reveal("env_vars", true);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.index(model.rowOf("env_vars"), 0).data(JobFieldsModel::BytesRole).toByteArray(), environment);
    QVERIFY(!valueOf("password").contains("hunter2"));
    model.setJob(detail("one", fields)); // read again: stays as it is
    QVERIFY(valueOf("env_vars").contains("hunter2"));
    model.reveal("env_vars", false);
    QVERIFY(!valueOf("env_vars").contains("hunter2"));
    model.reveal("password", true);
    model.setJob(detail("two", fields)); // another job
    QVERIFY(!valueOf("env_vars").contains("hunter2") && !valueOf("password").contains("hunter2"));
    model.setWhole("two", "env_vars", environment + ' ');
    QVERIFY(!valueOf("env_vars").contains("hunter2"));
}

void TestJobModels::fields_are_never_markup()
{
    JobFieldsModel model;
    model.setJob(detail("a", {{"<b>name</b>", "&lt;<img src=x>"}}));
    for (int column = 0; column < model.columnCount(); ++column)
        QVERIFY(!Qt::mightBeRichText(model.index(0, column).data(Qt::ToolTipRole).toString()));
}

void TestJobModels::the_picker_finds_the_newest_matches()
{
    ManualClock clock;
    JobTableModel jobs({}, &clock);
    ChangeSet changes;
    changes.jobs = twentyJobs(clock.now());
    jobs.apply(changes);
    JobPickerModel picker(&jobs, 3);
    QAbstractItemModelTester tester(&picker, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    QSignalSpy found(&picker, &JobPickerModel::found);
    QVERIFY(found.wait());
    QCOMPARE(idsOf(picker), (QList<QByteArray>{"job19", "job18", "job17"}));
    picker.setQuery("od");
    picker.setQuery("caller:even");
    QVERIFY(picker.isSearching());
    QVERIFY(found.wait());
    QVERIFY(!picker.isSearching());
    QCOMPARE(idsOf(picker), (QList<QByteArray>{"job18", "job16", "job14"}));
    QCOMPARE(picker.index(0).data(JobPickerModel::StateRole).toInt(), int(JobState::Running));
    QVERIFY(picker.index(0).data(JobPickerModel::DetailRole).toString().contains("even"));
}

void TestJobModels::the_picker_searches_for_what_it_cannot_parse()
{
    ManualClock clock;
    JobTableModel jobs({}, &clock);
    ChangeSet changes;
    changes.jobs.resize(2);
    changes.jobs[0].id = "one";
    changes.jobs[0].callerId = "build:42 \"x";
    changes.jobs[1].id = "two";
    jobs.apply(changes);
    JobPickerModel picker(&jobs);
    QSignalSpy found(&picker, &JobPickerModel::found);
    picker.setQuery("build:4 \"x");
    QVERIFY(found.wait());
    QCOMPARE(idsOf(picker), (QList<QByteArray>{"one"}));
}

void TestJobModels::the_picker_leaves_out_what_was_chosen()
{
    ManualClock clock;
    JobTableModel jobs({}, &clock);
    ChangeSet changes;
    changes.jobs = twentyJobs(clock.now());
    jobs.apply(changes);
    JobPickerModel picker(&jobs, 3);
    QSignalSpy found(&picker, &JobPickerModel::found);
    picker.setExcluded({"job19", "job17"});
    QVERIFY(found.wait());
    QCOMPARE(idsOf(picker), (QList<QByteArray>{"job18", "job16", "job15"}));
}

void TestJobModels::the_picker_keeps_its_rows_fresh()
{
    ManualClock clock;
    JobTableModel jobs({}, &clock);
    ChangeSet changes;
    changes.jobs = twentyJobs(clock.now());
    jobs.apply(changes);
    JobPickerModel picker(&jobs, 3);
    QSignalSpy found(&picker, &JobPickerModel::found);
    QVERIFY(found.wait());
    ChangeSet news;
    news.jobs = {changes.jobs[18]};
    news.jobs[0].state = JobState::Finished;
    news.removedJobs = {"job17"};
    jobs.apply(news);
    QCOMPARE(idsOf(picker), (QList<QByteArray>{"job19", "job18"}));
    QCOMPARE(picker.summaryAt(1).state, JobState::Finished);
}

void TestJobModels::the_picker_outlives_the_table()
{
    ManualClock clock;
    auto jobs = std::make_unique<JobTableModel>(CapabilityFlags(), &clock);
    ChangeSet changes;
    changes.jobs = twentyJobs(clock.now());
    jobs->apply(changes);
    JobPickerModel picker(jobs.get(), 3);
    jobs.reset();
    QSignalSpy found(&picker, &JobPickerModel::found);
    QVERIFY(found.wait());
    QCOMPARE(picker.rowCount(), 3);
    picker.setQuery("x");
    QVERIFY(!picker.isSearching());
}

void TestJobModels::ages_are_told_data()
{
    QTest::addColumn<qint64>("age");
    QTest::addColumn<QString>("text");
    const auto padded = [](const char *text) { return QString::fromUtf8(text).replace(u'_', QChar(u'\u2007')); };
    QTest::newRow("now") << qint64(0) << padded("_0 s ago");
    QTest::newRow("a moment ahead is now") << qint64(-900) << padded("_0 s ago");
    QTest::newRow("seconds") << qint64(3'999) << padded("_3 s ago");
    QTest::newRow("two digits of seconds") << qint64(59'000) << padded("59 s ago");
    QTest::newRow("a minute") << qint64(60'000) << padded("_1 min ago");
    QTest::newRow("hours") << qint64(23 * 3'600'000LL) << padded("23 h ago");
    QTest::newRow("days") << qint64(99 * 86'400'000LL) << padded("99 d ago");
    QTest::newRow("long ago: the date") << qint64(100 * 86'400'000LL) << QString("2023-08-06");
    QTest::newRow("in the future") << qint64(-720'000) << padded("in 12 min");
}

void TestJobModels::ages_are_told()
{
    QFETCH(qint64, age);
    const Timestamp now{Milliseconds{1'700'000'000'000}};
    QTEST(agoText(now - Milliseconds{age}, now), "text");
}

void TestJobModels::sizes_and_ids_are_short()
{
    QCOMPARE(shortId("0f8fad5b-d9cb-469f-a165-70867728950e"), "0f8fad5b");
    QCOMPARE(shortId("plain"), "plain");
    QCOMPARE(shortId(QByteArray(100, 'x')).size(), 17);
    QCOMPARE(shortIds({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
    QVERIFY(sizeText(3'400'000).contains("MiB"));
    QVERIFY(plainToolTip("Title", "").isEmpty());
    QVERIFY(plainToolTip("Title", QString(1'000'000, u'x')).size() < 2100);
    QCOMPARE(durationText(Milliseconds{-5}).remove(QChar(u'\u2007')), "0 s");
}

QTEST_GUILESS_MAIN(TestJobModels)
#include "tst_job_models.moc"
