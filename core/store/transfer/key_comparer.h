// Tells whether two stores have the same under one key.
#pragma once

#include "core/store/transfer/key_reader.h"

namespace ym::transfer {

enum class Likeness : quint8 {
    Missing, ///< the other store has no such key
    Equal,
    Different, ///< in type, content or what is left of its life
    Gone,    ///< the key itself has gone, or ends within the tolerance: nothing to compare
};

/// Lives are read at two moments on two servers; closer than this they are equal.
inline constexpr Milliseconds lifeTolerance{2'000};

/// Compares what a KeyReader read with another store. Throws StoreError as the store does.
class KeyComparer {
public:
    KeyComparer(Store *other, Clock *clock)
        : m_other(other)
        , m_clock(clock)
    {
    }

    /// Which of the keys the other store has.
    QCoro::Task<std::vector<bool>> present(std::vector<KeyInfo> keys);
    /// One answer for each key.
    QCoro::Task<std::vector<Likeness>> compareAll(std::vector<KeyContent> keys);
    /// A large key, slice by slice.
    QCoro::Task<Likeness> compareLarge(KeyInfo key, KeyReader *from);

private:
    QCoro::Task<Likeness> compareOutside(KeyInfo key, KeyReader *from);
    QCoro::Task<bool> hasSlices(KeyInfo key, KeyReader *from);
    bool isSameLife(const KeyInfo &key, const Reply &pttl) const;
    bool isEnding(const KeyInfo &key) const;

    Store *m_other;
    Clock *m_clock;
};

} // namespace ym::transfer
