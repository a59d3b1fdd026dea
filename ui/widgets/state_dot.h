// The round mark that stands for a state.
#pragma once

#include <QColor>
#include <QPixmap>

namespace ym {

/// 12 px wide at `scale` device pixels a pixel.
QPixmap stateDot(const QColor &colour, qreal scale);

} // namespace ym
