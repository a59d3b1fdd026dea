// The hash type.
#pragma once

#include "core/store/embedded/dict.h"
#include "core/store/embedded/packed.h"

#include <memory>
#include <optional>

namespace ym::embedded {

/// Fields and values; packed in order of arrival while small (at most 512 fields, no text over 64 bytes: the limits of
/// Redis), a table afterwards.
class HashValue {
public:
    qsizetype size() const { return m_table ? m_table->size() : m_packed.count() / 2; }
    bool isPacked() const { return !m_table; }

    std::optional<QByteArray> get(QByteArrayView field) const;
    bool contains(QByteArrayView field) const;
    /// True when the field is new.
    bool set(QByteArrayView field, const QByteArray &value);
    bool remove(QByteArrayView field);
    /// Leaves the packed form already when one of these texts is too long for it, as Redis does before it writes.
    void prepareFor(QByteArrayView text);

    /// Takes the form of a table whatever the size.
    void unpack();

    /// Calls `visit(field, value)` for all.
    template <typename Visit> void forEach(Visit visit) const
    {
        if (m_table) {
            m_table->forEach([&](const auto &node) { visit(node.key(), QByteArrayView(node.value)); });
            return;
        }
        for (auto at = m_packed.first(); at != m_packed.end();) {
            const auto value = m_packed.next(at);
            visit(m_packed.view(at), m_packed.view(value));
            at = m_packed.next(value);
        }
    }

    /// One step of a scan; a packed hash is reported whole.
    template <typename Visit> quint64 scan(quint64 cursor, Visit visit) const
    {
        if (m_table)
            return m_table->scan(cursor, [&](const auto &node) { visit(node.key(), QByteArrayView(node.value)); });
        forEach(visit);
        return 0;
    }

    struct Field {
        QByteArray name;
        QByteArray value;
    };
    /// Any field; the hash must not be empty.
    Field random() const;
    qsizetype memoryUsage() const;

private:
    Packed::Position findPacked(QByteArrayView field) const;

    Packed m_packed;
    std::unique_ptr<Dict<QByteArray>> m_table;
};

} // namespace ym::embedded
