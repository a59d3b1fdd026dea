// The box behind every question and message: plain text, verbs on the buttons, optionally a text to type.
#pragma once

#include "ui/prompts.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace ym {

/// Deletes itself when closed. GUI thread.
class QuestionBox final : public QDialog {
    Q_OBJECT
public:
    QuestionBox(Question question, QWidget *parent);
    QuestionBox(Message message, QWidget *parent);

    /// Index of the answer, -1 when cancelled.
    int answer() const { return m_answer; }

private:
    QVBoxLayout *makeTexts(const QString &title, const QString &text, const QString &details);
    void makeTyping(QVBoxLayout *layout);
    void makeButtons(QVBoxLayout *layout);
    void choose(int answer);

    Question m_question;
    int m_answer = -1;
    QPushButton *m_main = nullptr;
    QLineEdit *m_confirm = nullptr; ///< where a name has to be typed
};

} // namespace ym
