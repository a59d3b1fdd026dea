// The audit log as a table: one row for each run, newest first, narrowed down by words.
#pragma once

#include "core/engine/audit_reader.h"

#include <QAbstractTableModel>

namespace ym {

/// Not live: a picture of the log, replaced by the next one. GUI thread.
class AuditModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : quint8 { Time, Job, Attempt, Type, Result, Containment, Limits, Worker, Caller, Duration, CpuTime,
                           Memory, Script, ColumnCount };
    enum Role : int { FailedRole = Qt::UserRole + 1 };

    using QAbstractTableModel::QAbstractTableModel;

    void setEntries(const QList<AuditEntry> &entries);
    /// Only rows in which each of the words occurs somewhere, in any case.
    void setFilter(const QString &words);
    qsizetype entryCount() const { return m_entries.size(); }
    QByteArray jobAt(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();

    QList<AuditEntry> m_entries;
    QStringList m_words;
    QList<int> m_rows; ///< into the entries
};

} // namespace ym
