// News of a connection, batched: the only thing that crosses from the core thread to the models.
#pragma once

#include "core/job/job.h"
#include "core/job/queue_info.h"

#include <QMetaType>

#include <optional>
#include <vector>

namespace ym {

/// Live output of a running job.
struct OutputChunk {
    enum class Stream : quint8 { Out, Err };
    QByteArray jobId;
    int attempt = 1;
    Stream stream = Stream::Out;
    QByteArray bytes;
    qint64 skipped = 0; ///< bytes of the run that were left out before these: more than anybody could read
};

/// A worker that runs inside this application.
struct LocalWorkerInfo {
    enum class State : quint8 { Starting, Running, Quiet, Stopping, Stopped };
    quint32 handle = 0;         ///< for quiet / stop requests; 0 is never used
    QList<QByteArray> types;
    QByteArray group;
    QByteArray instance;
    int slotCount = 0;
    State state = State::Starting;
    QList<QByteArray> busy;     ///< job ids that run now
    quint64 doneCount = 0;      ///< jobs ended since the start
    QString trouble;            ///< why it does not work now; empty when all is well
    bool operator==(const LocalWorkerInfo &) const = default;
};

/// A job that is not in the store any more.
struct LostJob {
    QByteArray id;
    QByteArray why; ///< one sentence; empty: somebody removed it, unless it is known as lost already
};

/// One batch of news, at most ten a second; output alone comes more often. Absent optionals mean "no change".
struct ChangeSet {
    quint64 generation = 0;               ///< of the listing; rises when a full listing starts over
    std::vector<JobSummary> jobs;         ///< new or changed, at most a few thousand a batch
    std::vector<QByteArray> removedJobs;
    std::vector<LostJob> lostJobs;
    bool listingComplete = false;         ///< every job of this generation has been sent: rows of older ones are gone
    QByteArray whyUnlisted;               ///< … and lost for this reason; empty: somebody removed them
    qint64 knownJobs = -1;                ///< estimate of the total while listing; -1 unknown
    std::optional<QList<QueueInfo>> queues;
    std::optional<QList<WorkerInfo>> workers;
    std::optional<QList<LocalWorkerInfo>> localWorkers;
    std::vector<OutputChunk> output;

    bool isEmpty() const
    {
        return jobs.empty() && removedJobs.empty() && lostJobs.empty() && !listingComplete && !queues && !workers && !localWorkers
            && output.empty();
    }
};

} // namespace ym

Q_DECLARE_METATYPE(ym::ChangeSet)
