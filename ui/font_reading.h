// The system's font configuration, read while the program starts: the largest single cost of a first frame with text.
#pragma once

namespace ym {

/// Reads it in a thread of its own. Called before QApplication is made; nobody may change environment variables until
/// it is finished. Without this call, and where there is only one processor, it is read where the first text is laid out.
void beginReadingFonts();
/// Waits for the end of what was begun. Before the first text: two readers at once would both do all the work.
void finishReadingFonts();

} // namespace ym
