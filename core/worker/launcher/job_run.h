// One run of a job from its start until nothing of it is left.
#pragma once

#include "core/worker/launcher/frames.h"
#include "core/worker/launcher/start.h"
#include "core/worker/launcher/zygote.h"

#include <cstddef>
#include <string>
#include <sys/resource.h>

namespace ym::launch {

/// What the launcher works with for as long as it lives.
struct Surroundings {
    FrameReader orders; ///< of the application, on standard input
    int signals = -1; ///< signalfd of SIGCHLD and those that ask for the end
    bool controlOpen = true; ///< the application is there
    Zygote zygote; ///< with which jobs are forked; not started for a single run
};

class JobRun {
public:
    JobRun(const Settings *settings, Surroundings *around);

    /// Starts the job and stays until none of its processes is left. False when it could not be started.
    bool live();
    /// Sends the last frame. `stays` tells that another job may be sent.
    void report(bool stays);
    /// Nobody asked for its end, it kept its limits and left no process behind: what it ran in is as before.
    bool wasClean() const { return !m_ordered && m_leftBehind == 0 && m_passedLimit.empty() && !m_isStuck; }

private:
    enum class Phase { Running, Lingering, Killing };

    void enter(Phase phase);
    void turn();
    void obey();
    void takeOrders();
    void takeSignals();
    void reap();
    void jobEnded(int status, const rusage &usage);
    void addUsage(const rusage &usage);
    pid_t jobPid(int waitMs);
    void giveUpOnZygote();
    void jobWasNotStarted();
    void countChildren();
    void watch();
    int patience() const;
    bool isListening() const;
    ssize_t pass(int fd, FromLauncher kind);
    bool passOn(int fd, FromLauncher kind);
    void passOnTheRest(int &fd, FromLauncher kind);
    void sendOutput();

    const Settings *m_settings;
    Surroundings *m_around;
    Started m_job;
    Phase m_phase = Phase::Running;
    long m_phaseSince = 0;
    bool m_isForked = false; ///< by the zygote
    bool m_jobEnded = false;
    bool m_childrenLeft = true;
    bool m_ordered = false; ///< somebody asked for the end
    bool m_isStuck = false;
    int m_status = 0;
    long m_cpuUs = 0;
    long m_maxRssKb = 0;
    std::size_t m_leftBehind = 0;
    std::string m_passedLimit; ///< why it was ended; empty: it was not
    long m_watchedAt = 0;
    long m_listenFrom = 0; ///< when output is looked for next
    std::string m_frames; ///< output that is not sent yet
};

} // namespace ym::launch
