// The order of jobs by column: between two rows, and of a million at once.
#pragma once

#include "models/job_store.h"

#include <atomic>
#include <vector>

namespace ym {

struct SortKey {
    JobColumn column = JobColumn::Created;
    Qt::SortOrder order = Qt::AscendingOrder;
    bool operator==(const SortKey &) const = default;
};
/// The most important first. Among rows that are equal in all of them the slot decides, so the order is total.
using SortKeys = std::vector<SortKey>;

/// The columns that the order depends on.
JobColumns columnsOf(const SortKeys &keys);

/// Whether row `a` stands before row `b`.
class JobBefore {
public:
    JobBefore(const JobRows &rows, const SortKeys &keys)
        : m_rows(rows)
        , m_keys(keys)
    {
    }
    bool operator()(quint32 a, quint32 b) const;

private:
    const JobRows &m_rows;
    const SortKeys &m_keys;
};

/// Sorts live slots into the order of JobBefore. Any thread, with frozen rows; `cancelled` makes it give up early with
/// an arbitrary order. May be null.
void sortSlots(const JobRows &rows, const SortKeys &keys, std::vector<quint32> &slotList,
               const std::atomic_bool *cancelled);

} // namespace ym
