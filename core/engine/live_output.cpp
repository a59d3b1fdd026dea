#include "core/engine/live_output.h"

#include <algorithm>

namespace ym {

void LiveOutput::begin(const QByteArray &jobId)
{
    m_jobs[jobId] = std::make_shared<OutputWindow>(headBytes, tailBytes);
    std::erase(m_ended, jobId);
}

void LiveOutput::append(const OutputChunk &chunk)
{
    if (const auto kept = m_jobs.value(chunk.jobId))
        kept->append(chunk);
}

void LiveOutput::end(const QByteArray &jobId)
{
    if (!m_jobs.contains(jobId))
        return;
    std::erase(m_ended, jobId);
    m_ended.push_back(jobId);
    qsizetype bytes = 0;
    for (const QByteArray &id : m_ended)
        bytes += m_jobs.value(id)->bytes();
    // The newest stays in any case: a pane may be about to open it.
    while (m_ended.size() > endedJobs || (bytes > endedBytes && m_ended.size() > 1)) {
        bytes -= m_jobs.take(m_ended.front())->bytes();
        m_ended.pop_front();
    }
}

std::vector<OutputChunk> LiveOutput::of(const QByteArray &jobId) const
{
    const auto kept = m_jobs.value(jobId);
    return kept ? kept->chunks() : std::vector<OutputChunk>();
}

} // namespace ym
