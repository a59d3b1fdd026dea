// What runs scripts in this process, for run and worker.
#pragma once

#include "core/engine/paths.h"
#include "core/worker/process_executor.h"

#include <QFile>

#include <memory>

namespace ym::cli {

/// The interpreter table with the user's rows, and an executor over it. Keep it where it was made.
struct LocalExecutor {
    InterpreterTable table;
    ProcessExecutor executor;

    struct Choice {
        ContainmentLevel best = ContainmentLevel::Bubblewrap; ///< levels above are not used
        bool isWarm = false; ///< as in ProcessExecutor::Options
        QByteArray project{}; ///< file with further rows; empty: none
    };

    explicit LocalExecutor(const Choice &choice)
        : executor(&table, optionsOf(choice), &Clock::system())
    {
    }
    LocalExecutor(const LocalExecutor &) = delete;
    LocalExecutor &operator=(const LocalExecutor &) = delete;

    static Result<std::unique_ptr<LocalExecutor>> make(const Paths &paths, const Choice &choice)
    {
        auto local = std::make_unique<LocalExecutor>(choice);
        if (const Result<void> read = local->table.load(paths.interpretersFile()); !read)
            return tl::unexpected(read.error());
        const QString project = QFile::decodeName(choice.project);
        if (const Result<void> read = project.isEmpty() ? Result<void>() : local->table.add(project); !read)
            return tl::unexpected(read.error());
        return local;
    }

private:
    static ProcessExecutor::Options optionsOf(const Choice &choice)
    {
        ProcessExecutor::Options options;
        options.bestLevel = choice.best;
        options.isWarm = choice.isWarm;
        return options;
    }
};

} // namespace ym::cli
