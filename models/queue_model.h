// The queues of a connection: depth with its history, rates, who listens.
#pragma once

#include <QAbstractTableModel>

#include "core/base/clock.h"
#include "core/job/change_set.h"

#include <memory>

namespace ym {

/// One row a queue, ordered by kind, type, group, instance and priority; merged by key without resets. GUI thread.
/// Sorting and filtering through a proxy is fine here: queues are few.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Kind,
        Type,
        Group,
        Instance,
        Priority,
        Depth,
        Trend,
        In,
        Out,
        Oldest,
        Listeners,
        Order,
        NextJob,
        Key,
        ColumnCount
    };
    enum Role {
        KeyRole = Qt::UserRole, ///< QByteArray, the exact key
        KindRole, ///< int(QueueKind)
        DepthRole, ///< qint64
        HistoryRole, ///< QList<qint64>: up to 60 depths, one a second, oldest first
        NoListenerRole, ///< bool: a work queue holds jobs and nobody serves it
        NextJobRole, ///< QByteArray, id that is served next
        SortRole, ///< typed value of the cell
        HintRole, ///< QString: what is wrong and what to do, or empty
        TypeRole,
        GroupRole,
        InstanceRole, ///< QByteArray parts of the target
    };
    static constexpr int historyLength = 60;

    explicit QueueModel(const Clock *clock, QObject *parent = nullptr);
    ~QueueModel() override;

    /// Merges changes.queues when present.
    void apply(const ChangeSet &changes);
    void clear();
    /// Refreshes the ages with one dataChanged. Call about once a second while the page is on screen.
    void tick();

    QByteArray keyAt(int row) const;
    int rowOf(const QByteArray &key) const; ///< -1 when unknown
    QueueInfo queueAt(int row) const;
    /// Jobs in all work queues.
    qint64 totalDepth() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
