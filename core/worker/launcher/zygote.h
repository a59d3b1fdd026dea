// A warm interpreter that forks a process for each job.
#pragma once

#include "core/worker/launcher/start.h"

#include <sys/types.h>

namespace ym::launch {

/// The launcher's end of one zygote (resources/python/zygote.py): a child with a socket, on which it is asked for a
/// process for the next job. That process is the launcher's own child and waits on a socket of its own, so that a job
/// need not wait for a fork; none is asked for while a job runs, so that no job meets it. The zygote has been contained
/// before it ran anything, and so is every job. A job that gets at the zygote (kills or stops it) harms nobody but
/// itself: the launcher ends after it, or the next job is told not to have been started.
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

    /// Has a process made for the next job.
    void prepare();
    /// Sends settings.script and settings.variables to that process, and settings.imports to the zygote for later ones.
    /// The process id is 0 as long as it is not known.
    Started startJob(const Settings &settings);
    /// What the process of the job has said; 0: nothing. Waits as long for it.
    pid_t jobPid(int waitMs) const;
    /// Whether that process got as far as to begin with the job.
    bool jobWasTaken() const;

    void end(); ///< SIGKILL
    void wasKilled() { m_isAlive = false; }

private:
    pid_t m_pid = -1; ///< also of one that is dead
    bool m_isAlive = false;
    int m_link = -1;
    int m_jobLink = -1; ///< of the process that waits for the next job, later of that job
    Started m_next; ///< its streams
    int m_error = 0;
};

} // namespace ym::launch
