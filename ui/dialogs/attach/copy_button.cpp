#include "ui/dialogs/attach/copy_button.h"

#include "ui/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QTimer>

namespace ym {

namespace {

constexpr auto thanksTime = std::chrono::milliseconds(1500);

} // namespace

CopyButton::CopyButton(std::function<QString()> text, QWidget *parent)
    : QPushButton(themeIcon("copy"), tr("Copy"), parent)
    , m_text(std::move(text))
{
    setAutoDefault(false);
    setMinimumWidth(sizeHint().width() + space::large); // room for "Copied"
    connect(this, &QPushButton::clicked, this, &CopyButton::copy);
}

void CopyButton::copy()
{
    QApplication::clipboard()->setText(m_text());
    setText(tr("Copied"));
    QTimer::singleShot(thanksTime, this, [this] { setText(tr("Copy")); });
}

} // namespace ym
