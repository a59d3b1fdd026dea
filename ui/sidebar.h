// The left side: the connections, and below them the pages of the one that is shown.
#pragma once

#include <QWidget>

class QListView;
class QStandardItemModel;

namespace ym {

class ActionRegistry;
class Workspace;

/// GUI thread.
class Sidebar final : public QWidget {
    Q_OBJECT
public:
    Sidebar(Workspace *workspace, ActionRegistry *registry, QWidget *parent = nullptr);

    QListView *connections() const { return m_connections; }
    QListView *pages() const { return m_pages; }

private:
    QListView *makeList(const char *name, const QString &title, QStandardItemModel *model);
    QWidget *makeHeading(const QString &title, QWidget *button);
    void fillConnections();
    void refreshStates();
    void refreshCounts();
    void showMenu(const QPoint &position);
    void fitHeight(QListView *list);

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    QStandardItemModel *m_connectionModel;
    QStandardItemModel *m_pageModel;
    QListView *m_connections;
    QListView *m_pages;
};

} // namespace ym
