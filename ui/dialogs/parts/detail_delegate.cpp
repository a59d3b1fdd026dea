#include "ui/dialogs/parts/detail_delegate.h"

#include "ui/theme.h"

#include <QPainter>

namespace ym {

namespace {

constexpr int edge = 8;
constexpr int gap = 24;

} // namespace

void DetailDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QString detail = index.data(detailRole).toString();
    if (detail.isEmpty())
        return;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QRect whole = option.rect.adjusted(edge, 0, -edge, 0);
    const int taken = option.fontMetrics.horizontalAdvance(index.data().toString()) + gap;
    const QRect room = whole.adjusted(taken, 0, 0, 0);
    painter->save();
    painter->setPen(selected ? option.palette.color(QPalette::HighlightedText) : secondaryColour(option.palette));
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(detail, Qt::ElideRight, room.width()));
    painter->restore();
}

QSize DetailDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString detail = index.data(detailRole).toString();
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (!detail.isEmpty())
        size.rwidth() += option.fontMetrics.horizontalAdvance(detail) + gap + edge;
    size.setHeight(std::max(size.height(), option.fontMetrics.height() + 8));
    return size;
}

} // namespace ym
