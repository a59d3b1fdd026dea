#include "ui/dialogs/parts/dialog_button.h"

#include <QPushButton>

namespace ym {

QPushButton *dialogButton(const QString &text, const char *name, QWidget *parent)
{
    auto *const button = new QPushButton(text, parent);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    return button;
}

} // namespace ym
