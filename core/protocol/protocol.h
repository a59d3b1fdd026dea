// The second narrow waist: jobs. A protocol turns jobs into commands of a store and back; it knows no GUI, no
// threads and no sockets. Everything outside core/protocol works with these interfaces alone.
#pragma once

#include "core/job/capabilities.h"
#include "core/job/execution.h"
#include "core/job/job.h"
#include "core/job/queue_info.h"
#include "core/store/store.h"

#include <memory>
#include <optional>
#include <vector>

namespace ym {

/// What a connection may choose; a protocol reads what concerns it and ignores the rest.
struct ProtocolOptions {
    KeyChoice keys;                          ///< which family of queues (PROTOCOLS, Which family a job goes to)
    ServingOrder order = ServingOrder::Fifo; ///< which end our own workers pop (PROTOCOLS, Hero order)
    Milliseconds lease{30'000};              ///< renewed every third of it (DESIGN, Hero: beat)
    Milliseconds presenceTtl{15'000};
    Milliseconds replyTtl{300'000};          ///< of the reply list (PROTOCOLS, Hero reply)
    int maxRescues = 3;                      ///< then the dead list (RELIABILITY R6)
    Milliseconds lostGrace{60'000};          ///< a queued job that is in no queue for so long was lost (RELIABILITY HD3)
};

/// A removed job, whole: what restore() needs.
struct RemovedJob {
    QByteArray id;
    QList<ByteField> fields;
};

/// Puts jobs in and takes them back.
class Producer {
public:
    virtual ~Producer() = default;

    struct Receipt {
        QByteArray id;
        QList<QByteArray> queueKeys; ///< where the id was pushed; empty while it waits for prerequisites
    };
    /// Writes the job and queues it in one step. An empty id gets a new one. Idempotent: submitting the same draft
    /// with the same id again after an ambiguous failure is one job. Throws Conflict when the id exists with other
    /// content, NotFound naming the missing prerequisites, Usage for a draft that validateDraft() refuses.
    virtual QCoro::Task<Receipt> submit(Job draft) = 0;

    /// Submits jobs that may wait for one another: all of them or none. Each has its id; prerequisites are ids of these
    /// drafts or of jobs that exist. Idempotent as submit() is. Throws Usage naming a circle or double ids, NotFound
    /// naming missing prerequisites, Conflict for one that has failed or an id that exists.
    virtual QCoro::Task<void> submitGraph(std::vector<Job> drafts) = 0;

    enum class StopOutcome : quint8 { StoppedInQueue, RequestSent, AlreadyOver, NotFound };
    /// Stops a job in whatever state it is (PROTOCOLS, Hero stop).
    virtual QCoro::Task<StopOutcome> stop(QByteArray id) = 0;

    /// Deletes a job that does not run, everywhere it is listed, and returns what it was. Nothing when there was none;
    /// Conflict when it runs. With `onlyFrom` only a job that waits in this very queue is deleted; an entry there that is
    /// none is taken out.
    virtual QCoro::Task<std::optional<RemovedJob>> take(QByteArray id, QByteArray onlyFrom) = 0;
    /// What take() would return, while it stays: for who could not bring it back if that answer was lost. Nothing when
    /// there is no record that can be read.
    virtual QCoro::Task<std::optional<RemovedJob>> look(QByteArray id) = 0;
    /// The same as take() for who keeps nothing: false when there was none.
    QCoro::Task<bool> remove(QByteArray id)
    {
        const std::optional<RemovedJob> job = co_await take(std::move(id), QByteArray());
        co_return job.has_value();
    }
    /// Brings a removed job back: to its queue when it had not begun, as it was when it was over. False when there is a
    /// job of this id.
    virtual QCoro::Task<bool> restore(RemovedJob job) = 0;
    /// What a worker knows of a job that the store has lost, as restore() takes it: with another try at it.
    virtual RemovedJob recordOf(const struct Claim &claim) const = 0;

    /// Takes a job that is not over away from whoever has it and queues it again, to be served next. Conflict when it is
    /// over, waits for others, or has been started again since the caller saw it with this attempt.
    virtual QCoro::Task<Receipt> requeue(QByteArray id, int seenAttempt) = 0;
    /// Gives a job that has not started another target. False when it has it already; Conflict when it runs or is over.
    virtual QCoro::Task<bool> move(QByteArray id, Target to) = 0;

    /// Makes a terminal job run again as a new attempt. Conflict when it is not terminal, NotFound when there is none.
    virtual QCoro::Task<Receipt> retry(QByteArray id) = 0;

    /// Where a job with this target would go now and who listens there.
    virtual QCoro::Task<RoutePreview> preview(Target target) = 0;

    /// What a wait does with the reply: it is for who submitted the job. Others leave it to them, and either watch for it
    /// on a connection of its own, or not at all when they wait for very many.
    enum class Replies : quint8 { Take, Watch, Ignore };
    /// Waits until the job is terminal, by its reply queue and by looking at it (PROTOCOLS, Hero reply); returns it.
    /// `limit` 0 = for ever. Throws Timeout, NotFound, or Cancelled when `stop` is requested.
    virtual QCoro::Task<Job> waitUntilOver(QByteArray id, Milliseconds limit, std::stop_token stop,
                                           Replies replies = Replies::Take) = 0;
};

/// Who a worker is.
struct WorkerIdentity {
    QList<QByteArray> types;
    QByteArray group = "default";
    QByteArray instance; ///< empty: the protocol picks a free one at announce()
    int slotCount = 1;
    bool servesOnlyInstance = false; ///< takes nothing from the group's and the type's queues (`yardmaster run`)
    QByteArray legacyId{}; ///< as which worker id it serves legacy queues; empty: none of those that name a worker
};

/// A job that is ours to run until its lease ends.
struct Claim {
    Job job;
    QByteArray token;         ///< with the job's id the fencing token of this attempt (RELIABILITY R3)
    QByteArray queue;         ///< the key it came from, for giving back
    Target worker;            ///< who claimed
};

/// What a running job says of how far it is.
struct ProgressReport {
    Claim claim;
    JobProgress progress;
};

/// Takes jobs out, for one worker.
class Consumer {
public:
    virtual ~Consumer() = default;

    /// Registers presence. Picks the instance when it is empty. Throws Conflict when a live worker has the same one.
    virtual QCoro::Task<WorkerIdentity> announce() = 0;
    /// Renews presence with the ids that run now. Call every third of presenceTtl.
    virtual QCoro::Task<void> refreshPresence(QList<QByteArray> busy, bool quiet) = 0;
    /// Takes the presence away.
    virtual QCoro::Task<void> withdraw() = 0;

    /// Claims up to `max` jobs. Waits at most ~5 s when there is none and then returns an empty list; returns early
    /// and empty when `stop` is requested. Nothing is taken that is not returned.
    virtual QCoro::Task<std::vector<Claim>> claim(int max, std::stop_token stop) = 0;

    /// Renews the leases; returns the ids whose claim is no longer ours (their runs must be killed).
    virtual QCoro::Task<QList<QByteArray>> beat(std::vector<Claim> claims) = 0;
    /// How often beat() must be called.
    virtual Milliseconds beatInterval() const = 0;

    /// Puts the progress into the records of running jobs, where everybody sees it; only with the right token. Nothing
    /// in a protocol without Capability::Progress. Call it at most once a second.
    virtual QCoro::Task<void> report(std::vector<ProgressReport> reports)
    {
        Q_UNUSED(reports)
        co_return;
    }

    /// Which of these running claims somebody asked to stop. The requests stay in the control lists until the jobs are
    /// over, so that none is forgotten when the worker dies meanwhile (LRANGE, never LPOP: RELIABILITY HD8).
    virtual QCoro::Task<QList<QByteArray>> stopRequested(std::vector<Claim> running) = 0;

    enum class FinishOutcome : quint8 { Committed, WillRetry, Stale };
    /// Commits the outcome; only with the right token and only once. Stale: somebody else owns the job now, nothing
    /// was changed. Safe to repeat after an ambiguous failure.
    virtual QCoro::Task<FinishOutcome> finish(Claim claim, Execution execution) = 0;

    /// Returns a claim that was not run to the front of its queue; the attempt does not count.
    virtual QCoro::Task<void> giveBack(Claim claim) = 0;

    /// Rescues the jobs of this worker's types as Rescuer::recover() does. Returns how many jobs it moved.
    virtual QCoro::Task<int> recover() = 0;

    /// True when every queue that this worker serves is empty and nothing is delayed for it (for `--drain`).
    virtual QCoro::Task<bool> isDrained() = 0;
};

/// Keeps a store in order, for whoever has it open, worker or not. Any number of rescuers on one store do the same as one
/// (RELIABILITY I7).
class Rescuer {
public:
    virtual ~Rescuer() = default;

    /// Brings back jobs whose lease is over, queues retries that are due, and frees or fails jobs whose prerequisites
    /// are over. Cheap: call it about every third of the lease. Returns how many jobs it moved.
    virtual QCoro::Task<int> recover() = 0;

    /// Looks at every job and repairs what no single step can see (DESIGN, Hero: reconcile): a job that should be queued
    /// but is in no queue. Slow: call it about once a minute. Ends early when `stop` is requested. Returns how many
    /// jobs it moved.
    virtual QCoro::Task<int> reconcile(std::stop_token stop) = 0;

    /// True for one of all rescuers of a store in so much time: who shall reconcile, because that reads every job.
    virtual QCoro::Task<bool> takeTurn(Milliseconds interval)
    {
        Q_UNUSED(interval)
        co_return true;
    }
};

/// Looks, changes nothing.
class Inspector {
public:
    virtual ~Inspector() = default;

    struct JobPage {
        std::vector<JobSummary> jobs;
        QByteArray cursor;         ///< for the next call; empty when the listing is complete
    };
    /// One page of all jobs, in no order, possibly with repetitions. Start with an empty cursor. SCAN COUNT ≤ 200.
    virtual QCoro::Task<JobPage> jobs(QByteArray cursor) = 0;
    /// Rough number of jobs, for a progress display; -1 = unknown.
    virtual QCoro::Task<qint64> estimateJobs() = 0;

    /// Fresh summaries of these ids, in their order; a job that is gone is missing from the result.
    virtual QCoro::Task<std::vector<JobSummary>> summaries(QList<QByteArray> ids) = 0;

    /// How much of a value is fetched by job(): values over `preview` bytes are cut there.
    struct Detail {
        Job job;
        QHash<QByteArray, qint64> fullSize; ///< by raw field name, only of those that were cut
    };
    static constexpr qint64 defaultPreview = 64 * 1024;
    /// Everything about one job. Throws NotFound; WrongType when the key is no job.
    virtual QCoro::Task<Detail> job(QByteArray id, qint64 preview) = 0;

    /// A piece of one stored field.
    struct FieldPart {
        QByteArray bytes;
        qint64 fullSize = 0; ///< bytes of the whole field
    };
    /// The bytes of a field as it is stored, from `from` on, at most `count`; none behind its end. Throws NotFound when
    /// there is no such job or field.
    virtual QCoro::Task<FieldPart> fieldPart(QByteArray id, QByteArray field, qint64 from, qint64 count) = 0;

    virtual QCoro::Task<QList<QueueInfo>> queues() = 0;
    virtual QCoro::Task<QList<WorkerInfo>> workers() = 0;
    /// Ids of a queue in serving order, `offset` from the end that is served next. At most 1000 a call.
    virtual QCoro::Task<QList<QByteArray>> queueContent(QByteArray key, qint64 offset, qint64 count) = 0;

    /// Ids that have probably changed lately or will soon: the ends of the queues and the leased ones; at most a few
    /// hundred. For cheap freshness between two listings.
    virtual QCoro::Task<QList<QByteArray>> hotIds() = 0;

    /// Glob pattern of keyspace-event channels that tell about jobs in this database; empty when there is none.
    virtual QByteArray jobEventPattern(int database) const = 0;
    /// The job id that an event channel speaks of; empty when it is none.
    virtual QByteArray jobOfEvent(QByteArray channel) const = 0;
};

/// Kinds of users that a server can tell apart.
enum class AccessRole : quint8 {
    Viewer, ///< only looks
    Worker, ///< runs jobs of its types and queues none
    Dispatcher, ///< everything but the administration of the server
};

/// A protocol: its parts for one store. Stateless itself; the registry owns one of each.
class Protocol {
public:
    virtual ~Protocol() = default;

    virtual QByteArray name() const = 0;   ///< for files and the command line: "hero"
    virtual QString title() const = 0;     ///< for people
    virtual Capabilities capabilities() const = 0;
    /// The least rights that a Redis user of this kind needs, as words of an ACL rule without name and password. `who` is
    /// the place of a worker.
    virtual QList<QByteArray> accessRules(AccessRole role, const WorkerIdentity &who) const = 0;

    virtual std::unique_ptr<Producer> producer(Store *store, ProtocolOptions options, Clock *clock) const = 0;
    virtual std::unique_ptr<Consumer> consumer(Store *store, ProtocolOptions options, Clock *clock, WorkerIdentity who) const = 0;
    virtual std::unique_ptr<Inspector> inspector(Store *store, ProtocolOptions options, Clock *clock) const = 0;
    virtual std::unique_ptr<Rescuer> rescuer(Store *store, ProtocolOptions options, Clock *clock) const = 0;
};

} // namespace ym
