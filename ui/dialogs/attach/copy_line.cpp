#include "ui/dialogs/attach/copy_line.h"

#include "ui/dialogs/attach/copy_button.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLineEdit>

namespace ym {

CopyLine::CopyLine(const QString &what, QWidget *parent)
    : QWidget(parent)
    , m_line(new QLineEdit(this))
    , m_button(new CopyButton([this] { return m_copied; }, this))
{
    m_line->setObjectName(QStringLiteral("shown"));
    m_line->setReadOnly(true);
    m_line->setFont(monoFont());
    m_line->setAccessibleName(what);
    m_button->setObjectName(QStringLiteral("copy"));
    m_button->setAccessibleName(tr("Copy the %1").arg(what));
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::small);
    row->addWidget(m_line, 1);
    row->addWidget(m_button);
    setFocusProxy(m_line);
}

void CopyLine::show(const QString &shown, const QString &copied)
{
    m_copied = copied;
    m_button->setEnabled(true);
    m_line->setEnabled(true);
    if (m_line->text() == shown)
        return;
    m_line->setText(shown);
    m_line->setCursorPosition(0);
}

void CopyLine::showNothing(const QString &why)
{
    m_copied.clear();
    m_line->setText(why);
    m_line->setCursorPosition(0);
    m_line->setEnabled(false);
    m_button->setEnabled(false);
}

} // namespace ym
