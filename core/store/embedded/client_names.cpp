#include "core/store/embedded/client_names.h"

#include "core/store/embedded/client_link.h"
#include "core/store/embedded/command_error.h"
#include "core/store/embedded/command_table.h"

namespace ym::embedded {

namespace {

QByteArray flagsOf(const ClientContext &client, const ClientFacts &facts)
{
    QByteArray flags;
    if (client.isMonitor)
        flags += 'O';
    if (client.isListening())
        flags += 'P';
    if (client.isInTransaction)
        flags += 'x';
    if (client.waiting)
        flags += 'b';
    if (facts.isBeingClosed)
        flags += 'c';
    if (facts.isUnixSocket)
        flags += 'U';
    return flags.isEmpty() ? QByteArray("N") : flags;
}

} // namespace

void setClientName(ClientContext &client, const QByteArray &name)
{
    for (const char letter : name) {
        if (letter < '!' || letter > '~')
            throw CommandError("ERR Client names cannot contain spaces, newlines or special characters.");
    }
    client.name = name;
}

QByteArray clientAddress(const ClientContext &client)
{
    return client.link ? client.link->facts().address : QByteArray();
}

QByteArray describeClient(const ClientContext &client)
{
    const ClientFacts facts = client.link ? client.link->facts() : ClientFacts();
    const auto number = [](qint64 value) { return QByteArray::number(value); };
    const std::pair<const char *, QByteArray> fields[] = {
        {"id", number(client.id)},
        {"addr", facts.address},
        {"laddr", facts.localAddress},
        {"fd", number(facts.descriptor)},
        {"name", client.name},
        {"age", number(facts.age)},
        {"idle", number(facts.idle)},
        {"flags", flagsOf(client, facts)},
        {"db", number(client.database)},
        {"sub", number(client.channels.size())},
        {"psub", number(client.patterns.size())},
        {"ssub", "0"},
        {"multi", number(client.isInTransaction ? client.queued.size() : -1)},
        {"qbuf", number(facts.queryBytes)},
        {"qbuf-free", "0"},
        {"argv-mem", "0"},
        {"multi-mem", number(client.queuedBytes)},
        {"rbs", "0"},
        {"rbp", "0"},
        {"obl", "0"},
        {"oll", number(facts.repliesHeld)},
        {"omem", number(facts.replyBytes)},
        {"tot-mem", number(facts.totalBytes)},
        {"events", facts.isWritable ? "rw" : "r"},
        {"cmd", client.lastCommand ? client.lastCommand->name : "NULL"},
        {"user", "default"},
        {"redir", "-1"},
        {"resp", "2"},
    };
    QByteArray line;
    for (const auto &[name, value] : fields)
        line += (line.isEmpty() ? "" : " ") + QByteArray(name) + '=' + value;
    return line;
}

} // namespace ym::embedded
