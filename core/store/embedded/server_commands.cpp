// Commands on the server itself.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/lua_host.h"
#include "core/store/embedded/server_info.h"

namespace ym::embedded {

namespace {

Reply time(Call &c)
{
    const qint64 now = c.keys.now();
    return Reply::array(
        {Reply::bulk(QByteArray::number(now / 1000)), Reply::bulk(QByteArray::number(now % 1000 * 1000))});
}

Reply info(Call &c)
{
    QList<QByteArray> sections;
    for (qsizetype i = 1; i < c.argc(); ++i)
        sections.append(c.arg(i).toLower());
    return Reply::bulk(serverInfo(c.executor, sections));
}

Reply role(Call &)
{
    return Reply::array({Reply::bulk("master"), Reply::number(0), Reply::array({})});
}

/// The owner of the store decides.
Reply shutdown(Call &c)
{
    bool isWithoutSaving = false;
    for (qsizetype i = 1; i < c.argc(); ++i) {
        isWithoutSaving |= c.isOption(i, "NOSAVE");
        if (!c.isOption(i, "NOSAVE") && !c.isOption(i, "SAVE") && !c.isOption(i, "NOW") && !c.isOption(i, "FORCE"))
            throw CommandError(errors::syntax);
    }
    const bool isBusy = c.executor.isBusy();
    if (isBusy && !isWithoutSaving)
        throw CommandError(errors::busy);
    if (!c.client.link || !c.client.link->hub().requestShutdown())
        throw CommandError("ERR this store belongs to a running application: close the application instead");
    if (isBusy)
        c.executor.lua().abort();
    c.client.link->close(ClientLink::Close::Now);
    return okReply();
}

// Slow commands and delays are not recorded: the lists that clients ask for are empty.

Reply nothing(Call &)
{
    return Reply::array({});
}

Reply zero(Call &)
{
    return Reply::number(0);
}

Reply ok(Call &)
{
    return okReply();
}

/// There are no replicas to wait for.
Reply wait(Call &c)
{
    c.integer(1);
    if (c.integer(2, "ERR timeout is not an integer or out of range") < 0)
        throw CommandError("ERR timeout is negative");
    return Reply::number(0);
}

Reply container(Call &c)
{
    throw CommandError("ERR wrong number of arguments for '" + c.arg(0).toLower() + "' command");
}

using enum CommandFlag;

constexpr CommandSpec slowlogRows[] = {
    {"slowlog|get", -2, NoScript, nothing},
    {"slowlog|len", 2, NoScript, zero},
    {"slowlog|reset", 2, NoScript, ok},
};

constexpr CommandSpec latencyRows[] = {
    {"latency|history", 3, NoScript, nothing},
    {"latency|latest", 2, NoScript, nothing},
    {"latency|reset", -2, NoScript, zero},
};

constexpr CommandSpec rows[] = {
    {"time", 1, None, time},
    {"info", -1, None, info},
    {"role", 1, NoScript, role},
    {"shutdown", -1, NoScript | NoMulti | WhileBusy, shutdown},
    {"wait", 3, NoScript, wait},
    {"slowlog", -2, NoScript, container, 0, 0, 0, slowlogRows},
    {"latency", -2, NoScript, container, 0, 0, 0, latencyRows},
};

} // namespace

std::span<const CommandSpec> serverCommands()
{
    return rows;
}

} // namespace ym::embedded
