// The table of jobs: merging, sorting, filtering and selecting, against a naive table of the same news.
#include "models/job_table_model.h"
#include "tests/models/random_jobs.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

#include <algorithm>
#include <map>

using namespace ym;
using ym::test::RandomJobs;
using Column = JobTableModel::Column;

namespace {

constexpr CapabilityFlags allCapabilities{Capability::Priority};

/// Counts every row signal, and resets, which must never come.
struct Signals {
    explicit Signals(JobTableModel &model)
        : inserted(&model, &QAbstractItemModel::rowsInserted)
        , removed(&model, &QAbstractItemModel::rowsRemoved)
        , changed(&model, &QAbstractItemModel::dataChanged)
        , layout(&model, &QAbstractItemModel::layoutChanged)
        , reset(&model, &QAbstractItemModel::modelReset)
    {
    }
    qsizetype total() const { return inserted.size() + removed.size() + changed.size() + layout.size() + reset.size(); }
    void clear()
    {
        for (QSignalSpy *spy : {&inserted, &removed, &changed, &layout, &reset})
            spy->clear();
    }
    QSignalSpy inserted, removed, changed, layout, reset;
};

ChangeSet news(std::vector<JobSummary> jobs)
{
    ChangeSet changes;
    changes.jobs = std::move(jobs);
    return changes;
}

JobSummary job(const QByteArray &id, JobState state = JobState::Queued)
{
    JobSummary summary;
    summary.id = id;
    summary.state = state;
    summary.target.type = "python";
    return summary;
}

JobFilter filter(const QString &query)
{
    return JobFilter::parse(query).value();
}

QList<QByteArray> shown(const JobTableModel &model)
{
    return model.shownIds();
}

void waitUntilArranged(JobTableModel &model)
{
    if (!model.isArranging())
        return;
    QSignalSpy arranged(&model, &JobTableModel::arrangingChanged);
    QVERIFY(arranged.wait(30'000));
    QVERIFY(!model.isArranging());
}

QByteArray lowered(const QByteArray &text)
{
    QByteArray result = text;
    for (char &c : result)
        c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
    return result;
}

/// The value that decides in a column, as something that compares.
using Key = std::vector<QByteArray>;
Key keyOf(const JobSummary &job, Column column)
{
    const auto number = [](qint64 value) { return QByteArray::number(value + 1'000'000'000).rightJustified(20, '0'); };
    const auto time = [&](const std::optional<Timestamp> &t) {
        return t ? number(t->time_since_epoch().count()) : QByteArray();
    };
    const auto text = [](const QByteArray &value) { return Key{lowered(value), value}; };
    switch (column) {
    case Column::State:
        return {number(int(job.state))};
    case Column::Id:
        return {job.id.startsWith("odd") ? "1" : "0", job.id};
    case Column::Type:
        return text(job.target.type);
    case Column::Target: {
        Key key = text(job.target.group);
        const Key rest = text(job.target.instance);
        key.insert(key.end(), rest.begin(), rest.end());
        return key;
    }
    case Column::Priority:
        return {number(job.target.priority)};
    case Column::Caller:
        return text(job.callerId);
    case Column::Context:
        return text(job.contextId);
    case Column::Worker:
        return text(job.claimedBy);
    case Column::Attempt:
        return {number(job.attempt)};
    case Column::Created:
        return {time(job.createdAt)};
    case Column::Updated:
        return {time(job.updatedAt)};
    case Column::Access:
        return text(accessText(job.access).toUtf8());
    }
    return {};
}

/// What the model should show, worked out from scratch each time. Ids decide among equals.
class NaiveTable {
public:
    void apply(const ChangeSet &changes)
    {
        for (const QByteArray &id : changes.removedJobs)
            m_jobs.erase(id);
        for (const JobSummary &job : changes.jobs)
            m_jobs[job.id] = job;
    }

    QList<QByteArray> rows(const JobFilter &filter, Timestamp now, Column column, Qt::SortOrder order) const
    {
        std::vector<const JobSummary *> matching;
        for (const auto &[id, job] : m_jobs) {
            if (filter.matches(job, now))
                matching.push_back(&job);
        }
        std::sort(matching.begin(), matching.end(), [&](const JobSummary *a, const JobSummary *b) {
            const Key left = keyOf(*a, column);
            const Key right = keyOf(*b, column);
            if (left != right)
                return (left < right) == (order == Qt::AscendingOrder);
            return keyOf(*a, Column::Id) < keyOf(*b, Column::Id);
        });
        QList<QByteArray> ids;
        for (const JobSummary *job : matching)
            ids.append(job->id);
        return ids;
    }

    const std::map<QByteArray, JobSummary> &jobs() const { return m_jobs; }

private:
    std::map<QByteArray, JobSummary> m_jobs;
};

} // namespace

class TestJobTableModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shows_what_a_naive_table_shows_data();
    void shows_what_a_naive_table_shows();
    void equal_rows_keep_the_order_of_the_column_sorted_before();
    void a_batch_of_new_jobs_is_one_insertion();
    void unchanged_jobs_cause_no_signal();
    void neighbouring_changes_are_one_signal();
    void scattered_changes_cause_few_signals_data();
    void scattered_changes_cause_few_signals();
    void only_the_columns_that_changed_are_told();
    void the_selection_survives_every_rearrangement();
    void jobs_of_an_older_listing_go_when_a_newer_one_is_complete();
    void a_removal_and_the_end_of_a_listing_may_come_together_data();
    void a_removal_and_the_end_of_a_listing_may_come_together();
    void a_listing_that_never_completes_removes_nothing();
    void hundreds_of_listings_later_old_jobs_still_go();
    void lost_jobs_keep_their_rows_until_they_are_there_again_or_removed();
    void counts_states_of_all_jobs_also_of_hidden_ones();
    void tells_how_far_the_listing_is();
    void a_job_removed_and_written_again_in_one_batch_stays();
    void the_priority_column_needs_the_capability();
    void ages_are_refreshed_by_one_signal_for_the_visible_rows();
    void a_filter_by_age_lets_jobs_go_as_time_passes();
    void odd_ids_are_kept_byte_for_byte_data();
    void odd_ids_are_kept_byte_for_byte();
    void tooltips_are_never_markup();
    void texts_are_ready_and_copies_are_whole();
    void a_big_table_is_arranged_in_the_background();
    void news_during_an_arrangement_is_kept();
    void clearing_during_an_arrangement_leaves_nothing();
    void the_newest_wish_wins_when_arranging_takes_long();
    void finds_the_newest_matches();
    void offers_the_values_that_occur();
    void clear_removes_rows_without_a_reset();
    void ids_of_a_selection_are_distinct_and_in_row_order();
};

void TestJobTableModel::shows_what_a_naive_table_shows_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("descending");
    QTest::addColumn<QString>("query");
    const struct {
        const char *name;
        Column column;
    } columns[] = {{"state", Column::State},       {"id", Column::Id},
                   {"type", Column::Type},         {"target", Column::Target},
                   {"priority", Column::Priority}, {"caller", Column::Caller},
                   {"context", Column::Context},   {"worker", Column::Worker},
                   {"attempt", Column::Attempt},   {"created", Column::Created},
                   {"updated", Column::Updated}};
    const QStringList queries{"", "python -state:failed", "GRÖSSE", "caller:caller-1 attempt>1", "age<1h 3"};
    int which = 0;
    for (const auto &[name, column] : columns) {
        for (const bool descending : {false, true}) {
            const QString &query = queries[which++ % queries.size()];
            QTest::addRow("by %s %s, filter “%s”", name, descending ? "descending" : "ascending", qPrintable(query))
                << int(column) << descending << query;
        }
    }
}

void TestJobTableModel::shows_what_a_naive_table_shows()
{
    QFETCH(int, column);
    QFETCH(bool, descending);
    QFETCH(QString, query);
    ManualClock clock;
    JobTableModel model(allCapabilities, &clock);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    tester.setUseFetchMore(false);
    Signals seen(model);
    NaiveTable naive;
    RandomJobs random(unsigned(column) * 2 + descending);

    const auto order = descending ? Qt::DescendingOrder : Qt::AscendingOrder;
    model.sort(model.section(Column::Id), Qt::AscendingOrder);
    model.sort(model.section(Column(column)), column == int(Column::Id) ? Qt::AscendingOrder : order);
    const auto expectedOrder = column == int(Column::Id) ? Qt::AscendingOrder : order;
    model.setFilter(filter(query));
    for (int step = 0; step < 24; ++step) {
        ChangeSet changes = random.batch(int(random.below(step % 8 == 0 ? 400 : 12)));
        for (const auto &[id, known] : naive.jobs()) {
            const unsigned dice = random.below(step % 5 == 0 ? 4 : 40);
            if (dice == 0)
                changes.jobs.push_back(random.job(id));
            else if (dice == 1 && random.below(2))
                changes.removedJobs.push_back(id);
        }
        std::erase_if(changes.removedJobs, [&](const QByteArray &id) {
            return std::any_of(changes.jobs.begin(), changes.jobs.end(),
                               [&](const JobSummary &j) { return j.id == id; });
        });
        model.apply(changes);
        naive.apply(changes);
        QCOMPARE(shown(model), naive.rows(model.filter(), clock.now(), Column(column), expectedOrder));
        if (step == 12) {
            model.setFilter(filter("state:running,queued"));
            QCOMPARE(shown(model), naive.rows(model.filter(), clock.now(), Column(column), expectedOrder));
            model.setFilter(filter(query));
        }
    }
    QCOMPARE(model.totalCount(), qint64(naive.jobs().size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        QCOMPARE(model.summaryAt(row), naive.jobs().at(model.idAt(row)));
        QCOMPARE(model.rowOf(model.idAt(row)), row);
    }
    QCOMPARE(seen.reset.size(), 0);
}

void TestJobTableModel::equal_rows_keep_the_order_of_the_column_sorted_before()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    std::vector<JobSummary> jobs{job("a", JobState::Queued), job("b", JobState::Running), job("c", JobState::Queued)};
    for (int i = 0; i < 3; ++i)
        jobs[size_t(i)].attempt = i;
    model.apply(news(jobs));
    model.sort(model.section(Column::Attempt), Qt::DescendingOrder);
    model.sort(model.section(Column::State), Qt::AscendingOrder);
    QCOMPARE(shown(model), (QList<QByteArray>{"c", "a", "b"}));
}

void TestJobTableModel::a_batch_of_new_jobs_is_one_insertion()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    RandomJobs random(1);
    model.apply(random.batch(1000));
    Signals seen(model);
    model.apply(random.batch(4000));
    QCOMPARE(seen.inserted.size(), 1);
    QCOMPARE(seen.total(), 1);
}

void TestJobTableModel::unchanged_jobs_cause_no_signal()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    const ChangeSet batch = RandomJobs(2).batch(500);
    model.apply(batch);
    Signals seen(model);
    QSignalSpy counts(&model, &JobTableModel::countsChanged);
    model.apply(batch);
    QCOMPARE(seen.total(), 0);
    QCOMPARE(counts.size(), 0);
}

void TestJobTableModel::neighbouring_changes_are_one_signal()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    ChangeSet batch = RandomJobs(3).batch(500);
    model.apply(batch);
    Signals seen(model);
    ChangeSet second;
    for (size_t i = 100; i < 300; ++i) {
        second.jobs.push_back(batch.jobs[i]);
        second.jobs.back().attempt += 1;
    }
    model.apply(second);
    QCOMPARE(seen.changed.size(), 1);
    QCOMPARE(seen.total(), 1);
    QCOMPARE(seen.changed[0][0].toModelIndex().row(), 100);
    QCOMPARE(seen.changed[0][1].toModelIndex().row(), 299);
}

void TestJobTableModel::scattered_changes_cause_few_signals_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("changes") << "changes";
    QTest::newRow("removals") << "removals";
    QTest::newRow("insertions into a sorted table") << "insertions";
    QTest::newRow("changes that move rows") << "moves";
}

void TestJobTableModel::scattered_changes_cause_few_signals()
{
    QFETCH(QString, kind);
    ManualClock clock;
    JobTableModel model({}, &clock);
    RandomJobs random(4);
    const ChangeSet batch = random.batch(5000);
    model.apply(batch);
    if (kind == "insertions" || kind == "moves")
        model.sort(model.section(Column::Caller), Qt::AscendingOrder);
    Signals seen(model);
    ChangeSet second;
    for (size_t i = 0; i < batch.jobs.size(); i += 5) {
        if (kind == "removals")
            second.removedJobs.push_back(batch.jobs[i].id);
        if (kind == "insertions")
            second.jobs.push_back(random.job());
        if (kind == "changes" || kind == "moves") {
            second.jobs.push_back(batch.jobs[i]);
            second.jobs.back().attempt += 1;
        }
        if (kind == "moves")
            second.jobs.back().callerId = "caller-" + QByteArray::number(random.below(50));
    }
    model.apply(second);
    QVERIFY(seen.total() >= 1);
    QVERIFY2(seen.total() <= 2, qPrintable(QString::number(seen.total())));
}

void TestJobTableModel::only_the_columns_that_changed_are_told()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    model.apply(news({job("a")}));
    Signals seen(model);
    model.apply(news({job("a", JobState::Running)}));
    QCOMPARE(seen.changed.size(), 1);
    QCOMPARE(seen.changed[0][0].toModelIndex().column(), model.section(Column::State));
    QCOMPARE(seen.changed[0][1].toModelIndex().column(), model.section(Column::State));
}

void TestJobTableModel::the_selection_survives_every_rearrangement()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    RandomJobs random(5);
    ChangeSet batch = random.batch(3000);
    model.apply(batch);
    QItemSelectionModel selection(&model);
    QSet<QByteArray> chosen;
    for (int row = 0; row < model.rowCount(); row += 37) {
        selection.select(model.index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        chosen.insert(model.idAt(row));
    }
    const QByteArray current = model.idAt(37 * 10);
    selection.setCurrentIndex(model.index(37 * 10, 0), QItemSelectionModel::NoUpdate);
    const auto selected = [&] {
        const QList<QByteArray> ids = model.ids(selection.selection());
        return QSet<QByteArray>(ids.begin(), ids.end());
    };
    const auto check = [&](const char *what) {
        QVERIFY2(selected() == chosen, what);
        QVERIFY2(model.idAt(selection.currentIndex().row()) == current, what);
    };
    model.sort(model.section(Column::Caller), Qt::DescendingOrder);
    check("sorted");
    model.apply(random.batch(500));
    check("scattered insertions");
    for (JobSummary &each : batch.jobs)
        each.callerId = "caller-" + QByteArray::number(random.below(50));
    model.apply(batch);
    check("moved rows");
    ChangeSet removal;
    for (const JobSummary &each : batch.jobs) {
        if (!chosen.contains(each.id) && random.below(2))
            removal.removedJobs.push_back(each.id);
    }
    model.apply(removal);
    check("scattered removals");
    // A filter takes the hidden ones out of the selection and leaves the others in it.
    model.setFilter(filter("-state:failed"));
    for (auto it = chosen.begin(); it != chosen.end();)
        it = model.summary(*it)->state == JobState::Failed ? chosen.erase(it) : std::next(it);
    QVERIFY(selected() == chosen);
    model.setFilter({});
    QVERIFY(selected() == chosen);
}

void TestJobTableModel::jobs_of_an_older_listing_go_when_a_newer_one_is_complete()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    ChangeSet first = news({job("a"), job("b"), job("c")});
    first.generation = 1;
    first.listingComplete = true;
    model.apply(first);
    ChangeSet second = news({job("b"), job("d")});
    second.generation = 2;
    model.apply(second);
    QCOMPARE(shown(model), (QList<QByteArray>{"a", "b", "c", "d"}));
    Signals seen(model);
    ChangeSet end;
    end.generation = 2;
    end.listingComplete = true;
    model.apply(end);
    QCOMPARE(shown(model), (QList<QByteArray>{"b", "d"}));
    QCOMPARE(seen.removed.size(), 2);
    QCOMPARE(seen.total(), 2);
}

void TestJobTableModel::a_removal_and_the_end_of_a_listing_may_come_together_data()
{
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("the others were removed") << QByteArray();
    QTest::newRow("the others are lost") << QByteArray("A failover.");
}

void TestJobTableModel::a_removal_and_the_end_of_a_listing_may_come_together()
{
    QFETCH(QByteArray, why);
    ManualClock clock;
    JobTableModel model({}, &clock);
    ChangeSet first = news({job("a"), job("b"), job("c"), job("d")});
    first.generation = 1;
    first.listingComplete = true;
    model.apply(first);
    ChangeSet second = news({job("c")});
    second.generation = 2;
    second.removedJobs = {"b", "d", "nobody"};
    second.listingComplete = true;
    second.whyUnlisted = why;
    model.apply(second);
    QCOMPARE(shown(model), why.isEmpty() ? QList<QByteArray>{"c"} : (QList<QByteArray>{"a", "c"}));
    QCOMPARE(model.totalCount(), why.isEmpty() ? 1 : 2);
    QCOMPARE(model.listing().listed, 1);
}

void TestJobTableModel::a_listing_that_never_completes_removes_nothing()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    for (quint64 generation = 1; generation < 10; ++generation) {
        ChangeSet changes = news({job("j" + QByteArray::number(generation))});
        changes.generation = generation;
        model.apply(changes);
    }
    QCOMPARE(model.rowCount(), 9);
    ChangeSet late;
    late.generation = 3;
    late.listingComplete = true;
    model.apply(late);
    QCOMPARE(model.rowCount(), 9);
}

void TestJobTableModel::hundreds_of_listings_later_old_jobs_still_go()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    ChangeSet first = news({job("old")});
    first.generation = 1;
    model.apply(first);
    for (quint64 generation = 2; generation <= 257; ++generation) {
        ChangeSet changes = news({job("new")});
        changes.generation = generation;
        changes.listingComplete = generation == 257;
        model.apply(changes);
    }
    QCOMPARE(shown(model), (QList<QByteArray>{"new"}));
}

void TestJobTableModel::lost_jobs_keep_their_rows_until_they_are_there_again_or_removed()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    ChangeSet first = news({job("a", JobState::Queued), job("b", JobState::Queued), job("c", JobState::Finished)});
    first.generation = 1;
    first.listingComplete = true;
    model.apply(first);
    const auto lostCount = [&model] { return model.stateCounts()[size_t(JobState::Lost)]; };

    ChangeSet one;
    one.lostJobs = {{"a", "A failover."}, {"nobody", "A failover."}};
    model.apply(one);
    QCOMPARE(model.summary("a")->state, JobState::Lost);
    QCOMPARE(lostCount(), 1);
    QCOMPARE(model.totalCount(), 3);
    const int row = model.rowOf("a");
    const QString tip = model.index(row, model.section(JobTableModel::Column::State)).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("A failover.")), qPrintable(tip));

    // A listing that has not found two of three: the one is lost already, the other becomes so.
    ChangeSet second = news({job("c", JobState::Finished)});
    second.generation = 2;
    second.listingComplete = true;
    second.whyUnlisted = "FLUSHALL.";
    model.apply(second);
    QCOMPARE(model.summary("a")->statusText, QByteArray("A failover."));
    QCOMPARE(model.summary("b")->statusText, QByteArray("FLUSHALL."));
    QCOMPARE(lostCount(), 2);

    ChangeSet again; // whoever looks at it later finds it gone, too
    again.lostJobs = {{"b", {}}};
    model.apply(again);
    QCOMPARE(lostCount(), 2);

    // One without a reason takes away what is not lost, and one that is there again is a job like any other.
    ChangeSet third = news({job("a", JobState::Running)});
    third.generation = 3;
    third.listingComplete = true;
    model.apply(third);
    QCOMPARE(model.summary("a")->state, JobState::Running);
    QVERIFY(!model.summary("c"));
    QCOMPARE(lostCount(), 1);
    ChangeSet removal;
    removal.removedJobs = {"b"};
    model.apply(removal);
    QCOMPARE(model.totalCount(), 1);
    QCOMPARE(lostCount(), 0);
    QCOMPARE(model.listing().listed, 1);
}

void TestJobTableModel::counts_states_of_all_jobs_also_of_hidden_ones()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    QSignalSpy counts(&model, &JobTableModel::countsChanged);
    model.setFilter(filter("state:running"));
    model.apply(news({job("a", JobState::Running), job("b", JobState::Failed), job("c", JobState::Failed)}));
    QCOMPARE(counts.size(), 1);
    QCOMPARE(model.shownCount(), 1);
    QCOMPARE(model.totalCount(), 3);
    QCOMPARE(model.stateCounts()[size_t(JobState::Failed)], 2);
    model.apply(news({job("b", JobState::Finished)}));
    ChangeSet removal;
    removal.removedJobs = {"c", "nobody"};
    model.apply(removal);
    QCOMPARE(model.stateCounts()[size_t(JobState::Failed)], 0);
    QCOMPARE(model.stateCounts()[size_t(JobState::Finished)], 1);
    QCOMPARE(counts.size(), 3);
}

void TestJobTableModel::tells_how_far_the_listing_is()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    ChangeSet changes = news({job("a"), job("b")});
    changes.generation = 1;
    changes.knownJobs = 10;
    model.apply(changes);
    QCOMPARE(model.listing(), (JobTableModel::Listing{2, 10, false}));
    changes.listingComplete = true;
    model.apply(changes);
    QCOMPARE(model.listing(), (JobTableModel::Listing{2, 10, true}));
    ChangeSet again = news({job("a")});
    again.generation = 2;
    model.apply(again);
    QCOMPARE(model.listing(), (JobTableModel::Listing{1, -1, false}));
}

void TestJobTableModel::a_job_removed_and_written_again_in_one_batch_stays()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    model.apply(news({job("a"), job("b")}));
    Signals seen(model);
    ChangeSet changes = news({job("a", JobState::Running)});
    changes.removedJobs = {"a"};
    model.apply(changes);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.summaryAt(0).state, JobState::Running);
    QCOMPARE(seen.removed.size(), 0);
}

void TestJobTableModel::the_priority_column_needs_the_capability()
{
    ManualClock clock;
    JobTableModel without({}, &clock);
    JobTableModel with(Capability::Priority, &clock);
    QCOMPARE(without.section(Column::Priority), -1);
    QCOMPARE(with.columnCount(), without.columnCount() + 1);
    QCOMPARE(with.columnAt(with.section(Column::Priority)), Column::Priority);
    for (int section = 0; section < without.columnCount(); ++section) {
        QVERIFY(without.columnAt(section) != Column::Priority);
        QCOMPARE(without.section(without.columnAt(section)), section);
        QVERIFY(!without.headerData(section, Qt::Horizontal).toString().isEmpty());
    }
}

void TestJobTableModel::ages_are_refreshed_by_one_signal_for_the_visible_rows()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    std::vector<JobSummary> jobs;
    for (int i = 0; i < 100; ++i) {
        jobs.push_back(job(QByteArray::number(i)));
        jobs.back().createdAt = clock.now();
    }
    model.apply(news(jobs));
    const QModelIndex created = model.index(20, model.section(Column::Created));
    const QString before = created.data().toString();
    Signals seen(model);
    clock.advance(Milliseconds{7000});
    model.tick(10, 30);
    QCOMPARE(seen.changed.size(), 1);
    QCOMPARE(seen.total(), 1);
    QCOMPARE(seen.changed[0][0].toModelIndex().row(), 10);
    QCOMPARE(seen.changed[0][1].toModelIndex().row(), 30);
    const QString after = created.data().toString();
    QVERIFY(after != before);
    QCOMPARE(after.size(), before.size());
    model.tick(-5, 100'000);
    QCOMPARE(seen.changed[1][1].toModelIndex().row(), 99);
}

void TestJobTableModel::a_filter_by_age_lets_jobs_go_as_time_passes()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    JobSummary young = job("young");
    young.createdAt = clock.now();
    model.apply(news({young}));
    model.setFilter(filter("age<1m"));
    QCOMPARE(model.rowCount(), 1);
    clock.advance(Milliseconds{61'000});
    model.tick(0, 0);
    QCOMPARE(model.rowCount(), 0);
}

void TestJobTableModel::odd_ids_are_kept_byte_for_byte_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("a UUID") << QByteArray("0f8fad5b-d9cb-469f-a165-70867728950e");
    QTest::newRow("an upper-case UUID") << QByteArray("0F8FAD5B-D9CB-469F-A165-70867728950E");
    QTest::newRow("a UUID without dashes") << QByteArray("0f8fad5bd9cb469fa16570867728950e");
    QTest::newRow("36 characters that are no UUID") << QByteArray("0f8fad5b-d9cb-469f-a165-7086772895zz");
    QTest::newRow("a path") << QByteArray("../../etc");
    QTest::newRow("with a NUL") << QByteArray("a\0b", 3);
    QTest::newRow("no UTF-8") << QByteArray("\xff\xfe");
    QTest::newRow("64 KiB") << QByteArray(65536, 'x');
    QTest::newRow("empty") << QByteArray("");
}

void TestJobTableModel::odd_ids_are_kept_byte_for_byte()
{
    QFETCH(QByteArray, id);
    ManualClock clock;
    JobTableModel model({}, &clock);
    model.apply(news({job("before"), job(id), job("after")}));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.idAt(1), id);
    QCOMPARE(model.rowOf(id), 1);
    QVERIFY(model.index(1, model.section(Column::Id)).data().toString().size() <= 20);
    ChangeSet removal;
    removal.removedJobs = {id};
    model.apply(removal);
    QCOMPARE(shown(model), (QList<QByteArray>{"before", "after"}));
}

void TestJobTableModel::tooltips_are_never_markup()
{
    ManualClock clock;
    JobTableModel model(allCapabilities, &clock);
    JobSummary evil = job("<b>&lt;img src=x></b>", JobState::Unknown);
    evil.statusText = evil.callerId = evil.contextId = evil.claimedBy = "<b>bold</b>";
    evil.access.writable = {"/<b>bold</b>"};
    evil.target = {"<i>t</i>", "<i>g</i>", "<i>i</i>", 1, {}};
    model.apply(news({evil}));
    for (int section = 0; section < model.columnCount(); ++section) {
        const QString tip = model.index(0, section).data(Qt::ToolTipRole).toString();
        QVERIFY2(!Qt::mightBeRichText(tip), qPrintable(tip));
    }
    QVERIFY(model.index(0, model.section(Column::Caller)).data(Qt::ToolTipRole).toString().contains("<b>bold</b>"));
}

void TestJobTableModel::texts_are_ready_and_copies_are_whole()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    JobSummary one = job("0f8fad5b-d9cb-469f-a165-70867728950e", JobState::Running);
    one.target.group = "gpu";
    one.target.instance = "w1";
    one.callerId = QByteArray(5000, 'c');
    one.contextId = "a\u202eb";
    one.createdAt = clock.now() - Milliseconds{3000};
    one.access = {true, {}, {"/srv/\u202eout"}};
    model.apply(news({one}));
    const auto cell = [&](Column column, int role = Qt::DisplayRole) {
        return model.index(0, model.section(column)).data(role).toString();
    };
    QCOMPARE(cell(Column::Id), "0f8fad5b");
    QCOMPARE(cell(Column::Id, JobTableModel::CopyRole), "0f8fad5b-d9cb-469f-a165-70867728950e");
    QCOMPARE(cell(Column::State), "Running");
    QCOMPARE(cell(Column::Target), "gpu/w1");
    QCOMPARE(cell(Column::Caller).size(), 513);
    QCOMPARE(cell(Column::Caller, JobTableModel::CopyRole).size(), 5000);
    QCOMPARE(cell(Column::Context), "a<U+202E>b");
    QCOMPARE(cell(Column::Created), QString::fromUtf16(u"\u20073 s ago"));
    QCOMPARE(cell(Column::Updated), "");
    QCOMPARE(cell(Column::Access), "network, writes /srv/<U+202E>out");
    QVERIFY(cell(Column::Type, Qt::ToolTipRole).contains("network, writes /srv/<U+202E>out"));
    QVERIFY(cell(Column::Type, Qt::AccessibleTextRole).contains("network, writes /srv/"));
    QCOMPARE(model.index(0, 0).data(JobTableModel::AccessRole).toInt(),
             JobTableModel::AsksForNetwork | JobTableModel::AsksForFolders);
    QVERIFY(cell(Column::Created, Qt::AccessibleTextRole).contains("3 s ago"));
    QCOMPARE(model.index(0, 0).data(JobTableModel::StateRole).toInt(), int(JobState::Running));
    QCOMPARE(model.index(0, 0).data(JobTableModel::IdRole).toByteArray(), one.id);
}

void TestJobTableModel::a_big_table_is_arranged_in_the_background()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    RandomJobs random(6);
    for (int i = 0; i < 25; ++i)
        model.apply(random.batch(4000));
    QCOMPARE(model.rowCount(), 100'000);
    QItemSelectionModel selection(&model);
    selection.select(model.index(77'777, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    const QByteArray chosen = model.idAt(77'777);
    Signals seen(model);
    model.sort(model.section(Column::Created), Qt::DescendingOrder);
    QVERIFY(model.isArranging());
    QCOMPARE(seen.total(), 0);
    waitUntilArranged(model);
    QCOMPARE(seen.layout.size(), 1);
    QCOMPARE(seen.total(), 1);
    for (int row = 1; row < model.rowCount(); ++row)
        QVERIFY(model.summaryAt(row - 1).createdAt >= model.summaryAt(row).createdAt);
    QCOMPARE(model.ids(selection.selection()), QList<QByteArray>{chosen});

    seen.clear();
    model.setFilter(filter("state:" + QString::fromLatin1(stateName(model.summary(chosen)->state))));
    waitUntilArranged(model);
    QVERIFY2(seen.total() <= 2, qPrintable(QString::number(seen.total())));
    QCOMPARE(model.shownCount(), model.stateCounts()[size_t(model.summary(chosen)->state)]);
    QCOMPARE(model.ids(selection.selection()), QList<QByteArray>{chosen});

    seen.clear();
    model.setFilter({});
    waitUntilArranged(model);
    QCOMPARE(model.rowCount(), 100'000);
    QVERIFY2(seen.total() <= 2, qPrintable(QString::number(seen.total())));
    QCOMPARE(model.ids(selection.selection()), QList<QByteArray>{chosen});
}

void TestJobTableModel::news_during_an_arrangement_is_kept()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    NaiveTable naive;
    RandomJobs random(8);
    ChangeSet first = random.batch(60'000);
    for (JobSummary &each : first.jobs)
        each.id = each.id.startsWith("odd") ? random.uuid() : each.id;
    model.apply(first);
    naive.apply(first);
    model.sort(model.section(Column::Id), Qt::AscendingOrder);
    waitUntilArranged(model);
    model.setFilter(filter("-type:osis"));
    waitUntilArranged(model);
    model.sort(model.section(Column::Caller), Qt::DescendingOrder);
    QVERIFY(model.isArranging());
    for (int i = 0; i < 5; ++i) {
        ChangeSet changes = random.batch(200);
        for (size_t k = 0; k < 300; ++k)
            changes.jobs.push_back(random.job(first.jobs[random.below(30'000)].id));
        for (size_t k = 0; k < 300; ++k)
            changes.removedJobs.push_back(first.jobs[30'000 + random.below(30'000)].id);
        model.apply(changes);
        naive.apply(changes);
    }
    QVERIFY(model.isArranging());
    waitUntilArranged(model);
    QCOMPARE(shown(model), naive.rows(model.filter(), clock.now(), Column::Caller, Qt::DescendingOrder));
    // Slots that were freed meanwhile are used again now.
    ChangeSet more = random.batch(3000);
    model.apply(more);
    naive.apply(more);
    QCOMPARE(shown(model), naive.rows(model.filter(), clock.now(), Column::Caller, Qt::DescendingOrder));
}

void TestJobTableModel::clearing_during_an_arrangement_leaves_nothing()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    RandomJobs random(9);
    model.apply(random.batch(50'000));
    model.sort(model.section(Column::Caller), Qt::DescendingOrder);
    QVERIFY(model.isArranging());
    model.clear();
    QCOMPARE(model.rowCount(), 0);
    model.apply(news({job("b"), job("a")}));
    waitUntilArranged(model);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.totalCount(), 2);
    QCOMPARE(model.sortSection(), model.section(Column::Caller));
}

void TestJobTableModel::the_newest_wish_wins_when_arranging_takes_long()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    model.apply(RandomJobs(10).batch(50'000));
    model.sort(model.section(Column::Caller), Qt::DescendingOrder);
    model.setFilter(filter("state:failed"));
    model.setFilter(filter("state:running"));
    model.sort(model.section(Column::Attempt), Qt::AscendingOrder);
    waitUntilArranged(model);
    QCOMPARE(model.shownCount(), model.stateCounts()[size_t(JobState::Running)]);
    for (int row = 1; row < model.rowCount(); ++row)
        QVERIFY(model.summaryAt(row - 1).attempt <= model.summaryAt(row).attempt);
}

void TestJobTableModel::finds_the_newest_matches()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    std::vector<JobSummary> jobs;
    for (int i = 0; i < 50; ++i) {
        jobs.push_back(job("j" + QByteArray::number(i), i % 2 ? JobState::Running : JobState::Queued));
        jobs.back().createdAt = clock.now() + Milliseconds{i};
    }
    model.apply(news(jobs));
    QFuture<QList<JobSummary>> found = model.find(filter("state:running"), 3);
    found.waitForFinished();
    QList<QByteArray> ids;
    for (const JobSummary &each : found.result())
        ids.append(each.id);
    QCOMPARE(ids, (QList<QByteArray>{"j49", "j47", "j45"}));
}

void TestJobTableModel::offers_the_values_that_occur()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    JobSummary one = job("1");
    one.target.group = "gpu";
    one.callerId = "zoe";
    JobSummary two = job("2");
    two.target.type = "osis";
    two.callerId = "adam";
    model.apply(news({one, two}));
    QCOMPARE(model.vocabulary().types, (QStringList{"osis", "python"}));
    QCOMPARE(model.vocabulary().groups, (QStringList{"gpu"}));
    QCOMPARE(model.vocabulary().callers, (QStringList{"adam", "zoe"}));
}

void TestJobTableModel::clear_removes_rows_without_a_reset()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    model.apply(RandomJobs(11).batch(100));
    Signals seen(model);
    model.clear();
    QCOMPARE(seen.removed.size(), 1);
    QCOMPARE(seen.total(), 1);
    QCOMPARE(model.totalCount(), 0);
    QCOMPARE(model.stateCounts(), JobTableModel::StateCounts{});
}

void TestJobTableModel::ids_of_a_selection_are_distinct_and_in_row_order()
{
    ManualClock clock;
    JobTableModel model({}, &clock);
    model.apply(news({job("a"), job("b"), job("c"), job("d")}));
    QItemSelection selection;
    selection.append(QItemSelectionRange(model.index(2, 0), model.index(3, 2)));
    selection.append(QItemSelectionRange(model.index(0, 1), model.index(0, 1)));
    selection.append(QItemSelectionRange(model.index(3, 3), model.index(3, 3)));
    QCOMPARE(model.ids(selection), (QList<QByteArray>{"a", "c", "d"}));
    QCOMPARE(model.idsInRows(-3, 1), (QList<QByteArray>{"a", "b"}));
    QCOMPARE(model.idsInRows(3, 99), (QList<QByteArray>{"d"}));
}

QTEST_GUILESS_MAIN(TestJobTableModel)
#include "tst_job_table_model.moc"
