#include "ui/actions/action_registry.h"

#include "ui/theme.h"

#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

namespace ym {

ActionRegistry::ActionRegistry(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

QAction *ActionRegistry::add(ActionSpec spec, QObject *context, std::function<void()> run)
{
    if (m_byId.contains(spec.id))
        qFatal("the action %s exists twice", spec.id.constData());
    auto *const made = new QAction(spec.icon.isEmpty() ? QIcon() : themeIcon(spec.icon), spec.text, this);
    made->setObjectName(QString::fromLatin1(spec.id));
    made->setShortcuts(spec.keys);
    made->setShortcutContext(Qt::WindowShortcut);
    made->setCheckable(spec.checkable);
    made->setIconVisibleInMenu(false);
    connect(made, &QAction::triggered, context, [run = std::move(run)] { run(); });
    m_window->addAction(made);
    m_actions.append(made);
    m_byId.insert(spec.id, made);
    const auto place = m_specs.insert(made, std::move(spec));
    describe(made, *place, {});
    refreshSoon();
    return made;
}

QAction *ActionRegistry::action(const QByteArray &id) const
{
    return m_byId.value(id);
}

const ActionSpec *ActionRegistry::spec(const QAction *action) const
{
    const auto found = m_specs.constFind(action);
    return found == m_specs.cend() ? nullptr : &*found;
}

QString ActionRegistry::whyNot(const QAction *action) const
{
    const ActionSpec *const known = spec(action);
    return known && known->whyNot ? known->whyNot() : QString();
}

QString ActionRegistry::menuTitle(ActionMenu menu)
{
    switch (menu) {
    case ActionMenu::File:
        return tr("&File");
    case ActionMenu::Job:
        return tr("&Job");
    case ActionMenu::View:
        return tr("&View");
    case ActionMenu::Worker:
        return tr("&Worker");
    case ActionMenu::Help:
        return tr("&Help");
    }
    return {};
}

void ActionRegistry::addMenus(QMenuBar *bar)
{
    for (int i = 0; i < actionMenuCount; ++i) {
        QMenu *const menu = bar->addMenu(menuTitle(ActionMenu(i)));
        menu->setToolTipsVisible(true);
        m_emptyMenus[size_t(i)] = menu;
        connect(menu, &QMenu::aboutToShow, this, [this, i] { fillMenu(i); });
    }
}

void ActionRegistry::fillMenus()
{
    for (int i = 0; i < actionMenuCount; ++i)
        fillMenu(i);
}

void ActionRegistry::fillMenu(int number)
{
    QMenu *const menu = std::exchange(m_emptyMenus[size_t(number)], nullptr);
    if (!menu)
        return;
    QMultiMap<int, QAction *> groups; // of those added first the last comes first
    for (auto action = m_actions.crbegin(); action != m_actions.crend(); ++action) {
        const ActionSpec &spec = *m_specs.constFind(*action);
        if (spec.menu == ActionMenu(number) && spec.inMenu)
            groups.insert(spec.group, *action);
    }
    for (auto action = groups.cbegin(); action != groups.cend(); ++action) {
        if (action != groups.cbegin() && action.key() != std::prev(action).key())
            menu->addSeparator();
        menu->addAction(action.value());
    }
}

void ActionRegistry::fill(QMenu *menu, const QList<QByteArray> &ids) const
{
    for (const QByteArray &id : ids) {
        if (id.isEmpty())
            menu->addSeparator();
        else if (QAction *const found = action(id))
            menu->addAction(found);
    }
}

void ActionRegistry::refreshSoon()
{
    if (std::exchange(m_isRefreshDue, true))
        return;
    const auto refresh = [this] {
        if (m_isRefreshDue)
            refreshNow();
    };
    QMetaObject::invokeMethod(this, refresh, Qt::QueuedConnection);
}

void ActionRegistry::refreshNow()
{
    m_isRefreshDue = false;
    for (QAction *const action : std::as_const(m_actions)) {
        const ActionSpec &spec = *m_specs.constFind(action);
        const QString reason = spec.whyNot ? spec.whyNot() : QString();
        action->setEnabled(reason.isEmpty());
        describe(action, spec, reason);
    }
}

/// Tool tips are ours, plain and short: what it does, its key, and why it is off.
void ActionRegistry::describe(QAction *action, const ActionSpec &spec, const QString &reason) const
{
    QString tip = spec.tip.isEmpty() ? QString(spec.text).remove(u'&').remove(u'…') : spec.tip;
    if (!spec.keys.isEmpty())
        tip += QStringLiteral(" (%1)").arg(spec.keys.first().toString(QKeySequence::NativeText));
    if (!reason.isEmpty())
        tip += u'\n' + reason;
    action->setToolTip(tip);
}

} // namespace ym
