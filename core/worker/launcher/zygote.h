// A warm interpreter that forks a process for each job.
#pragma once

#include "core/worker/launcher/start.h"

#include <sys/types.h>

namespace ym::launch {

/// The launcher's end of one zygote (resources/python/zygote.py): a child with a socket, on which it gets a job with
/// its three streams. The job is the launcher's own child; it says its process id before anything of it runs. The
/// zygote has been contained before it ran anything, and so is every job. A job that gets at it (kills or stops it)
/// harms nobody but itself: the launcher ends after it, or the next job is told not to have been started.
class Zygote {
public:
    Zygote() = default;
    ~Zygote();
    Zygote(const Zygote &) = delete;
    Zygote &operator=(const Zygote &) = delete;

    /// Starts settings.command with the socket as descriptor 3. False when that failed; error() has errno.
    bool begin(const Settings &settings);
    int error() const { return m_error; }
    bool isAlive() const { return m_isAlive; }
    bool isProcess(pid_t pid) const { return pid == m_pid; }

    /// Asks for a job that runs settings.script with settings.variables in settings.folder, with the processor's limit
    /// of its own. Its process id is 0 as long as it is not known.
    Started startJob(const Settings &settings);
    /// What the job last asked for has said; 0: nothing. Waits as long for it.
    pid_t jobPid(int waitMs);

    void end(); ///< SIGKILL
    void wasKilled() { m_isAlive = false; }

private:
    pid_t m_pid = -1; ///< also of one that is dead
    bool m_isAlive = false;
    int m_link = -1;
    int m_error = 0;
};

} // namespace ym::launch
