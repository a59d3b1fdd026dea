// Numbers with their noun: "1 job", "1,204 jobs".
#pragma once

#include <QLocale>
#include <QString>

namespace ym {

/// `one` is the whole text for 1; `many` has %1 where the number goes, with the locale's separators.
inline QString counted(qint64 count, const QString &one, const QString &many)
{
    return count == 1 ? one : many.arg(QLocale().toString(count));
}

} // namespace ym
