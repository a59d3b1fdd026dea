// The list type.
#pragma once

#include "core/store/embedded/packed.h"

#include <QList>

#include <vector>

namespace ym::embedded {

enum class ListEnd : quint8 { Left, Right };

/// A sequence of byte strings kept in chunks of at most 8 KB: O(1) at both ends, compact, fast to walk.
/// Indexes are ≥ 0 and must exist unless said otherwise.
class ListValue {
public:
    qsizetype size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }

    void push(ListEnd end, QByteArrayView value);
    QByteArray pop(ListEnd end);
    QByteArray at(qsizetype index) const;
    void set(qsizetype index, QByteArrayView value);
    /// Puts `value` before the element `index`; `index` may be size().
    void insert(qsizetype index, QByteArrayView value);
    /// The elements from `from` to `to`, both included and in range.
    QList<QByteArray> range(qsizetype from, qsizetype to) const;
    /// Keeps only the elements from `from` to `to`; an empty interval removes all.
    void trim(qsizetype from, qsizetype to);
    /// Removes at most `limit` elements equal to `value`, looking from `from` on; 0 = all. Returns how many.
    qsizetype removeEqual(QByteArrayView value, qsizetype limit, ListEnd from);

    /// Visits elements with their index, starting at an end; `visit(index, view)` returns false to stop.
    template <typename Visit> void walk(ListEnd from, Visit visit) const
    {
        if (from == ListEnd::Left) {
            qsizetype index = 0;
            for (size_t c = m_head; c < m_chunks.size(); ++c) {
                for (auto at = m_chunks[c].first(); at != m_chunks[c].end(); at = m_chunks[c].next(at)) {
                    if (!visit(index++, m_chunks[c].view(at)))
                        return;
                }
            }
            return;
        }
        qsizetype index = m_size;
        for (size_t c = m_chunks.size(); c-- > m_head;) {
            for (auto at = m_chunks[c].end(); at != m_chunks[c].first();) {
                at = m_chunks[c].previous(at);
                if (!visit(--index, m_chunks[c].view(at)))
                    return;
            }
        }
    }

    qsizetype memoryUsage() const;

private:
    struct Place {
        size_t chunk;
        Packed::Position position;
    };
    Place find(qsizetype index) const;
    void dropIfEmpty(size_t chunk);
    void openFront();

    std::vector<Packed> m_chunks; ///< the first m_head are spare
    size_t m_head = 0;
    qsizetype m_size = 0;
};

} // namespace ym::embedded
