// One look at many lines in place of one look at each.
#pragma once

#include <QRegularExpression>

#include <optional>

namespace ym {

/// An expression that finds in a text of many lines what `line` finds in each of them alone: no match of it goes over a
/// line end, and a line matches there exactly if it matches by itself. Nothing where that cannot be said; the patterns
/// that people type are mostly of the simple kind.
std::optional<QRegularExpression> acrossLines(const QRegularExpression &line);

} // namespace ym
