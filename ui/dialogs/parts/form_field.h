// One field of a form: its label, the thing one edits, and a line that says what is wrong or what to write.
#pragma once

#include <QLabel>
#include <QWidget>

namespace ym {

/// A label above an editor; Alt and the label's marked letter go to it. The line below shows the problem, else the
/// hint, else takes no room. GUI thread.
class FormField final : public QWidget {
    Q_OBJECT
public:
    FormField(const QString &label, QWidget *editor, QWidget *parent = nullptr);

    /// Empty: there is none.
    void setProblem(const QString &problem);
    QString problem() const { return m_problem; }
    void setHint(const QString &hint);
    QWidget *editor() const { return m_editor; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void showLine();

    QWidget *m_editor;
    QLabel *m_line;
    QString m_problem;
    QString m_hint;
};

/// A label that never takes its text for markup.
QLabel *plainLabel(const QString &text, QWidget *parent);
/// The same, in the colour of side remarks, wrapped.
QLabel *dimLabel(const QString &text, QWidget *parent);
/// A bold line over a group of fields.
QLabel *headingLabel(const QString &text, QWidget *parent);

enum class Tone : quint8 { Normal, Dim, Problem, Good };
/// Gives a label the colour of a tone for its present palette.
void setTone(QLabel *label, Tone tone);

} // namespace ym
