// What others may leave in a store: the catalogue of RELIABILITY 9, "Data in Redis", as commands.
#pragma once

#include "core/store/command.h"

#include <QList>

#include <vector>

namespace ym::test {

/// One row: what is wrong, and the commands that make it so.
struct BadData {
    QByteArray name; ///< "D4 a status nobody knows"
    std::vector<Command> commands;
    QByteArray job; ///< id of the job it is about; may be any bytes
    bool isRecord = true; ///< the job's key holds a hash, so it is listed as a job
};

/// Every row that is about one job, each with a job of its own; the biggest values have a megabyte.
const std::vector<BadData> &badJobs();
/// Queues, control lists, replies, leases and presences of the wrong shape, in both families.
const std::vector<BadData> &badSurroundings();

} // namespace ym::test
