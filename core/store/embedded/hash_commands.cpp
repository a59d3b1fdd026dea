// Commands on hashes.
#include "core/store/embedded/call.h"
#include "core/store/embedded/collection_scan.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/random_draws.h"

#include <cmath>
#include <limits>

namespace ym::embedded {

namespace {

Reply hget(Call &c)
{
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    return hash ? bulkOrNil(hash->get(c.arg(2))) : Reply::nil();
}

int setPairs(Call &c, const char *command)
{
    if (c.argc() % 2 != 0)
        throw CommandError(QByteArray("ERR wrong number of arguments for '") + command + "' command");
    HashValue &hash = c.keys.obtain<HashValue>(c.arg(1));
    for (qsizetype i = 2; i < c.argc(); ++i)
        hash.prepareFor(c.arg(i));
    int added = 0;
    for (qsizetype i = 2; i < c.argc(); i += 2)
        added += hash.set(c.arg(i), c.arg(i + 1));
    c.changed(c.arg(1), "hset");
    return added;
}

Reply hset(Call &c)
{
    return Reply::number(setPairs(c, "hset"));
}

Reply hmset(Call &c)
{
    setPairs(c, "hmset");
    return okReply();
}

Reply hsetnx(Call &c)
{
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    if (hash && hash->contains(c.arg(2)))
        return Reply::number(0);
    c.keys.obtain<HashValue>(c.arg(1)).set(c.arg(2), c.arg(3));
    c.changed(c.arg(1), "hset");
    return Reply::number(1);
}

Reply hmget(Call &c)
{
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    std::vector<Reply> values;
    for (qsizetype i = 2; i < c.argc(); ++i)
        values.push_back(hash ? bulkOrNil(hash->get(c.arg(i))) : Reply::nil());
    return Reply::array(std::move(values));
}

Reply hdel(Call &c)
{
    HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    if (!hash)
        return Reply::number(0);
    int removed = 0;
    for (qsizetype i = 2; i < c.argc() && hash->size() > 0; ++i)
        removed += hash->remove(c.arg(i));
    if (removed > 0) {
        c.changed(c.arg(1), "hdel");
        c.removeIfEmpty(c.arg(1), hash->size());
    }
    return Reply::number(removed);
}

Reply hexists(Call &c)
{
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    return Reply::number(hash && hash->contains(c.arg(2)));
}

Reply hlen(Call &c)
{
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    return Reply::number(hash ? hash->size() : 0);
}

Reply hstrlen(Call &c)
{
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    const auto value = hash ? hash->get(c.arg(2)) : std::nullopt;
    return Reply::number(value ? value->size() : 0);
}

enum class Part : quint8 { Both, Names, Values };

Reply listed(Call &c, Part part)
{
    std::vector<Reply> elements;
    if (const HashValue *hash = c.keys.get<HashValue>(c.arg(1))) {
        elements.reserve(size_t(hash->size() * (part == Part::Both ? 2 : 1)));
        hash->forEach([&](QByteArrayView name, QByteArrayView value) {
            if (part != Part::Values)
                elements.push_back(Reply::bulk(name.toByteArray()));
            if (part != Part::Names)
                elements.push_back(Reply::bulk(value.toByteArray()));
        });
    }
    return Reply::array(std::move(elements));
}

Reply hgetall(Call &c)
{
    return listed(c, Part::Both);
}

Reply hkeys(Call &c)
{
    return listed(c, Part::Names);
}

Reply hvals(Call &c)
{
    return listed(c, Part::Values);
}

Reply hincrby(Call &c)
{
    const qint64 by = c.integer(3);
    const HashValue *existing = c.keys.get<HashValue>(c.arg(1));
    const auto text = existing ? existing->get(c.arg(2)) : std::nullopt;
    const auto current = text ? readInteger(*text) : std::optional<qint64>(0);
    if (!current)
        throw CommandError("ERR hash value is not an integer");
    qint64 value = 0;
    if (__builtin_add_overflow(*current, by, &value))
        throw CommandError("ERR increment or decrement would overflow");
    c.keys.obtain<HashValue>(c.arg(1)).set(c.arg(2), QByteArray::number(value));
    c.changed(c.arg(1), "hincrby");
    return Reply::number(value);
}

Reply hincrbyfloat(Call &c)
{
    const auto by = readLongDouble(c.arg(3));
    if (!by)
        throw CommandError(errors::notFloat);
    if (std::isinf(*by))
        throw CommandError("ERR value is NaN or Infinity");
    const HashValue *existing = c.keys.get<HashValue>(c.arg(1));
    const auto text = existing ? existing->get(c.arg(2)) : std::nullopt;
    const auto current = text ? readLongDouble(*text) : std::optional<long double>(0);
    if (!current)
        throw CommandError("ERR hash value is not a float");
    const long double value = *current + *by;
    if (std::isnan(value) || std::isinf(value))
        throw CommandError("ERR increment would produce NaN or Infinity");
    const QByteArray written = writeLongDouble(value);
    c.keys.obtain<HashValue>(c.arg(1)).set(c.arg(2), written);
    c.changed(c.arg(1), "hincrbyfloat");
    c.logAs({"HSET", c.arg(1), c.arg(2), written});
    return Reply::bulk(written);
}

void addField(std::vector<Reply> &to, const HashValue::Field &field, bool withValues)
{
    to.push_back(Reply::bulk(field.name));
    if (withValues)
        to.push_back(Reply::bulk(field.value));
}

Reply hrandfield(Call &c)
{
    if (c.argc() == 2) {
        const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
        return hash ? Reply::bulk(hash->random().name) : Reply::nil();
    }
    const qint64 count = readDrawCount(c, 2);
    if (c.argc() > 4 || (c.argc() == 4 && !c.isOption(3, "WITHVALUES")))
        throw CommandError(errors::syntax);
    const bool withValues = c.argc() == 4;
    if (withValues)
        checkPairCount(count);
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    std::vector<Reply> fields;
    if (!hash)
        return Reply::array({});
    if (count < 0) {
        DrawLimit limit(-count);
        for (qint64 i = 0; i < -count; ++i) {
            const HashValue::Field field = hash->random();
            limit.add(field.name.size() + (withValues ? field.value.size() : 0));
            addField(fields, field, withValues);
        }
        return Reply::array(std::move(fields));
    }
    // Every field is kept with the chance that fills the number exactly.
    qint64 wanted = std::min<qint64>(count, hash->size());
    qint64 left = hash->size();
    hash->forEach([&](QByteArrayView name, QByteArrayView value) {
        if (QRandomGenerator::global()->bounded(left--) >= wanted)
            return;
        --wanted;
        addField(fields, {name.toByteArray(), value.toByteArray()}, withValues);
    });
    return Reply::array(std::move(fields));
}

Reply hscan(Call &c)
{
    const quint64 start = readCursor(c, 2);
    const HashValue *hash = c.keys.get<HashValue>(c.arg(1));
    if (!hash)
        return scanReply(0, {});
    const ScanRequest request = readScanOptions(c, 3, start);
    std::vector<Reply> elements;
    const quint64 cursor = runScan(*hash, request, [&](QByteArrayView name, QByteArrayView value) {
        if (!request.accepts(name))
            return;
        elements.push_back(Reply::bulk(name.toByteArray()));
        elements.push_back(Reply::bulk(value.toByteArray()));
    });
    return scanReply(cursor, std::move(elements));
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"hget", 3, ReadOnly, hget, 1, 1, 1},
    {"hset", -4, Write, hset, 1, 1, 1},
    {"hmset", -4, Write, hmset, 1, 1, 1},
    {"hsetnx", 4, Write, hsetnx, 1, 1, 1},
    {"hmget", -3, ReadOnly, hmget, 1, 1, 1},
    {"hdel", -3, Write, hdel, 1, 1, 1},
    {"hexists", 3, ReadOnly, hexists, 1, 1, 1},
    {"hlen", 2, ReadOnly, hlen, 1, 1, 1},
    {"hstrlen", 3, ReadOnly, hstrlen, 1, 1, 1},
    {"hgetall", 2, ReadOnly, hgetall, 1, 1, 1},
    {"hkeys", 2, ReadOnly, hkeys, 1, 1, 1},
    {"hvals", 2, ReadOnly, hvals, 1, 1, 1},
    {"hincrby", 4, Write, hincrby, 1, 1, 1},
    {"hincrbyfloat", 4, Write, hincrbyfloat, 1, 1, 1},
    {"hrandfield", -2, ReadOnly, hrandfield, 1, 1, 1},
    {"hscan", -3, ReadOnly, hscan, 1, 1, 1},
};

} // namespace

std::span<const CommandSpec> hashCommands()
{
    return rows;
}

} // namespace ym::embedded
