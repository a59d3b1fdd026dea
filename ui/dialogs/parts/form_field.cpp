#include "ui/dialogs/parts/form_field.h"

#include "ui/theme.h"

#include <QEvent>
#include <QVBoxLayout>

namespace ym {

QLabel *plainLabel(const QString &text, QWidget *parent)
{
    auto *const label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QLabel *dimLabel(const QString &text, QWidget *parent)
{
    QLabel *const label = plainLabel(text, parent);
    label->setWordWrap(true);
    setTone(label, Tone::Dim);
    return label;
}

QLabel *headingLabel(const QString &text, QWidget *parent)
{
    QLabel *const label = plainLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

void setTone(QLabel *label, Tone tone)
{
    // From the parent: the label's own palette holds the tone that it had before.
    QPalette palette = label->parentWidget() ? label->parentWidget()->palette() : QPalette();
    const QColor colour = tone == Tone::Dim ? secondaryColour(palette)
        : tone == Tone::Problem             ? signalColour(Signal::Bad, palette)
        : tone == Tone::Good                ? signalColour(Signal::Good, palette)
                                            : palette.color(QPalette::WindowText);
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

FormField::FormField(const QString &label, QWidget *editor, QWidget *parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_line(plainLabel({}, this))
{
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    if (!label.isEmpty()) {
        QLabel *const title = plainLabel(label, this);
        title->setBuddy(editor);
        column->addWidget(title);
        if (editor->accessibleName().isEmpty())
            editor->setAccessibleName(QString(label).remove(u'&'));
    }
    column->addWidget(editor);
    m_line->setWordWrap(true);
    m_line->setObjectName(editor->objectName() + QStringLiteral("Line"));
    column->addWidget(m_line);
    showLine();
}

void FormField::setProblem(const QString &problem)
{
    if (problem == m_problem)
        return;
    m_problem = problem;
    showLine();
}

void FormField::setHint(const QString &hint)
{
    if (hint == m_hint)
        return;
    m_hint = hint;
    showLine();
}

void FormField::showLine()
{
    const QString text = m_problem.isEmpty() ? m_hint : m_problem;
    setTone(m_line, m_problem.isEmpty() ? Tone::Dim : Tone::Problem);
    m_line->setText(text);
    m_line->setVisible(!text.isEmpty());
    m_editor->setAccessibleDescription(text);
}

void FormField::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showLine();
}

} // namespace ym
