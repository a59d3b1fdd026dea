#include "ui/widgets/text_label.h"

#include "core/base/text.h"
#include "ui/theme.h"

#include <QPainter>
#include <QStyle>

namespace ym {

TextLabel::TextLabel(Kind kind, QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    // What a store says does not go to the other side because of its first letter.
    setAlignment(Qt::AlignLeft | Qt::AlignVCenter | Qt::AlignAbsolute);
    QFont font = kind == Kind::Mono ? monoFont() : this->font();
    if (kind == Kind::Heading || kind == Kind::Title)
        font.setWeight(QFont::DemiBold);
    if (kind == Kind::Title)
        font.setPointSizeF(font.pointSizeF() * 1.3);
    setFont(font);
    if (kind == Kind::Secondary)
        setForegroundRole(QPalette::PlaceholderText);
}

TextLabel::TextLabel(const QString &text, Kind kind, QWidget *parent)
    : TextLabel(kind, parent)
{
    setText(text);
}

void TextLabel::setText(const QString &text)
{
    QLabel::setText(text.size() > longest ? text.left(longest) + u'…' : text);
}

void TextLabel::setBytes(const QByteArray &bytes)
{
    QLabel::setText(shownText(bytes, Lines::Flatten, longest));
}

void TextLabel::setElided(bool on)
{
    m_elided = on;
    QSizePolicy policy = sizePolicy();
    policy.setHorizontalPolicy(on ? QSizePolicy::Ignored : QSizePolicy::Preferred);
    setSizePolicy(policy);
    updateGeometry();
}

void TextLabel::takeGivenWidth()
{
    QSizePolicy policy = sizePolicy(); // which says that the height depends on the width
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    setSizePolicy(policy);
}

QSize TextLabel::minimumSizeHint() const
{
    const QSize usual = QLabel::minimumSizeHint();
    return m_elided ? QSize(fontMetrics().averageCharWidth() * 4, usual.height()) : usual;
}

void TextLabel::paintEvent(QPaintEvent *event)
{
    if (!m_elided) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    const QRect area = contentsRect().marginsRemoved({margin(), margin(), margin(), margin()});
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, area.width());
    if (shown.size() <= 1 && text().size() > 1)
        return;
    style()->drawItemText(&painter, area, int(alignment() | Qt::TextSingleLine), palette(), isEnabled(), shown,
                          foregroundRole());
}

} // namespace ym
