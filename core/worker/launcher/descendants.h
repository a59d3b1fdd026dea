// Finds and ends every process that descends from this one.
#pragma once

#include <cstddef>

namespace ym::launch {

/// Sends SIGKILL to every living descendant of this process, found in /proc by their parents. They are stopped first,
/// so that one that forks all the time cannot run ahead. Because this process is a subreaper, daemons that left their
/// parent are among them (RELIABILITY 7.2, trap 5). Returns how many it found; the caller reaps and calls again until
/// there is no child left.
std::size_t killDescendants();

} // namespace ym::launch
