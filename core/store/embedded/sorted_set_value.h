// The sorted set type.
#pragma once

#include "core/store/embedded/dict.h"
#include "core/store/embedded/packed.h"
#include "core/store/embedded/skip_list.h"

#include <memory>
#include <optional>
#include <vector>

namespace ym::embedded {

struct ScoredMember {
    QByteArray member;
    double score = 0;
};

/// Members ordered by score, then by bytes; packed in that order while small (at most 128 members of at most 64 bytes:
/// the limits of Redis), a table and a skip list afterwards. Ranks count from 0 = lowest.
class SortedSetValue {
public:
    /// Packs a set that has become small enough; sets grow by themselves but never shrink so.
    void packIfSmall();
    /// Takes the large form whatever the size.
    void unpack();

    qsizetype size() const { return m_large ? m_large->order.size() : m_packed.count() / 2; }
    bool isPacked() const { return !m_large; }

    std::optional<double> score(QByteArrayView member) const;
    /// Adds or moves; `score` is not NaN. True when the member is new.
    bool set(const QByteArray &member, double score);
    bool remove(QByteArrayView member);
    std::optional<qsizetype> rank(QByteArrayView member) const;

    enum class Order : quint8 { Ascending, Descending };
    /// The members of ranks `from` ≤ rank < `to`; Descending gives the same ones from the top.
    std::vector<ScoredMember> slice(qsizetype from, qsizetype to, Order order = Order::Ascending) const;

    /// How many members come first for which `isBefore(score, member)` holds; it must hold for a prefix.
    template <typename Predicate> qsizetype countWhile(Predicate isBefore) const
    {
        if (m_large)
            return m_large->order.countWhile(isBefore);
        qsizetype count = 0;
        for (auto at = m_packed.first(); at != m_packed.end(); at = m_packed.next(m_packed.next(at)), ++count) {
            if (!isBefore(scoreAt(m_packed.next(at)), m_packed.view(at)))
                break;
        }
        return count;
    }

    /// One step of a scan with `visit(member, score)`; a packed set is reported whole.
    template <typename Visit> quint64 scan(quint64 cursor, Visit visit) const
    {
        if (m_large)
            return m_large->members.scan(cursor, [&](const auto &node) { visit(node.key(), node.value->score); });
        for (auto at = m_packed.first(); at != m_packed.end(); at = m_packed.next(m_packed.next(at)))
            visit(m_packed.view(at), scoreAt(m_packed.next(at)));
        return 0;
    }

    /// Any member; the set must not be empty.
    ScoredMember random() const;
    qsizetype memoryUsage() const;

private:
    struct Large {
        Dict<SkipList::Node *> members;
        SkipList order;
    };

    double scoreAt(Packed::Position at) const;
    Packed::Position findPacked(QByteArrayView member) const;
    void setPacked(const QByteArray &member, double score);

    Packed m_packed; ///< member, score as eight bytes, member, …
    std::unique_ptr<Large> m_large;
};

} // namespace ym::embedded
