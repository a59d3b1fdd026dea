#include "core/store/transfer/key_reader.h"

#include <algorithm>

namespace ym::transfer {

namespace {

constexpr int keysPerPage = 200; ///< keeps the server answering others in between
constexpr int sampledElements = 50; ///< from which MEMORY USAGE guesses the size of a collection
constexpr qint64 mostElements = 1'000;
constexpr qint64 elementsOfUnknownSize = 100;

/// How many elements make a slice: as many as are about sliceBytes.
qint64 elementsPerSlice(KeyType type, qint64 bytes, qint64 length)
{
    if (type == KeyType::String)
        return sliceBytes;
    if (bytes < 0 || length <= 0)
        return elementsOfUnknownSize;
    const qint64 each = std::max<qint64>(bytes / length, 1);
    return std::clamp<qint64>(sliceBytes / each, 1, mostElements);
}

} // namespace

std::optional<Milliseconds> KeyInfo::lifeAt(Monotonic now) const
{
    if (!life)
        return std::nullopt;
    return std::max(*life - Milliseconds(now - seenAt), Milliseconds{0});
}

void KeyReader::startAgain()
{
    m_cursor = "0";
    m_isAtEnd = false;
}

QCoro::Task<std::vector<KeyInfo>> KeyReader::nextPage()
{
    const Command scan = cmd("SCAN", m_cursor, "COUNT", keysPerPage);
    const Reply reply = co_await m_store->command(scan);
    const std::vector<Reply> &parts = reply.toArray();
    if (parts.size() != 2)
        throw StoreError(ErrorKind::Protocol, QStringLiteral("A scan was answered with something else."));
    QList<QByteArray> keys;
    for (const Reply &key : parts[1].toArray()) {
        if (QByteArray name = key.toBytes(); !name.startsWith(stagingPrefix))
            keys.append(std::move(name));
    }
    std::vector<KeyInfo> infos = co_await look(keys);
    m_cursor = parts[0].toBytes();
    m_isAtEnd = m_cursor == "0";
    co_return infos;
}

QCoro::Task<std::vector<KeyInfo>> KeyReader::look(QList<QByteArray> keys)
{
    std::vector<Command> commands;
    commands.reserve(size_t(keys.size()) * 3);
    for (const QByteArray &key : keys) {
        commands.push_back(cmd("TYPE", key));
        commands.push_back(cmd("PTTL", key));
        commands.push_back(cmd("MEMORY", "USAGE", key, "SAMPLES", sampledElements));
    }
    std::vector<KeyInfo> infos;
    if (commands.empty())
        co_return infos;
    const std::vector<Reply> replies = co_await m_store->pipeline(commands);
    const Monotonic now = m_clock->monotonic();
    infos.reserve(size_t(keys.size()));
    for (qsizetype i = 0; i < keys.size(); ++i) {
        const Reply *const about = &replies[size_t(i) * 3];
        if (about[0].isError())
            throw StoreError(errorFromReply(about[0].string));
        KeyInfo info{keys[i], keyTypeOf(about[0].toBytes()), -1, {}, now};
        if (!about[1].isError() && about[1].toInteger() >= 0)
            info.life = Milliseconds(about[1].toInteger());
        if (about[2].type == Reply::Type::Integer)
            info.bytes = about[2].integer;
        if (info.type != KeyType::None)
            infos.push_back(std::move(info));
    }
    co_return infos;
}

QCoro::Task<std::vector<KeyContent>> KeyReader::load(std::vector<KeyInfo> keys)
{
    std::vector<Command> commands;
    commands.reserve(keys.size());
    for (const KeyInfo &info : keys)
        commands.push_back(readWhole(info.type, info.key));
    std::vector<KeyContent> contents;
    if (commands.empty())
        co_return contents;
    const std::vector<Reply> replies = co_await m_store->pipeline(commands);
    contents.reserve(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
        const bool isReadable = !replies[i].isError();
        if (!isReadable && !replies[i].string.startsWith("WRONGTYPE"))
            throw StoreError(errorFromReply(replies[i].string));
        Elements elements = isReadable ? wholeOf(keys[i].type, replies[i]) : Elements{};
        contents.push_back({std::move(keys[i]), std::move(elements)});
    }
    co_return contents;
}

QCoro::Task<qint64> KeyReader::length(KeyInfo key)
{
    const Command ask = readLength(key.type, key.key);
    const Reply reply = co_await m_store->command(ask);
    co_return reply.toInteger();
}

QCoro::Task<qint64> KeyReader::sliceCount(KeyInfo key)
{
    const qint64 whole = co_await length(key);
    co_return elementsPerSlice(key.type, key.bytes, whole);
}

QCoro::Task<Elements> KeyReader::slice(KeyInfo key, SliceCursor *cursor, qint64 count)
{
    const Command ask = readSlice(key.type, key.key, *cursor, count);
    const Reply reply = co_await m_store->command(ask);
    co_return takeSlice(key.type, reply, count, cursor);
}

} // namespace ym::transfer
