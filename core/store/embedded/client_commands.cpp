// CLIENT: who is there, and what may be done to them.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/client_names.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/resp.h"

#include <algorithm>

namespace ym::embedded {

namespace {

/// Those with a connection; the store's own are nobody's business.
std::vector<ClientContext *> clientsById(const Executor &executor)
{
    std::vector<ClientContext *> sorted;
    for (ClientContext *client : executor.clients()) {
        if (client->link)
            sorted.push_back(client);
    }
    std::sort(sorted.begin(), sorted.end(), [](const auto *a, const auto *b) { return a->id < b->id; });
    return sorted;
}

enum class ClientType : quint8 { Normal, Replica, PubSub, Master };

ClientType typeOf(const ClientContext &client)
{
    return client.isListening() ? ClientType::PubSub : ClientType::Normal;
}

ClientType readType(const Call &c, qsizetype index)
{
    constexpr std::pair<const char *, ClientType> names[] = {{"NORMAL", ClientType::Normal},
                                                             {"SLAVE", ClientType::Replica},
                                                             {"REPLICA", ClientType::Replica},
                                                             {"PUBSUB", ClientType::PubSub},
                                                             {"MASTER", ClientType::Master}};
    for (const auto &[name, type] : names) {
        if (c.isOption(index, name))
            return type;
    }
    throw CommandError("ERR Unknown client type '" + c.arg(index) + '\'');
}

/// What CLIENT KILL looks for; what is not set does not matter.
struct Filter {
    std::optional<qint64> id;
    std::optional<ClientType> type;
    std::optional<QByteArray> address;
    std::optional<QByteArray> localAddress;
    bool skipsMe = true;

    bool matches(const ClientContext &client) const
    {
        const ClientFacts facts = client.link->facts();
        return (!id || *id == client.id) && (!type || *type == typeOf(client))
            && (!address || *address == facts.address) && (!localAddress || *localAddress == facts.localAddress);
    }
};

void readFilter(const Call &c, qsizetype at, Filter &filter)
{
    const QByteArray &value = c.arg(at + 1);
    if (c.isOption(at, "ID")) {
        filter.id = c.integer(at + 1, "ERR client-id should be greater than 0");
        if (*filter.id < 1)
            throw CommandError("ERR client-id should be greater than 0");
    } else if (c.isOption(at, "TYPE")) {
        filter.type = readType(c, at + 1);
    } else if (c.isOption(at, "ADDR")) {
        filter.address = value;
    } else if (c.isOption(at, "LADDR")) {
        filter.localAddress = value;
    } else if (c.isOption(at, "USER")) {
        if (value != "default")
            throw CommandError("ERR No such user '" + value + '\'');
    } else if (c.isOption(at, "SKIPME") && (c.isOption(at + 1, "YES") || c.isOption(at + 1, "NO"))) {
        filter.skipsMe = c.isOption(at + 1, "YES");
    } else {
        throw CommandError(errors::syntax);
    }
}

Filter readFilters(const Call &c)
{
    Filter filter;
    if (c.argc() == 3) { // the old form
        filter.address = c.arg(2);
        filter.skipsMe = false;
        return filter;
    }
    for (qsizetype i = 2; i < c.argc(); i += 2) {
        if (i + 1 == c.argc())
            throw CommandError(errors::syntax);
        readFilter(c, i, filter);
    }
    return filter;
}

Reply kill(Call &c)
{
    const Filter filter = readFilters(c);
    int killed = 0;
    for (ClientContext *client : clientsById(c.executor)) {
        const bool isMe = client == &c.client;
        if ((isMe && filter.skipsMe) || !filter.matches(*client))
            continue;
        client->link->close(isMe ? ClientLink::Close::AfterReply : ClientLink::Close::Now);
        ++killed;
    }
    if (c.argc() > 3)
        return Reply::number(killed);
    if (killed == 0)
        throw CommandError("ERR No such client");
    return okReply();
}

Reply list(Call &c)
{
    std::optional<ClientType> type;
    QSet<qint64> ids;
    if (c.argc() == 4 && c.isOption(2, "TYPE")) {
        type = readType(c, 3);
    } else if (c.argc() > 3 && c.isOption(2, "ID")) {
        for (qsizetype i = 3; i < c.argc(); ++i)
            ids.insert(c.integer(i, "ERR Invalid client ID"));
    } else if (c.argc() != 2) {
        throw CommandError(errors::syntax);
    }
    QByteArray text;
    for (const ClientContext *client : clientsById(c.executor)) {
        if ((!type || typeOf(*client) == *type) && (ids.isEmpty() || ids.contains(client->id)))
            text += describeClient(*client) + '\n';
    }
    return Reply::bulk(text);
}

Reply unblock(Call &c)
{
    bool isError = false;
    if (c.argc() == 4) {
        isError = c.isOption(3, "ERROR");
        if (!isError && !c.isOption(3, "TIMEOUT"))
            throw CommandError("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
    const qint64 id = c.integer(2);
    for (ClientContext *client : c.executor.clients()) {
        if (client->id != id || !client->waiting || !client->link)
            continue;
        c.executor.endWaiting(*client,
                              isError ? Reply::error("UNBLOCKED client unblocked via CLIENT UNBLOCK") : nilArray());
        return Reply::number(1);
    }
    return Reply::number(0);
}

Reply pause(Call &c)
{
    auto kind = ClientHub::Pause::All;
    if (c.argc() == 4) {
        if (c.isOption(3, "WRITE"))
            kind = ClientHub::Pause::Writes;
        else if (!c.isOption(3, "ALL"))
            throw CommandError("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }
    constexpr qint64 longest = std::numeric_limits<qint64>::max() / 4;
    const qint64 ms = c.integer(2, "ERR timeout is not an integer or out of range");
    if (ms < 0)
        throw CommandError("ERR timeout is negative");
    if (c.client.link)
        c.client.link->hub().pause(kind, Milliseconds{std::min(ms, longest)});
    return okReply();
}

Reply unpause(Call &c)
{
    if (c.client.link)
        c.client.link->hub().unpause();
    return okReply();
}

Reply replies(Call &c)
{
    auto wanted = ClientLink::Replies::On;
    if (c.isOption(2, "OFF"))
        wanted = ClientLink::Replies::Off;
    else if (c.isOption(2, "SKIP"))
        wanted = ClientLink::Replies::SkipNext;
    else if (!c.isOption(2, "ON"))
        throw CommandError(errors::syntax);
    if (c.client.link)
        c.client.link->setReplies(wanted);
    return okReply();
}

Reply setName(Call &c)
{
    setClientName(c.client, c.arg(2));
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

Reply info(Call &c)
{
    return Reply::bulk(describeClient(c.client) + '\n');
}

/// Nothing is ever evicted.
Reply noEvict(Call &c)
{
    if (!c.isOption(2, "ON") && !c.isOption(2, "OFF"))
        throw CommandError(errors::syntax);
    return okReply();
}

Reply tracking(Call &c)
{
    if (c.isOption(2, "OFF"))
        return okReply();
    if (!c.isOption(2, "ON"))
        throw CommandError(errors::syntax);
    throw CommandError("ERR client-side caching is not supported by this server");
}

Reply trackingInfo(Call &)
{
    return Reply::array({Reply::bulk("flags"), Reply::array({Reply::bulk("off")}), Reply::bulk("redirect"),
                         Reply::number(-1), Reply::bulk("prefixes"), Reply::array({})});
}

Reply getRedirection(Call &)
{
    return Reply::number(-1);
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'client' command");
}

using enum CommandFlag;

constexpr CommandSpec clientRows[] = {
    {"client|getname", 2, NoScript, getName},
    {"client|getredir", 2, NoScript, getRedirection},
    {"client|id", 2, NoScript, id},
    {"client|info", 2, NoScript, info},
    {"client|kill", -3, NoScript, kill},
    {"client|list", -2, NoScript, list},
    {"client|no-evict", 3, NoScript, noEvict},
    {"client|pause", -3, NoScript, pause},
    {"client|reply", 3, NoScript, replies},
    {"client|setname", 3, NoScript, setName},
    {"client|tracking", -3, NoScript, tracking},
    {"client|trackinginfo", 2, NoScript, trackingInfo},
    {"client|unblock", -3, NoScript, unblock},
    {"client|unpause", 2, NoScript, unpause},
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
