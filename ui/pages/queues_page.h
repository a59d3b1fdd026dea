// The page of queues: all of them above, what the selected one holds below.
#pragma once

#include "core/job/queue_info.h"
#include "ui/widgets/empty_state.h"

#include <QTimer>
#include <QWidget>

class QSortFilterProxyModel;
class QSplitter;
class QStackedLayout;
class QStackedWidget;

namespace ym {

class ActionRegistry;
class ChangeActions;
class DialogOpener;
class QueueContentModel;
class TableView;
class TextLabel;
class UnreadBar;
class Workspace;

/// GUI thread.
class QueuesPage final : public QWidget {
    Q_OBJECT
public:
    QueuesPage(Workspace *workspace, ActionRegistry *registry, DialogOpener *dialogs, ChangeActions *actions,
               QWidget *parent = nullptr);

    TableView *table() const { return m_table; }
    void focusTable();
    std::optional<QueueInfo> chosenQueue() const;
    TableView *content() const { return m_content; }

Q_SIGNALS:
    void jobActivated(const QByteArray &id);
    void editConnectionWanted();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeContent();
    void showConnection();
    void showRows();
    EmptyState::Content emptyContent() const;
    void showQueue();
    void showContentTitle(const QString &error);
    void showMenu(const QPoint &position);
    void chooseEntry();
    void showEntryMenu(const QPoint &position);
    QByteArray currentKey() const;
    void tick();

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    DialogOpener *m_dialogs;
    ChangeActions *m_changes;
    QSortFilterProxyModel *m_sorted;
    QueueContentModel *m_contentModel;
    TableView *m_table;
    TableView *m_content = nullptr;
    EmptyState *m_nothing = nullptr;
    QStackedWidget *m_below = nullptr;
    TextLabel *m_title = nullptr;
    TextLabel *m_hint = nullptr;
    QSplitter *m_splitter;
    EmptyState *m_empty;
    UnreadBar *m_unread;
    QStackedLayout *m_stack;
    QTimer m_tick;
    bool m_isDraining = false; ///< entries go: the next one becomes current, and nobody has chosen it
};

} // namespace ym
