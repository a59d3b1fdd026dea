#include "ui/pages/jobs_page.h"

#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/pages/connection_trouble.h"
#include "ui/pages/filter_line.h"
#include "ui/pages/job_table.h"
#include "ui/pages/state_chips.h"
#include "ui/pages/unread_bar.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"
#include "ui/workspace.h"

#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace ym {

namespace {

/// A connection that is ready within this time goes from the empty table to its rows without a word in between.
constexpr auto openingTime = std::chrono::milliseconds(200);

} // namespace

JobsPage::JobsPage(Workspace *workspace, ActionRegistry *registry, QWidget *parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_registry(registry)
    , m_filter(new FilterLine(this))
    , m_problem(new TextLabel(TextLabel::Kind::Body, this))
    , m_chips(new StateChips(this))
    , m_unread(new UnreadBar(workspace, this))
    , m_stack(new QStackedLayout)
    , m_table([this] { return makeTable(); })
    , m_empty([this] { return makeEmpty(); })
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_filter->setFixedHeight(space::rowHeight);
    m_problem->setObjectName(QStringLiteral("filterProblem"));
    m_problem->setProperty("tone", "bad");
    m_problem->hide();
    auto *const chipRow = toolRow();
    chipRow->setContentsMargins(space::large, 0, space::large, space::small);
    chipRow->addWidget(m_chips, 1);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(makeTools(registry));
    layout->addLayout(chipRow);
    layout->addWidget(m_unread);
    layout->addLayout(m_stack, 1);

    connect(m_filter, &FilterLine::filterChanged, this, [this](const JobFilter &filter) {
        if (ConnectionModels *const models = m_workspace->current())
            models->jobs->setFilter(filter);
        m_chips->setFilter(filter);
        showCounts();
    });
    connect(m_filter, &FilterLine::problemChanged, this, [this](const QString &problem) {
        m_problem->setText(problem);
        m_problem->setVisible(!problem.isEmpty());
    });
    connect(m_filter, &FilterLine::leftDownwards, this, [this] { table()->setFocus(); });
    connect(m_chips, &StateChips::statesChosen, this,
            [this](const QList<JobState> &states) { m_filter->setQuery(withStates(m_filter->text(), states)); });
    m_opening.setSingleShot(true);
    m_opening.setInterval(openingTime);
    connect(&m_opening, &QTimer::timeout, this, &JobsPage::showCounts);
    connect(workspace, &Workspace::currentChanged, this, &JobsPage::showConnection);
    connect(workspace, &Workspace::stateChanged, this, &JobsPage::showCounts);
    connect(workspace, &Workspace::jobOpened, this, [this](const QByteArray &id) {
        m_awaited = table()->select(id) ? QByteArray() : id;
        if (!m_awaited.isEmpty())
            table()->clearSelection();
    });
    connect(workspace, &Workspace::applied, this, &JobsPage::selectAwaited);
    workspace->setSelection(
        {[this](qsizetype most) { return m_table.made() ? m_table.made()->selectedIds(most) : QList<QByteArray>(); },
         [this] { return m_table.made() ? m_table.made()->selectedCount() : 0; }});
    showConnection();
}

QLayout *JobsPage::makeTools(ActionRegistry *registry)
{
    auto *const row = toolRow();
    row->setContentsMargins(space::large, space::small, space::large, space::small);
    row->addWidget(m_filter, 1);
    row->addSpacing(space::tiny);
    row->addWidget(m_problem);
    row->addSpacing(space::small);
    for (const char *const id : {"job.stop", "job.retry", "job.remove"})
        row->addWidget(actionButton(registry->action(id), ButtonText::Hidden, this));
    row->addSpacing(space::tiny);
    row->addWidget(primaryButton(registry->action("job.new"), tr("New job"), this));
    return row;
}

void JobsPage::showConnection()
{
    ConnectionModels *const models = m_workspace->current();
    if (m_table.made())
        m_table.made()->showJobs(models);
    m_filter->setVocabulary(models ? models->jobs : nullptr);
    m_filter->setQuery(models ? models->jobs->filter().query() : QString());
    if (models) {
        m_chips->setFilter(models->jobs->filter());
        connect(models->jobs, &JobTableModel::countsChanged, this, &JobsPage::showCounts, Qt::UniqueConnection);
        connect(models->jobs, &JobTableModel::arrangingChanged, this, &JobsPage::showCounts, Qt::UniqueConnection);
    }
    m_opening.start();
    showCounts();
}

void JobsPage::showCounts()
{
    const ConnectionModels *const models = m_workspace->current();
    const bool isKnown = models && (models->jobs->listing().complete || models->jobs->totalCount() > 0);
    m_unread->show(isKnown && models->isReady() ? models->session()->state().unread.jobs : Error());
    m_chips->setCounts(isKnown ? std::optional(models->jobs->stateCounts()) : std::nullopt);
    const bool hasRows = models && models->jobs->rowCount() > 0;
    const bool waitsForRows = models && models->jobs->isArranging() && models->jobs->totalCount() > 0;
    if (hasRows || waitsForRows)
        return bringUp(table());
    const EmptyState::Content content = emptyContent();
    if (content.isBusy() && m_opening.isActive()) {
        if (m_table.made())
            bringUp(m_table.made());
        return;
    }
    m_empty.get()->show(content);
    bringUp(m_empty.get());
}

JobTable *JobsPage::makeTable()
{
    auto *const table = new JobTable(m_workspace->settings(), this);
    m_stack->addWidget(table);
    connect(table, &TableView::currentRowChanged, this, &JobsPage::chooseCurrent);
    connect(table, &TableView::selectionMoved, this, &JobsPage::chooseCurrent);
    connect(table, &TableView::selectionMoved, m_workspace, &Workspace::selectionChanged);
    connect(table, &TableView::rowActivated, this, [this, table] { Q_EMIT jobActivated(table->currentId()); });
    connect(table, &QWidget::customContextMenuRequested, this, &JobsPage::showMenu);
    return table;
}

/// What it tells while it gets its rows asks for it again, so it is filled after it was made.
JobTable *JobsPage::table()
{
    if (!m_table.made()) {
        m_table.get()->showJobs(m_workspace->current());
        showCounts();
    }
    return m_table.made();
}

EmptyState *JobsPage::makeEmpty()
{
    auto *const empty = new EmptyState(this);
    m_stack->addWidget(empty);
    connect(empty, &EmptyState::mainClicked, this, &JobsPage::reactToMain);
    connect(empty, &EmptyState::otherClicked, this, &JobsPage::reactToOther);
    return empty;
}

void JobsPage::bringUp(QWidget *content)
{
    const QWidget *const before = m_stack->currentWidget();
    if (content == before && !m_wantsFocus)
        return;
    const QWidget *const focused = window()->focusWidget();
    const bool hadFocus = focused && (focused == m_table.made() || (before && before->isAncestorOf(focused)));
    m_stack->setCurrentWidget(content);
    if (std::exchange(m_wantsFocus, false) || hadFocus)
        content->setFocus();
}

JobsPage::Lack JobsPage::lack() const
{
    const ConnectionModels *const models = m_workspace->current();
    if (!models || !models->isReady())
        return Lack::Connection;
    if (models->jobs->totalCount() > 0)
        return Lack::Match;
    if (models->jobs->listing().complete)
        return Lack::Jobs;
    return models->session()->state().unread.jobs.message.isEmpty() ? Lack::Listing : Lack::Answer;
}

EmptyState::Content JobsPage::emptyContent() const
{
    switch (lack()) {
    case Lack::Connection:
        return troubleContent(m_workspace);
    case Lack::Match:
        return {"search",
                tr("No job matches"),
                tr("Nothing fits the filter “%1”.").arg(m_workspace->current()->jobs->filter().query().left(200)),
                tr("Clear filter"),
                {}};
    case Lack::Answer:
        return unreadContent(m_workspace, tr("The jobs cannot be read"), m_workspace->session()->state().unread.jobs);
    case Lack::Listing:
        return {"jobs", tr("Reading the jobs"), {}, {}, {}, -1};
    case Lack::Jobs:
        break;
    }
    const QString reason = m_registry->whyNot(m_registry->action("job.new"));
    if (!reason.isEmpty())
        return {"jobs", tr("No jobs yet"), reason, {}, {}};
    return {"jobs", tr("No jobs yet"), tr("A job is a script and where it shall run. Write one and watch it here."),
            tr("Write your first job"), tr("Open a script file…")};
}

void JobsPage::reactToMain()
{
    switch (lack()) {
    case Lack::Connection:
    case Lack::Answer:
        return retryTrouble(m_workspace);
    case Lack::Match:
        return clearFilter();
    case Lack::Listing:
        return;
    case Lack::Jobs:
        m_registry->action("job.new")->trigger();
    }
}

void JobsPage::reactToOther()
{
    if (lack() == Lack::Jobs)
        m_registry->action("job.open")->trigger();
    else
        Q_EMIT editConnectionWanted();
}

/// A view makes its first row current when it gets the focus; only a row that is selected too was chosen by somebody.
void JobsPage::chooseCurrent()
{
    const QItemSelectionModel *const selection = table()->selectionModel();
    const QModelIndex current = selection ? selection->currentIndex() : QModelIndex();
    if (current.isValid() && selection->isSelected(current))
        m_workspace->chooseJob(table()->currentId());
}

/// A job that was submitted a moment ago is in the details before it is in the table.
void JobsPage::selectAwaited()
{
    if (!m_awaited.isEmpty() && (m_awaited != m_workspace->chosenJob() || table()->select(m_awaited)))
        m_awaited.clear();
}

void JobsPage::focusContent()
{
    m_wantsFocus = !m_stack->currentWidget();
    if (!m_wantsFocus)
        m_stack->currentWidget()->setFocus();
}

void JobsPage::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void JobsPage::clearFilter()
{
    m_filter->setQuery({});
    table()->setFocus();
}

void JobsPage::showMenu(const QPoint &position)
{
    m_registry->refreshNow();
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    m_registry->fill(menu,
                     {"job.stop", "job.retry", "job.requeue", "job.move", "", "job.remove", "", "job.duplicate",
                      "job.edit", "job.runLocally", "", "job.watch", "job.copyId"});
    QMenu *const all = menu->addMenu(tr("Everything that matches"));
    all->setToolTipsVisible(true);
    m_registry->fill(all, {"job.stopAll", "job.retryAll", "job.removeAll"});
    menu->popup(table()->viewport()->mapToGlobal(position));
}

} // namespace ym
