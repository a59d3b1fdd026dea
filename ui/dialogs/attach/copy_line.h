// A line that one only copies from.
#pragma once

#include <QWidget>

class QLineEdit;

namespace ym {

class CopyButton;

/// Shows a text and copies another: a URL with its password hidden, and the whole of it. GUI thread.
class CopyLine final : public QWidget {
    Q_OBJECT
public:
    /// `what` is the name for those who do not see it: "URL of the unix socket".
    CopyLine(const QString &what, QWidget *parent);

    void show(const QString &shown, const QString &copied);
    /// Shows a remark instead, with nothing to copy.
    void showNothing(const QString &why);

private:
    QLineEdit *m_line;
    CopyButton *m_button;
    QString m_copied;
};

} // namespace ym
