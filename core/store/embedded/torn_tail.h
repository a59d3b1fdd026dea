// Keeping what is cut off a log.
#pragma once

#include "core/base/error.h"

namespace ym::embedded {

/// Writes the torn end of the log at `path` to a new file beside it and brings that to disk. Returns the sentence that
/// tells people about it.
Result<QString> keepTornTail(const QString &path, const QByteArray &bytes);

/// The first of `PATH-1`, `PATH-2` … that does not exist.
QString freeName(const QString &path);

} // namespace ym::embedded
