// Commands on the client's own connection.
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"

namespace ym::embedded {

namespace {

Reply setName(Call &c)
{
    for (const char letter : c.arg(2)) {
        if (letter < '!' || letter > '~')
            throw CommandError("ERR Client names cannot contain spaces, newlines or special characters.");
    }
    c.client.name = c.arg(2);
    return okReply();
}

Reply getName(Call &c)
{
    return c.client.name.isEmpty() ? Reply::nil() : Reply::bulk(c.client.name);
}

Reply id(Call &c)
{
    return Reply::number(c.client.id);
}

QByteArray describe(const ClientContext &client)
{
    return "id=" + QByteArray::number(client.id) + " name=" + client.name + " db=" + QByteArray::number(client.database)
        + " sub=" + QByteArray::number(client.channels.size()) + " psub=" + QByteArray::number(client.patterns.size())
        + " multi=" + QByteArray::number(client.isInTransaction ? client.queued.size() : -1)
        + " flags=" + (client.waiting ? "b" : "N") + '\n';
}

Reply info(Call &c)
{
    return Reply::bulk(describe(c.client));
}

Reply list(Call &c)
{
    QByteArray text;
    for (const ClientContext *client : c.executor.clients())
        text += describe(*client);
    return Reply::bulk(text);
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'client' command");
}

using enum CommandFlag;

constexpr CommandSpec clientRows[] = {
    {"client|setname", 3, NoScript, setName}, {"client|getname", 2, NoScript, getName}, {"client|id", 2, NoScript, id},
    {"client|info", 2, NoScript, info},       {"client|list", -2, NoScript, list},
};

constexpr CommandSpec rows[] = {
    {"client", -2, NoScript, container, 0, 0, 0, clientRows},
};

} // namespace

std::span<const CommandSpec> clientCommands()
{
    return rows;
}

} // namespace ym::embedded
