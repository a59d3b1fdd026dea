// yardmaster-launch: runs one job's interpreter and leaves no process behind.
//
// The application starts it with pipes on its three standard descriptors and sends settings and orders as frames (see
// wire.h). It becomes a session of its own and a child subreaper, starts the interpreter in a process group of its own,
// passes its output on as frames, and at the end kills whatever is left: when the interpreter has ended, on the order
// to kill, on SIGTERM, and when its standard input ends, which is how it learns that the application is gone
// (PR_SET_PDEATHSIG would be tied to one thread of it; RELIABILITY 7.2, trap 4). It reports only after the last
// process of the job is gone and its folder is removed. It keeps no time but the short waits of the last phase: when
// to stop is the application's business.
#include "core/worker/launcher/descendants.h"
#include "core/worker/launcher/frames.h"
#include "core/worker/launcher/start.h"
#include "core/worker/remove_tree.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

using namespace ym::launch;

constexpr long lingerMs = 50; ///< children that end with their parent by themselves are not "left behind"
constexpr long giveUpMs = 10'000; ///< a process that SIGKILL does not end within this time hangs in the kernel
constexpr int eagerFrames = 32; ///< small frames sent at once; later ones are gathered for a moment
constexpr ssize_t smallRead = 4096;

enum class Phase { Running, Lingering, Killing };

struct Run {
    Settings settings;
    Started job;
    FrameReader orders;
    int signals = -1;
    Phase phase = Phase::Running;
    long phaseSince = 0;
    bool controlOpen = true;
    bool jobEnded = false;
    bool childrenLeft = true;
    bool ordered = false; ///< somebody asked for the end
    int status = 0;
    rusage usage{};
    std::size_t leftBehind = 0;
    int smallFrames = 0;
};

long nowMs()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
}

void enter(Run &run, Phase phase)
{
    if (run.phase == phase)
        return;
    run.phase = phase;
    run.phaseSince = nowMs();
}

[[noreturn]] void giveUp(const char *what)
{
    std::perror(what);
    std::exit(125);
}

/// The launcher's own surroundings.
int prepare()
{
    close_range(3, ~0U, 0);
    setsid();
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        giveUp("subreaper");
    prctl(PR_SET_DUMPABLE, 0); // its memory holds the job's environment, its descriptors the report
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    sigset_t watched;
    sigemptyset(&watched);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&watched, number);
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    const int fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        giveUp("signalfd");
    return fd;
}

/// Reads settings until `Go`; false when the application went away or said something unknown.
bool readSettings(Run &run)
{
    ToLauncher kind{};
    std::string payload;
    for (;;) {
        if (!run.orders.next(kind, payload)) {
            if (!run.orders.fill(0))
                return false;
            continue;
        }
        switch (kind) {
        case ToLauncher::Argument:
            run.settings.command.push_back(payload);
            break;
        case ToLauncher::Variable:
            run.settings.variables.push_back(payload);
            break;
        case ToLauncher::Folder:
            run.settings.folder = payload;
            break;
        case ToLauncher::Input:
            run.settings.input = payload;
            break;
        case ToLauncher::Niceness:
            run.settings.niceness = std::atoi(payload.c_str());
            break;
        case ToLauncher::Remove:
            run.settings.removal = payload;
            break;
        case ToLauncher::Go:
            return true;
        case ToLauncher::Terminate:
        case ToLauncher::Kill:
            return false;
        }
    }
}

void obey(Run &run)
{
    if (!run.orders.fill(0)) {
        run.controlOpen = false;
        run.ordered = true;
        enter(run, Phase::Killing);
    }
    ToLauncher kind{};
    std::string payload;
    while (run.orders.next(kind, payload)) {
        run.ordered = true;
        if (kind == ToLauncher::Terminate && !run.jobEnded)
            kill(-run.job.pid, SIGTERM);
        if (kind == ToLauncher::Kill)
            enter(run, Phase::Killing);
    }
}

void takeSignals(Run &run)
{
    signalfd_siginfo info{};
    while (read(run.signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) {
            run.ordered = true;
            enter(run, Phase::Killing);
        }
    }
}

void reap(Run &run)
{
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t pid = wait4(-1, &status, WNOHANG, &usage);
        if (pid <= 0) {
            run.childrenLeft = pid == 0;
            return;
        }
        if (pid != run.job.pid)
            continue;
        run.jobEnded = true;
        run.status = status;
        run.usage = usage;
        if (run.phase == Phase::Running)
            enter(run, Phase::Lingering);
    }
}

/// Passes one read on. False when the stream has ended or nobody listens.
bool passOn(Run &run, int fd, FromLauncher kind)
{
    static char chunk[65536];
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n == 0)
        return false;
    if (!writeFrame(1, kind, {chunk, std::size_t(n)}))
        enter(run, Phase::Killing);
    if (n < smallRead && ++run.smallFrames > eagerFrames)
        usleep(2000);
    return true;
}

void closeEnd(int &fd)
{
    close(fd);
    fd = -1;
}

/// One turn: waits for the next event and deals with it.
void turn(Run &run)
{
    pollfd watched[] = {{run.controlOpen ? 0 : -1, POLLIN, 0},
                        {run.signals, POLLIN, 0},
                        {run.job.out, POLLIN, 0},
                        {run.job.err, POLLIN, 0}};
    poll(watched, 4, run.phase == Phase::Running ? -1 : 2);
    if (watched[0].revents)
        obey(run);
    if (watched[1].revents)
        takeSignals(run);
    if (watched[2].revents && !passOn(run, run.job.out, FromLauncher::Out))
        closeEnd(run.job.out);
    if (watched[3].revents && !passOn(run, run.job.err, FromLauncher::Err))
        closeEnd(run.job.err);
    reap(run);
}

/// Returns when no process of the job is left; true unless one hangs in the kernel.
bool untilNobodyIsLeft(Run &run)
{
    for (;;) {
        turn(run);
        if (run.jobEnded && !run.childrenLeft)
            return true;
        const long inPhase = nowMs() - run.phaseSince;
        if (run.phase == Phase::Lingering && inPhase >= lingerMs)
            enter(run, Phase::Killing);
        if (run.phase != Phase::Killing)
            continue;
        const std::size_t killed = killDescendants();
        if (!run.ordered && run.leftBehind == 0)
            run.leftBehind = killed;
        if (inPhase > giveUpMs)
            return false;
    }
}

/// What still lies in a pipe; nobody writes there any more.
void passOnTheRest(Run &run, int &fd, FromLauncher kind)
{
    while (fd >= 0) {
        pollfd one{fd, POLLIN, 0};
        if (poll(&one, 1, 0) <= 0 || !passOn(run, fd, kind))
            closeEnd(fd);
    }
}

long cpuMs(const rusage &usage)
{
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000
        + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

void report(const Run &run, const char *how, int code, bool stuck)
{
    char line[160];
    std::snprintf(line, sizeof line, "%s %d %ld %ld %zu %d\n", how, code, cpuMs(run.usage), run.usage.ru_maxrss,
                  run.leftBehind, stuck ? 1 : 0);
    writeFrame(1, FromLauncher::Over, line);
}

} // namespace

int main()
{
    Run run;
    run.signals = prepare();
    const bool wanted = readSettings(run);
    if (wanted)
        run.job = start(run.settings);
    bool allGone = true;
    if (run.job.pid > 0) {
        allGone = untilNobodyIsLeft(run);
        passOnTheRest(run, run.job.out, FromLauncher::Out);
        passOnTheRest(run, run.job.err, FromLauncher::Err);
    }
    if (!run.settings.removal.empty())
        ym::removeTree(run.settings.removal.c_str());
    if (!wanted)
        return 125;
    if (run.job.pid < 0)
        report(run, howNotStarted, run.job.error, false);
    else if (WIFSIGNALED(run.status))
        report(run, howSignal, WTERMSIG(run.status), !allGone);
    else
        report(run, howExit, WEXITSTATUS(run.status), !allGone);
    return 0;
}
