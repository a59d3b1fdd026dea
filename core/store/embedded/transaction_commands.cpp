// MULTI and its kin.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/resp.h"

namespace ym::embedded {

namespace {

bool hasWatchedChange(Call &c)
{
    for (const WatchedKey &watched : std::as_const(c.client.watched)) {
        const Keyspace &database = c.executor.database(watched.database);
        const quint64 changes = database.revision(watched.key) - watched.revision;
        if (changes > (watched.wasExpired ? 1 : 0) || (!watched.wasExpired && database.isExpired(watched.key)))
            return true;
    }
    return false;
}

Reply multi(Call &c)
{
    if (c.client.isInTransaction)
        throw CommandError("ERR MULTI calls can not be nested");
    c.client.isInTransaction = true;
    return okReply();
}

Reply exec(Call &c)
{
    ClientContext &client = c.client;
    if (!client.isInTransaction)
        throw CommandError("ERR EXEC without MULTI");
    if (client.isTransactionBroken) {
        c.executor.endTransaction(client);
        throw CommandError("EXECABORT Transaction discarded because of previous errors.");
    }
    if (hasWatchedChange(c)) {
        c.executor.endTransaction(client);
        return nilArray();
    }
    const bool mayBlock = std::exchange(client.mayBlock, false);
    const QList<QList<QByteArray>> commands = c.executor.endTransaction(client);
    std::vector<Reply> replies;
    replies.reserve(size_t(commands.size()));
    for (const QList<QByteArray> &command : commands) {
        QByteArray error;
        const CommandSpec *spec = c.executor.lookUp(command, error); // it was found when it was queued
        replies.push_back(c.executor.executeNested(client, *spec, command));
    }
    client.mayBlock = mayBlock;
    c.logNothing();
    return Reply::array(std::move(replies));
}

Reply discard(Call &c)
{
    if (!c.client.isInTransaction)
        throw CommandError("ERR DISCARD without MULTI");
    c.executor.endTransaction(c.client);
    return okReply();
}

Reply watch(Call &c)
{
    if (c.client.isInTransaction)
        throw CommandError("ERR WATCH inside MULTI is not allowed");
    for (qsizetype i = 1; i < c.argc(); ++i) {
        const QByteArray &key = c.arg(i);
        const auto isSame = [&](const WatchedKey &w) { return w.database == c.keys.index() && w.key == key; };
        if (std::any_of(c.client.watched.cbegin(), c.client.watched.cend(), isSame))
            continue;
        c.client.watched.append({c.keys.index(), key, c.keys.watch(key), c.keys.isExpired(key)});
    }
    return okReply();
}

Reply unwatch(Call &c)
{
    c.executor.unwatchAll(c.client);
    return okReply();
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"multi", 1, NoScript | Immediate | WhileBusy, multi},
    {"exec", 1, NoScript | Immediate, exec},
    {"discard", 1, NoScript | Immediate | WhileBusy, discard},
    {"watch", -2, NoScript | Immediate | WhileBusy, watch, 1, -1, 1},
    {"unwatch", 1, NoScript | WhileBusy, unwatch},
};

} // namespace

std::span<const CommandSpec> transactionCommands()
{
    return rows;
}

} // namespace ym::embedded
