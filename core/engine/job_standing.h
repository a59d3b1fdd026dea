// Where a job that is not over stands, in one sentence with its evidence: what it waits for, who has it, what is odd.
#pragma once

#include "core/job/job.h"
#include "core/job/queue_info.h"
#include "core/job/remedy.h"

#include <functional>

namespace ym {

struct JobStanding {
    QByteArray rule{}; ///< stable word for what is wrong, as "overtime"; empty when nothing is
    QString text{}; ///< empty: nothing to say
    Remedy remedy{};

    /// Nothing will happen unless somebody does something, or something is lost.
    bool isTrouble() const { return !rule.isEmpty(); }
    bool operator==(const JobStanding &) const = default;
};

/// A job's place in a queue.
struct QueuePlace {
    QByteArray key;
    qint64 ahead = 0; ///< how many entries are served before it
};

/// What is known around a job; what was never told is no evidence.
struct KnownPicture {
    const QList<QueueInfo> *queues = nullptr; ///< null: not known
    const QList<WorkerInfo> *workers = nullptr; ///< null: not known
    std::function<std::optional<JobSummary>(const QByteArray &)> job; ///< nothing for one that is not known
    bool knowsEveryJob = false; ///< a job that is not known does not exist
    bool isSearched = false; ///< every queue was searched for the job: `place` says where it is
    std::optional<QueuePlace> place{};
    bool wholeIds = false; ///< for a person who copies them from a terminal
};

/// The rules, by their words: `no_worker` (its queue is served by nobody), `unlisted` (queued, but in no queue:
/// RELIABILITY HD1, HD3), `overdue` and `unreleased` (nobody queues what is due), `prerequisite` (one will not finish
/// by itself: HD16), `overtime` (it runs longer than it may: HD5), `worker_gone`, `worker_silent`, `unknown_status`.
/// Asks nobody.
JobStanding standingOf(const Job &job, const KnownPicture &picture, Timestamp now);

/// Whether a worker takes jobs with this target, as the workers of canonical queues do.
bool serves(const WorkerInfo &worker, const Target &target);

/// Of the workers that serve a queue, how many can take something, are full, or take nothing new.
struct Attendance {
    int free = 0, full = 0, quiet = 0;
    void count(const WorkerInfo &worker);
};

/// Whether a queue may hold jobs with this target.
bool mayHold(const QueueInfo &queue, const Target &target);

} // namespace ym
