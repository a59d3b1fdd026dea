#include "ui/sidebar.h"

#include "core/base/text.h"
#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/sidebar_delegate.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/tool_row.h"
#include "ui/workspace.h"

#include <QHBoxLayout>
#include <QListView>
#include <QLocale>
#include <QMenu>
#include <QStandardItemModel>

namespace ym {

namespace {

Signal signalOf(ConnectionState::Phase phase)
{
    switch (phase) {
    case ConnectionState::Phase::Closed:
        return Signal::Off;
    case ConnectionState::Phase::Connecting:
        return Signal::Busy;
    case ConnectionState::Phase::Ready:
        return Signal::Good;
    case ConnectionState::Phase::Waiting:
        return Signal::Warning;
    case ConnectionState::Phase::Refused:
        return Signal::Bad;
    }
    return Signal::Off;
}

QString phaseWord(ConnectionState::Phase phase)
{
    switch (phase) {
    case ConnectionState::Phase::Closed:
        return Sidebar::tr("closed");
    case ConnectionState::Phase::Connecting:
        return Sidebar::tr("connecting");
    case ConnectionState::Phase::Ready:
        return Sidebar::tr("connected");
    case ConnectionState::Phase::Waiting:
        return Sidebar::tr("no connection");
    case ConnectionState::Phase::Refused:
        return Sidebar::tr("refused");
    }
    return {};
}

bool waitsForNobody(const QueueModel *queues)
{
    for (int row = 0; row < queues->rowCount(); ++row) {
        if (queues->index(row, 0).data(QueueModel::NoListenerRole).toBool())
            return true;
    }
    return false;
}

} // namespace

Sidebar::Sidebar(Workspace *workspace, ActionRegistry *registry, QWidget *parent)
    : QWidget(parent)
    , m_workspace(workspace)
    , m_registry(registry)
    , m_connectionModel(new QStandardItemModel(this))
    , m_pageModel(new QStandardItemModel(this))
    , m_connections(makeList("connectionList", tr("Connections"), m_connectionModel))
    , m_pages(makeList("pageList", tr("Pages"), m_pageModel))
{
    setObjectName(QStringLiteral("sidebar"));
    setMinimumWidth(176);
    for (int i = 0; i < pageCount; ++i) {
        auto *const item = new QStandardItem(pageTitle(PageId(i)));
        item->setData(QByteArray(pageName(PageId(i))), sidebar::IconRole);
        m_pageModel->appendRow(item);
    }
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space::small, 0, space::small);
    layout->setSpacing(0);
    layout->addWidget(
        makeHeading(tr("Connections"), actionButton(registry->action("connection.new"), ButtonText::Hidden, this)));
    layout->addWidget(m_connections);
    layout->addSpacing(space::medium);
    layout->addWidget(makeHeading(tr("Pages"), nullptr));
    layout->addWidget(m_pages);
    layout->addStretch();
    fitHeight(m_pages);

    connect(m_connections, &QListView::clicked, this,
            [this](const QModelIndex &index) { m_workspace->openConnection(index.data(sidebar::IdRole).toString()); });
    connect(m_connections, &QListView::activated, this,
            [this](const QModelIndex &index) { m_workspace->openConnection(index.data(sidebar::IdRole).toString()); });
    connect(m_pages->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &index) { m_workspace->setPage(PageId(std::max(index.row(), 0))); });
    connect(workspace, &Workspace::pageChanged, this,
            [this](PageId page) { m_pages->setCurrentIndex(m_pageModel->index(int(page), 0)); });
    m_pages->setCurrentIndex(m_pageModel->index(int(workspace->page()), 0));
    m_connections->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_connections, &QWidget::customContextMenuRequested, this, &Sidebar::showMenu);
    connect(workspace->connections(), &Connections::profilesChanged, this, &Sidebar::fillConnections);
    connect(workspace->connections(), &Connections::sessionOpened, this, [this](Session *session) {
        connect(session, &Session::stateChanged, this, &Sidebar::refreshStates);
        refreshStates();
    });
    connect(workspace->connections(), &Connections::sessionClosing, this, &Sidebar::refreshStates,
            Qt::QueuedConnection);
    connect(workspace, &Workspace::currentChanged, this, &Sidebar::fillConnections);
    connect(workspace, &Workspace::applied, this, &Sidebar::refreshCounts);
    fillConnections();
}

QListView *Sidebar::makeList(const char *name, const QString &title, QStandardItemModel *model)
{
    auto *const list = new QListView(this);
    list->setObjectName(QLatin1String(name));
    list->setAccessibleName(title);
    list->setModel(model);
    list->setItemDelegate(new SidebarDelegate(list));
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setEditTriggers(QListView::NoEditTriggers);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->viewport()->setAutoFillBackground(false);
    return list;
}

QWidget *Sidebar::makeHeading(const QString &title, QWidget *button)
{
    auto *const heading = new QWidget(this);
    auto *const row = new QHBoxLayout(heading);
    row->setContentsMargins(space::large + 4, 0, space::small, 0);
    heading->setFixedHeight(SidebarDelegate::rowHeight);
    auto *const label = new TextLabel(title, TextLabel::Kind::Secondary, heading);
    row->addWidget(label, 1);
    if (button)
        row->addWidget(button);
    return heading;
}

void Sidebar::fitHeight(QListView *list)
{
    constexpr int mostRows = 12;
    list->setFixedHeight(std::clamp(list->model()->rowCount(), 1, mostRows) * SidebarDelegate::rowHeight + 2);
}

void Sidebar::fillConnections()
{
    const QList<Profile> profiles = m_workspace->connections()->profiles();
    m_connectionModel->setRowCount(int(profiles.size()));
    for (int row = 0; row < profiles.size(); ++row) {
        const Profile &profile = profiles[row];
        auto *const item = new QStandardItem(shownText(profile.name.toUtf8(), Lines::Flatten, 200));
        item->setData(profile.id, sidebar::IdRole);
        item->setData(profile.colour, sidebar::ColourRole);
        item->setData(profile.readOnly, sidebar::LockedRole);
        m_connectionModel->setItem(row, item);
        if (m_workspace->current() && profile.id == m_workspace->profile().id)
            m_connections->setCurrentIndex(item->index());
    }
    fitHeight(m_connections);
    refreshStates();
    refreshCounts();
}

void Sidebar::refreshStates()
{
    for (int row = 0; row < m_connectionModel->rowCount(); ++row) {
        QStandardItem *const item = m_connectionModel->item(row);
        const Session *const session = m_workspace->connections()->session(item->data(sidebar::IdRole).toString());
        const auto phase = session ? session->state().phase : ConnectionState::Phase::Closed;
        item->setData(int(signalOf(phase)), sidebar::DotRole);
        item->setData(tr("%1, %2").arg(item->text(), phaseWord(phase)), Qt::AccessibleTextRole);
    }
}

void Sidebar::refreshCounts()
{
    const ConnectionModels *const models = m_workspace->current();
    const auto show = [this](PageId page, qint64 count, bool alert) {
        QStandardItem *const item = m_pageModel->item(int(page));
        item->setData(count > 0 ? QLocale().toString(count) : QString(), sidebar::CountRole);
        item->setData(alert, sidebar::AlertRole);
    };
    show(PageId::Jobs, models ? models->jobs->totalCount() : 0, false);
    show(PageId::Queues, models ? models->queues->totalDepth() : 0, models && waitsForNobody(models->queues));
    show(PageId::Workers, models ? models->workers->rowCount() : 0, false);
}

void Sidebar::showMenu(const QPoint &position)
{
    const QModelIndex index = m_connections->indexAt(position);
    if (index.isValid())
        m_workspace->openConnection(index.data(sidebar::IdRole).toString());
    m_registry->refreshNow();
    auto *const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_registry->fill(menu, {"connection.attach", "", "connection.retry", "connection.edit", "connection.remove", "", "connection.new"});
    menu->popup(m_connections->viewport()->mapToGlobal(position));
}

} // namespace ym
