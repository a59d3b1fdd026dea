// An ordered row of (score, member) that knows each element's rank.
#pragma once

#include <QByteArrayView>
#include <QtGlobal>

#include <array>

namespace ym::embedded {

/// A skip list with spans: insert, remove and rank in O(log n), walking in both directions. Members are views into
/// memory that the owner keeps alive as long as the element is in the list.
class SkipList {
public:
    static constexpr int maxLevel = 32;

    struct Node;
    struct Link {
        Node *next = nullptr;
        quint32 span = 0; ///< how many ranks the link jumps
    };
    struct Node {
        double score;
        QByteArrayView member;
        Node *previous; ///< null for the first
        int levels;

        Link *links() { return reinterpret_cast<Link *>(this + 1); }
        const Link *links() const { return reinterpret_cast<const Link *>(this + 1); }
        Node *next() const { return links()[0].next; }
    };

    SkipList();
    ~SkipList();
    SkipList(const SkipList &) = delete;
    SkipList &operator=(const SkipList &) = delete;

    qsizetype size() const { return m_size; }
    Node *first() const { return m_head->next(); }
    Node *last() const { return m_last; }

    Node *insert(double score, QByteArrayView member);
    void remove(Node *node);
    qsizetype rankOf(const Node *node) const;
    /// The node of this rank (0 = lowest); null when there is none.
    Node *at(qsizetype rank) const;

    /// How many elements come first for which `isBefore(score, member)` holds; it must hold for a prefix.
    template <typename Predicate> qsizetype countWhile(Predicate isBefore) const
    {
        qsizetype count = 0;
        const Node *node = m_head;
        for (int level = m_levels - 1; level >= 0; --level) {
            while (const Node *next = node->links()[level].next) {
                if (!isBefore(next->score, next->member))
                    break;
                count += node->links()[level].span;
                node = next;
            }
        }
        return count;
    }

    static bool isLess(double score, QByteArrayView member, double otherScore, QByteArrayView otherMember);

private:
    static Node *makeNode(int levels, double score, QByteArrayView member);

    Node *m_head;
    Node *m_last = nullptr;
    int m_levels = 1;
    qsizetype m_size = 0;
};

/// memcmp order; the shorter is less when it is a prefix.
int compareBytes(QByteArrayView a, QByteArrayView b);

} // namespace ym::embedded
