// The bar above rows that may be old or not all, because the store does not tell them any more.
#pragma once

#include "core/engine/unread.h"

#include <QFrame>

class QLabel;

namespace ym {

class TextLabel;
class Workspace;

/// Says why, and tries again when its button is clicked. Hidden while all is well. GUI thread.
class UnreadBar final : public QFrame {
    Q_OBJECT
public:
    UnreadBar(Workspace *workspace, QWidget *parent);

    /// Nothing to say without a message.
    void show(const Error &why);

protected:
    void changeEvent(QEvent *event) override;

private:
    void paintIcon();

    QLabel *m_icon;
    TextLabel *m_text;
};

} // namespace ym
