#include "ui/widgets/empty_state.h"

#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int iconEdge = 40;
constexpr int textWidth = 420;

} // namespace

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_title(new TextLabel(TextLabel::Kind::Title, this))
    , m_text(new TextLabel(TextLabel::Kind::Secondary, this))
    , m_progress(new QProgressBar(this))
    , m_main(new QPushButton(this))
    , m_other(new QPushButton(this))
{
    setObjectName(QStringLiteral("emptyState"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    for (QLabel *const label : {m_icon, static_cast<QLabel *>(m_title), static_cast<QLabel *>(m_text)})
        label->setAlignment(Qt::AlignHCenter);
    m_text->setWordWrap(true);
    m_text->setFixedWidth(textWidth);
    m_title->setObjectName(QStringLiteral("emptyTitle"));
    m_text->setObjectName(QStringLiteral("emptyText"));
    m_progress->setFixedSize(240, 6);
    m_progress->setTextVisible(false);
    m_main->setObjectName(QStringLiteral("emptyMain"));
    m_main->setProperty("primary", true);
    setFocusProxy(m_main);
    m_other->setObjectName(QStringLiteral("emptyOther"));
    connect(m_main, &QPushButton::clicked, this, &EmptyState::mainClicked);
    connect(m_other, &QPushButton::clicked, this, &EmptyState::otherClicked);

    auto *const buttons = new QHBoxLayout;
    buttons->setSpacing(space::small);
    buttons->addStretch();
    buttons->addWidget(m_main);
    buttons->addWidget(m_other);
    buttons->addStretch();
    // In a row of its own the label's height follows its own width, not that of the page.
    auto *const textRow = new QHBoxLayout;
    textRow->addStretch();
    textRow->addWidget(m_text);
    textRow->addStretch();
    auto *const layout = new QVBoxLayout(this);
    layout->setSpacing(space::small);
    layout->addStretch(2);
    layout->addWidget(m_icon);
    layout->addSpacing(space::tiny);
    layout->addWidget(m_title);
    layout->addLayout(textRow);
    layout->addWidget(m_progress, 0, Qt::AlignHCenter);
    layout->addSpacing(space::small);
    layout->addLayout(buttons);
    layout->addStretch(3);
}

void EmptyState::show(const Content &content)
{
    if (content == m_content)
        return;
    m_content = content;
    m_title->setText(content.title);
    m_text->setText(content.text);
    m_text->setVisible(!content.text.isEmpty());
    m_main->setText(content.mainButton);
    m_main->setVisible(!content.mainButton.isEmpty());
    m_other->setText(content.otherButton);
    m_other->setVisible(!content.otherButton.isEmpty());
    m_progress->setVisible(content.isBusy());
    m_progress->setRange(0, content.progress < 0 ? 0 : 100);
    m_progress->setValue(content.progress);
    paintIcon();
}

void EmptyState::paintIcon()
{
    if (m_content.icon.isEmpty())
        return;
    m_icon->setPixmap(tintedIcon(m_content.icon, secondaryColour(palette()), iconEdge, devicePixelRatioF()));
}

void EmptyState::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        paintIcon();
    QWidget::changeEvent(event);
}

} // namespace ym
