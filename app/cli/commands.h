// The one list of subcommands.
#pragma once

#include "app/cli/command.h"

#include <span>

namespace ym::cli {

struct CommandRow {
    const char *name;
    const char *summary; ///< one line for the overview
    std::unique_ptr<Command> (*make)();
};

/// In the order of the overview. To add one: a file in commands/, a row here.
std::span<const CommandRow> commandRows();

} // namespace ym::cli
