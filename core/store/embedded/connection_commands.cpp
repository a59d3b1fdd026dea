// How a client introduces itself and leaves.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/client_names.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"

namespace ym::embedded {

namespace {

constexpr char wrongPassword[] = "WRONGPASS invalid username-password pair or user is disabled.";

Reply ping(Call &c)
{
    if (c.argc() > 2)
        throw CommandError("ERR wrong number of arguments for 'ping' command");
    if (c.client.link && c.client.isListening())
        return Reply::array({Reply::bulk("pong"), Reply::bulk(c.argc() == 2 ? c.arg(1) : QByteArray(""))});
    return c.argc() == 2 ? Reply::bulk(c.arg(1)) : Reply::status("PONG");
}

Reply echo(Call &c)
{
    return Reply::bulk(c.arg(1));
}

/// There is one user, "default"; a URL like redis://:password@host makes some clients say "" for it. Where no password
/// is needed, any goes, unless there is one that can be checked.
bool mayEnter(const ClientLink &link, const QByteArray &user, const QByteArray &password)
{
    if (user != "default" && !user.isEmpty())
        return false;
    return link.hasPassword() ? link.isPassword(password) : !link.needsPassword();
}

void authenticate(Call &c, const QByteArray &user, const QByteArray &password)
{
    ClientLink *link = c.client.link;
    if (link ? !mayEnter(*link, user, password) : user != "default")
        throw CommandError(wrongPassword);
    c.client.isAuthenticated = true;
}

Reply auth(Call &c)
{
    if (c.argc() > 3)
        throw CommandError(errors::syntax);
    const bool hasPassword = c.client.link && c.client.link->hasPassword();
    if (c.argc() == 2 && !hasPassword)
        throw CommandError("ERR AUTH <password> called without any password configured for the default user. "
                           "Are you sure your configuration is correct?");
    authenticate(c, c.argc() == 3 ? c.arg(1) : QByteArray("default"), c.arg(c.argc() - 1));
    return okReply();
}

void readHelloVersion(const Call &c)
{
    const qint64 version = c.integer(1, "ERR Protocol version is not an integer or out of range");
    if (version != 2) // RESP3 is not spoken here
        throw CommandError("NOPROTO unsupported protocol version");
}

void readHelloOptions(Call &c)
{
    for (qsizetype i = 2; i < c.argc(); ++i) {
        const qsizetype more = c.argc() - 1 - i;
        if (c.isOption(i, "AUTH") && more >= 2) {
            authenticate(c, c.arg(i + 1), c.arg(i + 2));
            i += 2;
        } else if (c.isOption(i, "SETNAME") && more >= 1) {
            setClientName(c.client, c.arg(i + 1));
            ++i;
        } else {
            throw CommandError("ERR Syntax error in HELLO option '" + c.arg(i) + '\'');
        }
    }
}

Reply hello(Call &c)
{
    if (c.argc() > 1)
        readHelloVersion(c);
    readHelloOptions(c);
    if (!c.client.isAuthenticated)
        throw CommandError("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
                           "<proto> AUTH <user> <pass> option can be used to authenticate the client and select the "
                           "RESP protocol version at the same time");
    return Reply::array({Reply::bulk("server"), Reply::bulk("redis"), Reply::bulk("version"), Reply::bulk("7.0.15"),
                         Reply::bulk("proto"), Reply::number(2), Reply::bulk("id"), Reply::number(c.client.id),
                         Reply::bulk("mode"), Reply::bulk("standalone"), Reply::bulk("role"), Reply::bulk("master"),
                         Reply::bulk("modules"), Reply::array({})});
}

Reply quit(Call &c)
{
    if (c.client.link)
        c.client.link->close(ClientLink::Close::AfterReply);
    return okReply();
}

/// Back to how a connection begins.
Reply reset(Call &c)
{
    c.executor.endTransaction(c.client);
    c.executor.pubSub().forget(&c.client);
    c.executor.removeMonitor(c.client);
    c.client.database = 0;
    c.client.name.clear();
    if (c.client.link) {
        c.client.link->setReplies(ClientLink::Replies::On);
        c.client.isAuthenticated = !c.client.link->needsPassword();
    }
    return Reply::status("RESET");
}

Reply monitor(Call &c)
{
    if (!c.client.link)
        throw CommandError("ERR this connection cannot receive messages");
    c.executor.addMonitor(c.client);
    return okReply();
}

Reply aclWhoami(Call &)
{
    return Reply::bulk("default");
}

Reply container(Call &c)
{
    throw CommandError("ERR wrong number of arguments for '" + c.arg(0).toLower() + "' command");
}

using enum CommandFlag;

constexpr CommandSpec aclRows[] = {
    {"acl|whoami", 2, NoScript, aclWhoami},
};

constexpr CommandSpec rows[] = {
    {"ping", -1, WhileListening, ping},
    {"echo", 2, None, echo},
    {"auth", -2, NoScript | NoAuth | Hidden | WhileBusy, auth},
    {"hello", -1, NoScript | NoAuth | Hidden | WhileBusy, hello},
    {"quit", -1, NoScript | NoAuth | Immediate | WhileListening | WhileBusy, quit},
    {"reset", 1, NoScript | NoAuth | Immediate | WhileListening | WhileBusy, reset},
    {"monitor", 1, NoScript | Hidden, monitor},
    {"acl", -2, NoScript, container, 0, 0, 0, aclRows},
};

} // namespace

std::span<const CommandSpec> connectionCommands()
{
    return rows;
}

} // namespace ym::embedded
