// The workers that run inside this application: to start, quiet and stop them.
#pragma once

#include "core/job/change_set.h"
#include "models/text_table_model.h"

#include <memory>

namespace ym {

/// One row a local worker, in the order they were started; merged by handle without resets. GUI thread.
class LocalWorkerModel : public TextTableModel {
    Q_OBJECT
public:
    enum Column { Types, Group, Instance, Condition, Running, Done, Trouble, ColumnCount };
    enum Role {
        HandleRole = Qt::UserRole, ///< quint32, for Session::quietWorker and stopWorker
        StateRole, ///< int(LocalWorkerInfo::State)
        BusyRole, ///< QList<QByteArray>: ids that run now
        TroubleRole, ///< QString: why it does not work now, or empty
        SortRole, ///< typed value of the cell
    };

    explicit LocalWorkerModel(QObject *parent = nullptr);
    ~LocalWorkerModel() override;

    /// Merges changes.localWorkers when present.
    void apply(const ChangeSet &changes);
    void clear();

    quint32 handleAt(int row) const; ///< 0 when there is no such row
    int rowOf(quint32 handle) const; ///< -1 when unknown
    LocalWorkerInfo workerAt(int row) const;
    /// Whether one of them goes by this name, TYPE:GROUP:INSTANCE, as a job says who has it.
    bool hasWorker(const QByteArray &name) const;
    /// Workers that are not stopped.
    int liveCount() const;

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
