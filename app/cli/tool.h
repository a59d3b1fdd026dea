// Runs one subcommand from opening the store to the exit code.
#pragma once

#include "app/cli/command_line.h"

namespace ym::cli {

/// Needs a QCoreApplication; spins its event loop until the command has ended. Errors are printed here, one line each.
int runTool(ToolRequest request);

} // namespace ym::cli
