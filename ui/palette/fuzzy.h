// How well a few typed letters fit a text: for the palette.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace ym {

struct FuzzyHit {
    int score = 0; ///< more is better
    QList<int> positions; ///< of the letters that were found, for showing them
};

/// All letters of `typed` (spaces aside) must be found in order, in any case. Beginnings of words, runs of letters and
/// short texts count more. Empty `typed` fits everything with score 0.
std::optional<FuzzyHit> fuzzyMatch(QStringView typed, QStringView text);

} // namespace ym
