#include "core/engine/output_window.h"

namespace ym {

namespace {

constexpr qsizetype largestMerged = 64 * 1024;

bool continues(const OutputChunk &before, const OutputChunk &next)
{
    return before.jobId == next.jobId && before.attempt == next.attempt && before.stream == next.stream
        && next.skipped == 0 && before.bytes.size() + next.bytes.size() <= largestMerged;
}

template <typename Chunks> void add(Chunks &chunks, OutputChunk chunk)
{
    if (!chunks.empty() && continues(chunks.back(), chunk))
        chunks.back().bytes += chunk.bytes;
    else
        chunks.push_back(std::move(chunk));
}

} // namespace

void OutputWindow::append(OutputChunk chunk)
{
    const qsizetype room = m_tail.empty() ? m_headLimit - m_headBytes : 0;
    if (chunk.bytes.size() <= room) {
        m_headBytes += chunk.bytes.size();
        add(m_head, std::move(chunk));
        return;
    }
    if (room > 0) {
        OutputChunk first = chunk;
        first.bytes.truncate(room);
        m_headBytes += room;
        add(m_head, std::move(first));
        chunk.bytes.remove(0, room);
        chunk.skipped = 0;
    }
    if (chunk.bytes.size() > m_tailLimit) {
        chunk.skipped += chunk.bytes.size() - m_tailLimit;
        chunk.bytes = chunk.bytes.right(m_tailLimit);
    }
    m_tailBytes += chunk.bytes.size();
    add(m_tail, std::move(chunk));
    trim();
}

void OutputWindow::trim()
{
    while (m_tail.size() > 1 && m_tailBytes - m_tail.front().bytes.size() >= m_tailLimit) {
        m_skipped += m_tail.front().skipped + m_tail.front().bytes.size();
        m_tailBytes -= m_tail.front().bytes.size();
        m_tail.pop_front();
    }
}

std::vector<OutputChunk> OutputWindow::chunks() const
{
    std::vector<OutputChunk> all = m_head;
    all.insert(all.end(), m_tail.begin(), m_tail.end());
    if (!m_tail.empty())
        all[m_head.size()].skipped += m_skipped;
    return all;
}

std::vector<OutputChunk> OutputWindow::take()
{
    std::vector<OutputChunk> all = chunks();
    *this = OutputWindow(m_headLimit, m_tailLimit);
    return all;
}

} // namespace ym
