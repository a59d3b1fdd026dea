#include "ui/window_style.h"

#include "ui/theme.h"

namespace ym {

WindowStyle::WindowStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
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
