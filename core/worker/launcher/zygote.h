// A warm interpreter that forks a process for each job.
#pragma once

#include "core/worker/launcher/start.h"

#include <string>
#include <sys/resource.h>
#include <sys/types.h>

namespace ym::launch {

/// The launcher's end of one zygote (resources/python/zygote.py): a child with a socket, on which it gets a job with
/// its three streams and answers with the process id and, when the job is over, with how it ended. It has been
/// contained before it ran anything, and so is every job. A job that has got at it (killed or stopped it) harms nobody
/// but itself: its process becomes the launcher's own child, and the launcher ends after it.
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
    int link() const { return m_link; }

    /// Forks a job that runs settings.script with settings.variables in settings.folder, with the limits of the
    /// processor and of processes of its own.
    Started startJob(const Settings &settings);
    /// Reads its message. True when the job is over, as told by its parent.
    bool jobHasEnded(int &status, rusage &usage);

    void end(); ///< SIGKILL
    void wasKilled() { m_isAlive = false; }

private:
    bool receive(std::string &message);

    pid_t m_pid = -1; ///< also of one that is dead
    bool m_isAlive = false;
    int m_link = -1;
    int m_error = 0;
};

} // namespace ym::launch
