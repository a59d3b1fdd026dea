// What one queue holds, in serving order.
#pragma once

#include "core/engine/session.h"

#include <QAbstractTableModel>
#include <QPointer>

namespace ym {

class ConnectionModels;

/// The first entries of a queue as the session tells them; states come from the job table. Rows are replaced by their
/// difference: equal beginnings and ends stay. GUI thread.
class QueueContentModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Place, State, Id, Type, Caller, Created, ColumnCount };
    enum Role { IdRole = Qt::UserRole, StateRole };
    /// Entries that are asked for; more are counted, not shown.
    static constexpr qint64 mostEntries = 500;

    using QAbstractTableModel::QAbstractTableModel;

    /// Null or an empty key: nothing.
    void show(ConnectionModels *models, const QByteArray &key);
    QByteArray key() const { return m_key; }
    /// Asks again; does nothing while an answer is on its way.
    void refresh();
    QByteArray idAt(int row) const { return m_ids.value(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    /// An answer came; the error is empty when it was a good one.
    void answered(const QString &error);

private:
    struct Row {
        std::array<QString, ColumnCount> texts;
        JobState state = JobState::Unknown;
        bool isKnown = false;
        bool operator==(const Row &) const = default;
    };
    void take(const QList<QByteArray> &ids);
    void describeAll();
    Row described(int row) const;

    QPointer<ConnectionModels> m_models;
    QByteArray m_key;
    bool m_isAsking = false;
    QList<QByteArray> m_ids;
    std::vector<Row> m_rows;
};

} // namespace ym
