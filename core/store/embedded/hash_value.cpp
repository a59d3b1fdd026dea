#include "core/store/embedded/hash_value.h"

#include "core/store/embedded/collection_limits.h"

namespace ym::embedded {

Packed::Position HashValue::findPacked(QByteArrayView field) const
{
    return m_packed.find(field, 2);
}

std::optional<QByteArray> HashValue::get(QByteArrayView field) const
{
    if (m_table) {
        const auto *node = m_table->find(field);
        return node ? std::optional(node->value) : std::nullopt;
    }
    const auto at = findPacked(field);
    return at == m_packed.end() ? std::nullopt : std::optional(m_packed.bytesAt(m_packed.next(at)));
}

bool HashValue::contains(QByteArrayView field) const
{
    return m_table ? m_table->contains(field) : findPacked(field) != m_packed.end();
}

void HashValue::prepareFor(QByteArrayView text)
{
    if (!m_table && text.size() > collectionLimits.hashText)
        unpack();
}

bool HashValue::set(QByteArrayView field, const QByteArray &value)
{
    prepareFor(field);
    prepareFor(value);
    if (m_table) {
        const auto [node, isNew] = m_table->insert(field);
        node->value = value;
        return isNew;
    }
    const auto at = findPacked(field);
    if (at != m_packed.end()) {
        m_packed.replace(m_packed.next(at), value);
        return false;
    }
    m_packed.append(field);
    m_packed.append(value);
    if (size() > collectionLimits.hashEntries)
        unpack();
    return true;
}

bool HashValue::remove(QByteArrayView field)
{
    if (m_table)
        return m_table->remove(field);
    const auto at = findPacked(field);
    if (at == m_packed.end())
        return false;
    m_packed.remove(at, 2);
    return true;
}

void HashValue::unpack()
{
    if (m_table)
        return;
    auto table = std::make_unique<Dict<QByteArray>>();
    forEach(
        [&](QByteArrayView field, QByteArrayView value) { table->insert(field).first->value = value.toByteArray(); });
    m_packed.clear();
    m_table = std::move(table);
}

HashValue::Field HashValue::random() const
{
    if (m_table) {
        const auto *node = m_table->random();
        return {node->keyBytes(), node->value};
    }
    const auto at = m_packed.at(2 * QRandomGenerator::global()->bounded(qint64(size())));
    return {m_packed.bytesAt(at), m_packed.bytesAt(m_packed.next(at))};
}

qsizetype HashValue::memoryUsage() const
{
    if (!m_table)
        return m_packed.capacity();
    qsizetype bytes = m_table->memoryUsage() + qsizetype(sizeof *m_table);
    m_table->forEach(
        [&](const auto &node) { bytes += qsizetype(sizeof node) + node.key().size() + node.value.size() + 24; });
    return bytes;
}

} // namespace ym::embedded
