// The set type.
#pragma once

#include "core/store/embedded/dict.h"

#include <memory>
#include <vector>

namespace ym::embedded {

/// Distinct byte strings; a sorted row of integers while all are integers and at most 512 (the limits of Redis), a
/// table afterwards.
class SetValue {
public:
    qsizetype size() const { return m_table ? m_table->size() : qsizetype(m_integers.size()); }
    bool isIntegers() const { return !m_table; }

    bool contains(QByteArrayView member) const;
    /// True when it was not there.
    bool add(QByteArrayView member);
    bool remove(QByteArrayView member);

    /// Takes the form of a table whatever the members.
    void toTable();

    /// Calls `visit(member)` for all.
    template <typename Visit> void forEach(Visit visit) const
    {
        if (m_table) {
            m_table->forEach([&](const auto &node) { visit(node.keyBytes()); });
            return;
        }
        for (const qint64 value : m_integers)
            visit(QByteArray::number(value));
    }

    /// One step of a scan; a set of integers is reported whole.
    template <typename Visit> quint64 scan(quint64 cursor, Visit visit) const
    {
        if (m_table)
            return m_table->scan(cursor, [&](const auto &node) { visit(node.keyBytes()); });
        forEach(visit);
        return 0;
    }

    /// Any member; the set must not be empty.
    QByteArray random() const;
    qsizetype memoryUsage() const;

private:
    std::vector<qint64> m_integers;
    std::unique_ptr<Dict<NoValue>> m_table;
};

} // namespace ym::embedded
