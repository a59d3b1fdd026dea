#include "ui/widgets/table_delegate.h"

#include "ui/theme.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>

namespace ym {

namespace {

constexpr qsizetype longestTip = 2048;
constexpr qsizetype longestPainted = 512;
constexpr int dotSize = 8;
constexpr int barWidth = 3;

/// Whether no visible column stands between this one and the edge at which `step` ends: -1 the left, 1 the right.
bool isOutermost(const QTableView *view, int column, int step)
{
    const QHeaderView *const header = view->horizontalHeader();
    for (int visual = header->visualIndex(column) + step; visual >= 0 && visual < header->count(); visual += step) {
        if (!header->isSectionHidden(header->logicalIndex(visual)))
            return false;
    }
    return true;
}

void paintDot(QPainter *painter, const QRectF &area, const QColor &colour)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawEllipse(area);
    painter->restore();
}

} // namespace

TableDelegate::TableDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
{
}

const QFont &TableDelegate::mono() const
{
    if (!m_mono)
        m_mono = monoFont();
    return *m_mono;
}

QRect TableDelegate::contentArea(const QRect &cell, const QWidget *widget, int column)
{
    const auto *const view = qobject_cast<const QTableView *>(widget);
    const int left = view && isOutermost(view, column, -1) ? space::large : space::small;
    const int right = view && isOutermost(view, column, 1) ? space::large : space::small;
    return cell.adjusted(left, 0, -right, -1);
}

QColor TableDelegate::textColour(const QStyleOptionViewItem &option) const
{
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    return option.palette.color(isEnabled ? QPalette::Active : QPalette::Disabled, QPalette::Text);
}

QColor TableDelegate::secondary(const QStyleOptionViewItem &option) const
{
    return secondaryColour(option.palette);
}

TableDelegate::Cell TableDelegate::plainCell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Cell cell;
    cell.text = index.data(Qt::DisplayRole).toString();
    cell.colour = textColour(option);
    if (const QVariant alignment = index.data(Qt::TextAlignmentRole); alignment.isValid())
        cell.alignment = Qt::Alignment(alignment.toInt()) & Qt::AlignHorizontal_Mask;
    return cell;
}

TableDelegate::Cell TableDelegate::cell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return plainCell(option, index);
}

void TableDelegate::paintExtra(QPainter *, const QRect &, const QStyleOptionViewItem &, const QModelIndex &) const { }

void TableDelegate::paintGround(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const auto group = option.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    if (isSelected)
        painter->fillRect(option.rect, option.palette.color(group, QPalette::Highlight));
    QColor line = borderColour(option.palette);
    line.setAlpha(110);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), line);
    const auto *const view = qobject_cast<const QTableView *>(option.widget);
    const bool isCurrent = view && view->hasFocus() && view->currentIndex().row() == index.row();
    if (isCurrent && isOutermost(view, index.column(), -1))
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), barWidth, option.rect.height() - 1),
                          accentColour(option.palette));
}

void TableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    paintGround(painter, option, index);
    QRect area = contentArea(option.rect, option.widget, index.column());
    paintExtra(painter, area, option, index);
    const Cell content = cell(option, index);
    area.setRight(area.right() - content.tail);
    const QFont &font = content.isMono ? mono() : option.font;
    const QFontMetrics metrics = content.isMono ? QFontMetrics(font) : option.fontMetrics;
    const int forDot = content.dot ? dotSize + space::small : 0;
    const QString text = metrics.elidedText(content.text.left(longestPainted), Qt::ElideRight, area.width() - forDot);
    if (content.dot) {
        const bool isAtRight = content.alignment.testFlag(Qt::AlignRight);
        const int left = isAtRight ? area.right() - metrics.horizontalAdvance(text) - forDot : area.left();
        paintDot(painter, QRectF(left, area.center().y() - dotSize / 2 + 1, dotSize, dotSize), *content.dot);
        area.setLeft(area.left() + forDot);
    }
    if (text.isEmpty() || area.width() <= 0)
        return;
    painter->setFont(font);
    painter->setPen(content.colour);
    painter->drawText(area, int(content.alignment | Qt::AlignVCenter | Qt::TextSingleLine), text);
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString text = index.data(Qt::DisplayRole).toString().left(longestPainted);
    return {option.fontMetrics.horizontalAdvance(text) + 2 * space::small + dotSize, space::rowHeight};
}

bool TableDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                              const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString tip = index.data(Qt::ToolTipRole).toString().left(longestTip);
    if (tip.isEmpty()) {
        QToolTip::hideText();
        return true;
    }
    // A tool tip guesses whether its text is markup: ours is always markup, and everything in it is escaped.
    QToolTip::showText(event->globalPos(),
                       QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>").arg(tip.toHtmlEscaped()), view,
                       option.rect);
    return true;
}

} // namespace ym
