// The programs that are attached to a workspace, one row each.
#pragma once

#include "core/engine/attachment.h"
#include "models/text_table_model.h"

#include <memory>

namespace ym {

/// Merged by id from each new picture; never reset. GUI thread.
class AttachedClientModel final : public TextTableModel {
    Q_OBJECT
public:
    enum Column : quint8 { Name, Address, Age, Idle, LastCommand, Condition, ColumnCount };
    enum Role : int { IdRole = Qt::UserRole + 1, BlockedRole };

    explicit AttachedClientModel(QObject *parent = nullptr);
    ~AttachedClientModel() override;

    void setClients(const QList<AttachedClient> &clients);
    /// 0 when there is no such row.
    qint64 idAt(int row) const;

protected:
    int count() const override;
    const QString &cellText(int row, int column) const override;
    QVariant cellData(int row, int column, int role) const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ym
