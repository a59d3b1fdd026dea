// List rows with a remark at their right: the type and its interpreter, the worker and its heartbeat.
#pragma once

#include <QStyledItemDelegate>

namespace ym {

/// Shows detailRole dimmed at the right end of a row. Plain text only. GUI thread.
class DetailDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int detailRole = Qt::UserRole + 100;

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace ym
