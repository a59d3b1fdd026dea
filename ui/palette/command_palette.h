// Ctrl+K: type a few letters, Enter does it.
#pragma once

#include <QFrame>
#include <QPointer>

class QLineEdit;
class QListView;

namespace ym {

class ActionRegistry;
class PaletteModel;
class Workspace;

/// Lies over the upper middle of its window; closes itself when something was done, on Escape and when the focus
/// leaves. GUI thread.
class CommandPalette final : public QFrame {
    Q_OBJECT
public:
    CommandPalette(Workspace *workspace, ActionRegistry *registry, QWidget *window);

    void open();
    QLineEdit *line() const { return m_line; }
    QListView *list() const { return m_list; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void search();
    void fitList();
    void move(int by);
    void run();
    void finish();
    void place();

    PaletteModel *m_model;
    QLineEdit *m_line;
    QListView *m_list;
    QPointer<QWidget> m_before; ///< had the focus when it was opened
};

} // namespace ym
