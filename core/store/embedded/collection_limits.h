// Up to which size collections are kept in their compact forms.
#pragma once

#include <QtGlobal>

namespace ym::embedded {

/// The thresholds of Redis with its defaults. They decide about memory and OBJECT ENCODING only, and count for
/// collections that grow from then on. CONFIG SET is the only writer, for all stores of its thread; a thread that reads a
/// log to compact it has the defaults.
struct CollectionLimits {
    qint64 hashEntries = 512;
    qint64 hashText = 64; ///< bytes of a field or value
    qint64 setIntegers = 512;
    qint64 sortedSetEntries = 128;
    qint64 sortedSetText = 64; ///< bytes of a member
    qint64 streamBlockEntries = 100; ///< 0 = any number
    qint64 streamBlockBytes = 4096; ///< 0 = any number
    qint64 listChunk = -2; ///< not negative: elements in a chunk; -1 … -5: 4, 8, 16, 32, 64 KB

    qint64 listChunkBytes() const { return listChunk >= 0 ? 8192 : 4096 << (-listChunk - 1); }
};

inline constinit thread_local CollectionLimits collectionLimits;

} // namespace ym::embedded
