// Whether there is a screen to open a window on.
#pragma once

namespace ym {

/// False, after one line on standard error, when the environment names no display.
bool hasDisplay();

/// While it lives, a display that refuses ends the process with one line and code 1 instead of a core dump: Qt itself
/// aborts then. For the time in which QApplication is made.
class DisplayGuard {
public:
    DisplayGuard();
    ~DisplayGuard();
    DisplayGuard(const DisplayGuard &) = delete;
    DisplayGuard &operator=(const DisplayGuard &) = delete;
};

} // namespace ym
