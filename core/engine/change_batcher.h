// Gathers news and lets it out in batches, at most ten a second; output of a watched job more often.
#pragma once

#include "core/engine/output_window.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace ym {

/// Coalesces by id: of several summaries of one job only the last leaves, a removal or a loss replaces them. The first
/// news after a pause leaves in the same event-loop turn, so that a person sees it at once; then at most one batch per
/// interval.
/// Output is to be seen within 100 ms of its writing, so batches of it alone leave in between. Core thread.
class ChangeBatcher : public QObject {
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds interval{100};
    static constexpr std::chrono::milliseconds outputInterval{40};
    static constexpr size_t jobsPerBatch = 1500;
    static constexpr qsizetype outputHead = 128 * 1024; ///< bytes a batch
    static constexpr qsizetype outputTail = 192 * 1024;

    explicit ChangeBatcher(QObject *parent = nullptr);

    void addJobs(std::vector<JobSummary> jobs);
    void removeJob(const QByteArray &id);
    void loseJob(LostJob job);
    /// A full listing starts over; what was added before belongs to an older generation.
    void beginListing(quint64 generation);
    /// `whyUnlisted` as in ChangeSet.
    void completeListing(QByteArray whyUnlisted);
    void setKnownJobs(qint64 count);
    void setQueues(QList<QueueInfo> queues);
    void setWorkers(QList<WorkerInfo> workers);
    void setLocalWorkers(QList<LocalWorkerInfo> workers);
    /// Of a flood between two batches the beginning and the end leave: the window is not to freeze over it.
    void addOutput(OutputChunk chunk);

    /// Jobs that wait to leave; a listing pauses while this is large.
    size_t backlog() const { return m_jobs.size(); }

Q_SIGNALS:
    /// The batch may be moved out of the pointer by the only receiver.
    void batch(const std::shared_ptr<ym::ChangeSet> &changes);

private:
    void schedule();
    void flush();
    bool isNewsDue(qint64 now) const;
    void dropPending(const QByteArray &id);
    bool isEmpty() const;

    std::vector<std::optional<JobSummary>> m_jobs;
    QHash<QByteArray, qsizetype> m_position; ///< id → index in m_jobs
    ChangeSet m_pending;                     ///< everything but the jobs
    OutputWindow m_output{outputHead, outputTail};
    bool m_completeWanted = false;
    QByteArray m_whyUnlisted;
    QTimer m_timer;
    qint64 m_lastNews = -1'000'000; ///< when the last batch left that was not of output alone
    qint64 m_lastOutput = -1'000'000;
};

} // namespace ym
