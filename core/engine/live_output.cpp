#include "core/engine/live_output.h"

#include <algorithm>

namespace ym {

void LiveOutput::begin(const QByteArray &jobId)
{
    m_jobs[jobId] = {};
    std::erase(m_ended, jobId);
}

void LiveOutput::append(const OutputChunk &chunk)
{
    const auto found = m_jobs.find(chunk.jobId);
    if (found == m_jobs.end())
        return;
    Kept &kept = *found;
    kept.chunks.push_back(chunk);
    kept.bytes += chunk.bytes.size();
    while (kept.bytes > bytesPerJob && kept.chunks.size() > 1) {
        kept.bytes -= kept.chunks.front().bytes.size();
        kept.chunks.pop_front();
    }
}

void LiveOutput::end(const QByteArray &jobId)
{
    if (!m_jobs.contains(jobId))
        return;
    m_ended.push_back(jobId);
    while (m_ended.size() > endedJobs) {
        m_jobs.remove(m_ended.front());
        m_ended.pop_front();
    }
}

std::vector<OutputChunk> LiveOutput::of(const QByteArray &jobId) const
{
    const auto found = m_jobs.constFind(jobId);
    if (found == m_jobs.cend())
        return {};
    return {found->chunks.begin(), found->chunks.end()};
}

} // namespace ym
