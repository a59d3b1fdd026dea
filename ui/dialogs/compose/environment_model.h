// The variables of a job's environment as an editable table.
#pragma once

#include <QAbstractTableModel>

#include "core/job/job.h"

namespace ym {

/// KEY=VALUE lines as shells and .env files write them: `export` and quotes around a value are taken off, blank lines
/// and # comments are passed over.
struct EnvironmentLines {
    QList<ByteField> variables;
    int unreadable = 0; ///< lines that are none of these
};
EnvironmentLines parseEnvironment(const QString &text);

/// Name and value in rows; one empty row more at the end takes a new variable. GUI thread.
class EnvironmentModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Value, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    QList<ByteField> variables() const { return m_rows; }
    void setVariables(const QList<ByteField> &variables);
    /// Adds them; a name that is there gets the new value.
    void merge(const QList<ByteField> &variables);
    void setSecretsShown(bool shown);
    bool isHidden(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool removeRows(int row, int count, const QModelIndex &parent = {}) override;

Q_SIGNALS:
    void edited();

private:
    bool isNewRow(int row) const { return row == m_rows.size(); }
    void appendRow(const ByteField &variable);

    QList<ByteField> m_rows;
    bool m_secretsShown = false;
};

} // namespace ym
