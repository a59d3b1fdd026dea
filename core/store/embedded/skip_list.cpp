#include "core/store/embedded/skip_list.h"

#include <QRandomGenerator>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ym::embedded {

int compareBytes(QByteArrayView a, QByteArrayView b)
{
    const qsizetype common = std::min(a.size(), b.size());
    const int order = common > 0 ? std::memcmp(a.data(), b.data(), size_t(common)) : 0;
    return order != 0 ? order : (a.size() < b.size() ? -1 : a.size() > b.size());
}

bool SkipList::isLess(double score, QByteArrayView member, double otherScore, QByteArrayView otherMember)
{
    return score < otherScore || (score == otherScore && compareBytes(member, otherMember) < 0);
}

SkipList::Node *SkipList::makeNode(int levels, double score, QByteArrayView member)
{
    void *memory = std::malloc(sizeof(Node) + size_t(levels) * sizeof(Link));
    if (!memory)
        throw std::bad_alloc();
    Node *node = new (memory) Node{score, member, nullptr, levels};
    for (int level = 0; level < levels; ++level)
        new (node->links() + level) Link();
    return node;
}

SkipList::SkipList()
    : m_head(makeNode(maxLevel, 0, {}))
{
}

SkipList::~SkipList()
{
    for (Node *node = m_head; node;) {
        Node *next = node->next();
        std::free(node);
        node = next;
    }
}

SkipList::Node *SkipList::insert(double score, QByteArrayView member)
{
    std::array<Node *, maxLevel> before;
    std::array<quint32, maxLevel> rank;
    Node *at = m_head;
    for (int level = m_levels - 1; level >= 0; --level) {
        rank[size_t(level)] = level == m_levels - 1 ? 0 : rank[size_t(level) + 1];
        while (Node *next = at->links()[level].next) {
            if (!isLess(next->score, next->member, score, member))
                break;
            rank[size_t(level)] += at->links()[level].span;
            at = next;
        }
        before[size_t(level)] = at;
    }
    // Each further level with probability 1/4.
    const int levels = std::min(maxLevel, 1 + std::countr_one(QRandomGenerator::global()->generate64()) / 2);
    for (; m_levels < levels; ++m_levels) {
        rank[size_t(m_levels)] = 0;
        before[size_t(m_levels)] = m_head;
        m_head->links()[m_levels].span = quint32(m_size);
    }
    Node *node = makeNode(levels, score, member);
    for (int level = 0; level < m_levels; ++level) {
        Link &link = before[size_t(level)]->links()[level];
        if (level >= levels) {
            ++link.span;
            continue;
        }
        const quint32 passed = rank[0] - rank[size_t(level)];
        node->links()[level] = {link.next, link.span - passed};
        link = {node, passed + 1};
    }
    node->previous = before[0] == m_head ? nullptr : before[0];
    if (Node *next = node->next())
        next->previous = node;
    else
        m_last = node;
    ++m_size;
    return node;
}

void SkipList::remove(Node *node)
{
    Node *at = m_head;
    for (int level = m_levels - 1; level >= 0; --level) {
        while (Node *next = at->links()[level].next) {
            if (!isLess(next->score, next->member, node->score, node->member))
                break;
            at = next;
        }
        Link &link = at->links()[level];
        if (link.next == node)
            link = {node->links()[level].next, link.span + node->links()[level].span - 1};
        else
            --link.span;
    }
    if (Node *next = node->next())
        next->previous = node->previous;
    else
        m_last = node->previous;
    while (m_levels > 1 && !m_head->links()[m_levels - 1].next)
        --m_levels;
    --m_size;
    std::free(node);
}

qsizetype SkipList::rankOf(const Node *node) const
{
    return countWhile(
        [node](double score, QByteArrayView member) { return isLess(score, member, node->score, node->member); });
}

SkipList::Node *SkipList::at(qsizetype rank) const
{
    qsizetype left = rank + 1;
    Node *node = m_head;
    for (int level = m_levels - 1; level >= 0; --level) {
        while (node->links()[level].next && qsizetype(node->links()[level].span) <= left) {
            left -= node->links()[level].span;
            node = node->links()[level].next;
        }
        if (left == 0)
            return node;
    }
    return nullptr;
}

} // namespace ym::embedded
