// The queues of a connection: depth with its history, rates, who listens.
#pragma once

#include "core/base/clock.h"
#include "core/job/change_set.h"
#include "models/text_table_model.h"

#include <memory>

namespace ym {

/// One row a queue, ordered by kind, type, group, instance and priority; merged by key without resets. GUI thread.
/// Sorting and filtering through a proxy is fine here: queues are few.
class QueueModel : public TextTableModel {
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

protected:
    int count() const override;
    const QString &cellText(int row, int column) const override;
    QString cellTip(int row, int column) const override;
    QVariant cellData(int row, int column, int role) const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
