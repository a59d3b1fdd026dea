// What this program is, its version and licence.
#pragma once

#include <QDialog>

namespace ym {

/// Deletes itself when closed. GUI thread.
class AboutBox final : public QDialog {
    Q_OBJECT
public:
    explicit AboutBox(QWidget *parent);
};

} // namespace ym
