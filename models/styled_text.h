// Reads colours and styles out of a line of output.
#pragma once

#include "models/text_lines.h"

#include <QByteArray>

namespace ym {

/// `bytes` come from a TerminalFilter: the only escape sequence is SGR. `style` is that of the first character and, after
/// the call, of what follows. Text is shown as by shownText().
StyledText styledText(QByteArrayView bytes, TextStyle &style);
/// Only what becomes of the style: cheap.
void advanceStyle(QByteArrayView bytes, TextStyle &style);
/// The same over rows as they stand in a file, of any length and with any escape sequences.
void advanceStyleOverRows(QByteArrayView rows, TextStyle &style);

} // namespace ym
