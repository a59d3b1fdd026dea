// How far running jobs are kept away from the machine, and what they may do in spite of it.
#pragma once

#include <QStringList>

#include <chrono>

namespace ym {

/// The ladder of RELIABILITY 7.3, best first. Which step a machine allows is found out by trying.
enum class ContainmentLevel : quint8 {
    Bubblewrap, ///< name spaces: no network, a file system of its own, no other processes
    Confined, ///< Landlock and seccomp: no sockets, no files of the user
    LimitsOnly, ///< CPU, memory, files and processes are limited; it sees what the user sees. Needs consent
    Refused, ///< nothing works, or there is no consent
};

/// Stable word for files, the command line and JSON: "bubblewrap", "confined", "limits", "refused".
const char *levelName(ContainmentLevel level);

/// What was found out about this machine.
struct Containment {
    ContainmentLevel level = ContainmentLevel::Refused;
    bool hasScope = false; ///< a systemd scope limits memory, tasks and CPU of all processes of a job together
    QString reason; ///< for people: why it is not a better level; empty for the best

    bool operator==(const Containment &) const = default;
};
/// One short line: "contained by bubblewrap", "contained by limits only: bwrap was not found; …".
QString containmentText(const Containment &containment);

/// What jobs may reach beyond the defaults: opt-ins of a script type, of a worker's owner, or asked for by a job.
struct JobAccess {
    bool network = false;
    QStringList readable; ///< absolute paths of folders or files
    QStringList writable; ///< likewise; implies readable

    bool isEmpty() const { return !network && readable.isEmpty() && writable.isEmpty(); }
    bool operator==(const JobAccess &) const = default;
};

/// Both together, without repetitions.
JobAccess combined(const JobAccess &a, const JobAccess &b);
/// One sentence about the first thing that is asked for and not granted; empty when all is. A granted folder grants
/// what is in it.
QString notGranted(const JobAccess &asked, const JobAccess &granted);
/// For tables: "network, reads /data, writes /out"; empty when there is nothing.
QString accessText(const JobAccess &access);

/// The limits of one run; 0 means none. RELIABILITY 7.3 has the reasons.
struct RunLimits {
    std::chrono::seconds cpu{300}; ///< of each process; at least the job's timeout
    qint64 addressBytes = qint64{4} << 30; ///< address space of each process
    qint64 memoryBytes = qint64{1} << 30; ///< of all processes together, without what they share
    qint64 fileBytes = qint64{256} << 20; ///< of each file
    qint64 diskBytes = qint64{256} << 20; ///< of the job's folder
    int files = 100'000; ///< in the job's folder
    int processes = 64; ///< and threads
    int openFiles = 256; ///< of each process

    bool operator==(const RunLimits &) const = default;
};

/// What the owner of a worker allows the jobs it runs.
struct RunGrant {
    JobAccess access;
    bool limitsOnly = false; ///< consent to ContainmentLevel::LimitsOnly

    bool operator==(const RunGrant &) const = default;
};

} // namespace ym
