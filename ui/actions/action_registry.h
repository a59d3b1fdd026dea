// Everything one can do, in one list: menus, shortcuts, tool buttons and the palette are made from it.
#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

#include <array>
#include <functional>

class QMenu;
class QMenuBar;

namespace ym {

/// The menus in the order of the menu bar; also the category that the palette shows.
enum class ActionMenu : quint8 { File, Job, View, Worker, Help };
inline constexpr int actionMenuCount = 5;

/// One thing to do. A group is a number: a menu has its groups in order, with separators between them.
struct ActionSpec {
    QByteArray id; ///< "job.stop": unique
    QString text; ///< "&Stop"; what the menu shows
    QString tip; ///< one sentence; may be empty
    QByteArray icon; ///< of resources/icons; may be empty
    QList<QKeySequence> keys; ///< the first is shown
    ActionMenu menu = ActionMenu::File;
    int group = 0;
    bool checkable = false;
    /// Why it cannot be done now, in a few words; empty when it can. Null: always possible.
    std::function<QString()> whyNot;
    bool inMenu = true; ///< false: only in the palette and by its keys
};

/// GUI thread. Actions belong to the registry and work within the window that is its parent.
class ActionRegistry final : public QObject {
    Q_OBJECT
public:
    explicit ActionRegistry(QWidget *window);

    /// Adds it; `run` is called while `context` lives. Ids and keys must be new: a second one is a programming error.
    QAction *add(ActionSpec spec, QObject *context, std::function<void()> run);
    /// Null when there is none.
    QAction *action(const QByteArray &id) const;
    const ActionSpec *spec(const QAction *action) const;
    /// In the order they were added.
    QList<QAction *> actions() const { return m_actions; }
    /// Why it cannot be done now; empty when it can.
    QString whyNot(const QAction *action) const;

    /// Gives the bar its menus; each gets its actions when it is opened, and no later than in fillMenus().
    void addMenus(QMenuBar *bar);
    void fillMenus();
    /// Adds the actions with these ids; an empty id is a separator.
    void fill(QMenu *menu, const QList<QByteArray> &ids) const;
    static QString menuTitle(ActionMenu menu);

    /// Asks every whyNot again, once in the next turn of the event loop.
    void refreshSoon();
    void refreshNow();

private:
    void fillMenu(int number);
    void describe(QAction *action, const ActionSpec &spec, const QString &whyNot) const;

    QWidget *m_window;
    QList<QAction *> m_actions;
    QHash<const QAction *, ActionSpec> m_specs;
    QHash<QByteArray, QAction *> m_byId;
    std::array<QMenu *, actionMenuCount> m_emptyMenus{}; ///< those that have no actions yet; null: filled
    bool m_isRefreshDue = false;
};

} // namespace ym
