// submit --graph: jobs that wait for one another, all of them or none.
#pragma once

#include "app/cli/command.h"
#include "app/cli/graph_file.h"

namespace ym::cli {

/// Prints what would be done, without doing it: each job with its level, its queue and what it waits for. Looks whether
/// prerequisites outside the file exist.
QCoro::Task<int> planGraphFile(Context *context, GraphFile file);
/// Submits the whole and prints the id and the name of each job.
QCoro::Task<int> submitGraphFile(Context *context, GraphFile file);
/// Waits until all of them are over and prints what became of each; exit code 1 when one did not finish.
QCoro::Task<int> waitForGraph(Context *context, GraphFile file);

} // namespace ym::cli
