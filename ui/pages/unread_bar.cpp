#include "ui/pages/unread_bar.h"

#include "core/base/text.h"
#include "ui/pages/connection_trouble.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

namespace ym {

UnreadBar::UnreadBar(Workspace *workspace, QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new TextLabel(TextLabel::Kind::Body, this))
{
    setObjectName(QStringLiteral("unreadBar"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    m_text->setObjectName(QStringLiteral("unreadText"));
    m_text->setElided(true);
    auto *const again = new QPushButton(tr("Try again"), this);
    again->setObjectName(QStringLiteral("readAgain"));
    again->setProperty("compact", true);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(space::large, space::tiny, space::large, space::tiny);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(again);
    connect(again, &QPushButton::clicked, this, [workspace] { retryTrouble(workspace); });
    paintIcon();
    hide();
}

void UnreadBar::show(const Error &why)
{
    setVisible(!why.message.isEmpty());
    if (!why.message.isEmpty())
        m_text->setText(
            tr("This may be old, and not all: %1").arg(shownText(why.text().toUtf8(), Lines::Flatten, 400)));
}

void UnreadBar::paintIcon()
{
    m_icon->setPixmap(
        tintedIcon("warning", signalColour(Signal::Warning, palette()), space::iconSize, devicePixelRatioF()));
}

void UnreadBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        paintIcon();
    QFrame::changeEvent(event);
}

} // namespace ym
