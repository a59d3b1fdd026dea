// Looks for text in a log and goes from one place to the next.
#pragma once

#include "models/log_lines.h"
#include "models/log_search.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace ym {

class LineView;
class TextLabel;

/// What is typed is looked for a moment later. Return and F3 go to the next place, with Shift to the one before, Escape
/// gives up the search and then goes back to the text. GUI thread.
class LogSearchBar final : public QWidget {
    Q_OBJECT
public:
    /// Both outlive it.
    LogSearchBar(LogLines *lines, LineView *view, QWidget *parent);

    void focusField();
    void goOn(int direction);
    LogSearch *search() const { return m_search; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void startSearch();
    void showState();
    QToolButton *makeToggle(const char *name, const QString &text, const QString &tip);

    LogLines *m_lines;
    LineView *m_view;
    LogSearch *m_search;
    LogSearch::Query m_query; ///< that was looked for last
    QRegularExpression m_expression;
    QLineEdit *m_field;
    QToolButton *m_case;
    QToolButton *m_isExpression;
    QToolButton *m_previous;
    QToolButton *m_next;
    TextLabel *m_state;
    QTimer m_delay;
    bool m_goesToFirst = false; ///< as soon as one is found
};

} // namespace ym
