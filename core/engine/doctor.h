// Looks for what is stuck, lost or odd in a store: "why is this job not running?", for one job or for all.
#pragma once

#include "core/engine/finding.h"
#include "core/engine/job_standing.h"
#include "core/protocol/protocol.h"

#include <stop_token>

namespace ym {

/// Only reads, a page at a time; what changes meanwhile is looked at twice before it is told. Lives in the store's
/// thread.
class Doctor {
public:
    /// `now` is the store's time, where it has one: the clock of a person's computer may be wrong.
    Doctor(Inspector *inspector, Timestamp now);

    /// Everything: queues and presences by the rules of queue_findings.h; every job that is not over by those of
    /// job_standing.h; and `unreadable` (a record is broken), `dangling` (a queue serves next what is no job),
    /// `too_many` (not all were compared). `warnings` are what the store says of itself (`store`). Of each rule the
    /// first hundred jobs are named. Ends early when `stop` is requested.
    QCoro::Task<Examination> examine(QStringList warnings, std::stop_token stop);

    struct JobReport {
        Job job;
        JobStanding standing;
    };
    /// One job, with its place in its queue. Throws NotFound.
    QCoro::Task<JobReport> examineJob(QByteArray id);

private:
    struct Census;

    QCoro::Task<void> readPresence();
    QCoro::Task<void> readJobs(Census *census, std::stop_token stop);
    QCoro::Task<void> lookAtOpen(Census *census, std::stop_token stop);
    QCoro::Task<void> lookAtDue(Census *census);
    QCoro::Task<QList<Finding>> findDangling();
    QCoro::Task<void> lookForUnlisted(Census *census, std::stop_token stop);
    QCoro::Task<void> strikeListed(QSet<QByteArray> *ids, std::stop_token stop);
    QCoro::Task<std::vector<Job>> read(QList<QByteArray> ids);
    QCoro::Task<QHash<QByteArray, JobSummary>> prerequisitesOf(std::vector<Job> jobs);
    QCoro::Task<std::optional<QueuePlace>> placeOf(QByteArray id, Target target);
    KnownPicture picture(const QHash<QByteArray, JobSummary> &known) const;

    Inspector *m_inspector;
    Timestamp m_now;
    QList<QueueInfo> m_queues;
    QList<WorkerInfo> m_workers;
};

} // namespace ym
