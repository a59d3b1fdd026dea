#include "ui/pages/job_table.h"

#include "ui/connection_models.h"
#include "ui/pages/job_delegate.h"

#include <QHeaderView>

#include <numeric>

namespace ym {

namespace {

using Column = JobTableModel::Column;

constexpr auto tellDelay = std::chrono::milliseconds(150);
constexpr auto tickInterval = std::chrono::seconds(1);

struct ColumnLook {
    Column column;
    int width; ///< 0: takes a share of what is left
    bool isShown;
};

constexpr ColumnLook looks[] = {
    {Column::State, 112, true},   {Column::Id, 96, true},        {Column::Type, 104, true},
    {Column::Target, 0, true},    {Column::Priority, 72, false}, {Column::Caller, 0, true},
    {Column::Context, 0, false},  {Column::Worker, 0, true},     {Column::Attempt, 80, true},
    {Column::Created, 112, true}, {Column::Updated, 112, false},
    {Column::Access, 160, false},
};

} // namespace

JobTable::JobTable(UiSettings *settings, QWidget *parent)
    : TableView("jobs", settings, parent)
{
    setObjectName(QStringLiteral("jobTable"));
    setAccessibleName(tr("Jobs"));
    setItemDelegate(new JobDelegate(this));
    setContextMenuPolicy(Qt::CustomContextMenu);
    m_tell.setSingleShot(true);
    m_tell.setInterval(tellDelay);
    connect(&m_tell, &QTimer::timeout, this, &JobTable::tellVisibleRows);
    m_tick.setInterval(tickInterval);
    connect(&m_tick, &QTimer::timeout, this, &JobTable::tick);
}

void JobTable::showJobs(ConnectionModels *models)
{
    if (m_models)
        disconnect(m_models->jobs, nullptr, &m_tell, nullptr);
    m_models = models;
    setSortingEnabled(false);
    show(models ? models->jobs : nullptr);
    if (!models)
        return;
    setSortingEnabled(true);
    connect(models->jobs, &JobTableModel::applied, &m_tell, [this] {
        if (!m_tell.isActive())
            m_tell.start();
    });
    m_tell.start();
}

void JobTable::arrange()
{
    const JobTableModel *const jobs = m_models->jobs;
    QHeaderView *const header = horizontalHeader();
    for (const ColumnLook &look : looks) {
        const int section = jobs->section(look.column);
        if (section < 0)
            continue;
        header->setSectionResizeMode(section, look.width == 0 ? QHeaderView::Stretch : QHeaderView::Interactive);
        if (look.width > 0)
            header->resizeSection(section, look.width);
        header->setSectionHidden(section, !look.isShown);
    }
    header->setSortIndicator(jobs->section(Column::Created), Qt::DescendingOrder);
}

bool JobTable::isRightAligned(int section) const
{
    static constexpr Column numbers[] = {Column::Priority, Column::Attempt, Column::Created, Column::Updated};
    return m_models
        && std::find(std::begin(numbers), std::end(numbers), m_models->jobs->columnAt(section)) != std::end(numbers);
}

QByteArray JobTable::currentId() const
{
    return m_models ? m_models->jobs->idAt(currentIndex().row()) : QByteArray();
}

QList<QByteArray> JobTable::selectedIds(qsizetype most) const
{
    if (!m_models || !selectionModel())
        return {};
    QItemSelection some;
    qsizetype rows = 0;
    const QItemSelection all = selectionModel()->selection();
    for (const QItemSelectionRange &range : all) {
        const int count = int(std::min<qsizetype>(range.height(), most - rows));
        if (count <= 0)
            break;
        some.append(QItemSelectionRange(model()->index(range.top(), 0), model()->index(range.top() + count - 1, 0)));
        rows += count;
    }
    return m_models->jobs->ids(some);
}

qint64 JobTable::selectedCount() const
{
    const QItemSelection all = selectionModel() ? selectionModel()->selection() : QItemSelection();
    return std::accumulate(all.begin(), all.end(), qint64(0),
                           [](qint64 rows, const QItemSelectionRange &range) { return rows + range.height(); });
}

bool JobTable::select(const QByteArray &id)
{
    const int row = m_models ? m_models->jobs->rowOf(id) : -1;
    if (row < 0)
        return false;
    // Not selectRow(): that one looks at the keys that are held down.
    const QModelIndex index = model()->index(row, 0);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
    return true;
}

std::pair<int, int> JobTable::visibleRows() const
{
    const int rows = model() ? model()->rowCount() : 0;
    if (rows == 0 || !isVisible())
        return {0, -1};
    const int first = std::max(rowAt(0), 0);
    const int last = rowAt(viewport()->height() - 1);
    return {first, last < 0 ? rows - 1 : last};
}

void JobTable::tellVisibleRows()
{
    if (!m_models)
        return;
    const auto [first, last] = visibleRows();
    m_models->session()->setVisibleJobs(last < first ? QList<QByteArray>() : m_models->jobs->idsInRows(first, last));
}

void JobTable::tick()
{
    const auto [first, last] = visibleRows();
    if (m_models && last >= first)
        m_models->jobs->tick(first, last);
}

void JobTable::scrollContentsBy(int dx, int dy)
{
    TableView::scrollContentsBy(dx, dy);
    if (dy != 0 && !m_tell.isActive())
        m_tell.start();
}

void JobTable::resizeEvent(QResizeEvent *event)
{
    TableView::resizeEvent(event);
    m_tell.start();
}

void JobTable::showEvent(QShowEvent *event)
{
    TableView::showEvent(event);
    m_tick.start();
    m_tell.start();
}

void JobTable::hideEvent(QHideEvent *event)
{
    TableView::hideEvent(event);
    m_tick.stop();
    m_tell.start();
}

} // namespace ym
