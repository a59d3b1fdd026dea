#include "ui/pages/workers_page.h"

#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/pages/connection_trouble.h"
#include "ui/pages/unread_bar.h"
#include "ui/pages/worker_delegate.h"
#include "ui/theme.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"
#include "ui/workspace.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int mostLocalRows = 5;
const QList<int> localNumbers{LocalWorkerModel::Running, LocalWorkerModel::Done};
const QList<int> numbers{WorkerModel::Heartbeat, WorkerModel::Since, WorkerModel::Slots, WorkerModel::Pid,
                         WorkerModel::Started};

/// Fixed widths, 0 for the column that takes what is left, below 0 for one that is hidden at first.
class PlainTable final : public TableView {
public:
    PlainTable(QByteArray name, UiSettings *settings, QList<int> widths, QList<int> numberColumns, QWidget *parent)
        : TableView(std::move(name), settings, parent)
        , m_widths(std::move(widths))
        , m_numbers(std::move(numberColumns))
    {
        setSelectionMode(SingleSelection);
    }

protected:
    void arrange() override
    {
        for (int column = 0; column < m_widths.size(); ++column) {
            const int width = m_widths[column];
            setColumnHidden(column, width < 0);
            horizontalHeader()->setSectionResizeMode(column,
                                                     width == 0 ? QHeaderView::Stretch : QHeaderView::Interactive);
            if (width != 0)
                horizontalHeader()->resizeSection(column, std::abs(width));
        }
        horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    }

    bool isRightAligned(int section) const override { return m_numbers.contains(section); }

private:
    QList<int> m_widths;
    QList<int> m_numbers;
};

} // namespace

WorkersPage::WorkersPage(Workspace *workspace, ActionRegistry *registry, QWidget *parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_registry(registry)
    , m_sorted(new QSortFilterProxyModel(this))
    , m_local(new PlainTable("localWorkers", workspace->settings(), {160, 104, 88, 112, 88, 88, 0}, localNumbers, this))
    , m_table(new PlainTable("workers", workspace->settings(), {112, 104, 88, 112, 104, 0, 88, 64, 136, 80, -88, -112},
                             numbers, this))
    , m_localHint(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_empty(new EmptyState(this))
    , m_unread(new UnreadBar(workspace, this))
    , m_stack(new QStackedWidget(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_sorted->setSortRole(WorkerModel::SortRole);
    m_local->setObjectName(QStringLiteral("localWorkerTable"));
    m_local->setAccessibleName(tr("Workers in this application"));
    m_local->setItemDelegate(new LocalWorkerDelegate(m_local));
    m_table->setObjectName(QStringLiteral("workerTable"));
    m_table->setAccessibleName(tr("Live workers"));
    m_table->setItemDelegate(new WorkerDelegate(m_table));
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeLocal(registry));
    layout->addWidget(makeLive(), 1);

    connect(m_local, &TableView::currentRowChanged, this, &WorkersPage::localSelectionChanged);
    connect(m_local, &TableView::rowActivated, this,
            [this](int row) { openBusyJob(m_local, LocalWorkerModel::BusyRole, row); });
    connect(m_table, &TableView::rowActivated, this,
            [this](int row) { openBusyJob(m_table, WorkerModel::BusyRole, row); });
    connect(m_empty, &EmptyState::otherClicked, this, &WorkersPage::editConnectionWanted);
    connect(m_empty, &EmptyState::mainClicked, this, [this] {
        const ConnectionModels *const models = m_workspace->current();
        if (models && models->isReady() && !isUnread())
            m_registry->action("worker.start")->trigger();
        else
            retryTrouble(m_workspace);
    });
    connect(workspace, &Workspace::currentChanged, this, &WorkersPage::showConnection);
    connect(workspace, &Workspace::stateChanged, this, &WorkersPage::showRows);
    connect(workspace, &Workspace::applied, this, [this](const ChangeSet &changes) {
        if (changes.workers || changes.localWorkers)
            showRows();
    });
    m_tick.setInterval(std::chrono::seconds(1));
    connect(&m_tick, &QTimer::timeout, this, &WorkersPage::tick);
    showConnection();
}

QWidget *WorkersPage::makeLocal(ActionRegistry *registry)
{
    auto *const box = new QWidget(this);
    auto *const column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *const row = toolRow();
    row->setContentsMargins(space::large, space::small, space::large, space::small);
    row->addWidget(new TextLabel(tr("In this application"), TextLabel::Kind::Heading, box), 1);
    for (const char *const id : {"worker.quiet", "worker.resume", "worker.stop"})
        row->addWidget(actionButton(registry->action(id), ButtonText::Hidden, box));
    row->addSpacing(space::tiny);
    row->addWidget(primaryButton(registry->action("worker.start"), tr("Start a worker"), box));
    m_localHint->setText(tr("No worker runs here. Start one to run jobs on this computer."));
    m_localHint->setContentsMargins(space::large, 0, space::large, space::medium);
    column->addLayout(row);
    column->addWidget(m_localHint);
    column->addWidget(m_local);
    return box;
}

QWidget *WorkersPage::makeLive()
{
    auto *const box = new QWidget(this);
    auto *const column = new QVBoxLayout(box);
    column->setContentsMargins(0, space::large, 0, 0);
    column->setSpacing(space::small);
    auto *const title = new TextLabel(tr("Live workers"), TextLabel::Kind::Heading, box);
    title->setContentsMargins(space::large, 0, space::large, 0);
    column->addWidget(title);
    column->addWidget(m_unread);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    column->addWidget(m_stack, 1);
    return box;
}

void WorkersPage::showConnection()
{
    ConnectionModels *const models = m_workspace->current();
    m_local->show(models ? models->localWorkers : nullptr);
    m_table->setSortingEnabled(false);
    m_sorted->setSourceModel(models ? models->workers : nullptr);
    m_table->show(models ? m_sorted : nullptr);
    if (models)
        m_table->setSortingEnabled(true);
    showRows();
}

void WorkersPage::showRows()
{
    const ConnectionModels *const models = m_workspace->current();
    const bool hasRows = models && models->workers->rowCount() > 0;
    m_unread->show(hasRows && models->isReady() ? models->session()->state().unread.workers : Error());
    if (!hasRows)
        m_empty->show(emptyContent());
    m_stack->setCurrentWidget(hasRows ? static_cast<QWidget *>(m_table) : m_empty);
    fitLocal();
    Q_EMIT localSelectionChanged();
}

bool WorkersPage::isUnread() const
{
    const Session *const session = m_workspace->session();
    return session && !session->state().unread.workers.message.isEmpty();
}

EmptyState::Content WorkersPage::emptyContent() const
{
    const ConnectionModels *const models = m_workspace->current();
    if (!models || !models->isReady())
        return troubleContent(m_workspace);
    if (isUnread())
        return unreadContent(m_workspace, tr("The workers cannot be read"), models->session()->state().unread.workers);
    if (!models->knowsWorkers())
        return {"workers", tr("Reading the workers"), {}, {}, {}, -1};
    return {"workers",
            tr("No worker is alive"),
            tr("Jobs wait until somebody serves their queue."),
            tr("Start a worker here…"),
            {}};
}

void WorkersPage::focusTable()
{
    m_table->setFocus();
}

void WorkersPage::fitLocal()
{
    const ConnectionModels *const models = m_workspace->current();
    const int rows = models ? models->localWorkers->rowCount() : 0;
    m_local->setVisible(rows > 0);
    m_localHint->setVisible(rows == 0);
    const int header = m_local->horizontalHeader()->sizeHint().height();
    m_local->setFixedHeight(header + std::min(rows, mostLocalRows) * space::rowHeight);
    if (rows > 0 && !m_local->currentIndex().isValid())
        m_local->selectRow(0);
}

quint32 WorkersPage::chosenLocalWorker() const
{
    const ConnectionModels *const models = m_workspace->current();
    return models ? models->localWorkers->handleAt(m_local->currentIndex().row()) : 0;
}

void WorkersPage::openBusyJob(const TableView *table, int role, int row)
{
    const auto busy = table->model()->index(row, 0).data(role).value<QList<QByteArray>>();
    if (!busy.isEmpty())
        Q_EMIT jobActivated(busy.first());
}

void WorkersPage::tick()
{
    if (ConnectionModels *const models = m_workspace->current())
        models->workers->tick();
}

void WorkersPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_tick.start();
}

void WorkersPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
}

} // namespace ym
