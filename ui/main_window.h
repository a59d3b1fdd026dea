// The window: puts sidebar, pages, detail and status line together.
#pragma once

#include "ui/lazy.h"
#include "ui/workspace.h"

#include <QMainWindow>
#include <QTimer>

class QSplitter;
class QStackedWidget;

namespace ym {

class ActionRegistry;
class CommandPalette;
class Connections;
class DetailPane;
class DialogOpener;
class FramedArea;
class ChangeActions;
class JobActions;
class JobsPage;
class NoticeStack;
class Notifier;
class QueuesPage;
struct Remedy;
class Sidebar;
class StatusLine;
class UiSettings;
class WorkerActions;
class WorkersPage;

/// When the parts are made that the first frame does without. Whoever needs one before has it made at once.
enum class Build : quint8 { Now, AfterFirstFrame };

/// Opens the connection that was open last. Geometry, page, splitters and columns are remembered in the settings. It
/// never waits: closing it only saves; who made it ends the connections. GUI thread.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// Both outlive it.
    MainWindow(Connections *connections, UiSettings *settings, Build build = Build::Now);
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
    /// Opens a compose window with this script file.
    void openScript(const QString &path);

Q_SIGNALS:
    void detailToggled(bool shown);
    /// Every part is made. Not emitted when that was so from the start.
    void completed();

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void makeActions();
    void makeFrame();
    void drawFirstIcons();
    void fillFrame();
    void connectAll();
    void makeNextPart();
    DetailPane *makeDetail();
    void apply(const Remedy &remedy);
    QueuesPage *makeQueues();
    WorkersPage *makeWorkers();
    StatusLine *makeStatus();
    QWidget *pageWidget(PageId page);
    void bringUp(PageId page);
    quint32 chosenLocalWorker();
    void editThisConnection();
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
    ChangeActions *m_changeActions = nullptr;
    WorkerActions *m_workerActions = nullptr;
    Notifier *m_notifier = nullptr;
    Sidebar *m_sidebar = nullptr;
    JobsPage *m_jobs = nullptr;
    QStackedWidget *m_pages = nullptr;
    QSplitter *m_outer = nullptr; ///< sidebar | rest
    QSplitter *m_inner = nullptr; ///< pages | place of the detail, beside or below each other
    QWidget *m_detailPlace = nullptr; ///< in the splitter from the start, so that nothing jumps
    QWidget *m_statusPlace = nullptr; ///< as high as the line, for the same reason
    FramedArea *m_area = nullptr;
    NoticeStack *m_notices = nullptr;
    bool m_wantsDetail = true;

    Lazy<DetailPane> m_detail;
    Lazy<QueuesPage> m_queues;
    Lazy<WorkersPage> m_workers;
    Lazy<CommandPalette> m_palette;
    Lazy<StatusLine> m_status;
    /// What the first frame does without, in the order in which it is made then: the status line is empty for a moment, menus
    /// get their actions when they are opened, the rest is not on screen yet.
    QList<std::function<void()>> m_partsToMake;
    QTimer m_afterFrame; ///< makes one part a turn, when nothing else waits
};

} // namespace ym
