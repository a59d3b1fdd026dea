#include "ui/widgets/framed_area.h"

#include "ui/theme.h"

#include <QPainter>
#include <QVBoxLayout>

namespace ym {

namespace {

constexpr int frameWidth = 2;
constexpr QColor frameColour(0xd0, 0x3a, 0x30); // the same red by day and by night

} // namespace

FramedArea::FramedArea(QWidget *content, QWidget *parent)
    : QWidget(parent)
{
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(content);
}

void FramedArea::setProduction(bool on)
{
    if (on == m_isProduction)
        return;
    m_isProduction = on;
    const int margin = on ? frameWidth : 0;
    layout()->setContentsMargins(margin, margin, margin, margin);
    update();
}

void FramedArea::paintEvent(QPaintEvent *)
{
    if (!m_isProduction)
        return;
    QPainter painter(this);
    painter.fillRect(rect(), frameColour);
}

} // namespace ym
