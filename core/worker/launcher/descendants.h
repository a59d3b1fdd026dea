// Finds and ends every process that descends from this one.
#pragma once

#include <cstddef>
#include <sys/types.h>
#include <vector>

namespace ym::launch {

/// Sends SIGKILL to every living descendant of this process, found in /proc by their parents. They are stopped first,
/// so that one that forks all the time cannot run ahead. Because this process is a subreaper, daemons that left their
/// parent are among them (RELIABILITY 7.2, trap 5). Returns how many it found; the caller reaps and calls again until
/// there is no child left. The first process of a name space reaches all others with one call.
std::size_t killDescendants();

/// The children of this process, without theirs.
std::vector<pid_t> ownChildren();

/// The living descendants of this process; all others when it is the first of its name space.
std::vector<pid_t> livingFamily();

} // namespace ym::launch
