#include "core/worker/launcher/guard.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ym::launch {

namespace {

constexpr int notStarted = 125;
constexpr int graceMs = 3'000; ///< the contained launcher sees the end of the input by itself

sigset_t watchedSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, number);
    return set;
}

[[noreturn]] void become(char **words, pid_t guardian)
{
    // The guardian has one thread, so its death is what this signal stands for (RELIABILITY 7.2, trap 4).
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guardian)
        _exit(notStarted);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    char *nothing[] = {nullptr};
    execve(words[0], words, nothing);
    std::perror(words[0]);
    _exit(notStarted);
}

/// True when one of the signals asks for the end.
bool endIsAsked(int signals)
{
    bool asked = false;
    signalfd_siginfo info{};
    while (read(signals, &info, sizeof info) == sizeof info)
        asked |= info.ssi_signo != SIGCHLD;
    return asked;
}

int codeOf(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

int guard(char **words)
{
    close_range(3, ~0U, 0);
    setsid();
    prctl(PR_SET_DUMPABLE, 0);
    const sigset_t watched = watchedSignals();
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    const int signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    const pid_t guardian = getpid();
    const pid_t child = signals < 0 ? -1 : fork();
    if (child == 0)
        become(words, guardian);
    if (child < 0) {
        std::perror("fork");
        return notStarted;
    }
    bool inputEnded = false;
    for (;;) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child)
            return codeOf(status);
        pollfd descriptors[] = {{signals, POLLIN, 0}, {inputEnded ? -1 : 0, 0, 0}};
        const int ready = poll(descriptors, 2, inputEnded ? graceMs : -1);
        if (endIsAsked(signals) || (inputEnded && ready == 0))
            kill(child, SIGKILL);
        inputEnded |= (descriptors[1].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
    }
}

} // namespace ym::launch
