// Texts as words of a shell, for commands that people copy.
#pragma once

#include <QString>

namespace ym {

/// What a POSIX shell reads as this text and nothing else: bare where that is safe, otherwise in single quotes. A
/// leading dash stays what it is to the program; where it must not be an option, write "--" before. No NUL in it.
QString shellWord(const QString &text);

} // namespace ym
