// The beginning and the end of more output than anybody could read.
#pragma once

#include "core/job/change_set.h"

#include <deque>
#include <vector>

namespace ym {

/// Keeps the first `head` bytes that are added and the newest `tail` ones; what lies between is counted. Neighbours of one
/// stream become one chunk. Memory stays below head + tail + one chunk.
class OutputWindow {
public:
    OutputWindow(qsizetype head, qsizetype tail)
        : m_headLimit(head)
        , m_tailLimit(tail)
    {
    }

    void append(OutputChunk chunk);
    bool isEmpty() const { return m_head.empty() && m_tail.empty(); }
    qsizetype bytes() const { return m_headBytes + m_tailBytes; }
    /// Oldest first; `skipped` is set in the chunk behind the gap.
    std::vector<OutputChunk> chunks() const;
    /// The same, and starts over.
    std::vector<OutputChunk> take();

private:
    void trim();

    qsizetype m_headLimit;
    qsizetype m_tailLimit;
    std::vector<OutputChunk> m_head;
    std::deque<OutputChunk> m_tail;
    qsizetype m_headBytes = 0;
    qsizetype m_tailBytes = 0;
    qint64 m_skipped = 0;
};

} // namespace ym
