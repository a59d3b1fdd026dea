#include "ui/dialogs/graph/graph_draft_model.h"

#include "core/base/text.h"
#include "core/job/dependency_graph.h"

#include <algorithm>

namespace ym {

namespace {

constexpr qsizetype longestName = 80;

} // namespace

int GraphDraftModel::rowOf(const QByteArray &id) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.job.id == id; });
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

QString GraphDraftModel::freeName(const QString &wanted, int except) const
{
    const QString base = shownText(wanted.toUtf8(), Lines::Flatten, longestName).trimmed();
    const auto isTaken = [&](const QString &name) {
        for (int row = 0; row < rowCount(); ++row) {
            if (row != except && m_rows[size_t(row)].name == name)
                return true;
        }
        return false;
    };
    QString name = base.isEmpty() ? tr("job") : base;
    for (int number = 2; isTaken(name); ++number)
        name = (base.isEmpty() ? tr("job") : base) + u' ' + QString::number(number);
    return name;
}

int GraphDraftModel::add(Job job, const QString &name)
{
    const int row = rowCount();
    job.id = newJobId();
    beginInsertRows({}, row, row);
    m_rows.push_back({freeName(name, -1), std::move(job)});
    endInsertRows();
    return row;
}

void GraphDraftModel::restore(std::vector<Row> rows)
{
    beginResetModel();
    m_rows.clear();
    for (Row &row : rows) {
        if (row.job.id.isEmpty() || rowOf(row.job.id) >= 0)
            row.job.id = newJobId();
        row.name = freeName(row.name, -1);
        m_rows.push_back(std::move(row));
    }
    endResetModel();
}

void GraphDraftModel::remove(int row)
{
    const QByteArray id = m_rows[size_t(row)].job.id;
    beginRemoveRows({}, row, row);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
    for (Row &other : m_rows)
        other.job.prerequisites.removeAll(id);
    for (int other = 0; other < rowCount(); ++other)
        changed(other);
}

void GraphDraftModel::setJob(int row, Job job)
{
    Job &present = m_rows[size_t(row)].job;
    job.id = present.id;
    for (const QByteArray &id : std::as_const(present.prerequisites)) {
        if (rowOf(id) >= 0)
            job.prerequisites.append(id);
    }
    present = std::move(job);
    changed(row);
}

bool GraphDraftModel::runsAfter(int row, int other) const
{
    return m_rows[size_t(row)].job.prerequisites.contains(m_rows[size_t(other)].job.id);
}

void GraphDraftModel::setRunsAfter(int row, int other, bool on)
{
    QList<QByteArray> &list = m_rows[size_t(row)].job.prerequisites;
    list.removeAll(m_rows[size_t(other)].job.id);
    if (on)
        list.append(m_rows[size_t(other)].job.id);
    changed(row);
}

QList<QByteArray> GraphDraftModel::outside(int row) const
{
    QList<QByteArray> list;
    for (const QByteArray &id : m_rows[size_t(row)].job.prerequisites) {
        if (rowOf(id) < 0)
            list.append(id);
    }
    return list;
}

std::vector<Job> GraphDraftModel::drafts() const
{
    std::vector<Job> list;
    for (const Row &row : m_rows)
        list.push_back(row.job);
    return list;
}

QString GraphDraftModel::problem(int *row) const
{
    *row = -1;
    for (int i = 0; i < rowCount(); ++i) {
        const QList<FieldProblem> problems = validateDraft(m_rows[size_t(i)].job);
        if (problems.isEmpty())
            continue;
        *row = i;
        return tr("%1: %2").arg(name(i), problems.first().message);
    }
    const GraphPlan plan = planGraph(drafts());
    if (plan.cycle.isEmpty())
        return {};
    QStringList names;
    for (const QByteArray &id : plan.cycle)
        names.append(name(rowOf(id)));
    names.append(names.first());
    *row = rowOf(plan.cycle.first());
    return tr("These jobs wait for one another in a circle: %1.").arg(names.join(QStringLiteral(" ← ")));
}

void GraphDraftModel::changed(int row)
{
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int GraphDraftModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int GraphDraftModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant GraphDraftModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    const Row &row = m_rows[size_t(index.row())];
    if (index.column() == Name)
        return row.name;
    QStringList names;
    for (const QByteArray &id : row.job.prerequisites) {
        const int other = rowOf(id);
        names.append(other < 0 ? shownText(id.left(8)) : name(other));
    }
    return names.isEmpty() ? QStringLiteral("–") : names.join(QStringLiteral(", "));
}

QVariant GraphDraftModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Job") : tr("Runs after");
}

Qt::ItemFlags GraphDraftModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Name ? flags | Qt::ItemIsEditable : flags;
}

bool GraphDraftModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || index.column() != Name)
        return false;
    m_rows[size_t(index.row())].name = freeName(value.toString(), index.row());
    for (int row = 0; row < rowCount(); ++row)
        changed(row); // others may run after it
    return true;
}

} // namespace ym
