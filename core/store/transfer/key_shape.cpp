#include "core/store/transfer/key_shape.h"

#include <algorithm>
#include <array>

namespace ym::transfer {

namespace {

struct Row {
    const char *name;
    const char *length;
    const char *whole;
    const char *slice;
    const char *write;
    const char *probe;
    int width; ///< elements that belong together
};

// Indexed by KeyType.
constexpr std::array<Row, keyTypeCount> rows{{
    {"none", "", "", "", "", "", 1},
    {"string", "STRLEN", "GET", "GETRANGE", "APPEND", "GETRANGE", 1},
    {"hash", "HLEN", "HGETALL", "HSCAN", "HSET", "HMGET", 2},
    {"list", "LLEN", "LRANGE", "LRANGE", "RPUSH", "LRANGE", 1},
    {"set", "SCARD", "SMEMBERS", "SSCAN", "SADD", "SMISMEMBER", 1},
    {"zset", "ZCARD", "ZRANGE", "ZSCAN", "ZADD", "ZMSCORE", 2},
    {"other", "", "", "", "", "", 1},
}};

const Row &rowOf(KeyType type)
{
    return rows.at(size_t(type));
}

/// Strings and lists have positions; of the others elements are asked for by name.
bool isSequence(KeyType type)
{
    return type == KeyType::String || type == KeyType::List;
}

/// Two servers may write one number in two ways.
bool isSameScore(const QByteArray &a, const QByteArray &b)
{
    if (a == b)
        return true;
    bool isNumber[2] = {false, false};
    return a.toDouble(&isNumber[0]) == b.toDouble(&isNumber[1]) && isNumber[0] && isNumber[1];
}

} // namespace

KeyType keyTypeOf(const QByteArray &name)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&name](const Row &row) { return name == row.name; });
    return found == rows.end() ? KeyType::Other : KeyType(found - rows.begin());
}

const char *keyTypeName(KeyType type)
{
    return rowOf(type).name;
}

Command readLength(KeyType type, const QByteArray &key)
{
    return cmd(rowOf(type).length, key);
}

Command readWhole(KeyType type, const QByteArray &key)
{
    Command command = cmd(rowOf(type).whole, key);
    if (type == KeyType::List || type == KeyType::SortedSet)
        command.add(0).add(-1);
    if (type == KeyType::SortedSet)
        command.add("WITHSCORES");
    return command;
}

Elements wholeOf(KeyType type, const Reply &reply)
{
    if (type != KeyType::String)
        return reply.toList();
    return reply.isNil() ? Elements{} : Elements{reply.toBytes()};
}

qint64 lengthOf(KeyType type, const Elements &elements)
{
    if (type == KeyType::String)
        return elements.isEmpty() ? 0 : elements.constFirst().size();
    return elements.size() / rowOf(type).width;
}

Command readSlice(KeyType type, const QByteArray &key, const SliceCursor &cursor, qint64 count)
{
    if (isSequence(type))
        return cmd(rowOf(type).slice, key, cursor.offset, cursor.offset + count - 1);
    return cmd(rowOf(type).slice, key, cursor.scan, "COUNT", count);
}

Elements takeSlice(KeyType type, const Reply &reply, qint64 count, SliceCursor *cursor)
{
    if (isSequence(type)) {
        const Elements elements = type == KeyType::String ? Elements{reply.toBytes()} : reply.toList();
        const qint64 length = lengthOf(type, elements);
        cursor->offset += length;
        cursor->isAtEnd = length < count;
        return length > 0 ? elements : Elements{};
    }
    const std::vector<Reply> &parts = reply.toArray();
    if (parts.size() != 2)
        throw StoreError(ErrorKind::Protocol, QStringLiteral("A scan was answered with something else."));
    cursor->scan = parts[0].toBytes();
    cursor->isAtEnd = cursor->scan == "0";
    return parts[1].toList();
}

Command write(KeyType type, const QByteArray &key, const Elements &elements)
{
    Command command = cmd(rowOf(type).write, key);
    if (type != KeyType::SortedSet)
        return command.addAll(elements);
    for (qsizetype i = 0; i + 1 < elements.size(); i += 2)
        command.add(elements[i + 1]).add(elements[i]);
    return command;
}

Command probe(KeyType type, const QByteArray &key, const Elements &elements, qint64 offset)
{
    Command command = cmd(rowOf(type).probe, key);
    if (isSequence(type)) {
        const qint64 length = lengthOf(type, elements);
        return command.add(offset).add(std::max(offset + length - 1, qint64(0)));
    }
    for (qsizetype i = 0; i < elements.size(); i += rowOf(type).width)
        command.add(elements[i]);
    return command;
}

bool matches(KeyType type, const Elements &elements, const Reply &reply)
{
    if (reply.isError())
        return false;
    if (type == KeyType::String)
        return reply.toBytes() == elements.value(0);
    const std::vector<Reply> &found = reply.toArray();
    if (type == KeyType::List)
        return reply.toList() == elements;
    const int width = rowOf(type).width;
    if (qsizetype(found.size()) * width != elements.size())
        return false;
    for (size_t i = 0; i < found.size(); ++i) {
        const bool isThere = type == KeyType::Set ? found[i].toInteger() == 1 : !found[i].isNil();
        if (!isThere)
            return false;
        const QByteArray value = width == 2 ? elements[qsizetype(i) * 2 + 1] : QByteArray();
        if (type == KeyType::Hash && found[i].toBytes() != value)
            return false;
        if (type == KeyType::SortedSet && !isSameScore(found[i].toBytes(), value))
            return false;
    }
    return true;
}

} // namespace ym::transfer
