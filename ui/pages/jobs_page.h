// The page of jobs: filter, chips, tool buttons, the table, and what is shown instead of an empty table.
#pragma once

#include "ui/lazy.h"
#include "ui/widgets/empty_state.h"

#include <QTimer>
#include <QWidget>

class QStackedLayout;

namespace ym {

class ActionRegistry;
class FilterLine;
class JobTable;
class StateChips;
class TextLabel;
class UnreadBar;
class Workspace;

/// Shows the jobs of the workspace's connection; each connection keeps its own filter. GUI thread.
class JobsPage final : public QWidget {
    Q_OBJECT
public:
    JobsPage(Workspace *workspace, ActionRegistry *registry, QWidget *parent = nullptr);

    /// Makes it when it is not there yet: a first frame has no rows.
    JobTable *table();
    FilterLine *filterLine() const { return m_filter; }
    /// The table, or the button that stands in its place.
    void focusContent();
    void focusFilter();
    void clearFilter();

Q_SIGNALS:
    /// Enter or a double click on a row.
    void jobActivated(const QByteArray &id);
    /// The button of the not-connected page.
    void editConnectionWanted();

private:
    /// Why there is no row.
    enum class Lack : quint8 { Connection, Match, Answer, Listing, Jobs };

    QLayout *makeTools(ActionRegistry *registry);
    void showConnection();
    void showCounts();
    void showMenu(const QPoint &position);
    void chooseCurrent();
    void selectAwaited();
    void reactToMain();
    void reactToOther();
    Lack lack() const;
    EmptyState::Content emptyContent() const;
    JobTable *makeTable();
    EmptyState *makeEmpty();
    void bringUp(QWidget *content);

    Workspace *m_workspace;
    ActionRegistry *m_registry;
    FilterLine *m_filter;
    TextLabel *m_problem;
    StateChips *m_chips;
    UnreadBar *m_unread;
    QStackedLayout *m_stack;
    Lazy<JobTable> m_table;
    Lazy<EmptyState> m_empty;
    QByteArray m_awaited; ///< opened, and not in the table yet
    bool m_wantsFocus = false; ///< as soon as there is something that can have it
    QTimer m_opening; ///< just opened: what only passes by is not shown
};

} // namespace ym
