#include "ui/main_window.h"

#include "core/base/text.h"
#include "ui/actions/action_registry.h"
#include "ui/actions/change_actions.h"
#include "ui/actions/job_actions.h"
#include "ui/actions/window_actions.h"
#include "ui/actions/worker_actions.h"
#include "ui/connection_models.h"
#include "ui/detail/detail_pane.h"
#include "ui/dialog_opener.h"
#include "ui/font_reading.h"
#include "ui/notifier.h"
#include "ui/pages/filter_line.h"
#include "ui/pages/job_table.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/queues_page.h"
#include "ui/pages/workers_page.h"
#include "ui/palette/command_palette.h"
#include "ui/sidebar.h"
#include "ui/status_line.h"
#include "ui/theme.h"
#include "ui/ui_settings.h"
#include "ui/widgets/framed_area.h"
#include "ui/widgets/notice_stack.h"

#include <QCloseEvent>
#include <QMenuBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr QSize firstSize(1280, 800);
constexpr int sidebarWidth = 208;
constexpr int detailWidth = 448;
/// From this width of pages and detail on, the detail stands at the right.
constexpr int roomForDetailAtRight = 1360;

} // namespace

MainWindow::MainWindow(Connections *connections, UiSettings *settings, Build build)
    : m_workspace(new Workspace(connections, settings, this))
    , m_registry(new ActionRegistry(this))
    , m_dialogs(new DialogOpener(m_workspace, this))
    , m_detail([this] { return makeDetail(); })
    , m_queues([this] { return makeQueues(); })
    , m_workers([this] { return makeWorkers(); })
    , m_palette([this] { return new CommandPalette(m_workspace, m_registry, this); })
    , m_status([this] { return makeStatus(); })
    , m_partsToMake({[this] { m_status.get(); }, [this] { m_registry->fillMenus(); }, [this] { m_jobs->table(); },
                     [this] { m_detail.get(); }, [this] { m_queues.get(); }, [this] { m_workers.get(); },
                     [this] { m_palette.get(); }})
{
    setWindowIcon(applicationIcon());
    m_notifier = new Notifier(m_workspace, this);
    m_workspace->openLast(); // first: the core opens it meanwhile, and the pages need not change what they show
    makeFrame();
    makeActions();
    m_sidebar = new Sidebar(m_workspace, m_registry, m_outer);
    ensurePolished();
    drawFirstIcons();
    finishReadingFonts(); // from here on there is text
    fillFrame();
    connectAll();
    restoreLayout();
    while (build == Build::Now && !m_partsToMake.isEmpty())
        m_partsToMake.takeFirst()();
    connect(&m_afterFrame, &QTimer::timeout, this, &MainWindow::makeNextPart);
    showTitle();
    showPage(m_workspace->page());
    m_registry->refreshNow();
}

/// What shows models goes before the workspace that owns them: tables save their columns when they go.
MainWindow::~MainWindow()
{
    delete m_area;
}

void MainWindow::makeActions()
{
    auto *const windowActions = new WindowActions(m_workspace, m_registry, m_dialogs, this);
    m_jobActions = new JobActions(m_workspace, m_registry, m_dialogs, this);
    m_changeActions = new ChangeActions(m_workspace, m_registry, m_jobActions, m_dialogs, this);
    m_changeActions->setChosenQueue([this] {
        return m_workspace->page() == PageId::Queues ? m_queues.get()->chosenQueue() : std::nullopt;
    });
    m_workerActions = new WorkerActions(m_workspace, m_registry, m_dialogs, this);
    connect(m_dialogs, &DialogOpener::remedyWanted, this, &MainWindow::apply);
    m_workerActions->setChosen([this] { return chosenLocalWorker(); });
    windowActions->addConnectionActions();
    windowActions->addViewActions();
    windowActions->addHelpActions();
    m_registry->addMenus(menuBar());
}

/// The first frame is on the screen when this is painted; the timer waits until nothing else does.
bool MainWindow::event(QEvent *event)
{
    if (event->type() == QEvent::Paint && !m_partsToMake.isEmpty() && !m_afterFrame.isActive())
        m_afterFrame.start(0);
    return QMainWindow::event(event);
}

void MainWindow::makeNextPart()
{
    m_partsToMake.takeFirst()();
    if (!m_partsToMake.isEmpty())
        return;
    m_afterFrame.stop();
    Q_EMIT completed();
}

DetailPane *MainWindow::makeDetail()
{
    auto *const detail = new DetailPane(m_workspace, m_jobActions, m_detailPlace);
    m_detailPlace->layout()->addWidget(detail);
    connect(detail, &DetailPane::closeWanted, this, [this] {
        m_jobs->table()->setFocus();
        toggleDetail();
    });
    connect(detail, &DetailPane::remedyWanted, this, &MainWindow::apply);
    return detail;
}

void MainWindow::apply(const Remedy &remedy)
{
    switch (remedy.kind) {
    case Remedy::Kind::None:
        break;
    case Remedy::Kind::StartWorker:
        m_dialogs->startWorker(remedy.target);
        break;
    case Remedy::Kind::Requeue:
        m_changeActions->requeue(remedy.jobs);
        break;
    case Remedy::Kind::Retry:
        m_jobActions->perform(JobVerb::Retry, remedy.jobs);
        break;
    }
}

QueuesPage *MainWindow::makeQueues()
{
    auto *const queues = new QueuesPage(m_workspace, m_registry, m_dialogs, m_changeActions, m_pages);
    m_pages->addWidget(queues);
    connect(queues, &QueuesPage::jobActivated, this, &MainWindow::openJob);
    connect(queues, &QueuesPage::editConnectionWanted, this, &MainWindow::editThisConnection);
    return queues;
}

WorkersPage *MainWindow::makeWorkers()
{
    auto *const workers = new WorkersPage(m_workspace, m_registry, m_pages);
    m_pages->addWidget(workers);
    connect(workers, &WorkersPage::jobActivated, this, &MainWindow::openJob);
    connect(workers, &WorkersPage::localSelectionChanged, m_registry, &ActionRegistry::refreshSoon);
    connect(workers, &WorkersPage::editConnectionWanted, this, &MainWindow::editThisConnection);
    return workers;
}

StatusLine *MainWindow::makeStatus()
{
    auto *const status = new StatusLine(m_workspace, m_statusPlace);
    m_statusPlace->layout()->addWidget(status);
    return status;
}

QWidget *MainWindow::pageWidget(PageId page)
{
    switch (page) {
    case PageId::Jobs:
        return m_jobs;
    case PageId::Queues:
        return m_queues.get();
    case PageId::Workers:
        return m_workers.get();
    }
    return m_jobs;
}

void MainWindow::bringUp(PageId page)
{
    m_pages->setCurrentWidget(pageWidget(page));
    showDetail();
}

/// The page chooses the first local worker by itself, so it must be there as soon as there is one.
quint32 MainWindow::chosenLocalWorker()
{
    const ConnectionModels *const models = m_workspace->current();
    return models && models->localWorkers->rowCount() > 0 ? m_workers.get()->chosenLocalWorker() : 0;
}

void MainWindow::editThisConnection()
{
    m_dialogs->editConnection(m_workspace->profile().id);
}

/// The empty frame comes first, so that everything is made where it belongs: a widget that is moved is styled again,
/// with all its children.
void MainWindow::makeFrame()
{
    m_outer = new QSplitter(Qt::Horizontal, this);
    m_area = new FramedArea(m_outer, this);
    setCentralWidget(m_area);
    m_inner = new QSplitter(Qt::Vertical, m_outer);
    m_pages = new QStackedWidget(m_inner);
    m_detailPlace = new QWidget(m_inner);
    m_detailPlace->hide();
    (new QVBoxLayout(m_detailPlace))->setContentsMargins(0, 0, 0, 0);
}

/// While the fonts are read there is time for the pictures of the first frame.
void MainWindow::drawFirstIcons()
{
    const auto draw = [this](const char *name, const QColor &colour) {
        tintedIcon(name, colour, space::iconSize, devicePixelRatioF());
    };
    for (int i = 0; i < pageCount; ++i)
        draw(pageName(PageId(i)), i == int(m_workspace->page()) ? palette().color(QPalette::Text)
                                                                : secondaryColour(palette()));
    for (const char *const name : {"search", "add"})
        draw(name, palette().color(QPalette::Active, QPalette::ButtonText));
    for (const char *const name : {"stop", "retry", "remove"})
        draw(name, palette().color(QPalette::Disabled, QPalette::ButtonText));
}

void MainWindow::fillFrame()
{
    m_jobs = new JobsPage(m_workspace, m_registry, m_pages);
    m_pages->addWidget(m_jobs);
    m_outer->insertWidget(0, m_sidebar);
    m_inner->setChildrenCollapsible(false);
    m_outer->setCollapsible(1, false);
    m_outer->setStretchFactor(0, 0);
    m_outer->setStretchFactor(1, 1);
    m_outer->setSizes({sidebarWidth, firstSize.width() - sidebarWidth});
    m_outer->setAutoFillBackground(true);
    m_statusPlace = new QWidget(statusBar());
    m_statusPlace->setObjectName(QStringLiteral("statusPlace"));
    m_statusPlace->setFixedHeight(StatusLine::lineHeight);
    (new QVBoxLayout(m_statusPlace))->setContentsMargins(0, 0, 0, 0);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_statusPlace, 1);
    m_notices = new NoticeStack(m_area);
}

void MainWindow::connectAll()
{
    connect(m_workspace, &Workspace::pageChanged, this, &MainWindow::bringUp);
    connect(m_workspace, &Workspace::currentChanged, this, &MainWindow::showTitle);
    connect(m_workspace, &Workspace::stateChanged, this, &MainWindow::showTitle);
    connect(m_workspace->connections(), &Connections::profilesChanged, this, &MainWindow::showTitle);
    connect(m_workspace, &Workspace::jobChosen, this, &MainWindow::showDetail);
    connect(m_workspace, &Workspace::noticed, m_notices, &NoticeStack::add);
    connect(m_workspace, &Workspace::offersWithdrawn, m_notices, &NoticeStack::withdrawOffers);
    connect(m_jobs, &JobsPage::jobActivated, this, &MainWindow::openJob);
    connect(m_jobs, &JobsPage::editConnectionWanted, this, &MainWindow::editThisConnection);
    connect(m_inner, &QSplitter::splitterMoved, this, &MainWindow::saveDetailSplitter);
}

void MainWindow::restoreLayout()
{
    const UiSettings *const settings = m_workspace->settings();
    resize(firstSize);
    // restoreGeometry moves a window that would lie outside all screens back onto one.
    restoreGeometry(settings->layout("window/geometry"));
    m_outer->restoreState(settings->layout("window/sidebar"));
    m_wantsDetail = settings->text("window/detail") != QLatin1String("hidden");
    Q_EMIT detailToggled(m_wantsDetail);
    arrangeDetail();
    bringUp(m_workspace->page());
}

QByteArray MainWindow::detailLayoutName() const
{
    return m_inner->orientation() == Qt::Horizontal ? "window/detailRight" : "window/detailBelow";
}

void MainWindow::saveDetailSplitter()
{
    m_workspace->settings()->setLayout(detailLayoutName(), m_inner->saveState());
}

/// Sizes before anybody moved the splitter.
void MainWindow::giveDetailItsShare()
{
    const bool isBeside = m_inner->orientation() == Qt::Horizontal;
    const int room = isBeside ? m_inner->width() : m_inner->height();
    const int detail = isBeside ? detailWidth : room * 44 / 100;
    m_inner->setSizes({room - detail, detail});
}

/// Beside the table where there is room for both, else below it; each arrangement has sizes of its own.
void MainWindow::arrangeDetail()
{
    const Qt::Orientation wanted = width() - m_sidebar->width() >= roomForDetailAtRight ? Qt::Horizontal : Qt::Vertical;
    const bool isArranged = m_inner->property("arranged").toBool();
    if (isArranged && wanted == m_inner->orientation())
        return;
    m_inner->setProperty("arranged", true);
    m_inner->setOrientation(wanted);
    if (!m_inner->restoreState(m_workspace->settings()->layout(detailLayoutName())))
        giveDetailItsShare();
    m_inner->setStretchFactor(0, 1);
    m_inner->setStretchFactor(1, 0);
}

void MainWindow::showDetail()
{
    const bool hasJob = !m_workspace->chosenJob().isEmpty() && m_workspace->page() != PageId::Workers;
    const bool isWanted = hasJob && m_wantsDetail;
    const bool comesUp = isWanted && m_detailPlace->isHidden();
    if (comesUp)
        m_detail.get();
    m_detailPlace->setVisible(isWanted);
    if (comesUp && m_workspace->settings()->layout(detailLayoutName()).isEmpty())
        giveDetailItsShare();
}

void MainWindow::toggleDetail()
{
    m_wantsDetail = !m_wantsDetail;
    m_workspace->settings()->setText("window/detail", m_wantsDetail ? QString() : QStringLiteral("hidden"));
    showDetail();
    Q_EMIT detailToggled(m_wantsDetail);
}

/// A job that is opened wants to be looked at: its page comes up and the keyboard goes to its details.
void MainWindow::openJob(const QByteArray &id)
{
    m_workspace->openJob(id);
    if (!m_wantsDetail)
        toggleDetail();
    m_detail.get()->focusTabs();
}

void MainWindow::showPage(PageId page)
{
    m_workspace->setPage(page);
    switch (page) {
    case PageId::Jobs:
        m_jobs->focusContent();
        break;
    case PageId::Queues:
        m_queues.get()->focusTable();
        break;
    case PageId::Workers:
        m_workers.get()->focusTable();
        break;
    }
}

void MainWindow::openPalette()
{
    m_registry->refreshNow();
    m_palette.get()->open();
}

void MainWindow::focusFilter()
{
    m_workspace->setPage(PageId::Jobs);
    m_jobs->focusFilter();
}

void MainWindow::clearFilter()
{
    m_workspace->setPage(PageId::Jobs);
    m_jobs->clearFilter();
}

void MainWindow::showDetailTab(int number)
{
    if (!m_wantsDetail)
        toggleDetail();
    m_detail.get()->showTab(number);
    m_detail.get()->focusTabs();
}

void MainWindow::openScript(const QString &path)
{
    m_dialogs->newJobFromFile(path);
}

void MainWindow::showTitle()
{
    const Profile profile = m_workspace->profile();
    const QString name = shownText(profile.name.toUtf8(), Lines::Flatten, 80);
    setWindowTitle(name.isEmpty() ? tr("Yardmaster") : tr("%1 — Yardmaster").arg(name));
    m_area->setProduction(profile.production);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    UiSettings *const settings = m_workspace->settings();
    settings->setLayout("window/geometry", saveGeometry());
    settings->setLayout("window/sidebar", m_outer->saveState());
    settings->sync();
    QMainWindow::closeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    arrangeDetail();
}

/// A window that nobody sees needs no fresh picture.
void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::WindowStateChange)
        return;
    if (Session *const session = m_workspace->session())
        session->setOnScreen(!isMinimized());
}

} // namespace ym
