#include "ui/pages/queue_content.h"

#include "core/base/relative_time.h"
#include "core/base/text.h"
#include "core/base/when_ready.h"
#include "ui/connection_models.h"
#include "ui/theme.h"

#include <QLocale>

namespace ym {

void QueueContentModel::show(ConnectionModels *models, const QByteArray &key)
{
    if (models == m_models && key == m_key)
        return;
    if (m_models)
        m_models->disconnect(this);
    m_models = models;
    m_key = key;
    m_isAsking = false;
    take({});
    if (models)
        connect(models, &ConnectionModels::applied, this, &QueueContentModel::describeAll);
    refresh();
}

void QueueContentModel::refresh()
{
    if (!m_models || m_key.isEmpty() || m_isAsking)
        return;
    m_isAsking = true;
    const auto answer = m_models->session()->queueContent(m_key, 0, mostEntries);
    whenReady(answer, this, [this, models = m_models, key = m_key](const Result<QList<QByteArray>> &ids) {
        if (models != m_models || key != m_key) // other connections have queues of the same name
            return;
        m_isAsking = false;
        if (ids)
            take(*ids);
        Q_EMIT answered(ids ? QString() : ids.error().text());
    });
}

/// Queues change at their ends: what is equal at both ends stays, the middle is replaced.
void QueueContentModel::take(const QList<QByteArray> &ids)
{
    const auto [freshEnd, oldEnd] = std::mismatch(ids.begin(), ids.end(), m_ids.begin(), m_ids.end());
    const qsizetype front = freshEnd - ids.begin();
    qsizetype back = 0;
    while (back < std::min(ids.size(), m_ids.size()) - front
           && ids[ids.size() - 1 - back] == m_ids[m_ids.size() - 1 - back])
        ++back;
    const qsizetype goes = m_ids.size() - front - back;
    const qsizetype comes = ids.size() - front - back;
    if (goes > 0) {
        beginRemoveRows({}, int(front), int(front + goes - 1));
        m_ids.remove(front, goes);
        m_rows.erase(m_rows.begin() + front, m_rows.begin() + front + goes);
        endRemoveRows();
    }
    if (comes > 0) {
        beginInsertRows({}, int(front), int(front + comes - 1));
        m_ids = ids;
        m_rows.insert(m_rows.begin() + front, size_t(comes), Row());
        for (qsizetype row = front; row < front + comes; ++row)
            m_rows[size_t(row)] = described(int(row));
        endInsertRows();
    }
    describeAll();
}

void QueueContentModel::describeAll()
{
    int first = -1;
    int last = -1;
    for (int row = 0; row < int(m_rows.size()); ++row) {
        Row fresh = described(row);
        if (fresh == m_rows[size_t(row)])
            continue;
        m_rows[size_t(row)] = std::move(fresh);
        first = first < 0 ? row : first;
        last = row;
    }
    if (first >= 0)
        Q_EMIT dataChanged(index(first, 0), index(last, ColumnCount - 1));
}

QueueContentModel::Row QueueContentModel::described(int row) const
{
    Row described;
    const QByteArray &id = m_ids[row];
    described.texts[Place] = QLocale().toString(row + 1);
    described.texts[Id] = shownText(id, Lines::Flatten, 80);
    const auto job = m_models ? m_models->jobs->summary(id) : std::nullopt;
    if (!job) {
        described.texts[State] = tr("not listed");
        return described;
    }
    described.isKnown = true;
    described.state = job->state;
    described.texts[State] = stateWord(job->state);
    described.texts[Type] = shownText(job->target.type, Lines::Flatten, 80);
    described.texts[Caller] = shownText(job->callerId, Lines::Flatten, 200);
    if (job->createdAt)
        described.texts[Created] = agoText(*job->createdAt, m_models->clock()->now());
    return described;
}

int QueueContentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int QueueContentModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant QueueContentModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.texts[size_t(index.column())];
    case Qt::ToolTipRole:
        return index.column() == Id ? QVariant(row.texts[Id]) : QVariant();
    case IdRole:
        return m_ids[index.row()];
    case StateRole:
        return row.isKnown ? QVariant(int(row.state)) : QVariant();
    }
    return {};
}

QVariant QueueContentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    switch (Column(section)) {
    case Place:
        return tr("Place");
    case State:
        return tr("State");
    case Id:
        return tr("Id");
    case Type:
        return tr("Type");
    case Caller:
        return tr("Caller");
    case Created:
        return tr("Created");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace ym
