#include "core/store/embedded/keyspace_writer.h"

#include "core/store/embedded/numbers.h"
#include "core/store/embedded/resp.h"

namespace ym::embedded {

namespace {

constexpr qsizetype handOnSize = 1024 * 1024;

} // namespace

void KeyspaceWriter::write(const Keyspace &keys)
{
    if (keys.size() == 0)
        return;
    select(keys.index());
    keys.entries().forEach([this](const Keyspace::Node &node) {
        if (m_code == 0)
            write(node.key(), node.value);
    });
}

int KeyspaceWriter::finish(int database)
{
    // Said twice: nothing else in a log does that, and so a reader finds the end of the base (LogLoader::baseSize).
    select(database);
    select(database);
    handOn();
    return m_code;
}

void KeyspaceWriter::write(QByteArrayView key, const Entry &entry)
{
    std::visit([&](const auto &value) { write(key, value); }, entry.value);
    if (entry.expireAt < 0)
        return;
    begin(3, "PEXPIREAT");
    word(key);
    word(QByteArray::number(entry.expireAt));
}

void KeyspaceWriter::write(QByteArrayView key, const QByteArray &text)
{
    begin(3, "SET");
    word(key);
    word(text);
}

void KeyspaceWriter::write(QByteArrayView key, const std::unique_ptr<ListValue> &list)
{
    list->walk(ListEnd::Left, [&](qsizetype index, QByteArrayView element) {
        if (index % batch == 0)
            beginBatch("RPUSH", key, list->size() - index, 1);
        word(element);
        return m_code == 0;
    });
}

void KeyspaceWriter::write(QByteArrayView key, const std::unique_ptr<HashValue> &hash)
{
    qsizetype index = 0;
    hash->forEach([&](QByteArrayView field, QByteArrayView value) {
        if (index % batch == 0)
            beginBatch("HSET", key, hash->size() - index, 2);
        ++index;
        word(field);
        word(value);
    });
}

void KeyspaceWriter::write(QByteArrayView key, const std::unique_ptr<SetValue> &set)
{
    qsizetype index = 0;
    set->forEach([&](const QByteArray &member) {
        if (index % batch == 0)
            beginBatch("SADD", key, set->size() - index, 1);
        ++index;
        word(member);
    });
}

void KeyspaceWriter::write(QByteArrayView key, const std::unique_ptr<SortedSetValue> &set)
{
    qsizetype index = 0;
    quint64 cursor = 0;
    do { // nothing changes meanwhile, so each member comes once
        cursor = set->scan(cursor, [&](QByteArrayView member, double score) {
            if (index % batch == 0)
                beginBatch("ZADD", key, set->size() - index, 2);
            ++index;
            word(writeDouble(score));
            word(member);
        });
    } while (cursor != 0 && m_code == 0);
}

void KeyspaceWriter::write(QByteArrayView key, const std::unique_ptr<StreamValue> &stream)
{
    const auto say = [this, key](const char *verb, const QList<QByteArray> &words) {
        begin(2 + words.size(), verb);
        word(key);
        for (const QByteArray &each : words)
            word(each);
        return m_code == 0;
    };
    stream->walk({}, StreamId::greatest(), StreamValue::Direction::Forward, [&say](const StreamEntry &entry) {
        return say("XADD", QList<QByteArray>{entry.id.text()} + entry.fields);
    });
    if (stream->size() == 0) // an entry that comes and goes makes the stream
        say("XADD", {"MAXLEN", "0", std::max(stream->lastId(), StreamId{0, 1}).text(), "x", "y"});
    // Clients can make counters that XSETID refuses; these are cut to what it takes.
    const quint64 added = std::min<quint64>(stream->addedCount(), std::numeric_limits<qint64>::max());
    say("XSETID",
        {stream->lastId().text(), "ENTRIESADDED", QByteArray::number(added), "MAXDELETEDID",
         std::min(stream->greatestRemoved(), stream->lastId()).text()});
}

void KeyspaceWriter::select(int database)
{
    begin(2, "SELECT");
    word(QByteArray::number(database));
}

void KeyspaceWriter::beginBatch(QByteArrayView verb, QByteArrayView key, qsizetype elementsLeft, int wordsEach)
{
    begin(2 + std::min<qsizetype>(batch, elementsLeft) * wordsEach, verb);
    word(key);
}

void KeyspaceWriter::begin(qsizetype words, QByteArrayView verb)
{
    appendHeader(m_bytes, '*', words);
    word(verb);
}

void KeyspaceWriter::word(QByteArrayView bytes)
{
    appendBulk(m_bytes, bytes);
    if (m_bytes.size() >= handOnSize)
        handOn();
}

void KeyspaceWriter::handOn()
{
    if (m_code == 0 && !m_bytes.isEmpty())
        m_code = m_sink(m_bytes);
    m_bytes.resize(0); // keeps its memory
}

} // namespace ym::embedded
