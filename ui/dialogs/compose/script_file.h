// Scripts as files: read with limits, written in one step.
#pragma once

#include "core/base/error.h"

namespace ym {

/// The file's bytes. Usage when it is no plain text file, TooLarge over CodeView::maxBytes, Io when it cannot be read.
/// A byte order mark is taken off; UTF-16 and other encodings are refused.
Result<QByteArray> readScriptFile(const QString &path);

/// Replaces the file as a whole; the old one stays when that fails.
Result<void> writeScriptFile(const QString &path, const QByteArray &script);

} // namespace ym
