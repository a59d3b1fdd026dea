// Keeps watch over a program that contains the launcher proper.
#pragma once

namespace ym::launch {

/// Starts `words` (ends with a null pointer; first: absolute path) with no environment and our three standard
/// descriptors, and returns its exit code. When our standard input ends (the application is gone) or a signal asks for
/// the end, it is killed, after a moment in which it may see the end of the input itself. The descriptor's bytes are
/// left to the program. 125 when it cannot be started.
int guard(char **words);

} // namespace ym::launch
