// A dialog that grows when a message in it needs more room.
#pragma once

#include <QDialog>

namespace ym {

/// Wrapped texts come and go while one types; a dialog of its first size would cut them. Never shrinks by itself. GUI
/// thread.
class FittingDialog : public QDialog {
    Q_OBJECT
public:
    using QDialog::QDialog;

protected:
    bool event(QEvent *event) override;
};

} // namespace ym
