// Going places, connections, look and help: the actions that concern the window and no job.
#pragma once

#include <QObject>

namespace ym {

class ActionRegistry;
class DialogOpener;
class MainWindow;
class Workspace;
struct ActionSpec;

/// GUI thread.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    WindowActions(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, MainWindow *window);

    /// Those that come before and after the job actions in their menus.
    void addConnectionActions();
    void addViewActions();
    void addHelpActions();

private:
    void addConnectionChanges();
    void addPages();
    void addThemes();
    void openNeighbour(int by);
    QString whyNotRemovable() const;
    QString whyNotAttachable() const;

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    DialogOpener *m_dialogs;
    MainWindow *m_window;
};

} // namespace ym
