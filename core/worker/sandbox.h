// Puts a run into the best containment that this machine allows.
#pragma once

#include "core/base/clock.h"
#include "core/base/completion.h"
#include "core/job/containment.h"
#include "core/worker/launch.h"

#include <optional>
#include <vector>

namespace ym {

/// Limits as the launcher is told them: NAME VALUE.
QList<QByteArray> limitWords(const RunLimits &limits);

/// Finds out once, by running a program under each level, what this machine allows, and makes orders contained. One
/// thread; a probe that runs must have ended before this is destroyed.
class Sandbox {
public:
    struct Options {
        QString launcher; ///< absolute path of yardmaster-launch
        ContainmentLevel best = ContainmentLevel::Bubblewrap; ///< better levels are not tried
        QString bubblewrap; ///< empty = bwrap on PATH
    };
    explicit Sandbox(Options options);

    /// The answer of the first call is kept; calls meanwhile wait for it.
    QCoro::Task<Containment> probe();

    /// Nothing before the first probe has ended.
    std::optional<Containment> known() const { return m_answer; }

    /// The working directory of jobs at this level, as they see it; empty where it is a folder made for the run.
    static QByteArray jobFolder(ContainmentLevel level);

    /// Where contained warm interpreters find the module with which they fork.
    static QByteArray warmModule();

    /// The same run, contained. `order.folder`, `files` and `input` must fit jobFolder() already; `interpreter` are
    /// folders and files that the interpreter needs beside the system's own.
    LaunchOrder contained(LaunchOrder order, const Containment &containment, JobAccess access, RunLimits limits,
                          const QStringList &interpreter) const;

private:
    QCoro::Task<Containment> climb();
    /// Why the level does not work; empty when it does.
    QCoro::Task<QString> trial(Containment containment);
    QList<QByteArray> bubblewrapWords(const Containment &containment, const JobAccess &access, const RunLimits &limits,
                                      const QStringList &interpreter) const;

    Options m_options;
    std::optional<Containment> m_answer;
    std::vector<Completion<Containment>> m_waiting; ///< while the first call finds out
    bool m_isClimbing = false;
};

} // namespace ym
