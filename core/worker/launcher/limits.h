// The limits of one job: those that the kernel keeps, and those that the launcher watches.
#pragma once

#include <cstdint>
#include <string_view>

namespace ym::launch {

/// 0 everywhere means no limit. The words in quotes name them in a Limit frame and in the Over line.
struct Limits {
    std::uint64_t cpuSeconds = 0; ///< "cpu": of each process; SIGXCPU, five seconds later SIGKILL
    std::uint64_t addressBytes = 0; ///< "address": of each process
    std::uint64_t memoryBytes = 0; ///< "memory": what all processes together hold for themselves; watched
    std::uint64_t fileBytes = 0; ///< "file": of each file
    std::uint64_t processes = 0; ///< "processes": processes and threads together; also watched
    std::uint64_t openFiles = 0; ///< "open": descriptors of each process
    std::uint64_t folderBytes = 0; ///< "disk": in the job's folder; watched
    std::uint64_t folderFiles = 0; ///< "files": files in the job's folder; watched
};

/// Reads "NAME VALUE"; false when it is neither.
bool setLimit(Limits &limits, std::string_view text);

/// Sets those that the kernel keeps for this process and its children, and no core dumps. `shared` is the number of
/// processes and threads of this user that the kernel counts beside the job's own (RELIABILITY 7.2, trap 7). False with
/// errno when one was refused.
bool applyLimits(const Limits &limits, std::uint64_t shared);

/// Processes and threads that this user has now.
std::uint64_t tasksOfThisUser();

} // namespace ym::launch
