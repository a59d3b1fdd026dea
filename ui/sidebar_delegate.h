// Rows of the sidebar: a colour bar, a state dot or an icon, a name, a number.
#pragma once

#include <QStyledItemDelegate>

namespace ym {

namespace sidebar {
enum Role {
    IdRole = Qt::UserRole, ///< QString: profile id, or name of a page
    ColourRole, ///< QString "#rrggbb" or empty: bar at the left
    DotRole, ///< int(Signal), or invalid: no dot
    IconRole, ///< QByteArray: name of an icon, instead of a dot
    CountRole, ///< QString at the right end
    AlertRole, ///< bool: the number asks for attention
    LockedRole, ///< bool: read-only
};
} // namespace sidebar

/// GUI thread.
class SidebarDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int rowHeight = 32;

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace ym
