#include "ui/widgets/notice_stack.h"

#include "ui/prompts.h"
#include "ui/theme.h"
#include "ui/widgets/text_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int cardWidth = 400;
constexpr int lineHeight = 28; ///< of the buttons beside the text
constexpr auto lifeOfGoodNews = std::chrono::seconds(6);
constexpr auto lifeOfOffers = std::chrono::seconds(15); ///< somebody must read it and make up their mind

struct Look {
    const char *icon;
    Signal signal;
};

Look lookOf(Notice::Kind kind)
{
    switch (kind) {
    case Notice::Kind::Done:
        return {"done", Signal::Good};
    case Notice::Kind::Info:
        return {"info", Signal::Busy};
    case Notice::Kind::Warning:
        return {"warning", Signal::Warning};
    case Notice::Kind::Error:
        return {"error", Signal::Bad};
    }
    return {"info", Signal::Busy};
}

} // namespace

NoticeCard::NoticeCard(const Notice &notice, QWidget *parent)
    : QFrame(parent)
    , m_notice(notice)
{
    setObjectName(QStringLiteral("notice"));
    setFixedWidth(cardWidth);
    setAccessibleName(notice.text);
    const Look look = lookOf(notice.kind);
    auto *const icon = new QLabel(this);
    icon->setPixmap(tintedIcon(look.icon, signalColour(look.signal, palette()), 20, devicePixelRatioF()));
    icon->setFixedHeight(lineHeight);
    auto *const text = new TextLabel(notice.text, TextLabel::Kind::Body, this);
    text->setMinimumHeight(lineHeight);
    text->setObjectName(QStringLiteral("noticeText"));
    text->setWordWrap(true);
    auto *const close = new QToolButton(this);
    close->setObjectName(QStringLiteral("noticeClose"));
    close->setAutoRaise(true);
    close->setIcon(themeIcon("close"));
    close->setToolTip(tr("Close this note"));
    connect(close, &QToolButton::clicked, this, &NoticeCard::finish);

    auto *const layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::medium, space::small, space::small, space::small);
    layout->setSpacing(space::small);
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addWidget(text, 1);
    if (!notice.details.isEmpty()) {
        auto *const details = new QPushButton(tr("Details"), this);
        details->setObjectName(QStringLiteral("noticeDetails"));
        connect(details, &QPushButton::clicked, this, [this] { Q_EMIT detailsWanted(m_notice); });
        layout->addWidget(details, 0, Qt::AlignTop);
    }
    if (!notice.offer.isEmpty()) {
        m_offer = new QPushButton(notice.offer, this);
        m_offer->setObjectName(QStringLiteral("noticeOffer"));
        connect(m_offer, &QPushButton::clicked, this, [this] {
            m_notice.take();
            finish();
        });
        layout->addWidget(m_offer, 0, Qt::AlignTop);
    }
    layout->addWidget(close, 0, Qt::AlignTop);

    m_life.setSingleShot(true);
    connect(&m_life, &QTimer::timeout, this, &NoticeCard::finish);
    live();
}

/// Bad news stays until it is closed.
void NoticeCard::live()
{
    if (m_notice.kind == Notice::Kind::Done || m_notice.kind == Notice::Kind::Info)
        m_life.start(m_notice.offer.isEmpty() ? lifeOfGoodNews : lifeOfOffers);
}

void NoticeCard::withdrawOffer()
{
    if (m_offer)
        m_offer->hide();
}

void NoticeCard::finish()
{
    Q_EMIT closed();
    deleteLater();
}

void NoticeCard::enterEvent(QEnterEvent *event)
{
    m_life.stop();
    QFrame::enterEvent(event);
}

void NoticeCard::leaveEvent(QEvent *event)
{
    live();
    QFrame::leaveEvent(event);
}

void NoticeCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(borderColour(palette()));
    painter.setBrush(palette().color(QPalette::Button));
    painter.drawRoundedRect(area, 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(signalColour(lookOf(m_notice.kind).signal, palette()));
    painter.drawRoundedRect(QRectF(0, 8, 3, height() - 16), 1.5, 1.5);
}

NoticeStack::NoticeStack(QWidget *parent)
    : QWidget(parent)
{
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::small);
    layout->setSizeConstraint(QLayout::SetFixedSize);
    parent->installEventFilter(this);
    hide();
}

void NoticeStack::add(const Notice &notice)
{
    if (!notice.offer.isEmpty())
        withdrawOffers(); // what they would undo is not the last thing any more
    auto *const card = new NoticeCard(notice, this);
    connect(card, &NoticeCard::closed, this, [this, card] {
        m_cards.removeOne(card);
        card->hide();
        place();
    });
    connect(card, &NoticeCard::detailsWanted, this, [this](const Notice &wanted) {
        Prompts::instance().tell(window(), {wanted.text, {}, wanted.details});
    });
    layout()->addWidget(card);
    m_cards.append(card);
    while (m_cards.size() > mostCards) {
        NoticeCard *const oldest = m_cards.takeFirst();
        oldest->hide();
        oldest->deleteLater();
    }
    card->show();
    place();
}

void NoticeStack::withdrawOffers()
{
    for (NoticeCard *const card : std::as_const(m_cards))
        card->withdrawOffer();
}

QList<Notice> NoticeStack::notices() const
{
    QList<Notice> shown;
    for (const NoticeCard *const card : m_cards)
        shown.append(card->notice());
    return shown;
}

bool NoticeStack::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void NoticeStack::place()
{
    setVisible(!m_cards.isEmpty());
    layout()->activate();
    adjustSize();
    const QSize room = parentWidget()->size();
    move(room.width() - width() - space::large, room.height() - height() - space::large);
    raise();
}

} // namespace ym
