// What the command line tells its caller in a number.
#pragma once

namespace ym::cli {

/// Stable: scripts depend on them (README, Exit codes).
enum ExitCode : int {
    ExitOk = 0, ///< done; for run, wait and submit --wait: the job finished
    ExitFailed = 1, ///< the job failed, or the command could not do its work
    ExitUsage = 2, ///< the command line itself is wrong
    ExitTimeout = 124, ///< the job or the wait was over its time
    ExitInterrupted = 130, ///< by SIGINT, SIGTERM or SIGHUP
};

} // namespace ym::cli
