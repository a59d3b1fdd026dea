#include "models/attempt_model.h"

#include "core/base/text.h"
#include "core/job/signal_name.h"

#include <QLocale>

namespace ym {

namespace {

QString shown(const QByteArray &bytes)
{
    return shownText(bytes, Lines::Flatten, 200);
}

QString cell(const PastRun &run, int column)
{
    switch (AttemptModel::Column(column)) {
    case AttemptModel::Attempt:
        return QLocale().toString(run.attempt);
    case AttemptModel::Result:
        return runResult(run);
    case AttemptModel::Worker:
        return shown(run.worker);
    case AttemptModel::Containment:
        return shown(run.containment);
    case AttemptModel::Duration:
        return millisecondsText(run.duration.count());
    case AttemptModel::CpuTime:
        return millisecondsText(run.cpuTime.count());
    case AttemptModel::Memory:
        return run.peakKb < 0 ? QString() : QLocale().formattedDataSize(run.peakKb * 1024, 1);
    case AttemptModel::ColumnCount:
        break;
    }
    return {};
}

} // namespace

QString runResult(const PastRun &run)
{
    const QString fate = shown(run.fate);
    if (run.signal > 0)
        return AttemptModel::tr("%1, %2").arg(fate, signalText(run.signal));
    if (run.exitCode > 0)
        return AttemptModel::tr("%1, exit code %2").arg(fate, QString::number(run.exitCode));
    return fate;
}

QString millisecondsText(qint64 ms)
{
    const QLocale locale;
    if (ms < 0)
        return {};
    return ms < 10'000 ? AttemptModel::tr("%1 ms").arg(locale.toString(ms))
                       : AttemptModel::tr("%1 s").arg(locale.toString(double(ms) / 1000, 'f', 1));
}

void AttemptModel::setRuns(const QList<PastRun> &runs)
{
    QList<PastRun> wanted(runs.rbegin(), runs.rend());
    // New runs come in front; one that is no longer there means another job.
    const qsizetype more = wanted.size() - m_runs.size();
    const auto attemptsAlike = [&] {
        for (qsizetype i = 0; i < m_runs.size(); ++i) {
            if (wanted[more + i].attempt != m_runs[i].attempt)
                return false;
        }
        return true;
    };
    if (more < 0 || !attemptsAlike()) {
        if (!m_runs.isEmpty()) {
            beginRemoveRows({}, 0, int(m_runs.size()) - 1);
            m_runs.clear();
            endRemoveRows();
        }
        return wanted.isEmpty() ? void() : setRuns(runs);
    }
    if (more > 0) {
        beginInsertRows({}, 0, int(more) - 1);
        m_runs = wanted.mid(0, more) + m_runs;
        endInsertRows();
    }
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        if (m_runs[i] == wanted[i])
            continue;
        m_runs[i] = wanted[i];
        Q_EMIT dataChanged(index(int(i), 0), index(int(i), ColumnCount - 1));
    }
}

const PastRun *AttemptModel::runAt(int row) const
{
    return row >= 0 && row < m_runs.size() ? &m_runs[row] : nullptr;
}

int AttemptModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

int AttemptModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AttemptModel::data(const QModelIndex &index, int role) const
{
    const PastRun *const run = runAt(index.row());
    if (!run)
        return {};
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) // what has no room in its column
        return cell(*run, index.column());
    if (role == FailedRole)
        return run->fate != "finished";
    return {};
}

QVariant AttemptModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    const QString titles[ColumnCount] = {tr("Try"), tr("Result"), tr("Worker"), tr("Contained by"),
                                         tr("Time"), tr("CPU"), tr("Memory")};
    return titles[section];
}

} // namespace ym
