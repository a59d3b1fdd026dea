// The jobs of a graph while it is written.
#pragma once

#include "core/job/job.h"

#include <QAbstractTableModel>

#include <vector>

namespace ym {

/// One row a job: its name, which is only known here, and what it runs after. Prerequisites among these jobs stand in
/// each Job::prerequisites beside those outside. GUI thread.
class GraphDraftModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, After, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Adds a job with an id of its own; returns its row. The name is made different from the others.
    int add(Job job, const QString &name);
    struct Row {
        QString name;
        Job job;
    };
    /// Replaces all. Ids stay, so that a graph which was submitted without an answer is not made twice.
    void restore(std::vector<Row> rows);
    const std::vector<Row> &rows() const { return m_rows; }
    /// The others wait for it no longer.
    void remove(int row);

    Job job(int row) const { return m_rows[size_t(row)].job; }
    QString name(int row) const { return m_rows[size_t(row)].name; }
    /// Replaces everything but its id and what it runs after among these jobs.
    void setJob(int row, Job job);
    bool runsAfter(int row, int other) const;
    void setRunsAfter(int row, int other, bool on);
    /// The prerequisites that are none of these jobs.
    QList<QByteArray> outside(int row) const;

    std::vector<Job> drafts() const;
    /// What is wrong with the whole, one sentence that names the job, and its row; empty when it can be submitted.
    QString problem(int *row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;

private:
    int rowOf(const QByteArray &id) const; ///< -1: outside
    QString freeName(const QString &wanted, int except) const;
    void changed(int row);

    std::vector<Row> m_rows;
};

} // namespace ym
