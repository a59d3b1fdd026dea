// The runs of one job, one row each, newest first.
#pragma once

#include "core/job/job.h"

#include <QAbstractTableModel>

namespace ym {

/// Rows are told apart by their attempt and merged; never reset. GUI thread.
class AttemptModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : quint8 { Attempt, Result, Worker, Containment, Duration, CpuTime, Memory, ColumnCount };
    enum Role : int { FailedRole = Qt::UserRole + 1 };

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(const QList<PastRun> &runs);
    /// Null when there is no such row.
    const PastRun *runAt(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<PastRun> m_runs; ///< newest first
};

/// How a run ended, in words: "failed, exit code 3", "killed by SIGKILL (9)".
QString runResult(const PastRun &run);
/// "340 ms", "12.5 s"; empty for a negative one, which is unknown.
QString millisecondsText(qint64 ms);

} // namespace ym
