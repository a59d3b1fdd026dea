// How each type of key is read, written and compared, whole or in slices: one row a type.
#pragma once

#include "core/store/command.h"
#include "core/store/reply.h"

namespace ym::transfer {

/// `Other` is what this program cannot carry over (streams, modules); `None` is no key.
enum class KeyType : quint8 { None, String, Hash, List, Set, SortedSet, Other };
inline constexpr size_t keyTypeCount = 7;

/// From the reply of TYPE.
KeyType keyTypeOf(const QByteArray &name);
/// "string", "hash", "list", "set", "zset", "other", "none".
const char *keyTypeName(KeyType type);

/// The content of a key, or a part of it, as a flat list: a string is one element, a hash is field, value, field, …; a
/// sorted set is member, score, member, …
using Elements = QList<QByteArray>;

/// Where the next slice begins. Slices of hashes and sets may repeat elements, never skip what was there all the time.
struct SliceCursor {
    QByteArray scan = "0";
    qint64 offset = 0; ///< of strings in bytes, of lists in elements
    bool isAtEnd = false;
};

// The functions below are for String … SortedSet.

Command readLength(KeyType type, const QByteArray &key);
Command readWhole(KeyType type, const QByteArray &key);
Elements wholeOf(KeyType type, const Reply &reply);
/// What readLength() tells for exactly these elements.
qint64 lengthOf(KeyType type, const Elements &elements);

/// About `count` elements from the cursor on (bytes of a string).
Command readSlice(KeyType type, const QByteArray &key, const SliceCursor &cursor, qint64 count);
/// The elements of the reply; moves the cursor.
Elements takeSlice(KeyType type, const Reply &reply, qint64 count, SliceCursor *cursor);

/// Adds the elements to what the key has; `elements` is not empty.
Command write(KeyType type, const QByteArray &key, const Elements &elements);

/// Asks for the same elements of another key; `offset` is where they began (strings and lists).
Command probe(KeyType type, const QByteArray &key, const Elements &elements, qint64 offset);
/// Whether the reply to probe() has them all, with equal values.
bool matches(KeyType type, const Elements &elements, const Reply &reply);

} // namespace ym::transfer
