#include "ui/pages/queues_page.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "ui/actions/action_registry.h"
#include "ui/actions/change_actions.h"
#include "ui/connection_models.h"
#include "ui/dialog_opener.h"
#include "ui/pages/connection_trouble.h"
#include "ui/pages/queue_content.h"
#include "ui/pages/queue_delegate.h"
#include "ui/pages/unread_bar.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace.h"

#include <QHeaderView>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ym {

namespace {

class QueueTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override
    {
        static constexpr int widths[QueueModel::ColumnCount] = {112, 88, 96, 88, 64,  80, 152,
                                                                72,  72, 96, 96, 104, 96, 240};
        for (int column = 0; column < QueueModel::ColumnCount; ++column)
            horizontalHeader()->resizeSection(column, widths[column]);
        for (const int column : {QueueModel::In, QueueModel::Out, QueueModel::Key})
            setColumnHidden(column, true);
        horizontalHeader()->setSectionResizeMode(QueueModel::NextJob, QHeaderView::Stretch);
        horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    }
    bool isRightAligned(int section) const override
    {
        return section == QueueModel::Priority || (section >= QueueModel::Depth && section <= QueueModel::Listeners);
    }
};

class ContentTable final : public TableView {
public:
    using TableView::TableView;

protected:
    void arrange() override
    {
        static constexpr int widths[QueueContentModel::ColumnCount] = {64, 112, 312, 104, 160, 104};
        for (int column = 0; column < QueueContentModel::ColumnCount; ++column)
            horizontalHeader()->resizeSection(column, widths[column]);
        horizontalHeader()->setSectionResizeMode(QueueContentModel::Caller, QHeaderView::Stretch);
    }
    bool isRightAligned(int section) const override
    {
        return section == QueueContentModel::Place || section == QueueContentModel::Created;
    }
};

class ContentDelegate final : public TableDelegate {
public:
    using TableDelegate::TableDelegate;

protected:
    Cell cell(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        Cell content = plainCell(option, index);
        const bool isEnd = index.column() == QueueContentModel::Place || index.column() == QueueContentModel::Created;
        content.alignment = isEnd ? Qt::AlignRight : Qt::AlignLeft;
        content.isMono = index.column() == QueueContentModel::Id;
        if (index.column() != QueueContentModel::Id && index.column() != QueueContentModel::Type)
            content.colour = secondary(option);
        const QVariant state = index.data(QueueContentModel::StateRole);
        if (index.column() == QueueContentModel::State && state.isValid()) {
            content.colour = stateColour(JobState(state.toInt()), option.palette);
            content.dot = content.colour;
        }
        return content;
    }
};

} // namespace

QueuesPage::QueuesPage(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, ChangeActions *actions,
                       QWidget *parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_registry(registry)
    , m_dialogs(dialogs)
    , m_changes(actions)
    , m_sorted(new QSortFilterProxyModel(this))
    , m_contentModel(new QueueContentModel(this))
    , m_table(new QueueTable("queues", workspace->settings(), this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_empty(new EmptyState(this))
    , m_unread(new UnreadBar(workspace, this))
    , m_stack(new QStackedLayout)
{
    m_sorted->setSortRole(QueueModel::SortRole);
    m_sorted->setDynamicSortFilter(true);
    m_table->setObjectName(QStringLiteral("queueTable"));
    m_table->setAccessibleName(tr("Queues"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegate(new QueueDelegate(m_table));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(makeContent());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->restoreState(workspace->settings()->layout("queues/splitter"));
    connect(m_splitter, &QSplitter::splitterMoved, this,
            [this] { m_workspace->settings()->setLayout("queues/splitter", m_splitter->saveState()); });
    m_stack->addWidget(m_splitter);
    m_stack->addWidget(m_empty);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_unread);
    layout->addLayout(m_stack, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);

    connect(m_table, &TableView::currentRowChanged, this, &QueuesPage::showQueue);
    connect(m_table, &TableView::rowActivated, this, [this] { m_content->setFocus(); });
    connect(m_table, &QWidget::customContextMenuRequested, this, &QueuesPage::showMenu);
    connect(m_contentModel, &QueueContentModel::answered, this, &QueuesPage::showContentTitle);
    connect(m_empty, &EmptyState::mainClicked, this, [this] { retryTrouble(m_workspace); });
    connect(m_empty, &EmptyState::otherClicked, this, &QueuesPage::editConnectionWanted);
    connect(workspace, &Workspace::currentChanged, this, &QueuesPage::showConnection);
    connect(workspace, &Workspace::stateChanged, this, &QueuesPage::showRows);
    connect(workspace, &Workspace::applied, this, [this](const ChangeSet &changes) {
        if (!changes.queues || !isVisible())
            return;
        showRows();
        m_contentModel->refresh();
    });
    m_tick.setInterval(std::chrono::seconds(1));
    connect(&m_tick, &QTimer::timeout, this, &QueuesPage::tick);
    showConnection();
}

QWidget *QueuesPage::makeContent()
{
    auto *const box = new QWidget(this);
    auto *const column = new QVBoxLayout(box);
    column->setContentsMargins(0, space::small, 0, 0);
    column->setSpacing(space::tiny);
    m_title = new TextLabel(TextLabel::Kind::Heading, box);
    m_title->setObjectName(QStringLiteral("queueTitle"));
    m_title->setContentsMargins(space::large, 0, space::large, 0);
    m_title->setElided(true);
    m_hint = new TextLabel(TextLabel::Kind::Secondary, box);
    m_hint->setObjectName(QStringLiteral("queueHint"));
    m_hint->setContentsMargins(space::large, 0, space::large, space::tiny);
    m_hint->setElided(true);
    m_content = new ContentTable("queueContent", m_workspace->settings(), box);
    m_content->setObjectName(QStringLiteral("queueContent"));
    m_content->setAccessibleName(tr("Content of the queue"));
    m_content->setItemDelegate(new ContentDelegate(m_content));
    m_content->setSelectionMode(QAbstractItemView::SingleSelection);
    // Before the table's selection hears of it.
    connect(m_contentModel, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { m_isDraining = true; });
    connect(
        m_contentModel, &QAbstractItemModel::rowsRemoved, this, [this] { m_isDraining = false; }, Qt::QueuedConnection);
    m_content->show(m_contentModel);
    column->addWidget(m_title);
    column->addWidget(m_hint);
    m_nothing = new EmptyState(box);
    m_nothing->show({"done", tr("Nothing waits here"), {}, {}, {}});
    m_below = new QStackedWidget(box);
    m_below->addWidget(m_content);
    m_below->addWidget(m_nothing);
    column->addWidget(m_below, 1);
    m_content->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_content, &TableView::rowActivated, this,
            [this](int row) { Q_EMIT jobActivated(m_contentModel->idAt(row)); });
    connect(m_content, &TableView::currentRowChanged, this, &QueuesPage::chooseEntry);
    connect(m_content, &TableView::selectionMoved, this, &QueuesPage::chooseEntry);
    connect(m_content, &QWidget::customContextMenuRequested, this, &QueuesPage::showEntryMenu);
    return box;
}

void QueuesPage::showConnection()
{
    ConnectionModels *const models = m_workspace->current();
    m_table->setSortingEnabled(false);
    m_sorted->setSourceModel(models ? models->queues : nullptr);
    m_table->show(models ? m_sorted : nullptr);
    if (models)
        m_table->setSortingEnabled(true);
    m_contentModel->show(nullptr, {});
    showRows();
    showQueue();
}

void QueuesPage::showRows()
{
    const ConnectionModels *const models = m_workspace->current();
    const bool hasRows = models && models->queues->rowCount() > 0;
    m_unread->show(hasRows && models->isReady() ? models->session()->state().unread.queues : Error());
    if (!hasRows)
        m_empty->show(emptyContent());
    m_stack->setCurrentWidget(hasRows ? static_cast<QWidget *>(m_splitter) : m_empty);
    if (hasRows && !m_table->currentIndex().isValid())
        m_table->selectRow(0);
}

EmptyState::Content QueuesPage::emptyContent() const
{
    const ConnectionModels *const models = m_workspace->current();
    if (!models || !models->isReady())
        return troubleContent(m_workspace);
    const Error why = models->session()->state().unread.queues;
    if (!why.message.isEmpty())
        return unreadContent(m_workspace, tr("The queues cannot be read"), why);
    if (!models->knowsQueues())
        return {"queues", tr("Reading the queues"), {}, {}, {}, -1};
    return {"queues", tr("No queues yet"), tr("A queue appears here with the first job that goes through it."), {}, {}};
}

void QueuesPage::focusTable()
{
    m_table->setFocus();
}

std::optional<QueueInfo> QueuesPage::chosenQueue() const
{
    const ConnectionModels *const models = m_workspace->current();
    const int row = models ? models->queues->rowOf(currentKey()) : -1;
    return row < 0 ? std::nullopt : std::optional(models->queues->queueAt(row));
}

QByteArray QueuesPage::currentKey() const
{
    return m_table->currentIndex().data(QueueModel::KeyRole).toByteArray();
}

void QueuesPage::showQueue()
{
    if (isVisible() && currentKey() != m_contentModel->key())
        m_workspace->chooseJob({}); // it was chosen in the queue before
    m_contentModel->show(m_workspace->current(), currentKey());
    showContentTitle({});
}

void QueuesPage::showContentTitle(const QString &error)
{
    const QByteArray key = currentKey();
    m_title->setText(key.isEmpty() ? tr("No queue is selected") : shownText(key, Lines::Flatten, 200));
    const QModelIndex queue = m_table->currentIndex();
    const qint64 depth = queue.data(QueueModel::DepthRole).toLongLong();
    const bool isEmpty = depth == 0 && m_contentModel->rowCount() == 0;
    m_below->setCurrentWidget(isEmpty ? static_cast<QWidget *>(m_nothing) : m_content);
    const QString hint = queue.data(QueueModel::HintRole).toString();
    QStringList parts;
    if (!error.isEmpty())
        parts.append(error);
    else if (depth > QueueContentModel::mostEntries)
        parts.append(tr("The next %1 of %2 entries, in the order they are served")
                         .arg(QLocale().toString(QueueContentModel::mostEntries), QLocale().toString(depth)));
    else if (depth > 0)
        parts.append(counted(depth, tr("1 entry"), tr("%1 entries, in the order they are served")));
    if (!hint.isEmpty())
        parts.append(hint);
    m_hint->setText(parts.join(QStringLiteral(" · ")));
}

void QueuesPage::showMenu(const QPoint &position)
{
    const QModelIndex index = m_table->indexAt(position);
    if (!index.isValid())
        return;
    const ConnectionModels *const models = m_workspace->current();
    const QueueInfo queue = models->queues->queueAt(models->queues->rowOf(index.data(QueueModel::KeyRole).toByteArray()));
    Target target = queue.target;
    if (queue.kind == QueueKind::Legacy)
        target.keys = KeyMode::Legacy;
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool mayChange = !m_workspace->profile().readOnly && models->isReady()
        && !(target.type.isEmpty() && target.legacyWorker.isEmpty());
    QAction *const job = menu->addAction(tr("New job for this queue…"));
    job->setEnabled(mayChange && models->can(Capability::Submit));
    connect(job, &QAction::triggered, this, [this, target] { m_dialogs->newJobFor(target); });
    QAction *const worker = menu->addAction(tr("Start a worker for it…"));
    worker->setEnabled(mayChange);
    connect(worker, &QAction::triggered, this, [this, target] { m_dialogs->startWorker(target); });
    menu->addSeparator();
    QAction *const purge = menu->addAction(tr("Remove what waits here…"));
    purge->setEnabled(m_changes->whyNoPurge(queue).isEmpty());
    connect(purge, &QAction::triggered, this, [this, queue] { m_changes->purge(queue); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void QueuesPage::chooseEntry()
{
    const QItemSelectionModel *const selection = m_content->selectionModel();
    const QModelIndex current = selection ? selection->currentIndex() : QModelIndex();
    if (!m_isDraining && current.isValid() && selection->isSelected(current))
        m_workspace->chooseJob(m_contentModel->idAt(current.row()));
}

void QueuesPage::showEntryMenu(const QPoint &position)
{
    if (!m_content->indexAt(position).isValid())
        return;
    m_registry->refreshNow();
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    m_registry->fill(menu,
                     {"job.stop", "job.requeue", "job.move", "", "job.remove", "", "job.duplicate", "job.edit",
                      "job.runLocally", "", "job.watch", "job.copyId"});
    menu->popup(m_content->viewport()->mapToGlobal(position));
}

void QueuesPage::tick()
{
    if (ConnectionModels *const models = m_workspace->current())
        models->queues->tick();
}

void QueuesPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showRows();
    m_contentModel->refresh();
    m_tick.start();
}

void QueuesPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
}

} // namespace ym
