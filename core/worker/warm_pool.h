// Keeps warm interpreters for the next job of their kind.
#pragma once

#include "core/worker/launch.h"

#include <QSet>
#include <QTimer>

#include <memory>
#include <vector>

namespace ym {

/// Contained interpreters that wait for a job. Each runs one job at a time, so that jobs never meet; one that a job has
/// left in any doubt (it was ended early, left a process behind, passed a limit) is not given back but ended, as is one
/// that was not needed for a minute. One thread.
class WarmPool {
public:
    WarmPool();

    /// One of this kind that waits, or nothing. Kinds differ when anything of their containment does.
    std::unique_ptr<Launch> take(const QByteArray &kind);
    /// Keeps it when it may run another job.
    void giveBack(const QByteArray &kind, std::unique_ptr<Launch> launch);
    /// One that did not even start its first job: the next ones of its kind would not either.
    void setUseless(const QByteArray &kind) { m_useless.insert(kind); }
    bool isUseless(const QByteArray &kind) const { return m_useless.contains(kind); }
    qsizetype idleCount() const { return qsizetype(m_idle.size()); }

private:
    void endOld();

    struct Idle {
        QByteArray kind;
        std::unique_ptr<Launch> launch;
        std::chrono::steady_clock::time_point since;
    };
    std::vector<Idle> m_idle; ///< longest idle first
    QSet<QByteArray> m_useless;
    QTimer m_timer;
};

} // namespace ym
