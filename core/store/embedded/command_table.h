// What commands there are: verb, arity, flags, handler, keys.
#pragma once

#include "core/store/reply.h"

#include <QByteArray>
#include <QFlags>

#include <span>

namespace ym::embedded {

class Call;

enum class CommandFlag : quint16 {
    None = 0,
    Write = 1,
    ReadOnly = 2,
    NoScript = 4, ///< not from a script
    Immediate = 8, ///< runs at once inside MULTI: EXEC and its kin
    PubSub = 16,
    Script = 32, ///< EVAL and its kin: writes are judged inside
    Blocking = 64,
    NoAuth = 128, ///< also before a client has authenticated itself
    WhileListening = 256, ///< also for a client that is subscribed to something
    Hidden = 512, ///< monitors do not see it
    NoMulti = 1024, ///< not inside a transaction
    WhileBusy = 2048, ///< also while a script runs for too long
};
Q_DECLARE_FLAGS(CommandFlags, CommandFlag)
Q_DECLARE_OPERATORS_FOR_FLAGS(CommandFlags)

/// One row. `arity` counts the verb; negative = at least. `name` is in lower case; a subcommand's is "client|setname".
struct CommandSpec {
    const char *name;
    int arity;
    CommandFlags flags;
    Reply (*handler)(Call &call);
    int firstKey = 0; ///< 0 = no keys, or found in another way
    int lastKey = 0; ///< negative = counted from the end
    int keyStep = 1;
    std::span<const CommandSpec> subcommands = {};

    bool is(CommandFlag flag) const { return flags.testFlag(flag); }
    bool takes(qsizetype argumentCount) const { return arity >= 0 ? argumentCount == arity : argumentCount >= -arity; }
};

/// The rows of each data type; together they are the table.
std::span<const CommandSpec> stringCommands();
std::span<const CommandSpec> numberCommands();
std::span<const CommandSpec> bitCommands();
std::span<const CommandSpec> bitFieldCommands();
std::span<const CommandSpec> subsequenceCommands();
std::span<const CommandSpec> hashCommands();
std::span<const CommandSpec> listCommands();
std::span<const CommandSpec> blockingListCommands();
std::span<const CommandSpec> setCommands();
std::span<const CommandSpec> sortedSetCommands();
std::span<const CommandSpec> sortedSetRangeCommands();
std::span<const CommandSpec> sortedSetPopCommands();
std::span<const CommandSpec> sortedSetCombineCommands();
std::span<const CommandSpec> streamCommands();
std::span<const CommandSpec> streamReadCommands();
std::span<const CommandSpec> keyCommands();
std::span<const CommandSpec> databaseCommands();
std::span<const CommandSpec> expiryCommands();
std::span<const CommandSpec> sortCommands();
std::span<const CommandSpec> configCommands();
std::span<const CommandSpec> commandCommands();
std::span<const CommandSpec> debugCommands();
std::span<const CommandSpec> serverCommands();
std::span<const CommandSpec> connectionCommands();
std::span<const CommandSpec> persistenceCommands();
std::span<const CommandSpec> clientCommands();
std::span<const CommandSpec> pubSubCommands();
std::span<const CommandSpec> transactionCommands();
std::span<const CommandSpec> scriptCommands();
std::span<const CommandSpec> functionCommands();

/// The row of a verb, in any case; null when there is none.
const CommandSpec *findCommand(const QByteArray &verb);
/// The row of a subcommand of `container`; null when there is none.
const CommandSpec *findSubcommand(const CommandSpec &container, const QByteArray &name);
int commandCount();
/// Calls `visit` with every top-level row.
void forEachCommand(void (*visit)(const CommandSpec &spec, void *data), void *data);

} // namespace ym::embedded
