// CONFIG: the settings of the server, of which those of its clients can be changed.
#include "core/store/embedded/client_link.h"
#include "core/store/embedded/command_table.h"
#include "core/store/embedded/executor.h"
#include "core/store/embedded/glob.h"
#include "core/store/embedded/server_info.h"

namespace ym::embedded {

namespace {

Reply get(Call &c)
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

[[noreturn]] void refuse(const QByteArray &name, const QByteArray &why)
{
    throw CommandError("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + why);
}

void checkKnown(const Call &c, const QByteArray &name)
{
    const auto all = serverConfig(c.executor);
    const bool isKnown =
        std::any_of(all.cbegin(), all.cend(), [&name](const auto &row) { return row.first == name; });
    if (!isKnown)
        throw CommandError("ERR Unknown option or number of arguments for CONFIG SET - '" + name + '\'');
}

/// All or none are changed.
Reply set(Call &c)
{
    if (c.argc() % 2 != 0)
        throw CommandError(errors::syntax);
    ClientHub *hub = c.executor.hub();
    QList<std::pair<QByteArray, QByteArray>> wanted;
    for (qsizetype i = 2; i < c.argc(); i += 2) {
        const QByteArray name = c.arg(i).toLower();
        checkKnown(c, name);
        for (const auto &[other, value] : std::as_const(wanted)) {
            if (other == name)
                refuse(name, "duplicate parameter");
        }
        wanted.append({name, c.arg(i + 1)});
    }
    QByteArray offender;
    const QByteArray error = hub ? hub->changeSettings(wanted, &offender) : QByteArray("can't set immutable config");
    if (!error.isEmpty())
        refuse(hub ? offender : wanted.constFirst().first, error);
    return okReply();
}

Reply resetstat(Call &c)
{
    c.executor.resetStats();
    if (ClientHub *hub = c.executor.hub())
        hub->resetStats();
    return okReply();
}

Reply container(Call &)
{
    throw CommandError("ERR wrong number of arguments for 'config' command");
}

constexpr CommandSpec subcommands[] = {
    {"config|get", -3, CommandFlag::NoScript, get},
    {"config|resetstat", 2, CommandFlag::NoScript, resetstat},
    {"config|set", -4, CommandFlag::NoScript, set},
};

constexpr CommandSpec rows[] = {
    {"config", -2, CommandFlag::NoScript, container, 0, 0, 0, subcommands},
};

} // namespace

std::span<const CommandSpec> configCommands()
{
    return rows;
}

} // namespace ym::embedded
