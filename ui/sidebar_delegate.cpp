#include "ui/sidebar_delegate.h"

#include "ui/theme.h"

#include <QAbstractItemView>
#include <QPainter>

namespace ym {

namespace {

constexpr int inset = 8;
constexpr int dotSize = 8;
constexpr int barWidth = 3;

QColor countColour(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    return index.data(sidebar::AlertRole).toBool() ? signalColour(Signal::Warning, option.palette)
                                                   : secondaryColour(option.palette);
}

} // namespace

void SidebarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect row = option.rect.adjusted(inset, 1, -inset, -1);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const auto *const view = qobject_cast<const QAbstractItemView *>(option.widget);
    const bool hasFocus = view && view->hasFocus() && view->currentIndex() == index;
    if (isSelected || option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setPen(hasFocus ? QPen(accentColour(option.palette)) : QPen(Qt::NoPen));
        QColor ground = option.palette.color(QPalette::Active, QPalette::Highlight);
        if (!isSelected)
            ground.setAlpha(110);
        painter->setBrush(ground);
        painter->drawRoundedRect(QRectF(row).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
    painter->setPen(Qt::NoPen);
    if (const QColor bar(index.data(sidebar::ColourRole).toString()); bar.isValid()) {
        painter->setBrush(bar);
        painter->drawRoundedRect(QRectF(row.left() + 4, row.top() + 7, barWidth, row.height() - 14), 1.5, 1.5);
    }
    QRect area = row.adjusted(12, 0, -10, 0);
    const QRect symbol(area.left(), area.top(), space::iconSize, area.height());
    if (const QVariant dot = index.data(sidebar::DotRole); dot.isValid()) {
        const QColor colour = signalColour(Signal(dot.toInt()), option.palette);
        const bool isOff = Signal(dot.toInt()) == Signal::Off;
        painter->setPen(isOff ? QPen(colour, 1.25) : QPen(Qt::NoPen));
        painter->setBrush(isOff ? QColor(Qt::transparent) : colour);
        painter->drawEllipse(QRectF(symbol.left() + 4, symbol.center().y() - dotSize / 2.0 + 0.5, dotSize, dotSize));
    } else {
        const QColor colour = isSelected ? option.palette.color(QPalette::Text) : secondaryColour(option.palette);
        const QPixmap icon = tintedIcon(index.data(sidebar::IconRole).toByteArray(), colour, space::iconSize,
                                        painter->device()->devicePixelRatio());
        painter->drawPixmap(symbol.left(), symbol.center().y() - space::iconSize / 2 + 1, icon);
    }
    area.setLeft(symbol.right() + space::small);
    if (index.data(sidebar::LockedRole).toBool()) {
        const QPixmap lock =
            tintedIcon("lock", secondaryColour(option.palette), 14, painter->device()->devicePixelRatio());
        painter->drawPixmap(area.right() - 14, area.center().y() - 6, lock);
        area.setRight(area.right() - 20);
    }
    const QString count = index.data(sidebar::CountRole).toString();
    if (!count.isEmpty()) {
        painter->setPen(countColour(option, index));
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, count);
        area.setRight(area.right() - option.fontMetrics.horizontalAdvance(count) - space::small);
    }
    painter->setPen(option.palette.color(QPalette::Active, QPalette::Text));
    QFont font = option.font;
    if (isSelected)
        font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const QString name = index.data(Qt::DisplayRole).toString().left(200);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      QFontMetrics(font).elidedText(name, Qt::ElideRight, area.width()));
    painter->restore();
}

QSize SidebarDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {160, rowHeight};
}

} // namespace ym
