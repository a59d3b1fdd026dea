// Commands on keys of any type.
#include "core/store/embedded/collection_scan.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/numbers.h"
#include "core/store/embedded/value_copy.h"

namespace ym::embedded {

namespace {

Reply del(Call &c)
{
    int removed = 0;
    for (qsizetype i = 1; i < c.argc(); ++i) {
        if (!c.keys.remove(c.arg(i)))
            continue;
        c.changed(c.arg(i), "del");
        ++removed;
    }
    return Reply::number(removed);
}

Reply exists(Call &c)
{
    int found = 0;
    for (qsizetype i = 1; i < c.argc(); ++i)
        found += c.keys.contains(c.arg(i));
    return Reply::number(found);
}

Reply type(Call &c)
{
    const Entry *entry = c.keys.find(c.arg(1));
    return Reply::status(entry ? typeName(typeOf(entry->value)) : "none");
}

Reply renameKey(Call &c, bool onlyNew)
{
    const QByteArray &from = c.arg(1);
    const QByteArray &to = c.arg(2);
    Entry *source = c.keys.find(from);
    if (!source)
        throw CommandError(errors::noSuchKey);
    if (from == to)
        return onlyNew ? Reply::number(0) : okReply();
    if (onlyNew && c.keys.contains(to))
        return Reply::number(0);
    Entry entry = std::move(*source);
    source->value = QByteArray();
    c.keys.remove(from);
    c.keys.remove(to);
    c.keys.putEntry(to, std::move(entry));
    c.changed(from, "rename_from");
    c.changed(to, "rename_to");
    return onlyNew ? Reply::number(1) : okReply();
}

Reply rename(Call &c)
{
    return renameKey(c, false);
}

Reply renamenx(Call &c)
{
    return renameKey(c, true);
}

Reply copy(Call &c)
{
    bool replaces = false;
    Keyspace *target = &c.keys;
    for (qsizetype i = 3; i < c.argc(); ++i) {
        if (c.isOption(i, "REPLACE")) {
            replaces = true;
        } else if (c.isOption(i, "DB") && i + 1 < c.argc()) {
            target = &c.executor.database(c.smallInteger(++i));
        } else {
            throw CommandError(errors::syntax);
        }
    }
    const QByteArray &from = c.arg(1);
    const QByteArray &to = c.arg(2);
    if (target == &c.keys && from == to)
        throw CommandError(errors::sameObject);
    const Entry *source = c.keys.find(from);
    if (!source || (!replaces && target->contains(to)))
        return Reply::number(0);
    Entry entry{copyValue(source->value), source->form, source->expireAt};
    target->remove(to); // a new key, for those who wait
    target->putEntry(to, std::move(entry));
    c.changedIn(*target, to, "copy_to");
    return Reply::number(1);
}

Reply randomkey(Call &c)
{
    while (const Keyspace::Node *node = c.keys.entries().random()) {
        const QByteArray key = node->keyBytes();
        if (c.keys.contains(key))
            return Reply::bulk(key);
    }
    return Reply::nil();
}

Reply scan(Call &c)
{
    const ScanRequest request = readScanOptions(c, 2, readCursor(c, 1));
    QList<QByteArray> candidates;
    const quint64 cursor = runScan(c.keys.entries(), request, [&](const Keyspace::Node &node) {
        if (request.accepts(node.key()))
            candidates.append(node.keyBytes());
    });
    candidates.removeIf([&](const QByteArray &key) {
        const Entry *entry = c.keys.find(key); // it may be over
        return !entry || (!request.type.isEmpty() && request.type != typeName(typeOf(entry->value)));
    });
    return scanReply(cursor, bulkArray(candidates).elements);
}

Reply keys(Call &c)
{
    const QByteArray &pattern = c.arg(1);
    QList<QByteArray> found;
    c.keys.entries().forEach([&](const Keyspace::Node &node) {
        if (pattern == "*" || matchesGlob(pattern, node.key()))
            found.append(node.keyBytes());
    });
    found.removeIf([&](const QByteArray &key) { return c.keys.isExpired(key); });
    return bulkArray(found);
}

Reply objectEncoding(Call &c)
{
    const Entry *entry = c.keys.find(c.arg(2));
    return entry ? Reply::bulk(encodingOf(*entry)) : Reply::nil();
}

Reply objectRefcount(Call &c)
{
    return c.keys.contains(c.arg(2)) ? Reply::number(1) : Reply::nil();
}

/// There is no eviction, so nothing counts how often or when a key was used.
Reply objectFrequency(Call &c)
{
    if (!c.keys.contains(c.arg(2)))
        return Reply::nil();
    throw CommandError("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
                       "when switching between policies at runtime LRU and LFU data will take some time to adjust.");
}

Reply objectIdleTime(Call &c)
{
    if (!c.keys.contains(c.arg(2)))
        return Reply::nil();
    throw CommandError("ERR idle time is not tracked by this server");
}

Reply memoryUsage(Call &c)
{
    for (qsizetype i = 3; i < c.argc(); i += 2) {
        if (!c.isOption(i, "SAMPLES") || i + 1 == c.argc())
            throw CommandError(errors::syntax);
        if (c.integer(i + 1) < 0)
            throw CommandError(errors::syntax);
    }
    const Entry *entry = c.keys.find(c.arg(2));
    if (!entry)
        return Reply::nil();
    return Reply::number(qint64(sizeof(Keyspace::Node) + 8) + c.arg(2).size() + memoryOf(entry->value));
}

Reply container(Call &c)
{
    throw CommandError("ERR wrong number of arguments for '" + c.arg(0).toLower() + "' command");
}

using enum CommandFlag;

constexpr CommandSpec objectRows[] = {
    {"object|encoding", 3, ReadOnly, objectEncoding, 2, 2, 1},
    {"object|freq", 3, ReadOnly, objectFrequency, 2, 2, 1},
    {"object|idletime", 3, ReadOnly, objectIdleTime, 2, 2, 1},
    {"object|refcount", 3, ReadOnly, objectRefcount, 2, 2, 1},
};

constexpr CommandSpec memoryRows[] = {
    {"memory|usage", -3, ReadOnly, memoryUsage, 2, 2, 1},
};

constexpr CommandSpec rows[] = {
    {"del", -2, Write, del, 1, -1, 1},
    {"unlink", -2, Write, del, 1, -1, 1},
    {"exists", -2, ReadOnly, exists, 1, -1, 1},
    {"touch", -2, ReadOnly, exists, 1, -1, 1},
    {"type", 2, ReadOnly, type, 1, 1, 1},
    {"rename", 3, Write, rename, 1, 2, 1},
    {"renamenx", 3, Write, renamenx, 1, 2, 1},
    {"copy", -3, Write, copy, 1, 2, 1},
    {"randomkey", 1, ReadOnly, randomkey},
    {"scan", -2, ReadOnly, scan},
    {"keys", 2, ReadOnly, keys},
    {"object", -2, ReadOnly, container, 2, 2, 1, objectRows},
    {"memory", -2, ReadOnly, container, 0, 0, 0, memoryRows},
};

} // namespace

std::span<const CommandSpec> keyCommands()
{
    return rows;
}

} // namespace ym::embedded
