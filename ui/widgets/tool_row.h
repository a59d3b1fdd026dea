// Small helpers for the rows of buttons above tables.
#pragma once

#include <QPushButton>
#include <QToolButton>

class QAction;
class QHBoxLayout;

namespace ym {

/// A flat button for an action, with its icon, and its text beside it when wanted. The tool tip is the action's own.
enum class ButtonText : quint8 { Hidden, Shown };
QToolButton *actionButton(QAction *action, ButtonText text, QWidget *parent);

/// The one button of a page that stands out; follows the action's enabling.
QPushButton *primaryButton(QAction *action, const QString &text, QWidget *parent);

/// A flat button that is not an action.
QToolButton *iconButton(const QByteArray &icon, const QString &tip, QWidget *parent);

/// A layout with the distances of a row above a table.
QHBoxLayout *toolRow();

} // namespace ym
