#include "ui/dialogs/attach/copy_line.h"

#include "ui/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

namespace ym {

namespace {

constexpr auto thanksTime = std::chrono::milliseconds(1500);

} // namespace

CopyLine::CopyLine(const QString &what, QWidget *parent)
    : QWidget(parent)
    , m_line(new QLineEdit(this))
    , m_button(new QPushButton(themeIcon("copy"), tr("Copy"), this))
{
    m_line->setObjectName(QStringLiteral("shown"));
    m_line->setReadOnly(true);
    m_line->setFont(monoFont());
    m_line->setAccessibleName(what);
    m_button->setObjectName(QStringLiteral("copy"));
    m_button->setAccessibleName(tr("Copy the %1").arg(what));
    m_button->setAutoDefault(false);
    m_button->setMinimumWidth(m_button->sizeHint().width() + space::large); // room for "Copied"
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::small);
    row->addWidget(m_line, 1);
    row->addWidget(m_button);
    setFocusProxy(m_line);
    connect(m_button, &QPushButton::clicked, this, &CopyLine::copy);
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

void CopyLine::copy()
{
    QApplication::clipboard()->setText(m_copied);
    m_button->setText(tr("Copied"));
    QTimer::singleShot(thanksTime, m_button, [this] { m_button->setText(tr("Copy")); });
}

} // namespace ym
