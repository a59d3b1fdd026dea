#include "ui/widgets/tool_row.h"

#include "ui/theme.h"

#include <QAction>
#include <QHBoxLayout>

namespace ym {

namespace {

void setUp(QToolButton *button)
{
    button->setAutoRaise(true);
    button->setIconSize({space::iconSize, space::iconSize});
    button->setFocusPolicy(Qt::TabFocus);
}

} // namespace

QToolButton *actionButton(QAction *action, ButtonText text, QWidget *parent)
{
    auto *const button = new QToolButton(parent);
    setUp(button);
    button->setDefaultAction(action);
    button->setToolButtonStyle(text == ButtonText::Shown ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    button->setObjectName(action->objectName());
    button->setAccessibleName(action->iconText());
    return button;
}

QPushButton *primaryButton(QAction *action, const QString &text, QWidget *parent)
{
    auto *const button = new QPushButton(text, parent);
    button->setObjectName(action->objectName() + QStringLiteral(".button"));
    button->setProperty("primary", true);
    button->setFocusPolicy(Qt::TabFocus);
    const auto follow = [button, action] {
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
    };
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
    return button;
}

QToolButton *iconButton(const QByteArray &icon, const QString &tip, QWidget *parent)
{
    auto *const button = new QToolButton(parent);
    setUp(button);
    button->setIcon(themeIcon(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

QHBoxLayout *toolRow()
{
    auto *const row = new QHBoxLayout;
    row->setContentsMargins(space::medium, space::tiny, space::medium, space::tiny);
    row->setSpacing(space::tiny);
    return row;
}

} // namespace ym
