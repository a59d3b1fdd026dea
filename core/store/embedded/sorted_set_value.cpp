#include "core/store/embedded/sorted_set_value.h"

#include "core/store/embedded/collection_limits.h"

#include <algorithm>

namespace ym::embedded {

double SortedSetValue::scoreAt(Packed::Position at) const
{
    double score;
    std::memcpy(&score, m_packed.view(at).data(), sizeof score);
    return score;
}

Packed::Position SortedSetValue::findPacked(QByteArrayView member) const
{
    auto at = m_packed.first();
    while (at != m_packed.end() && m_packed.view(at) != member)
        at = m_packed.next(m_packed.next(at));
    return at;
}

std::optional<double> SortedSetValue::score(QByteArrayView member) const
{
    if (m_large) {
        const auto *node = m_large->members.find(member);
        return node ? std::optional(node->value->score) : std::nullopt;
    }
    const auto at = findPacked(member);
    return at == m_packed.end() ? std::nullopt : std::optional(scoreAt(m_packed.next(at)));
}

bool SortedSetValue::set(const QByteArray &member, double score)
{
    if (!m_large) {
        const auto at = findPacked(member);
        const bool isNew = at == m_packed.end();
        if (isNew && (member.size() > collectionLimits.sortedSetText || size() >= collectionLimits.sortedSetEntries)) {
            unpack();
        } else {
            if (!isNew)
                m_packed.remove(at, 2);
            setPacked(member, score);
            return isNew;
        }
    }
    const auto [node, isNew] = m_large->members.insert(member);
    if (!isNew) {
        if (node->value->score == score) {
            node->value->score = score; // -0 and 0 are equal but not the same text
            return false;
        }
        m_large->order.remove(node->value);
    }
    node->value = m_large->order.insert(score, node->key());
    return isNew;
}

void SortedSetValue::setPacked(const QByteArray &member, double score)
{
    if (score == 0)
        score = 0; // no negative zero: Redis keeps whole numbers as integers here
    auto at = m_packed.first();
    while (at != m_packed.end() && SkipList::isLess(scoreAt(m_packed.next(at)), m_packed.view(at), score, member))
        at = m_packed.next(m_packed.next(at));
    const qsizetype tail = m_packed.end() - at;
    m_packed.insert(at, QByteArrayView(reinterpret_cast<const char *>(&score), sizeof score));
    m_packed.insert(Packed::Position(m_packed.end() - tail - Packed::costOf(sizeof score)), member);
}

bool SortedSetValue::remove(QByteArrayView member)
{
    if (m_large) {
        auto *node = m_large->members.find(member);
        if (!node)
            return false;
        m_large->order.remove(node->value);
        return m_large->members.remove(member);
    }
    const auto at = findPacked(member);
    if (at == m_packed.end())
        return false;
    m_packed.remove(at, 2);
    return true;
}

std::optional<qsizetype> SortedSetValue::rank(QByteArrayView member) const
{
    if (m_large) {
        const auto *node = m_large->members.find(member);
        return node ? std::optional(m_large->order.rankOf(node->value)) : std::nullopt;
    }
    qsizetype rank = 0;
    for (auto at = m_packed.first(); at != m_packed.end(); at = m_packed.next(m_packed.next(at)), ++rank) {
        if (m_packed.view(at) == member)
            return rank;
    }
    return std::nullopt;
}

std::vector<ScoredMember> SortedSetValue::slice(qsizetype from, qsizetype to, Order order) const
{
    std::vector<ScoredMember> members;
    from = std::max<qsizetype>(from, 0);
    to = std::min(to, size());
    if (from >= to)
        return members;
    members.reserve(size_t(to - from));
    if (m_large) {
        const bool isUp = order == Order::Ascending;
        const SkipList::Node *node = m_large->order.at(isUp ? from : to - 1);
        for (qsizetype left = to - from; left > 0; --left) {
            members.push_back({node->member.toByteArray(), node->score});
            node = isUp ? node->next() : node->previous;
        }
        return members;
    }
    auto at = m_packed.at(2 * from);
    for (qsizetype left = to - from; left > 0; --left) {
        const auto value = m_packed.next(at);
        members.push_back({m_packed.bytesAt(at), scoreAt(value)});
        at = m_packed.next(value);
    }
    if (order == Order::Descending)
        std::reverse(members.begin(), members.end());
    return members;
}

void SortedSetValue::packIfSmall()
{
    if (!m_large || size() > collectionLimits.sortedSetEntries)
        return;
    const std::vector<ScoredMember> members = slice(0, size());
    for (const ScoredMember &each : members) {
        if (each.member.size() > collectionLimits.sortedSetText)
            return;
    }
    m_large.reset();
    for (const ScoredMember &each : members)
        setPacked(each.member, each.score);
}

void SortedSetValue::unpack()
{
    if (m_large)
        return;
    auto large = std::make_unique<Large>();
    for (const ScoredMember &each : slice(0, size())) {
        auto *node = large->members.insert(each.member).first;
        node->value = large->order.insert(each.score, node->key());
    }
    m_packed.clear();
    m_large = std::move(large);
}

ScoredMember SortedSetValue::random() const
{
    if (m_large) {
        const auto *node = m_large->members.random();
        return {node->keyBytes(), node->value->score};
    }
    return slice(0, size())[size_t(QRandomGenerator::global()->bounded(qint64(size())))];
}

qsizetype SortedSetValue::memoryUsage() const
{
    if (!m_large)
        return m_packed.capacity();
    qsizetype bytes = m_large->members.memoryUsage() + qsizetype(sizeof *m_large);
    m_large->members.forEach([&](const auto &node) {
        bytes += qsizetype(sizeof node + sizeof(SkipList::Node)) + node.key().size()
            + node.value->levels * qsizetype(sizeof(SkipList::Link));
    });
    return bytes;
}

} // namespace ym::embedded
