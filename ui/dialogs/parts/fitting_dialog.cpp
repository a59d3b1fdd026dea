#include "ui/dialogs/parts/fitting_dialog.h"

#include <QEvent>
#include <QLayout>

namespace ym {

bool FittingDialog::event(QEvent *event)
{
    const bool handled = QDialog::event(event);
    const bool laidOut = event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show;
    if (!laidOut || !layout())
        return handled;
    const int needed =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width()) : layout()->totalSizeHint().height();
    if (needed > height())
        resize(width(), needed);
    return handled;
}

} // namespace ym
