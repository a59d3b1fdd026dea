// The inside of JobTableModel, shared by its source files: rows, their order, and how changes reach the views.
#pragma once

#include "models/job_table_model.h"

#include "models/job_cells.h"
#include "models/job_sort.h"
#include "models/job_store.h"
#include "models/row_order.h"

#include <QFutureWatcher>

#include <atomic>

namespace ym {

/// What is shown and in which order.
struct Arrangement {
    SortKeys keys;
    JobFilter filter;
    Timestamp now; ///< what ages are counted from
};

struct JobTableModel::Private {
    struct Range {
        int first;
        int last;
    };
    using Slots = std::vector<quint32>;

    /// What one batch did to the store; each slot once.
    struct Batch {
        std::vector<std::pair<quint32, JobColumns>> touched;
        Slots removed; ///< ascending
    };

    /// More signals than this a batch become one layout change: views pay for each range.
    static constexpr size_t mostRanges = 32;
    /// Tables up to this size are sorted and filtered at once.
    static constexpr quint32 smallTable = 20'000;

    Private(JobTableModel *model, CapabilityFlags capabilities, const Clock *theClock);
    ~Private();

    // --- merging (job_table_merge.cpp)
    void beginGeneration(quint64 generation);
    void mergeJob(const JobSummary &job, Batch &batch);
    void noteGone(quint32 slot, const QByteArray &why, Batch &batch);
    void markLost(quint32 slot, const QByteArray &why, Batch &batch);
    void sweepOldGenerations(const QByteArray &whyLost, Batch &batch);
    void publish(Batch &batch);
    void forget(const Slots &removed);
    bool matches(quint32 slot) const;
    void tellCounts();
    /// The columns that look different by it.
    JobColumns noteProgress(quint32 slot, const JobProgress &said);

    // --- rows and signals (job_table_rows.cpp)
    /// Runs `change`, which only reorders rows; persistent indexes follow their jobs.
    template <typename Change> void rearrange(Change change);
    void removeRows(const Slots &slotList);
    void moveRows(Slots slotList);
    void insertRows(Slots slotList);
    void tellChanged(const Slots &slotList, JobColumns columns);
    /// Makes the rows exactly `target`, in at most four signals, or a few ranges.
    void become(const Slots &target);
    /// Ascending rows of slots that are shown.
    std::vector<int> rowsOf(const Slots &slotList) const;
    bool isMany(size_t count) const { return count > size_t(order.size()) / 16; }
    static std::vector<Range> ranges(const std::vector<int> &sortedRows);
    /// Rows before which sorted slots belong.
    std::vector<int> placesFor(const Slots &sorted) const;
    void putIn(const Slots &sorted, const std::vector<int> &places);
    void takeOut(const std::vector<Range> &sortedRanges);
    void removeRanges(const std::vector<Range> &sortedRanges);
    void moveToEnd(const Slots &slotList, const std::vector<Range> &sortedRanges);
    void removeTail(int first);
    bool isInPlace(quint32 slot) const;

    // --- arranging (job_table_arrange.cpp)
    void arrange();
    void startArranging();
    void finishArranging();
    void mergeTouched(Slots &result) const;
    void setBusy(bool busy);

    JobTableModel *q;
    const Clock *clock;
    std::vector<JobColumn> columns; ///< by section
    std::array<int, jobColumnCount> sections{}; ///< by column, -1 = not there
    std::shared_ptr<JobStore> store = std::make_shared<JobStore>();
    RowOrder order;
    JobCells cells;
    QHash<quint32, JobProgress> progress; ///< by slot; few jobs run, and few of those say anything

    Arrangement wanted;
    Arrangement shown;
    Arrangement running; ///< what the thread pool works on
    QFutureWatcher<Slots> watcher;
    std::shared_ptr<std::atomic_bool> cancelled; ///< of the running work; null = none
    std::shared_ptr<JobStore> runningStore; ///< frozen for it
    Slots touchedMeanwhile; ///< inserted, changed or removed since it was frozen
    bool isStale = false; ///< something else is wanted by now
    bool isBusy = false;

    StateCounts counts{};
    Listing listing;
    quint64 generation = 0;
    quint8 generationByte = 1;

    struct Told {
        qint64 total = 0;
        qint64 shownRows = 0;
        StateCounts counts{};
        Listing listing;
        bool operator==(const Told &) const = default;
    };
    Told told;
};

template <typename Change> void JobTableModel::Private::rearrange(Change change)
{
    Q_EMIT q->layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList from = q->persistentIndexList();
    Slots slotsOfFrom;
    slotsOfFrom.reserve(size_t(from.size()));
    for (const QModelIndex &index : from)
        slotsOfFrom.push_back(order.at(index.row()));
    change();
    QModelIndexList to;
    to.reserve(from.size());
    for (qsizetype i = 0; i < from.size(); ++i)
        to.append(q->index(order.rowOf(slotsOfFrom[size_t(i)]), from[i].column()));
    q->changePersistentIndexList(from, to);
    Q_EMIT q->layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace ym
