#include "ui/pages/worker_delegate.h"

#include "core/job/change_set.h"
#include "models/local_worker_model.h"
#include "models/worker_model.h"
#include "ui/theme.h"

namespace ym {

namespace {

Signal signalOf(WorkerModel::State state)
{
    switch (state) {
    case WorkerModel::State::Idle:
        return Signal::Good;
    case WorkerModel::State::Busy:
        return Signal::Busy;
    case WorkerModel::State::Quiet:
        return Signal::Off;
    case WorkerModel::State::Silent:
        return Signal::Warning;
    case WorkerModel::State::Unreadable:
        return Signal::Bad;
    }
    return Signal::Off;
}

Signal signalOf(LocalWorkerInfo::State state)
{
    switch (state) {
    case LocalWorkerInfo::State::Starting:
        return Signal::Busy;
    case LocalWorkerInfo::State::Running:
        return Signal::Good;
    case LocalWorkerInfo::State::Quiet:
        return Signal::Off;
    case LocalWorkerInfo::State::Stopping:
        return Signal::Warning;
    case LocalWorkerInfo::State::Stopped:
        return Signal::Off;
    }
    return Signal::Off;
}

} // namespace

TableDelegate::Cell WorkerDelegate::cell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Cell content = plainCell(option, index);
    const auto state = WorkerModel::State(index.data(WorkerModel::StateRole).toInt());
    switch (index.column()) {
    case WorkerModel::Condition:
        content.colour = signalColour(signalOf(state), option.palette);
        content.dot = content.colour;
        break;
    case WorkerModel::Heartbeat:
        content.alignment = Qt::AlignRight;
        content.colour =
            state == WorkerModel::State::Silent ? signalColour(Signal::Warning, option.palette) : secondary(option);
        break;
    case WorkerModel::Busy:
        content.isMono = true;
        break;
    case WorkerModel::Since:
    case WorkerModel::Slots:
    case WorkerModel::Pid:
    case WorkerModel::Started:
        content.alignment = Qt::AlignRight;
        content.colour = secondary(option);
        break;
    case WorkerModel::Host:
    case WorkerModel::Version:
        content.colour = secondary(option);
        break;
    case WorkerModel::Type:
    case WorkerModel::Group:
    case WorkerModel::Instance:
        break;
    }
    return content;
}

TableDelegate::Cell LocalWorkerDelegate::cell(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    Cell content = plainCell(option, index);
    switch (index.column()) {
    case LocalWorkerModel::Condition:
        content.colour = signalColour(signalOf(LocalWorkerInfo::State(index.data(LocalWorkerModel::StateRole).toInt())),
                                      option.palette);
        content.dot = content.colour;
        break;
    case LocalWorkerModel::Running:
    case LocalWorkerModel::Done:
        content.alignment = Qt::AlignRight;
        content.colour = secondary(option);
        break;
    case LocalWorkerModel::Trouble:
        content.colour = signalColour(Signal::Warning, option.palette);
        if (!content.text.isEmpty())
            content.dot = content.colour;
        break;
    case LocalWorkerModel::Types:
    case LocalWorkerModel::Group:
    case LocalWorkerModel::Instance:
        break;
    }
    return content;
}

} // namespace ym
