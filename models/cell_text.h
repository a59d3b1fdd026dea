// Small texts that several models share.
#pragma once

#include "core/job/progress.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace ym {

/// Characters of a value that a cell shows (RELIABILITY 8, Huge values: 512 are free, a million are not).
inline constexpr qsizetype longestCell = 512;

/// A tooltip that no view can take for markup: views look for a tag only in the first line, and that is the title.
/// `value` is cut at 2000 characters (RELIABILITY 8, Huge values).
QString plainToolTip(const QString &title, const QString &value);

/// Short ids, separated by commas; more than three are counted.
QString shortIds(const QList<QByteArray> &ids);

/// 512 B, 3.2 KiB, 10 MiB.
QString sizeText(qint64 bytes);

/// "37 of 100 · reading": for people.
QString progressText(const JobProgress &progress);

} // namespace ym
