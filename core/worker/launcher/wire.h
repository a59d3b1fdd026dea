// The bytes between the application and its launcher; plain C++, included by both sides.
#pragma once

#include <cstddef>

/// Both directions carry frames: one byte kind, four bytes length (little endian), the payload.
namespace ym::launch {

inline constexpr std::size_t headerSize = 5;
inline constexpr std::size_t maxPayload = std::size_t{1} << 20; ///< of any frame; a script travels as a file

/// Application → launcher, on its standard input. First the settings in any order, then `Go`, then orders.
/// End of file at any time means that the application is gone: everything is killed.
enum class ToLauncher : char {
    Argument = 'a', ///< next word of the command; the first is an absolute path
    Variable = 'e', ///< NAME=value for the job
    Folder = 'd', ///< working directory of the job
    Input = 'i', ///< file that becomes the job's standard input; /dev/null without it
    Niceness = 'n', ///< decimal 0…19
    Remove = 'r', ///< folder to delete when no process of the job is left
    Go = 'g',
    Terminate = 't', ///< SIGTERM to the job's process group
    Kill = 'k', ///< SIGKILL to every descendant
};

/// Launcher → application, on its standard output.
enum class FromLauncher : char {
    Out = 'o', ///< bytes of the job's standard output
    Err = 'e', ///< bytes of the job's standard error
    Over = 'x', ///< the last frame; one line: HOW CODE CPU_MS MAX_RSS_KB LEFT STUCK
};

/// HOW in the Over line. CODE is the exit code, the signal number, or an errno.
inline constexpr const char *howExit = "exit";
inline constexpr const char *howSignal = "signal";
inline constexpr const char *howNotStarted = "notstarted";

} // namespace ym::launch
