// The bytes between the application and its launcher; plain C++, included by both sides.
#pragma once

#include <cstddef>

/// Both directions carry frames: one byte kind, four bytes length (little endian), the payload.
namespace ym::launch {

inline constexpr std::size_t headerSize = 5;
inline constexpr std::size_t maxPayload = std::size_t{1} << 20; ///< of any frame; a script travels in several

/// Application → launcher, on its standard input. First the settings in any order, then `Go`, then orders.
/// End of file at any time means that the application is gone: everything is killed.
enum class ToLauncher : char {
    Argument = 'a', ///< next word of the command; the first is an absolute path
    Variable = 'e', ///< NAME=value for the job
    Folder = 'd', ///< working directory of the job
    File = 'f', ///< name of a file to make in that folder; its content follows as `Data`
    Data = 'D', ///< bytes to append to it
    Input = 'i', ///< file that becomes the job's standard input; /dev/null without it
    Niceness = 'n', ///< decimal 0…19
    Limit = 'l', ///< NAME VALUE, see limits.h
    Confine = 'c', ///< one of the confine words below
    Network = 'N', ///< sockets of the Internet are allowed
    Readable = 'R', ///< folder or file that a confined job may read and execute
    Writable = 'W', ///< folder or file that it may change
    Remove = 'r', ///< folder to delete when no process of the job is left
    Warm = 'z', ///< the command is a zygote: `Go` starts it, then each job has its own settings and its own `Go`
    Script = 's', ///< path of the script that a job of the zygote runs
    Import = 'm', ///< modules, with commas, that a zygote shall import for later jobs
    Go = 'g',
    Terminate = 't', ///< SIGTERM to the job's process group
    Kill = 'k', ///< SIGKILL to every descendant
};

/// Launcher → application, on its standard output.
enum class FromLauncher : char {
    Out = 'o', ///< bytes of the job's standard output
    Err = 'e', ///< bytes of the job's standard error
    Over = 'x', ///< the last frame of a job; one line: HOW CODE CPU_MS MAX_RSS_KB LEFT STUCK LIMIT STAYS
};

/// What a job may not do beyond its limits. Nothing without such an order.
inline constexpr const char *confineCallsWord = "calls"; ///< a seccomp filter; files and sockets are kept away by others
inline constexpr const char *confineAllWord = "all"; ///< the filter, no sockets, and by Landlock only the folders that are named

/// First word of the arguments with which the launcher only guards another program: it starts the words behind it
/// with no environment, ends them when its standard input ends, and returns their exit code.
inline constexpr const char *guardWord = "--guard";

/// HOW in the Over line. CODE is the exit code, the signal number, or an errno. LIMIT names the limit (limits.h) over
/// which the job was ended, or is "-". STAYS is 1 when another job may be sent.
inline constexpr const char *howExit = "exit";
inline constexpr const char *howSignal = "signal";
inline constexpr const char *howNotStarted = "notstarted";

} // namespace ym::launch
