// Walks through the keys of a store and reads them, in memory that does not grow with the store.
#pragma once

#include "core/store/store.h"
#include "core/store/transfer/key_shape.h"

namespace ym::transfer {

/// Keys that this program builds others under begin so; they are never carried over.
inline constexpr QByteArrayView stagingPrefix{"yardmaster:copy:"};

/// Bytes of a key up to which it is read and written in one go; larger ones go in slices of about this size.
inline constexpr qint64 wholeKeyBytes = 64 * 1024;
inline constexpr qint64 sliceBytes = 1024 * 1024;

/// One key as it was when it was looked at.
struct KeyInfo {
    QByteArray key;
    KeyType type = KeyType::None;
    qint64 bytes = -1; ///< about; -1 when the server does not tell
    std::optional<Milliseconds> life; ///< how long it would live on; none = for ever
    Monotonic seenAt{0};

    bool isSmall() const { return bytes >= 0 && bytes <= wholeKeyBytes; }
    /// What is left of its life, never below zero.
    std::optional<Milliseconds> lifeAt(Monotonic now) const;
};

/// A small key with its whole content. A key that has gone meanwhile has no elements.
struct KeyContent {
    KeyInfo info;
    Elements elements;
};

/// Reads one store. Methods throw StoreError as the store does.
class KeyReader {
public:
    KeyReader(Store *store, Clock *clock)
        : m_store(store)
        , m_clock(clock)
    {
    }

    /// The next few hundred keys; may be empty before the end, and may repeat keys. Moves on only when it succeeds.
    QCoro::Task<std::vector<KeyInfo>> nextPage();
    bool isAtEnd() const { return m_isAtEnd; }
    void startAgain();

    QCoro::Task<std::vector<KeyContent>> load(std::vector<KeyInfo> keys);

    /// Elements of a key, bytes of a string. WrongType when it has another type now.
    QCoro::Task<qint64> length(KeyInfo key);
    /// How many elements (bytes of a string) of a large key make about sliceBytes.
    QCoro::Task<qint64> sliceCount(KeyInfo key);
    /// The next slice of a large key; moves the cursor.
    QCoro::Task<Elements> slice(KeyInfo key, SliceCursor *cursor, qint64 count);

private:
    QCoro::Task<std::vector<KeyInfo>> look(QList<QByteArray> keys);

    Store *m_store;
    Clock *m_clock;
    QByteArray m_cursor = "0";
    bool m_isAtEnd = false;
};

} // namespace ym::transfer
