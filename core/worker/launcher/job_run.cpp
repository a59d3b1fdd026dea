#include "core/worker/launcher/job_run.h"

#include "core/worker/launcher/descendants.h"
#include "core/worker/launcher/watch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace ym::launch {

namespace {

constexpr long lingerMs = 50; ///< children that end with their parent by themselves are not "left behind"
constexpr long giveUpMs = 10'000; ///< a process that SIGKILL does not end within this time hangs in the kernel
constexpr long forkMs = 30'000; ///< for a zygote to start a job; the first one waits for the interpreter
constexpr long gatherMs = 4; ///< output that came within is passed on together: a short job has one frame
constexpr ssize_t largeRead = 16'384; ///< more has come than a gathering should hold
constexpr int watchMs = 100; ///< inside a name space, where looking is cheap
constexpr int watchAllMs = 250; ///< where every process of the machine has to be looked at

long nowMs()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
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

void closeEnd(int &fd)
{
    close(fd);
    fd = -1;
}

} // namespace

JobRun::JobRun(const Settings *settings, Surroundings *around)
    : m_settings(settings)
    , m_around(around)
{
}

bool JobRun::live()
{
    m_isForked = m_around->zygote.isAlive();
    m_job = m_isForked ? m_around->zygote.startJob(*m_settings) : start(*m_settings);
    if (m_job.pid < 0)
        return false;
    m_phaseSince = nowMs();
    m_listenFrom = m_phaseSince + gatherMs;
    takeOrders();
    while (!m_jobEnded || m_childrenLeft) {
        turn();
        const long inPhase = nowMs() - m_phaseSince;
        if (m_phase == Phase::Lingering && inPhase >= lingerMs && m_jobEnded)
            enter(Phase::Killing);
        if (m_phase != Phase::Killing || (m_jobEnded && !m_childrenLeft))
            continue;
        const std::size_t killed = killDescendants() - (m_around->zygote.isAlive() ? 1 : 0);
        m_around->zygote.wasKilled();
        if (!m_ordered && m_leftBehind == 0)
            m_leftBehind = killed;
        if (inPhase > giveUpMs) {
            m_isStuck = true;
            break;
        }
    }
    passOnTheRest(m_job.out, FromLauncher::Out);
    passOnTheRest(m_job.err, FromLauncher::Err);
    return m_job.pid > 0;
}

void JobRun::enter(Phase phase)
{
    if (m_phase == phase)
        return;
    m_phase = phase;
    m_phaseSince = nowMs();
}

/// Waits for the next event and deals with it.
void JobRun::turn()
{
    const bool listens = isListening();
    pollfd watched[] = {{m_around->controlOpen ? 0 : -1, POLLIN, 0},
                        {m_around->signals, POLLIN, 0},
                        {listens ? m_job.out : -1, POLLIN, 0},
                        {listens ? m_job.err : -1, POLLIN, 0}};
    poll(watched, 4, patience());
    if (watched[0].revents)
        obey();
    if (watched[1].revents)
        takeSignals();
    if (watched[2].revents && !passOn(m_job.out, FromLauncher::Out))
        closeEnd(m_job.out);
    if (watched[3].revents && !passOn(m_job.err, FromLauncher::Err))
        closeEnd(m_job.err);
    if (m_phase != Phase::Killing) // then it goes with the end
        sendOutput();
    if (m_job.pid == 0 && nowMs() - m_phaseSince > forkMs && jobPid(0) == 0)
        m_around->zygote.end();
    reap();
    watch();
}

/// Not for a moment after something came: what a job writes in the meantime then goes in one frame.
bool JobRun::isListening() const
{
    return m_phase != Phase::Running || nowMs() >= m_listenFrom;
}

/// Of a job of the zygote; 0 while it has not been forked.
pid_t JobRun::jobPid(int waitMs)
{
    if (m_job.pid == 0)
        m_job.pid = m_around->zygote.jobPid(waitMs);
    return m_job.pid;
}

/// The zygote has ended. A job whose process it had made by then goes on.
void JobRun::giveUpOnZygote()
{
    m_around->zygote.wasKilled();
    if (jobPid(0) == 0)
        jobWasNotStarted();
}

void JobRun::jobWasNotStarted()
{
    m_job.pid = -1;
    m_job.error = ECHILD;
    jobEnded(0, {});
}

void JobRun::obey()
{
    if (!m_around->orders.fill(0)) {
        m_around->controlOpen = false;
        m_ordered = true;
        enter(Phase::Killing);
    }
    takeOrders();
}

/// Of what has been read: the first ones may have come in one read with the settings, and nothing tells of them again.
void JobRun::takeOrders()
{
    ToLauncher kind{};
    std::string payload;
    while (m_around->orders.next(kind, payload)) {
        m_ordered = true;
        if (kind == ToLauncher::Terminate && !m_jobEnded && jobPid(forkMs) > 0)
            kill(-m_job.pid, SIGTERM);
        if (kind == ToLauncher::Kill)
            enter(Phase::Killing);
    }
}

void JobRun::takeSignals()
{
    signalfd_siginfo info{};
    while (read(m_around->signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) {
            m_ordered = true;
            enter(Phase::Killing);
        }
    }
}

void JobRun::jobEnded(int status, const rusage &usage)
{
    m_jobEnded = true;
    m_status = status;
    addUsage(usage);
    if (m_phase == Phase::Running)
        enter(Phase::Lingering);
}

/// Of the interpreter with the children it waited for, and of each that was left to us.
void JobRun::addUsage(const rusage &usage)
{
    const auto us = [](const timeval &time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
    m_cpuUs += us(usage.ru_utime) + us(usage.ru_stime);
    m_maxRssKb = std::max(m_maxRssKb, usage.ru_maxrss);
}

void JobRun::reap()
{
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage);
        if (pid <= 0) {
            m_childrenLeft = pid == 0;
            break;
        }
        if (WIFSTOPPED(status)) {
            if (m_around->zygote.isProcess(pid)) // by a job; nobody else could
                m_around->zygote.end();
        } else if (m_around->zygote.isProcess(pid))
            giveUpOnZygote();
        else if (pid == jobPid(0) && m_isForked && !m_around->zygote.jobWasTaken())
            jobWasNotStarted();
        else if (pid == m_job.pid)
            jobEnded(status, usage);
        else
            addUsage(usage);
    }
    if (m_jobEnded && m_childrenLeft && m_around->zygote.isAlive())
        countChildren();
}

/// The zygote is a child that stays; what a job leaves behind becomes our child too.
void JobRun::countChildren()
{
    const std::vector<pid_t> children = ownChildren();
    m_childrenLeft = std::any_of(children.begin(), children.end(),
                                 [this](pid_t pid) { return !m_around->zygote.isProcess(pid); });
}

/// Ends the job when it is over one of the watched limits.
void JobRun::watch()
{
    const Limits &limits = m_settings->limits;
    if (m_phase != Phase::Running || !isWatched(limits) || nowMs() - m_watchedAt < watchEvery())
        return;
    m_passedLimit = passedLimit(limits, livingFamily(), m_settings->folder, isFirstOfItsNameSpace());
    m_watchedAt = nowMs();
    if (!m_passedLimit.empty()) {
        m_ordered = true;
        enter(Phase::Killing);
    }
}

/// How long a turn may wait for events, in ms; -1 = for ever.
int JobRun::patience() const
{
    if (m_phase != Phase::Running)
        return 2;
    const long until = m_listenFrom - nowMs();
    if (until > 0)
        return int(until);
    return isWatched(m_settings->limits) ? watchEvery() : -1;
}

/// Passes one read on and returns what read() did.
ssize_t JobRun::pass(int fd, FromLauncher kind)
{
    static char chunk[65536];
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n > 0)
        addFrame(m_frames, kind, {chunk, std::size_t(n)});
    if (n > largeRead)
        sendOutput();
    return n;
}

/// False when the stream has ended or nobody listens.
bool JobRun::passOn(int fd, FromLauncher kind)
{
    const ssize_t n = pass(fd, kind);
    if (n > 0 && n <= largeRead)
        m_listenFrom = nowMs() + gatherMs;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

void JobRun::sendOutput()
{
    if (!m_frames.empty() && !writeAll(1, m_frames))
        enter(Phase::Killing);
    m_frames.clear();
}

/// What still lies in a pipe; nobody writes there any more.
void JobRun::passOnTheRest(int &fd, FromLauncher kind)
{
    for (ssize_t n = 1; fd >= 0 && n > 0;)
        n = pass(fd, kind);
    if (fd >= 0)
        closeEnd(fd);
}

void JobRun::report(bool stays)
{
    const char *how = howExit;
    int code = WEXITSTATUS(m_status);
    if (m_job.pid <= 0) {
        how = howNotStarted;
        code = m_job.error;
    } else if (WIFSIGNALED(m_status)) {
        how = howSignal;
        code = WTERMSIG(m_status);
    }
    char line[200];
    std::snprintf(line, sizeof line, "%s %d %ld %ld %zu %d %s %d\n", how, code, m_cpuUs / 1000, m_maxRssKb,
                  m_leftBehind, m_isStuck ? 1 : 0, m_passedLimit.empty() ? "-" : m_passedLimit.c_str(), stays ? 1 : 0);
    addFrame(m_frames, FromLauncher::Over, line);
    sendOutput();
}

} // namespace ym::launch
