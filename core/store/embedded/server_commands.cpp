// Commands on the server itself.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/glob.h"
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

Reply configGet(Call &c)
{
    QList<QByteArray> found;
    for (const auto &[name, value] : serverConfig(c.executor)) {
        for (qsizetype i = 2; i < c.argc(); ++i) {
            if (!matchesGlobIgnoringCase(c.arg(i), name))
                continue;
            found << name << value;
            break;
        }
    }
    return bulkArray(found);
}

Reply configResetstat(Call &)
{
    return okReply();
}

Reply configSet(Call &c)
{
    throw CommandError("ERR CONFIG SET failed (possibly related to argument '" + c.arg(2)
                       + "') - can't set immutable config");
}

Reply commandReply(const CommandSpec &spec)
{
    std::vector<Reply> flags;
    if (spec.is(CommandFlag::Write))
        flags.push_back(Reply::status("write"));
    if (spec.is(CommandFlag::ReadOnly))
        flags.push_back(Reply::status("readonly"));
    if (spec.is(CommandFlag::NoScript))
        flags.push_back(Reply::status("noscript"));
    if (spec.is(CommandFlag::Blocking))
        flags.push_back(Reply::status("blocking"));
    if (spec.is(CommandFlag::PubSub))
        flags.push_back(Reply::status("pubsub"));
    return Reply::array({Reply::bulk(spec.name), Reply::number(spec.arity), Reply::array(std::move(flags)),
                         Reply::number(spec.firstKey), Reply::number(spec.lastKey),
                         Reply::number(spec.firstKey > 0 ? spec.keyStep : 0)});
}

Reply command(Call &)
{
    std::vector<Reply> replies;
    forEachCommand(
        [](const CommandSpec &spec, void *to) { static_cast<std::vector<Reply> *>(to)->push_back(commandReply(spec)); },
        &replies);
    return Reply::array(std::move(replies));
}

Reply commandCountReply(Call &)
{
    return Reply::number(commandCount());
}

Reply commandInfo(Call &c)
{
    if (c.argc() == 2)
        return command(c);
    std::vector<Reply> replies;
    for (qsizetype i = 2; i < c.argc(); ++i) {
        const CommandSpec *spec = findCommand(c.arg(i));
        replies.push_back(spec ? commandReply(*spec) : Reply::nil());
    }
    return Reply::array(std::move(replies));
}

Reply commandList(Call &)
{
    std::vector<Reply> names;
    forEachCommand([](const CommandSpec &spec,
                      void *to) { static_cast<std::vector<Reply> *>(to)->push_back(Reply::bulk(spec.name)); },
                   &names);
    return Reply::array(std::move(names));
}

/// Command-line clients ask for documentation and live without.
Reply commandDocs(Call &)
{
    return Reply::array({});
}

Reply role(Call &)
{
    return Reply::array({Reply::bulk("master"), Reply::number(0), Reply::array({})});
}

/// The process goes on; only the clients notice.
Reply debugSleep(Call &c)
{
    const double seconds = c.number(2);
    if (c.client.link && seconds > 0)
        c.client.link->hub().sleep(Milliseconds(qint64(std::min(seconds, 1e6) * 1000)));
    return okReply();
}

/// The owner of the store decides.
Reply shutdown(Call &c)
{
    for (qsizetype i = 1; i < c.argc(); ++i) {
        if (!c.isOption(i, "NOSAVE") && !c.isOption(i, "SAVE") && !c.isOption(i, "NOW") && !c.isOption(i, "FORCE"))
            throw CommandError(errors::syntax);
    }
    if (!c.client.link || !c.client.link->hub().requestShutdown())
        throw CommandError("ERR this store belongs to a running application: close the application instead");
    c.client.link->close(ClientLink::Close::Now);
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

constexpr CommandSpec configRows[] = {
    {"config|get", -3, NoScript, configGet},
    {"config|set", -4, NoScript, configSet},
    {"config|resetstat", 2, NoScript, configResetstat},
};

constexpr CommandSpec commandRows[] = {
    {"command|count", 2, None, commandCountReply},
    {"command|info", -2, None, commandInfo},
    {"command|list", -2, None, commandList},
    {"command|docs", -2, None, commandDocs},
};

constexpr CommandSpec debugRows[] = {
    {"debug|sleep", 3, NoScript, debugSleep},
};

constexpr CommandSpec rows[] = {
    {"time", 1, None, time},
    {"info", -1, None, info},
    {"role", 1, NoScript, role},
    {"debug", -2, NoScript, container, 0, 0, 0, debugRows},
    {"shutdown", -1, NoScript, shutdown},
    {"wait", 3, NoScript, wait},
    {"config", -2, NoScript, container, 0, 0, 0, configRows},
    {"command", -1, None, command, 0, 0, 0, commandRows},
};

} // namespace

std::span<const CommandSpec> serverCommands()
{
    return rows;
}

} // namespace ym::embedded
