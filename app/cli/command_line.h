// The command line as a value.
#pragma once

#include "app/cli/command.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace ym::cli {

/// What the window is asked for beside opening; for pictures of the program made by itself.
struct WindowRequest {
    std::string screenshot; ///< file to write; empty = an ordinary start
    std::string size; ///< "1280x800"
    std::string page; ///< "jobs", "queues", "workers"
    std::string theme; ///< "light", "dark"
};

/// A subcommand with its options read.
struct ToolRequest {
    QByteArray store;
    QByteArray protocol;
    KeyChoice keys;
    ServingOrder order = ServingOrder::Fifo;
    bool readOnly = false;
    Console::Format format = Console::Format::Human;
    std::unique_ptr<Command> command;
};

/// Nothing to do but to print: help, the version, or one line of what is wrong.
struct Answer {
    int exitCode = ExitOk;
    QString text;
};

using Request = std::variant<WindowRequest, ToolRequest, Answer>;

/// Reads the arguments (without the program's name), which need not be valid text.
Request parseCommandLine(std::vector<std::string> arguments);

} // namespace ym::cli
