// Starts the interpreter: its own process group, a clean set of descriptors, limits and nothing inherited.
#pragma once

#include "core/worker/launcher/limits.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace ym::launch {

struct Settings {
    std::vector<std::string> command; ///< first: absolute path
    std::vector<std::string> variables; ///< NAME=value; the whole environment
    std::string folder;
    std::string input; ///< empty: /dev/null
    std::string removal; ///< empty: nothing
    int niceness = 0;
    Limits limits;
    std::string confine; ///< one of the confine words of wire.h; empty: nothing
    bool network = false;
    std::vector<std::string> readable;
    std::vector<std::string> writable;
    bool isWarm = false; ///< the command is a zygote
    std::string script; ///< of a job of the zygote
    std::string imports; ///< modules that the zygote shall import for later jobs, with commas
    int link = -1; ///< becomes descriptor 3
};

struct Started {
    pid_t pid = -1; ///< -1: not started; 0: of a zygote, not known yet
    int error = 0; ///< errno of what failed
    int out = -1; ///< non-blocking read ends
    int err = -1;
};

Started start(const Settings &settings);

} // namespace ym::launch
