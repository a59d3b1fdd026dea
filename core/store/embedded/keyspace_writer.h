// Keys as the fewest commands that make them again.
#pragma once

#include "core/store/embedded/keyspace.h"

#include <functional>

namespace ym::embedded {

/// Writes the base of a compacted log: databases, then how a reader goes on. Elements go in batches of 64, as Redis
/// writes them; bytes are handed on about a megabyte at a time, also inside a command, so that its memory is bounded
/// whatever a key holds.
class KeyspaceWriter {
public:
    /// Takes the next bytes; 0, or the errno that ends the writing.
    using Sink = std::function<int(const QByteArray &bytes)>;
    static constexpr int batch = 64;

    explicit KeyspaceWriter(Sink sink)
        : m_sink(std::move(sink))
    {
    }

    /// Writes all keys of a database; nothing for an empty one.
    void write(const Keyspace &keys);
    /// Ends the base: what follows it belongs to `database`. Returns the first errno, 0 when all was taken.
    int finish(int database);
    int code() const { return m_code; }

private:
    void write(QByteArrayView key, const Entry &entry);
    void write(QByteArrayView key, const QByteArray &text);
    void write(QByteArrayView key, const std::unique_ptr<ListValue> &list);
    void write(QByteArrayView key, const std::unique_ptr<HashValue> &hash);
    void write(QByteArrayView key, const std::unique_ptr<SetValue> &set);
    void write(QByteArrayView key, const std::unique_ptr<SortedSetValue> &set);
    void write(QByteArrayView key, const std::unique_ptr<StreamValue> &stream);
    void select(int database);
    void begin(qsizetype words, QByteArrayView verb);
    void word(QByteArrayView bytes);
    void beginBatch(QByteArrayView verb, QByteArrayView key, qsizetype elementsLeft, int wordsEach);
    void handOn();

    Sink m_sink;
    QByteArray m_bytes;
    int m_code = 0;
};

} // namespace ym::embedded
