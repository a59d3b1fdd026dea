// The colours that escape sequences name, fit for light and dark.
#pragma once

#include "models/text_lines.h"

#include <QColor>
#include <QPalette>

namespace ym {

/// What a run of text is painted with.
struct TextPaint {
    QColor foreground;
    QColor background; ///< invalid: none
};

/// The first sixteen colours are ours, readable on the palette's base; the others are as named, and where they could not
/// be read on their background (below 3:1) they are moved towards the palette's text. `plain` is what Default means.
TextPaint textPaint(const TextStyle &style, const QColor &plain, const QPalette &palette);

} // namespace ym
