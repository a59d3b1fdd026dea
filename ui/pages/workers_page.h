// The page of workers: those inside this application above, everybody who is alive below.
#pragma once

#include "ui/widgets/empty_state.h"

#include <QTimer>
#include <QWidget>

class QSortFilterProxyModel;
class QStackedWidget;

namespace ym {

class ActionRegistry;
class TableView;
class TextLabel;
class UnreadBar;
class Workspace;

/// GUI thread.
class WorkersPage final : public QWidget {
    Q_OBJECT
public:
    WorkersPage(Workspace *workspace, ActionRegistry *registry, QWidget *parent = nullptr);

    TableView *table() const { return m_table; }
    void focusTable();
    TableView *localTable() const { return m_local; }
    /// Handle of the selected local worker, 0 = none; the only one there is counts as selected.
    quint32 chosenLocalWorker() const;

Q_SIGNALS:
    void jobActivated(const QByteArray &id);
    void editConnectionWanted();
    void localSelectionChanged();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeLocal(ActionRegistry *registry);
    QWidget *makeLive();
    void showConnection();
    void showRows();
    EmptyState::Content emptyContent() const;
    bool isUnread() const;
    void fitLocal();
    void openBusyJob(const TableView *table, int role, int row);
    void tick();

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    QSortFilterProxyModel *m_sorted;
    TableView *m_local;
    TableView *m_table;
    TextLabel *m_localHint;
    EmptyState *m_empty;
    UnreadBar *m_unread;
    QStackedWidget *m_stack;
    QTimer m_tick;
};

} // namespace ym
