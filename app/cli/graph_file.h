// A file that describes jobs and which of them waits for which.
#pragma once

#include "core/base/error.h"
#include "core/job/job.h"

#include <vector>

namespace ym {
class InterpreterTable;
}

namespace ym::cli {

/// The jobs of a graph file, in its order: drafts with fresh ids, and the names that the file gives them.
struct GraphFile {
    std::vector<Job> drafts;
    QList<QByteArray> names;
};

/// Reads a graph file (README, Graphs) and the scripts that it names; `-` is standard input. What neither a job nor the
/// file's defaults say is as in `defaults`. A mistake is told with the line and the job that it is in; nothing is half read.
Result<GraphFile> readGraphFile(const QByteArray &path, const InterpreterTable &table, const Job &defaults);

} // namespace ym::cli
