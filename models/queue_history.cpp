#include "models/queue_history.h"

#include <algorithm>

namespace ym {

bool QueueHistory::add(qint64 depth, Monotonic when)
{
    const qint64 second = when.count() / 1000;
    if (m_samples.isEmpty()) {
        m_samples.append(depth);
        m_second = second;
        return true;
    }
    if (second <= m_second) {
        const bool isNew = m_samples.last() != depth;
        m_samples.last() = depth;
        return isNew;
    }
    const qint64 gap = std::min<qint64>(second - m_second, length);
    const qint64 previous = m_samples.last();
    for (qint64 i = 1; i < gap; ++i)
        m_samples.append(previous);
    m_samples.append(depth);
    if (m_samples.size() > length)
        m_samples.remove(0, m_samples.size() - length);
    m_second = second;
    return true;
}

double QueueHistory::arrivals() const
{
    qint64 jobs = 0;
    for (qsizetype i = 1; i < m_samples.size(); ++i)
        jobs += std::max<qint64>(m_samples[i] - m_samples[i - 1], 0);
    return perSecond(jobs);
}

double QueueHistory::departures() const
{
    qint64 jobs = 0;
    for (qsizetype i = 1; i < m_samples.size(); ++i)
        jobs += std::max<qint64>(m_samples[i - 1] - m_samples[i], 0);
    return perSecond(jobs);
}

double QueueHistory::perSecond(qint64 jobs) const
{
    return m_samples.size() < 2 ? 0.0 : double(jobs) / double(m_samples.size() - 1);
}

} // namespace ym
