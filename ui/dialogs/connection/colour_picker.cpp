#include "ui/dialogs/connection/colour_picker.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace ym {

namespace {

constexpr int side = 18;

QIcon swatch(const QString &colour, const QPalette &palette)
{
    QPixmap pixmap(side * 2, side * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF circle(1.5, 1.5, side - 3, side - 3);
    if (colour.isEmpty()) {
        painter.setPen(QPen(palette.color(QPalette::PlaceholderText), 1.5));
        painter.drawEllipse(circle);
        painter.drawLine(QPointF(5, side - 5), QPointF(side - 5, 5));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(colour));
        painter.drawEllipse(circle);
    }
    return QIcon(pixmap);
}

} // namespace

ColourPicker::ColourPicker(QWidget *parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
{
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addStretch();
    addButton({}, tr("No colour"));
    addButton(QStringLiteral("#2f7de1"), tr("Blue"));
    addButton(QStringLiteral("#12958c"), tr("Teal"));
    addButton(QStringLiteral("#3c9a4e"), tr("Green"));
    addButton(QStringLiteral("#c79a12"), tr("Yellow"));
    addButton(QStringLiteral("#e07b28"), tr("Orange"));
    addButton(QStringLiteral("#d64545"), tr("Red"));
    addButton(QStringLiteral("#c2539b"), tr("Pink"));
    addButton(QStringLiteral("#8257d6"), tr("Violet"));
    m_buttons->button(0)->setChecked(true);
    setFocusProxy(m_buttons->button(0));
    connect(m_buttons, &QButtonGroup::idToggled, this, [this](int, bool on) {
        if (on)
            Q_EMIT edited();
    });
}

void ColourPicker::addButton(const QString &colour, const QString &name)
{
    auto *const button = new QToolButton(this);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setIcon(swatch(colour, palette()));
    button->setIconSize(QSize(side, side));
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setObjectName(QStringLiteral("colour") + colour.mid(1));
    m_buttons->addButton(button, int(m_colours.size()));
    m_colours.append(colour);
    auto *const row = static_cast<QHBoxLayout *>(layout());
    row->insertWidget(row->count() - 1, button);
}

QString ColourPicker::colour() const
{
    return m_colours.value(m_buttons->checkedId());
}

void ColourPicker::setColour(const QString &colour)
{
    if (!m_colours.contains(colour) && QColor::isValidColor(colour))
        addButton(colour, colour);
    const int index = int(m_colours.indexOf(colour));
    m_buttons->button(std::max(0, index))->setChecked(true);
}

} // namespace ym
