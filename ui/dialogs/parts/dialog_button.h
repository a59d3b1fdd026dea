// A button of a dialog in which Enter belongs to the fields.
#pragma once

#include <QString>

class QPushButton;
class QWidget;

namespace ym {

/// Enter in a field never presses it. `name` is its object name.
QPushButton *dialogButton(const QString &text, const char *name, QWidget *parent);

} // namespace ym
