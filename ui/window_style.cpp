#include "ui/window_style.h"

#include "ui/theme.h"

#include <QDialogButtonBox>

namespace ym {

WindowStyle::WindowStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

int WindowStyle::styleHint(StyleHint which, const QStyleOption *option, const QWidget *widget,
                           QStyleHintReturn *answer) const
{
    if (which == SH_DialogButtonLayout)
        return QDialogButtonBox::GnomeLayout; // what the dialog is for stands at the right end, in every one
    return QProxyStyle::styleHint(which, option, widget, answer);
}

QIcon WindowStyle::standardIcon(StandardPixmap which, const QStyleOption *option, const QWidget *widget) const
{
    switch (which) {
    case SP_LineEditClearButton:
        return themeIcon("close");
    case SP_ToolBarHorizontalExtensionButton: // of the menu bar and of tool bars that are too narrow
        return themeIcon("more");
    default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
}

} // namespace ym
