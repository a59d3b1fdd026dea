// What takes rights away from the process that will become the job: Landlock for files, seccomp for system calls.
#pragma once

#include <string>
#include <vector>

namespace ym::launch {

/// The kernel's Landlock version; 0 when it has none.
int landlockVersion();

/// From now on this process and its children reach only the system's own programs and libraries and `readable` for
/// reading, and `writable` for everything; they can neither signal nor look into processes outside (signals from
/// version 6 on). What is not there is left out. False with errno when the kernel refuses.
bool confineFiles(const std::vector<std::string> &readable, const std::vector<std::string> &writable);

/// Whether this kernel can keep processes from signals and abstract sockets of others (Landlock version 6).
bool keepsScope();

/// No abstract sockets and no signals to the outside. True without effect where the kernel cannot do it.
bool confineScope();

/// Gives up what root has and others have not; without it root could raise its limits again. The files of the user
/// stay reachable.
bool dropCapabilities();

struct CallRules {
    bool noSockets = false; ///< for a job that shares our network and our folders of sockets
    bool network = false; ///< with noSockets: those of the Internet are allowed
    bool noSignalToAll = false; ///< kill(-1) would reach every process of the user
};

/// Takes away the calls with which a job could reach other processes, mount, load code into the kernel or go around
/// these rules. They fail with EPERM. False when the kernel refuses the filter.
bool confineCalls(const CallRules &rules);

} // namespace ym::launch
