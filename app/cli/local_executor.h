// What runs scripts in this process, for run and worker.
#pragma once

#include "core/engine/paths.h"
#include "core/worker/process_executor.h"

#include <memory>

namespace ym::cli {

/// The interpreter table with the user's rows, and an executor over it. Keep it where it was made.
struct LocalExecutor {
    InterpreterTable table;
    ProcessExecutor executor{&table, ProcessExecutor::Options{}, &Clock::system()};

    LocalExecutor() = default;
    LocalExecutor(const LocalExecutor &) = delete;
    LocalExecutor &operator=(const LocalExecutor &) = delete;

    static Result<std::unique_ptr<LocalExecutor>> make(const Paths &paths)
    {
        auto local = std::make_unique<LocalExecutor>();
        if (const Result<void> read = local->table.load(paths.interpretersFile()); !read)
            return tl::unexpected(read.error());
        return local;
    }
};

} // namespace ym::cli
