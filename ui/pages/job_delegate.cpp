#include "ui/pages/job_delegate.h"

#include "models/job_table_model.h"
#include "ui/theme.h"

#include <QPainter>
#include <QVarLengthArray>

namespace ym {

namespace {

using Marks = QVarLengthArray<const char *, 2>;

/// Icons for what the job asks for.
Marks marksOf(const QModelIndex &index)
{
    const int asked = index.data(JobTableModel::AccessRole).toInt();
    Marks marks;
    if (asked & JobTableModel::AsksForFolders)
        marks.append("folder");
    if (asked & JobTableModel::AsksForNetwork)
        marks.append("network");
    return marks;
}

void paintMarks(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option, const Marks &marks)
{
    const QColor colour = signalColour(Signal::Warning, option.palette);
    int left = area.right() + 1;
    for (const char *const name : marks) {
        left -= space::iconSize;
        painter->drawPixmap(left, area.center().y() - space::iconSize / 2 + 1,
                            tintedIcon(name, colour, space::iconSize, painter->device()->devicePixelRatio()));
        left -= space::tiny;
    }
}

} // namespace

TableDelegate::Cell JobDelegate::cell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Cell content = plainCell(option, index);
    const auto *const model = static_cast<const JobTableModel *>(index.model());
    switch (model->columnAt(index.column())) {
    case JobTableModel::Column::State:
        content.colour = stateColour(JobState(index.data(JobTableModel::StateRole).toInt()), option.palette);
        content.dot = content.colour;
        if (const QVariant percent = index.data(JobTableModel::ProgressRole); percent.isValid())
            content.text = tr("%1 %").arg(percent.toInt());
        break;
    case JobTableModel::Column::Id:
        content.isMono = true;
        break;
    case JobTableModel::Column::Type:
        content.tail = int(marksOf(index).size()) * (space::iconSize + space::tiny);
        break;
    case JobTableModel::Column::Target:
    case JobTableModel::Column::Access:
        break;
    case JobTableModel::Column::Priority:
    case JobTableModel::Column::Attempt:
    case JobTableModel::Column::Created:
    case JobTableModel::Column::Updated:
        content.alignment = Qt::AlignRight;
        content.colour = secondary(option);
        break;
    case JobTableModel::Column::Caller:
    case JobTableModel::Column::Context:
    case JobTableModel::Column::Worker:
        content.colour = secondary(option);
        break;
    }
    return content;
}

/// What a job asks for beyond its own folder, at the end of its type; and how far a running one is: a thin bar.
void JobDelegate::paintExtra(QPainter *painter, const QRect &area, const QStyleOptionViewItem &option,
                             const QModelIndex &index) const
{
    const auto *const model = static_cast<const JobTableModel *>(index.model());
    if (model->columnAt(index.column()) == JobTableModel::Column::Type)
        paintMarks(painter, area, option, marksOf(index));
    if (model->columnAt(index.column()) != JobTableModel::Column::State)
        return;
    const QVariant percent = index.data(JobTableModel::ProgressRole);
    if (!percent.isValid())
        return;
    const QRect track(area.left(), area.bottom() - 4, area.width(), 3);
    QRect filled = track;
    filled.setWidth(track.width() * percent.toInt() / 100);
    painter->fillRect(track, borderColour(option.palette));
    painter->fillRect(filled, stateColour(JobState::Running, option.palette));
}

} // namespace ym
