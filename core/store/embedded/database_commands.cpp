// Commands on whole databases.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"

namespace ym::embedded {

namespace {

Reply select(Call &c)
{
    c.client.database = c.executor.database(c.smallInteger(1)).index();
    return okReply();
}

Reply swapdb(Call &c)
{
    const int first = c.smallInteger(1, "ERR invalid first DB index");
    const int second = c.smallInteger(2, "ERR invalid second DB index");
    Keyspace &one = c.executor.database(first);
    Keyspace &other = c.executor.database(second);
    if (first != second)
        c.executor.swapDatabases(one, other);
    c.changedAll();
    return okReply();
}

Reply move(Call &c)
{
    Keyspace &target = c.executor.database(c.smallInteger(2));
    if (&target == &c.keys)
        throw CommandError(errors::sameObject);
    const QByteArray &key = c.arg(1);
    Entry *source = c.keys.find(key);
    if (!source || target.contains(key))
        return Reply::number(0);
    Entry entry = std::move(*source);
    source->value = QByteArray();
    c.keys.remove(key);
    target.putEntry(key, std::move(entry));
    c.changed(key, "move_from");
    c.changedIn(target, key, "move_to");
    return Reply::number(1);
}

Reply dbsize(Call &c)
{
    return Reply::number(c.keys.size());
}

void checkFlushOptions(const Call &c)
{
    if (c.argc() > 2 || (c.argc() == 2 && !c.isOption(1, "ASYNC") && !c.isOption(1, "SYNC")))
        throw CommandError(errors::syntax);
}

Reply flushdb(Call &c)
{
    checkFlushOptions(c);
    c.keys.clear();
    c.logAs({"FLUSHDB"});
    return okReply();
}

Reply flushall(Call &c)
{
    checkFlushOptions(c);
    for (Keyspace &keys : c.executor.databases())
        keys.clear();
    c.logAs({"FLUSHALL"});
    return okReply();
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"select", 2, None, select},     {"swapdb", 3, Write, swapdb},    {"move", 3, Write, move, 1, 1, 1},
    {"dbsize", 1, ReadOnly, dbsize}, {"flushdb", -1, Write, flushdb}, {"flushall", -1, Write, flushall},
};

} // namespace

std::span<const CommandSpec> databaseCommands()
{
    return rows;
}

} // namespace ym::embedded
