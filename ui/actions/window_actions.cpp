#include "ui/actions/window_actions.h"

#include "core/engine/store_url.h"
#include "ui/actions/action_registry.h"
#include "ui/connection_models.h"
#include "ui/detail/detail_pane.h"
#include "ui/dialog_opener.h"
#include "ui/main_window.h"
#include "ui/ui_settings.h"
#include "ui/workspace.h"

#include <QActionGroup>

namespace ym {

namespace {

ActionSpec made(const char *id, ActionMenu menu, int group, const QString &text, const QString &tip,
                const char *icon = "", const QList<QKeySequence> &keys = {})
{
    ActionSpec spec;
    spec.id = id;
    spec.menu = menu;
    spec.group = group;
    spec.text = text;
    spec.tip = tip;
    spec.icon = icon;
    spec.keys = keys;
    return spec;
}

} // namespace

WindowActions::WindowActions(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, MainWindow *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_registry(registry)
    , m_dialogs(dialogs)
    , m_window(window)
{
    connect(workspace, &Workspace::currentChanged, registry, &ActionRegistry::refreshSoon);
    connect(workspace, &Workspace::pageChanged, registry, &ActionRegistry::refreshSoon);
}

QString WindowActions::whyNotRemovable() const
{
    if (!m_workspace->current())
        return tr("No connection is open.");
    return m_workspace->profile().id == QLatin1String(localProfileId) ? tr("The local workspace is always there.")
                                                                      : QString();
}

QString WindowActions::whyNotAttachable() const
{
    if (!m_workspace->current())
        return tr("No connection is open.");
    const Result<StoreAddress> address = parseStoreAddress(m_workspace->profile().url);
    const bool isWorkspace = address && address->kind == StoreAddress::Kind::Embedded;
    return isWorkspace ? QString() : tr("Programs connect to this server by themselves.");
}

void WindowActions::addConnectionActions()
{
    m_registry->add(made("connection.new", ActionMenu::File, 0, tr("New &connection…"), tr("Connect to a Redis"), "add",
                         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)}),
                    this, [this] { m_dialogs->newConnection(); });
    addConnectionChanges();
    m_registry->add(made("app.settings", ActionMenu::File, 1, tr("&Settings…"), tr("Look, interpreters, notifications"),
                         "settings", {QKeySequence(Qt::CTRL | Qt::Key_Comma)}),
                    this, [this] { m_dialogs->settings(); });
    m_registry->add(made("app.audit", ActionMenu::File, 1, tr("E&xecuted on this computer…"),
                         tr("Every run here: what, how it was contained, how it ended"), "script"),
                    this, [this] { m_dialogs->audit(); });
    m_registry->add(made("app.quit", ActionMenu::File, 2, tr("&Quit"), tr("Close the window and stop the workers here"),
                         "", {QKeySequence(Qt::CTRL | Qt::Key_Q)}),
                    this, [this] { m_window->close(); });
}

void WindowActions::addConnectionChanges()
{
    ActionSpec edit = made("connection.edit", ActionMenu::File, 0, tr("&Edit connection…"),
                           tr("Change address, colour or rights"), "edit");
    edit.whyNot = [this] { return m_workspace->current() ? QString() : tr("No connection is open."); };
    m_registry->add(std::move(edit), this, [this] { m_dialogs->editConnection(m_workspace->profile().id); });
    ActionSpec retry = made("connection.retry", ActionMenu::File, 0, tr("&Retry now"),
                            tr("Try to connect without waiting"), "refresh");
    retry.whyNot = [this] {
        const ConnectionModels *const models = m_workspace->current();
        return models && !models->isReady() ? QString() : tr("It is connected.");
    };
    m_registry->add(std::move(retry), this, [this] { m_workspace->session()->retryNow(); });
    ActionSpec attach = made("connection.attach", ActionMenu::File, 0, tr("&Attach programs…"),
                             tr("Socket, port and clients of this workspace"), "connection");
    attach.whyNot = [this] { return whyNotAttachable(); };
    m_registry->add(std::move(attach), this, [this] { m_dialogs->attach(); });
    ActionSpec gone = made("connection.remove", ActionMenu::File, 0, tr("Remove co&nnection…"),
                           tr("Forget this connection"), "remove");
    gone.whyNot = [this] { return whyNotRemovable(); };
    m_registry->add(std::move(gone), this, [this] { m_dialogs->removeConnection(m_workspace->profile().id); });
}

void WindowActions::addPages()
{
    for (int i = 0; i < pageCount; ++i) {
        const auto page = PageId(i);
        m_registry->add(made(QByteArray("page.").append(pageName(page)).constData(), ActionMenu::View, 0,
                             pageTitle(page), tr("Show the page %1").arg(pageTitle(page)), pageName(page),
                             {QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i))}),
                        this, [this, page] { m_window->showPage(page); });
    }
}

void WindowActions::addThemes()
{
    struct Choice {
        const char *id;
        QString text;
        ThemeChoice theme;
    };
    const Choice choices[] = {{"theme.system", tr("Colours of the &system"), ThemeChoice::System},
                              {"theme.light", tr("&Light colours"), ThemeChoice::Light},
                              {"theme.dark", tr("&Dark colours"), ThemeChoice::Dark}};
    auto *const group = new QActionGroup(this);
    UiSettings *const settings = m_workspace->settings();
    for (const Choice &choice : choices) {
        ActionSpec spec = made(choice.id, ActionMenu::View, 4, choice.text, {});
        spec.checkable = true;
        QAction *const action =
            m_registry->add(std::move(spec), this, [settings, theme = choice.theme] { settings->setTheme(theme); });
        group->addAction(action);
        const auto check = [action, settings, theme = choice.theme] { action->setChecked(settings->theme() == theme); };
        connect(settings, &UiSettings::themeChanged, action, check);
        check();
    }
}

void WindowActions::addViewActions()
{
    addPages();
    m_registry->add(made("view.palette", ActionMenu::View, 1, tr("Command &palette…"), tr("Find and do anything"),
                         "search",
                         {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}),
                    this, [this] { m_window->openPalette(); });
    m_registry->add(made("view.filter", ActionMenu::View, 1, tr("&Filter jobs"), tr("Go to the filter line"), "search",
                         {QKeySequence(QKeySequence::Find)}),
                    this, [this] { m_window->focusFilter(); });
    m_registry->add(made("view.clearFilter", ActionMenu::View, 1, tr("Clear f&ilter"), tr("Show all jobs"), "close",
                         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)}),
                    this, [this] { m_window->clearFilter(); });
    ActionSpec detail =
        made("view.detail", ActionMenu::View, 2, tr("&Details"), tr("Show the details of the selected job"), "details",
             {QKeySequence(Qt::CTRL | Qt::Key_I)});
    detail.checkable = true;
    QAction *const toggle = m_registry->add(std::move(detail), this, [this] { m_window->toggleDetail(); });
    toggle->setChecked(true);
    connect(m_window, &MainWindow::detailToggled, toggle, &QAction::setChecked);
    const QStringList tabTitles = DetailPane::tabTitles();
    for (int i = 0; i < tabTitles.size(); ++i) {
        ActionSpec tab = made(("detail.tab" + QByteArray::number(i + 1)).constData(), ActionMenu::View, 2,
                              tr("Details: %1").arg(tabTitles[i]), {}, "details",
                              {QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + i))});
        tab.inMenu = false;
        m_registry->add(std::move(tab), this, [this, i] { m_window->showDetailTab(i); });
    }
    m_registry->add(made("view.refresh", ActionMenu::View, 3, tr("&Refresh"), tr("Look at everything again"), "refresh",
                         {QKeySequence(Qt::Key_F5)}),
                    this, [this] {
                        if (Session *const session = m_workspace->session())
                            session->refresh();
                    });
    ActionSpec doctor = made("view.doctor", ActionMenu::View, 3, tr("&What is stuck…"),
                             tr("Why jobs do not run, and what helps"), "warning",
                             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)});
    doctor.whyNot = [this] { return m_workspace->current() ? QString() : tr("No connection is open."); };
    m_registry->add(std::move(doctor), this, [this] { m_dialogs->doctor(); });
    const std::pair<const char *, int> neighbours[] = {{"connection.next", 1}, {"connection.previous", -1}};
    for (const auto &[id, by] : neighbours) {
        ActionSpec spec =
            made(id, ActionMenu::View, 3, by > 0 ? tr("&Next connection") : tr("Pre&vious connection"), {},
                 "connection", {QKeySequence(Qt::CTRL | (by > 0 ? Qt::Key_PageDown : Qt::Key_PageUp))});
        m_registry->add(std::move(spec), this, [this, by = by] { openNeighbour(by); });
    }
    addThemes();
}

void WindowActions::openNeighbour(int by)
{
    const QList<Profile> profiles = m_workspace->connections()->profiles();
    const QString current = m_workspace->profile().id;
    const auto place =
        std::find_if(profiles.begin(), profiles.end(), [&](const Profile &p) { return p.id == current; });
    const qsizetype count = profiles.size();
    if (count > 0)
        m_workspace->openConnection(profiles[(place - profiles.begin() + by + count) % count].id);
}

void WindowActions::addHelpActions()
{
    m_registry->add(made("app.about", ActionMenu::Help, 0, tr("&About Yardmaster"), {}, "info"), this,
                    [this] { m_dialogs->about(); });
}

} // namespace ym
