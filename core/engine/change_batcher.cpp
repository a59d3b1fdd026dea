#include "core/engine/change_batcher.h"

#include "core/base/clock.h"

#include <algorithm>

namespace ym {

ChangeBatcher::ChangeBatcher(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ChangeBatcher::flush);
}

void ChangeBatcher::addJobs(std::vector<JobSummary> jobs)
{
    for (JobSummary &job : jobs) {
        const auto known = m_position.constFind(job.id);
        if (known != m_position.cend()) {
            m_jobs[size_t(*known)] = std::move(job);
            continue;
        }
        m_position.insert(job.id, qsizetype(m_jobs.size()));
        m_jobs.push_back(std::move(job));
    }
    schedule();
}

/// What was gathered of a job that is gone by now.
void ChangeBatcher::dropPending(const QByteArray &id)
{
    const auto known = m_position.constFind(id);
    if (known != m_position.cend()) {
        m_jobs[size_t(*known)].reset(); // a hole; flush() leaves it out
        m_position.erase(known);
    }
}

void ChangeBatcher::removeJob(const QByteArray &id)
{
    dropPending(id);
    m_pending.removedJobs.push_back(id);
    schedule();
}

void ChangeBatcher::loseJob(LostJob job)
{
    dropPending(job.id);
    m_pending.lostJobs.push_back(std::move(job));
    schedule();
}

void ChangeBatcher::beginListing(quint64 generation)
{
    m_pending.generation = generation;
    m_completeWanted = false;
}

void ChangeBatcher::completeListing(QByteArray whyUnlisted)
{
    m_completeWanted = true;
    m_whyUnlisted = std::move(whyUnlisted);
    schedule();
}

void ChangeBatcher::setKnownJobs(qint64 count)
{
    m_pending.knownJobs = count;
}

void ChangeBatcher::setQueues(QList<QueueInfo> queues)
{
    m_pending.queues = std::move(queues);
    schedule();
}

void ChangeBatcher::setWorkers(QList<WorkerInfo> workers)
{
    m_pending.workers = std::move(workers);
    schedule();
}

void ChangeBatcher::setLocalWorkers(QList<LocalWorkerInfo> workers)
{
    m_pending.localWorkers = std::move(workers);
    schedule();
}

void ChangeBatcher::addOutput(OutputChunk chunk)
{
    if (m_output.isEmpty())
        m_timer.stop(); // it may have been set for what can wait longer
    m_output.append(std::move(chunk));
    schedule();
}

bool ChangeBatcher::isEmpty() const
{
    return m_jobs.empty() && !m_completeWanted && m_output.isEmpty() && m_pending.isEmpty();
}

void ChangeBatcher::schedule()
{
    if (m_timer.isActive() || isEmpty())
        return;
    const auto until = [now = Clock::system().monotonic().count()](qint64 last, std::chrono::milliseconds pause) {
        return std::max<qint64>(0, last + pause.count() - now);
    };
    m_timer.start(int(m_output.isEmpty() ? until(m_lastNews, interval) : until(m_lastOutput, outputInterval)));
}

bool ChangeBatcher::isNewsDue(qint64 now) const
{
    return m_output.isEmpty() || now - m_lastNews >= interval.count();
}

void ChangeBatcher::flush()
{
    const qint64 now = Clock::system().monotonic().count();
    if (!m_output.isEmpty())
        m_lastOutput = now;
    if (!isNewsDue(now)) {
        auto output = std::make_shared<ChangeSet>();
        output->generation = m_pending.generation;
        output->knownJobs = m_pending.knownJobs;
        output->output = m_output.take();
        Q_EMIT batch(output);
        schedule();
        return;
    }
    m_lastNews = now;
    auto changes = std::make_shared<ChangeSet>();
    const quint64 generation = m_pending.generation;
    const qint64 known = m_pending.knownJobs;
    *changes = std::exchange(m_pending, {});
    m_pending.generation = generation;
    m_pending.knownJobs = known;
    changes->output = m_output.take();

    const size_t count = std::min(m_jobs.size(), jobsPerBatch);
    changes->jobs.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        if (!m_jobs[i])
            continue;
        m_position.remove(m_jobs[i]->id); // others may leave a job whose id is empty, too
        changes->jobs.push_back(std::move(*m_jobs[i]));
    }
    m_jobs.erase(m_jobs.begin(), m_jobs.begin() + std::ptrdiff_t(count));
    for (auto &position : m_position)
        position -= qsizetype(count);
    if (m_jobs.empty() && m_completeWanted) {
        changes->listingComplete = true;
        changes->whyUnlisted = std::exchange(m_whyUnlisted, {});
        m_completeWanted = false;
    }
    Q_EMIT batch(changes);
    schedule();
}

} // namespace ym
