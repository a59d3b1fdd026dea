// What to write in another program to attach it, ready to copy.
#pragma once

#include <QWidget>

class QPlainTextEdit;
class QTabBar;

namespace ym {

class CopyButton;

/// A tab for each client library. GUI thread.
class SnippetBox final : public QWidget {
    Q_OBJECT
public:
    explicit SnippetBox(QWidget *parent);

    /// The path of the unix socket; empty = there is none, so nothing to copy.
    void setSocket(const QString &path);
    QString text() const;

private:
    void refresh();

    QString m_socket;
    QTabBar *m_tabs;
    QPlainTextEdit *m_text;
    CopyButton *m_copy;
};

} // namespace ym
