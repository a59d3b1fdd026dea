// Reads what the application wants to be run.
#pragma once

#include "core/worker/launcher/frames.h"
#include "core/worker/launcher/start.h"

namespace ym::launch {

/// Reads settings until `Go` and makes the files that come with them. False when the application went away, said
/// something unknown or a file could not be written (a line on standard error says which).
bool readSettings(FrameReader &orders, Settings &settings);

} // namespace ym::launch
