// The application with its window, put together.
#pragma once

#include <QString>

namespace ym {

/// How to open the window; everything empty = as a person does. A picture of itself (`screenshot`, a PNG file) is taken
/// after the first listing, with settings of its own, and ends the application.
struct WindowOptions {
    QString screenshot;
    QString size; ///< "1280x800"
    QString page; ///< "jobs", "queues", "workers"
    QString theme; ///< "light", "dark"; empty = the system's
};

/// Returns the exit code when the last window is closed and all is down. Without a display: one line on standard error
/// and 1 (RELIABILITY 9, C10).
int runWindow(int &argc, char **argv, const WindowOptions &options);

} // namespace ym
