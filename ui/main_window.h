// The window: puts sidebar, pages, detail and status line together.
#pragma once

#include "ui/workspace.h"

#include <QMainWindow>

class QSplitter;
class QStackedWidget;

namespace ym {

class ActionRegistry;
class CommandPalette;
class Connections;
class DetailPane;
class DialogOpener;
class FramedArea;
class JobActions;
class JobsPage;
class NoticeStack;
class Notifier;
class QueuesPage;
class Sidebar;
class StatusLine;
class UiSettings;
class WorkerActions;
class WorkersPage;

/// Opens the connection that was open last. Geometry, page, splitters and columns are remembered in the settings. It
/// never waits: closing it only saves; who made it ends the connections. GUI thread.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// Both outlive it.
    MainWindow(Connections *connections, UiSettings *settings, QWidget *parent = nullptr);
    ~MainWindow() override;

    Workspace *workspace() const { return m_workspace; }
    ActionRegistry *actions() const { return m_registry; }
    Notifier *notifier() const { return m_notifier; }

    void showPage(PageId page);
    void openPalette();
    void focusFilter();
    void clearFilter();
    void toggleDetail();
    void showDetailTab(int number);
    int detailTabCount() const;
    QString detailTabTitle(int number) const;
    /// Opens a compose window with this script file.
    void openScript(const QString &path);

Q_SIGNALS:
    void detailToggled(bool shown);

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void makeActions();
    void makePages();
    void makeFrame();
    void fillFrame();
    void connectAll();
    void restoreLayout();
    void arrangeDetail();
    void giveDetailItsShare();
    void saveDetailSplitter();
    QByteArray detailLayoutName() const;
    void showTitle();
    void showDetail();
    void openJob(const QByteArray &id);

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    DialogOpener *m_dialogs;
    JobActions *m_jobActions = nullptr;
    WorkerActions *m_workerActions = nullptr;
    Notifier *m_notifier = nullptr;
    Sidebar *m_sidebar = nullptr;
    JobsPage *m_jobs = nullptr;
    QueuesPage *m_queues = nullptr;
    WorkersPage *m_workers = nullptr;
    DetailPane *m_detail = nullptr;
    StatusLine *m_status = nullptr;
    QStackedWidget *m_pages = nullptr;
    QSplitter *m_outer = nullptr; ///< sidebar | rest
    QSplitter *m_inner = nullptr; ///< pages | detail, beside or below each other
    FramedArea *m_area = nullptr;
    CommandPalette *m_palette = nullptr;
    NoticeStack *m_notices = nullptr;
    bool m_wantsDetail = true;
};

} // namespace ym
