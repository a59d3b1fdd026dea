#include "core/worker/launcher/start.h"

#include "core/worker/launcher/confine.h"
#include "core/worker/launcher/wire.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ym::launch {

namespace {

std::vector<char *> pointers(const std::vector<std::string> &words)
{
    std::vector<char *> result;
    for (const std::string &word : words)
        result.push_back(const_cast<char *>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

void resetSignals()
{
    for (int number = 1; number < NSIG; ++number)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool wireUp(const Settings &settings, int out, int err)
{
    const char *input = settings.input.empty() ? "/dev/null" : settings.input.c_str();
    const int in = open(input, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    return in >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0
        && close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0
        && (settings.link < 0 || (settings.link == 3 ? fcntl(3, F_SETFD, 0) == 0 : dup2(settings.link, 3) == 3));
}

struct Around {
    pid_t launcher;
    std::uint64_t otherTasks; ///< that the kernel counts as this user's
};

/// Inside bubblewrap, where this process is the first of its name space, folders and sockets are kept away already.
bool confine(const Settings &settings)
{
    if (settings.confine.empty())
        return true;
    CallRules rules;
    rules.network = settings.network;
    if (settings.confine == confineCallsWord) {
        // With our network come our abstract sockets, the desktop's among them. Where nothing else keeps them away, the
        // job has no sockets but those of the Internet.
        rules.noSockets = settings.network && !keepsScope();
        return (!settings.network || confineScope()) && confineCalls(rules);
    }
    rules.noSockets = true;
    rules.noSignalToAll = true;
    std::vector<std::string> writable = settings.writable;
    writable.push_back(settings.folder);
    return confineFiles(settings.readable, writable) && confineCalls(rules);
}

/// In the child: never returns.
[[noreturn]] void become(const Settings &settings, const Around &around, int out, int err, int report)
{
    setpgid(0, 0);
    // The launcher has one thread, so its death is what this signal stands for (RELIABILITY 7.2, trap 4).
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != around.launcher)
        _exit(127);
    resetSignals();
    umask(077);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    setpriority(PRIO_PROCESS, 0, settings.niceness);
    if (wireUp(settings, out, err) && chdir(settings.folder.c_str()) == 0 && applyLimits(settings.limits, around.otherTasks)
        && dropCapabilities() && confine(settings))
        execve(settings.command.front().c_str(), pointers(settings.command).data(),
               pointers(settings.variables).data());
    const int error = errno;
    [[maybe_unused]] const ssize_t n = write(report, &error, sizeof error);
    _exit(127);
}

} // namespace

Started start(const Settings &settings)
{
    int out[2], err[2], report[2];
    if (settings.command.empty() || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
        return {-1, settings.command.empty() ? EINVAL : errno, -1, -1};
    Around around{getpid(), 1};
    // In a user name space of its own the kernel counts the job alone (RELIABILITY 7.2, trap 7).
    if (settings.limits.processes > 0 && around.launcher != 1)
        around.otherTasks = tasksOfThisUser();
    const pid_t child = fork();
    if (child == 0)
        become(settings, around, out[1], err[1], report[1]);
    const int forkError = errno;
    close(out[1]);
    close(err[1]);
    close(report[1]);
    int error = child < 0 ? forkError : 0;
    // Closed by a successful exec; holds errno otherwise.
    if (child > 0 && read(report[0], &error, sizeof error) == sizeof error)
        waitpid(child, nullptr, 0);
    close(report[0]);
    if (error != 0) {
        close(out[0]);
        close(err[0]);
        return {-1, error, -1, -1};
    }
    setpgid(child, child);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    return {child, 0, out[0], err[0]};
}

} // namespace ym::launch
