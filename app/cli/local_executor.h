// What runs scripts in this process, for run and worker.
#pragma once

#include "core/engine/paths.h"
#include "core/worker/process_executor.h"

#include <memory>

namespace ym::cli {

/// The interpreter table with the user's rows, and an executor over it. Keep it where it was made.
struct LocalExecutor {
    InterpreterTable table;
    ProcessExecutor executor;

    LocalExecutor(ContainmentLevel best, bool isWarm)
        : executor(&table, optionsWith(best, isWarm), &Clock::system())
    {
    }
    LocalExecutor(const LocalExecutor &) = delete;
    LocalExecutor &operator=(const LocalExecutor &) = delete;

    /// Without the containment levels above `best`; `isWarm` as in ProcessExecutor::Options.
    static Result<std::unique_ptr<LocalExecutor>> make(const Paths &paths, ContainmentLevel best, bool isWarm)
    {
        auto local = std::make_unique<LocalExecutor>(best, isWarm);
        if (const Result<void> read = local->table.load(paths.interpretersFile()); !read)
            return tl::unexpected(read.error());
        return local;
    }

private:
    static ProcessExecutor::Options optionsWith(ContainmentLevel best, bool isWarm)
    {
        ProcessExecutor::Options options;
        options.bestLevel = best;
        options.isWarm = isWarm;
        return options;
    }
};

} // namespace ym::cli
