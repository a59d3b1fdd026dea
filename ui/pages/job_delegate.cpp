#include "ui/pages/job_delegate.h"

#include "models/job_table_model.h"
#include "ui/theme.h"

namespace ym {

TableDelegate::Cell JobDelegate::cell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Cell content = plainCell(option, index);
    const auto *const model = static_cast<const JobTableModel *>(index.model());
    switch (model->columnAt(index.column())) {
    case JobTableModel::Column::State:
        content.colour = stateColour(JobState(index.data(JobTableModel::StateRole).toInt()), option.palette);
        content.dot = content.colour;
        break;
    case JobTableModel::Column::Id:
        content.isMono = true;
        break;
    case JobTableModel::Column::Type:
    case JobTableModel::Column::Target:
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

} // namespace ym
