// The bar below the editor in which one searches.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace ym {

class CodeView;

/// Searches as one types; Enter and Shift+Enter go on, Escape closes. GUI thread.
class FindBar final : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(CodeView *view);

    /// Shows the bar with the selected word in it.
    void start();
    void findNext() { search(Direction::Forward); }
    void findPrevious() { search(Direction::Backward); }
    /// Hides it and gives the focus back to the text.
    void finish();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum class Direction : quint8 { Forward, Backward, Here };
    void search(Direction direction);
    QToolButton *button(const QString &text, const QString &tip);

    CodeView *m_view;
    QLineEdit *m_text;
    QToolButton *m_case;
    QLabel *m_result;
};

} // namespace ym
