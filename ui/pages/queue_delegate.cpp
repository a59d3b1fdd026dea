#include "ui/pages/queue_delegate.h"

#include "core/job/queue_info.h"
#include "models/queue_model.h"
#include "ui/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace ym {

namespace {

constexpr int curveWidth = 72;
constexpr qsizetype leastSpan = 20;

/// From the oldest depth at the left to the newest at the right; the ground is 0, the top the highest of them.
void paintCurve(QPainter *painter, const QRect &area, const QList<qint64> &depths, const QColor &colour)
{
    const qint64 highest = std::max<qint64>(1, *std::max_element(depths.begin(), depths.end()));
    // A young history is not stretched over the whole width, but not squeezed into a corner either.
    const qsizetype span = std::clamp<qsizetype>(depths.size(), leastSpan, QueueModel::historyLength);
    const double step = double(area.width()) / double(span - 1);
    const double left = area.right() - step * double(depths.size() - 1);
    QPainterPath line;
    for (qsizetype i = 0; i < depths.size(); ++i) {
        const QPointF point(left + step * double(i),
                            area.bottom() - double(depths[i]) / double(highest) * area.height());
        if (i == 0)
            line.moveTo(point);
        else
            line.lineTo(point);
    }
    QPainterPath ground = line;
    ground.lineTo(area.right(), area.bottom() + 1);
    ground.lineTo(left, area.bottom() + 1);
    ground.closeSubpath();
    QColor fill = colour;
    fill.setAlpha(36);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillPath(ground, fill);
    painter->setPen(QPen(colour, 1.25));
    painter->drawPath(line);
    painter->restore();
}

} // namespace

TableDelegate::Cell QueueDelegate::cell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Cell content = plainCell(option, index);
    const bool lacksListener = index.data(QueueModel::NoListenerRole).toBool();
    switch (index.column()) {
    case QueueModel::Depth:
        content.alignment = Qt::AlignRight;
        if (index.data(QueueModel::DepthRole).toLongLong() == 0)
            content.colour = secondary(option);
        break;
    case QueueModel::Listeners:
        content.alignment = Qt::AlignRight;
        if (lacksListener) {
            content.text = tr("nobody");
            content.colour = signalColour(Signal::Warning, option.palette);
            content.dot = content.colour;
        }
        break;
    case QueueModel::NextJob:
    case QueueModel::Key:
        content.isMono = true;
        [[fallthrough]];
    case QueueModel::Group:
    case QueueModel::Instance:
    case QueueModel::Order:
        content.colour = secondary(option);
        break;
    case QueueModel::Trend:
    case QueueModel::In:
    case QueueModel::Out:
    case QueueModel::Oldest:
    case QueueModel::Priority:
        content.alignment = Qt::AlignRight;
        content.colour = secondary(option);
        break;
    default:
        break;
    }
    if (index.column() == QueueModel::Kind && index.data(QueueModel::KindRole).toInt() == int(QueueKind::Dead)
        && index.data(QueueModel::DepthRole).toLongLong() > 0)
        content.colour = stateColour(JobState::Dead, option.palette);
    return content;
}

void QueueDelegate::paintExtra(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                               const QModelIndex &index) const
{
    if (index.column() != QueueModel::Trend)
        return;
    const auto depths = index.data(QueueModel::HistoryRole).value<QList<qint64>>();
    if (depths.size() < 2)
        return;
    const bool lacksListener = index.data(QueueModel::NoListenerRole).toBool();
    const QColor colour = lacksListener ? signalColour(Signal::Warning, option.palette) : accentColour(option.palette);
    const int number = option.fontMetrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    const int room = std::min(curveWidth, area.width() - number - space::small);
    if (room > 0)
        paintCurve(painter, QRect(area.left(), area.top() + 6, room, area.height() - 12), depths, colour);
}

} // namespace ym
