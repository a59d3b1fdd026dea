#include "ui/editor/find_bar.h"

#include "ui/editor/code_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace ym {

FindBar::FindBar(CodeView *view)
    : QWidget(view->parentWidget())
    , m_view(view)
    , m_text(new QLineEdit(this))
    , m_result(new QLabel(this))
{
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setPlaceholderText(tr("Find in the script"));
    m_text->setAccessibleName(tr("Find in the script"));
    m_text->setClearButtonEnabled(true);
    m_text->setMaxLength(1000);
    m_result->setObjectName(QStringLiteral("findResult"));
    m_result->setTextFormat(Qt::PlainText);
    row->addWidget(m_text, 1);
    row->addWidget(m_result);
    m_case = button(QStringLiteral("Aa"), tr("Match case"));
    m_case->setCheckable(true);
    QToolButton *const previous = button(QStringLiteral("↑"), tr("Previous match (Shift+Enter)"));
    QToolButton *const next = button(QStringLiteral("↓"), tr("Next match (Enter)"));
    QToolButton *const close = button(QStringLiteral("✕"), tr("Close (Escape)"));
    for (QToolButton *each : {m_case, previous, next, close})
        row->addWidget(each);
    connect(m_text, &QLineEdit::textEdited, this, [this] { search(Direction::Here); });
    connect(m_case, &QToolButton::toggled, this, [this] { search(Direction::Here); });
    connect(previous, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(next, &QToolButton::clicked, this, &FindBar::findNext);
    connect(close, &QToolButton::clicked, this, &FindBar::finish);
    hide();
}

QToolButton *FindBar::button(const QString &text, const QString &tip)
{
    auto *const made = new QToolButton(this);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoRaise(true);
    return made;
}

void FindBar::start()
{
    const QString selected = m_view->selectedText();
    if (!selected.isEmpty() && selected.size() <= 1000 && !selected.contains(u'\n'))
        m_text->setText(selected);
    m_result->clear();
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void FindBar::finish()
{
    hide();
    m_view->setFocus(Qt::OtherFocusReason);
}

void FindBar::search(Direction direction)
{
    if (m_text->text().isEmpty()) {
        m_result->clear();
        return;
    }
    int line = 0, index = 0, lineEnd = 0, indexEnd = 0;
    if (m_view->hasSelectedText())
        m_view->getSelection(&line, &index, &lineEnd, &indexEnd);
    else
        m_view->getCursorPosition(&line, &index);
    if (direction == Direction::Forward && m_view->hasSelectedText()) {
        line = lineEnd;
        index = indexEnd;
    }
    const bool forward = direction != Direction::Backward;
    const bool found = m_view->findFirst(m_text->text(), false, m_case->isChecked(), false, true, forward, line, index);
    m_result->setText(found ? QString() : tr("Not found"));
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        return finish();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers().testFlag(Qt::ControlModifier))
            break;
        return search(event->modifiers().testFlag(Qt::ShiftModifier) ? Direction::Backward : Direction::Forward);
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace ym
