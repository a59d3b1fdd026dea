// yardmaster-launch: runs one job's interpreter and leaves no process behind.
//
// The application starts it with pipes on its three standard descriptors and sends settings and orders as frames (see
// wire.h). It becomes a session of its own and a child subreaper, starts the interpreter in a process group of its own,
// passes its output on as frames, and at the end kills whatever is left: when the interpreter has ended, on the order
// to kill, on SIGTERM, and when its standard input ends, which is how it learns that the application is gone
// (PR_SET_PDEATHSIG would be tied to one thread of it; RELIABILITY 7.2, trap 4). It reports only after the last
// process of the job is gone and its folder is removed. It keeps no time but the short waits of the last phase: when
// to stop is the application's business, but the limits that no rlimit keeps (watch.h) are its own.
//
// With `--guard` it only keeps watch over bubblewrap, which starts a second launcher inside as the first process of a
// name space of its own: that one does all this, on the same descriptors.
#include "core/worker/launcher/descendants.h"
#include "core/worker/launcher/frames.h"
#include "core/worker/launcher/guard.h"
#include "core/worker/launcher/orders.h"
#include "core/worker/launcher/start.h"
#include "core/worker/launcher/watch.h"
#include "core/worker/remove_tree.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
constexpr int watchMs = 100; ///< inside a name space, where looking is cheap
constexpr int watchAllMs = 250; ///< where every process of the machine has to be looked at

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
    long cpuMs = 0;
    long maxRssKb = 0;
    std::size_t leftBehind = 0;
    std::string passedLimit; ///< why it was ended; empty: it was not
    long watchedAt = 0;
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

/// Of the interpreter with the children it waited for, and of each that was left to us.
void addUsage(Run &run, const rusage &usage)
{
    const auto ms = [](const timeval &time) { return time.tv_sec * 1000 + time.tv_usec / 1000; };
    run.cpuMs += ms(usage.ru_utime) + ms(usage.ru_stime);
    run.maxRssKb = std::max(run.maxRssKb, usage.ru_maxrss);
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
        addUsage(run, usage);
        if (pid != run.job.pid)
            continue;
        run.jobEnded = true;
        run.status = status;
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

bool isFirstOfItsNameSpace()
{
    return getpid() == 1;
}

bool isWatched(const Limits &limits)
{
    return limits.memoryBytes || limits.processes || limits.folderBytes || limits.folderFiles;
}

int watchEvery()
{
    return isFirstOfItsNameSpace() ? watchMs : watchAllMs;
}

/// Ends the job when it is over one of the watched limits.
void watch(Run &run)
{
    const Limits &limits = run.settings.limits;
    if (run.phase != Phase::Running || !isWatched(limits) || nowMs() - run.watchedAt < watchEvery())
        return;
    run.passedLimit = passedLimit(limits, livingFamily(), run.settings.folder, isFirstOfItsNameSpace());
    run.watchedAt = nowMs();
    if (!run.passedLimit.empty()) {
        run.ordered = true;
        enter(run, Phase::Killing);
    }
}

/// How long a turn may wait for events, in ms; -1 = for ever.
int patience(const Run &run)
{
    if (run.phase != Phase::Running)
        return 2;
    return isWatched(run.settings.limits) ? watchEvery() : -1;
}

/// One turn: waits for the next event and deals with it.
void turn(Run &run)
{
    pollfd watched[] = {{run.controlOpen ? 0 : -1, POLLIN, 0},
                        {run.signals, POLLIN, 0},
                        {run.job.out, POLLIN, 0},
                        {run.job.err, POLLIN, 0}};
    poll(watched, 4, patience(run));
    if (watched[0].revents)
        obey(run);
    if (watched[1].revents)
        takeSignals(run);
    if (watched[2].revents && !passOn(run, run.job.out, FromLauncher::Out))
        closeEnd(run.job.out);
    if (watched[3].revents && !passOn(run, run.job.err, FromLauncher::Err))
        closeEnd(run.job.err);
    reap(run);
    watch(run);
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

void report(const Run &run, const char *how, int code, bool stuck)
{
    char line[160];
    std::snprintf(line, sizeof line, "%s %d %ld %ld %zu %d %s\n", how, code, run.cpuMs, run.maxRssKb, run.leftBehind, stuck ? 1 : 0, run.passedLimit.empty() ? "-" : run.passedLimit.c_str());
    writeFrame(1, FromLauncher::Over, line);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 2 && std::strcmp(argv[1], guardWord) == 0)
        return guard(argv + 2);
    Run run;
    run.signals = prepare();
    const bool wanted = readSettings(run.orders, run.settings);
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
