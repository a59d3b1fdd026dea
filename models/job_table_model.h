// The table of jobs at a million rows: packed rows, own sort and filter index, merged by id without resets.
#pragma once

#include <QAbstractTableModel>
#include <QFuture>
#include <QItemSelection>

#include "core/base/clock.h"
#include "core/job/capabilities.h"
#include "core/job/change_set.h"
#include "models/job_column.h"
#include "models/job_filter.h"

#include <array>
#include <memory>
#include <optional>

namespace ym {

/// Shows the jobs of one connection, fed with ChangeSets. Lives in the GUI thread; sorting and filtering of big tables
/// is done on the thread pool and arrives in one go. Never resets: selection and persistent indexes survive everything
/// but the removal of their own row. Use it with a QTableView and without a proxy.
class JobTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using Column = JobColumn;

    enum Role {
        StateRole = Qt::UserRole, ///< int(JobState), for delegates
        IdRole, ///< QByteArray, the whole id
        CopyRole, ///< QString to put on the clipboard: the whole value of the cell
        SortRole, ///< typed: int, qint64 (ms since the epoch, 0 = none) or QString
        InvalidRole, ///< bool: the record cannot be read
        ProgressRole, ///< int 0…100 of a running job that says it; else nothing
        AccessRole, ///< int of AccessMark bits: what the job asks for beyond its own folder
    };

    enum AccessMark { AsksForNetwork = 1, AsksForFolders = 2 };

    using StateCounts = std::array<qint64, jobStateCount>;

    /// How far the listing of the connection is.
    struct Listing {
        qint64 listed = 0; ///< jobs seen in this generation
        qint64 known = -1; ///< estimate of the total, -1 unknown
        bool complete = false;
        bool operator==(const Listing &) const = default;
    };

    /// The Priority column is there only with Capability::Priority. `clock` outlives the model.
    JobTableModel(CapabilityFlags capabilities, const Clock *clock, QObject *parent = nullptr);
    ~JobTableModel() override;

    // --- news
    /// Merges one batch (its jobs, removals and generation; the rest is for other models).
    void apply(const ChangeSet &changes);
    /// Forgets every job, by removing the rows. Filter and sorting stay.
    void clear();

    // --- arranging
    /// Sorts by a section; the sections sorted by before decide among equals. Section -1: in the order of arrival.
    void sort(int section, Qt::SortOrder order = Qt::AscendingOrder) override;
    int sortSection() const;
    Qt::SortOrder sortOrder() const;
    void setFilter(const JobFilter &filter);
    const JobFilter &filter() const;
    /// True while a sort or filter is being worked out; the old arrangement is shown until then.
    bool isArranging() const;
    /// Refreshes the ages in these rows (the visible ones) with one dataChanged, and a filter by age now and then.
    /// Call about once a second while the table is on screen.
    void tick(int firstRow, int lastRow);

    // --- asking
    Column columnAt(int section) const;
    /// -1 when this connection has no such column.
    int section(Column column) const;
    qint64 totalCount() const; ///< jobs known
    qint64 shownCount() const; ///< rows: jobs that match the filter
    const StateCounts &stateCounts() const; ///< of all known jobs
    Listing listing() const;
    QByteArray idAt(int row) const; ///< empty when there is no such row
    int rowOf(const QByteArray &id) const; ///< -1 when unknown or filtered out
    JobSummary summaryAt(int row) const;
    std::optional<JobSummary> summary(const QByteArray &id) const; ///< also of jobs that are filtered out
    /// Ids of the rows from first to last, clamped to the table: what Session::setVisibleJobs wants.
    QList<QByteArray> idsInRows(int first, int last) const;
    /// Ids of the selected rows, each once, in row order.
    QList<QByteArray> ids(const QItemSelection &selection) const;
    /// Ids of everything that matches the filter, in row order.
    QList<QByteArray> shownIds() const;
    /// The newest jobs that match, at most `limit`, worked out on the thread pool. The answer may be older than the
    /// table.
    QFuture<QList<JobSummary>> find(const JobFilter &filter, int limit) const;
    /// Values that occur, for completion in the filter line; callers, contexts and workers of the first 200,000 jobs.
    FilterVocabulary vocabulary() const;
    /// Memory of rows and indexes, without the interned strings.
    qint64 bytesUsed() const;
    /// Memory of the interned strings.
    qint64 stringBytesUsed() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    /// Total, shown, state counts or listing changed; once a batch.
    void countsChanged();
    void arrangingChanged(bool busy);
    /// After each batch, when rows and counts are consistent.
    void applied();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
