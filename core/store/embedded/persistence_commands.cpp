// Commands on the log.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/persistence.h"

namespace ym::embedded {

namespace {

Persistence &persistenceOf(Call &c)
{
    if (!c.executor.persistence())
        throw CommandError("ERR this store lives in memory only, nothing of it is saved");
    return *c.executor.persistence();
}

Reply replyOr(const QByteArray &error, const char *status)
{
    if (!error.isEmpty())
        throw CommandError(error);
    return Reply::status(status);
}

Reply bgrewriteaof(Call &c)
{
    return replyOr(persistenceOf(c).startRewrite(), "Background append only file rewriting started");
}

/// There is no snapshot file: what SAVE promises is that everything is on disk, and so it is in the log.
Reply save(Call &c)
{
    return replyOr(persistenceOf(c).save(), "OK");
}

Reply bgsave(Call &c)
{
    if (c.argc() > 2 || (c.argc() == 2 && !c.isOption(1, "SCHEDULE")))
        throw CommandError(errors::syntax);
    return replyOr(persistenceOf(c).saveSoon(), "Background saving started");
}

Reply lastsave(Call &c)
{
    const Persistence *persistence = c.executor.persistence();
    return Reply::number(persistence ? persistence->facts().lastSave
                                     : c.executor.startedAt().time_since_epoch().count() / 1000);
}

using enum CommandFlag;

constexpr CommandSpec rows[] = {
    {"bgrewriteaof", 1, NoScript, bgrewriteaof},
    {"save", 1, NoScript | NoMulti, save},
    {"bgsave", -1, NoScript, bgsave},
    {"lastsave", 1, None, lastsave},
};

} // namespace

std::span<const CommandSpec> persistenceCommands()
{
    return rows;
}

} // namespace ym::embedded
