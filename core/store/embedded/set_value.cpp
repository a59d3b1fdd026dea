#include "core/store/embedded/set_value.h"

#include "core/store/embedded/collection_limits.h"

#include "core/store/embedded/numbers.h"

#include <algorithm>

namespace ym::embedded {

bool SetValue::contains(QByteArrayView member) const
{
    if (m_table)
        return m_table->contains(member);
    const auto value = readInteger(member);
    return value && std::binary_search(m_integers.begin(), m_integers.end(), *value);
}

bool SetValue::add(QByteArrayView member)
{
    if (!m_table) {
        const auto value = readInteger(member);
        if (value) {
            const auto at = std::lower_bound(m_integers.begin(), m_integers.end(), *value);
            if (at != m_integers.end() && *at == *value)
                return false;
            m_integers.insert(at, *value);
            if (qint64(m_integers.size()) > collectionLimits.setIntegers)
                toTable();
            return true;
        }
        toTable();
    }
    return m_table->insert(member).second;
}

bool SetValue::remove(QByteArrayView member)
{
    if (m_table)
        return m_table->remove(member);
    const auto value = readInteger(member);
    if (!value)
        return false;
    const auto at = std::lower_bound(m_integers.begin(), m_integers.end(), *value);
    if (at == m_integers.end() || *at != *value)
        return false;
    m_integers.erase(at);
    return true;
}

void SetValue::toTable()
{
    if (m_table)
        return;
    auto table = std::make_unique<Dict<NoValue>>();
    for (const qint64 value : m_integers)
        table->insert(QByteArray::number(value));
    m_integers = {};
    m_table = std::move(table);
}

QByteArray SetValue::random() const
{
    if (m_table)
        return m_table->random()->keyBytes();
    return QByteArray::number(m_integers[size_t(QRandomGenerator::global()->bounded(qint64(m_integers.size())))]);
}

qsizetype SetValue::memoryUsage() const
{
    if (!m_table)
        return qsizetype(m_integers.capacity() * sizeof(qint64));
    qsizetype bytes = m_table->memoryUsage() + qsizetype(sizeof *m_table);
    m_table->forEach([&](const auto &node) { bytes += qsizetype(sizeof node) + node.key().size() + 8; });
    return bytes;
}

} // namespace ym::embedded
