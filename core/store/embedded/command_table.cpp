#include "core/store/embedded/command_table.h"

#include <QHash>

namespace ym::embedded {

namespace {

using Table = QHash<QByteArray, const CommandSpec *>;

/// Both spellings that clients use, so that most look-ups need no conversion.
Table buildTable()
{
    Table table;
    const std::span<const CommandSpec> groups[] = {
        stringCommands(),         bitCommands(),          bitFieldCommands(),
        subsequenceCommands(),    sortCommands(),         configCommands(),
        commandCommands(),        debugCommands(),        functionCommands(),
        numberCommands(),         hashCommands(),         listCommands(),
        blockingListCommands(),   setCommands(),          sortedSetCommands(),
        sortedSetRangeCommands(), sortedSetPopCommands(), sortedSetCombineCommands(),
        streamCommands(),         streamReadCommands(),   keyCommands(),
        databaseCommands(),       expiryCommands(),       serverCommands(),
        connectionCommands(),     persistenceCommands(),  clientCommands(),
        pubSubCommands(),         transactionCommands(),  scriptCommands(),
    };
    for (const auto &group : groups) {
        for (const CommandSpec &spec : group) {
            const QByteArray name(spec.name);
            table.insert(name, &spec);
            table.insert(name.toUpper(), &spec);
        }
    }
    return table;
}

const Table &table()
{
    static const Table instance = buildTable();
    return instance;
}

} // namespace

const CommandSpec *findCommand(const QByteArray &verb)
{
    const Table &all = table();
    const auto found = all.constFind(verb);
    return found != all.constEnd() ? *found : all.value(verb.toLower());
}

const CommandSpec *findSubcommand(const CommandSpec &container, const QByteArray &name)
{
    const QByteArray wanted = QByteArray(container.name) + '|' + name.toLower();
    for (const CommandSpec &spec : container.subcommands) {
        if (wanted == spec.name)
            return &spec;
    }
    return nullptr;
}

int commandCount()
{
    return int(table().size() / 2);
}

void forEachCommand(void (*visit)(const CommandSpec &, void *), void *data)
{
    const Table &all = table();
    for (auto row = all.constBegin(); row != all.constEnd(); ++row) {
        if (row.key() == row.value()->name)
            visit(**row, data);
    }
}

} // namespace ym::embedded
