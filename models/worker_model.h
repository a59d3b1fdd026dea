// The live workers of a connection: who they are, their last heartbeat, what they are busy with and since when.
#pragma once

#include "core/base/clock.h"
#include "core/job/change_set.h"
#include "models/text_table_model.h"

#include <memory>

namespace ym {

/// One row a worker, ordered by type, group and instance; merged by presence key without resets. GUI thread.
class WorkerModel : public TextTableModel {
    Q_OBJECT
public:
    enum Column {
        Type,
        Group,
        Instance,
        Condition,
        Heartbeat,
        Busy,
        Since,
        Slots,
        Host,
        Pid,
        Version,
        Started,
        ColumnCount
    };
    enum class State : quint8 { Idle, Busy, Quiet, Silent, Unreadable };
    Q_ENUM(State)
    enum Role {
        KeyRole = Qt::UserRole, ///< QByteArray, the presence key
        StateRole, ///< int(State)
        BusyRole, ///< QList<QByteArray>: ids that run now
        LocalRole, ///< bool: runs in this application
        HintRole, ///< QString: what is wrong and what to do, or empty
        SortRole, ///< typed value of the cell
        TypeRole,
        GroupRole,
        InstanceRole, ///< QByteArray parts of the target
    };
    explicit WorkerModel(const Clock *clock, QObject *parent = nullptr);
    ~WorkerModel() override;

    /// Merges changes.workers when present.
    void apply(const ChangeSet &changes);
    void clear();
    /// Refreshes ages and silence with one dataChanged. Call about once a second while the page is on screen.
    void tick();

    QByteArray keyAt(int row) const;
    int rowOf(const QByteArray &key) const; ///< -1 when unknown
    WorkerInfo workerAt(int row) const;
    int busyCount() const; ///< jobs that run now, over all workers

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
