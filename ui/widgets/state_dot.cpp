#include "ui/widgets/state_dot.h"

#include <QPainter>

namespace ym {

QPixmap stateDot(const QColor &colour, qreal scale)
{
    QPixmap image(QSize(12, 12) * scale);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(1, 1, 10, 10);
    return image;
}

} // namespace ym
