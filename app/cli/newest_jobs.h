// The newest of very many jobs, packed: a listing of a million fits into memory.
#pragma once

#include "core/job/job.h"

#include <vector>

namespace ym::cli {

/// Keeps the newest `limit` of everything that is added (0 = all), each id once. While the server's table grows it may
/// show a job twice; one that is not kept is then counted twice. A job takes its own bytes and some 60 more.
class NewestJobs {
public:
    explicit NewestJobs(size_t limit)
        : m_limit(limit)
    {
    }

    void add(const JobSummary &job);
    /// Newest first; records without a time last, then by id so that the order is stable. Call it once, before at().
    void arrange();

    size_t seen() const { return m_seen; }
    size_t count() const { return m_rows.size(); }
    /// The summary at this place; what a listing does not show is not kept.
    JobSummary at(size_t place) const;

private:
    struct Row {
        qint64 created; ///< ms since the epoch; the least there is for a record without a time
        quint32 chunk;
        quint32 offset;
    };
    QByteArray idOf(const Row &row) const;
    void pack(const JobSummary &job);
    void cut();

    size_t m_limit;
    size_t m_seen = 0;
    std::vector<Row> m_rows;
    std::vector<QByteArray> m_chunks; ///< about a megabyte each, so that none is ever moved for being full
};

} // namespace ym::cli
