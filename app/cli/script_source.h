// Where a script comes from.
#pragma once

#include "core/base/error.h"

#include <QByteArray>

namespace ym::cli {

/// The largest script that is taken; a store keeps it in one field.
inline constexpr qint64 maxScriptBytes = 16 * 1024 * 1024;

/// Reads a file by the bytes of its name, which need not be valid text, or standard input for "-".
Result<QByteArray> readScript(const QByteArray &file);

} // namespace ym::cli
