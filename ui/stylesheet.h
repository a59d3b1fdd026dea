// The little that Fusion and a palette cannot say.
#pragma once

#include <QPalette>
#include <QString>

namespace ym {

/// Rules with the palette's colours put in.
QString stylesheet(const QPalette &palette);

} // namespace ym
