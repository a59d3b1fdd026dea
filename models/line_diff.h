// Two texts line by line: what is only in one of them.
#pragma once

#include "models/text_lines.h"

#include <QByteArray>

namespace ym {

struct LineDiff {
    std::vector<StyledText> lines; ///< of both, in order; Normal ones are in both
    qint64 added = 0;
    qint64 removed = 0;
    bool isCut = false; ///< only the beginnings were compared
    bool isRough = false; ///< they differ so much that what lies between the first and the last difference is one block
    bool isSame() const { return added == 0 && removed == 0; }
};

/// Compares at most the first 20,000 lines of 4 MiB of each (Myers 1986, O(ND)); over 1,000 differences it gives up looking
/// for the smallest set. Colours do not count. About 30 ms at worst.
LineDiff compareLines(const QByteArray &before, const QByteArray &after);

} // namespace ym
