#include "core/store/embedded/monitors.h"

#include "core/store/embedded/client_link.h"

namespace ym::embedded {

namespace {

QByteArray quoted(const QByteArray &word)
{
    constexpr std::pair<char, char> escapes[] = {{'\\', '\\'}, {'"', '"'},  {'\n', 'n'}, {'\r', 'r'},
                                                 {'\t', 't'},  {'\a', 'a'}, {'\b', 'b'}};
    QByteArray text("\"");
    for (const char letter : word) {
        const auto *found = std::find_if(std::begin(escapes), std::end(escapes),
                                         [letter](const auto &escape) { return escape.first == letter; });
        if (found != std::end(escapes))
            text += QByteArray("\\") + found->second;
        else if (letter >= ' ' && letter <= '~')
            text += letter;
        else
            text += "\\x" + QByteArray(1, letter).toHex();
    }
    return text + '"';
}

QByteArray sourceOf(const ClientContext &client)
{
    if (!client.link)
        return client.name == "script" ? "lua" : "yardmaster";
    ClientFacts facts = client.link->facts();
    if (!facts.isUnixSocket)
        return facts.address;
    facts.address.chop(2); // the ":0"
    return "unix:" + facts.address;
}

} // namespace

void Monitors::add(ClientContext &client)
{
    client.isMonitor = true;
    if (!m_clients.contains(&client))
        m_clients.append(&client);
}

void Monitors::remove(ClientContext &client)
{
    client.isMonitor = false;
    m_clients.removeOne(&client);
}

void Monitors::show(const ClientContext &client, const QList<QByteArray> &words, qint64 now) const
{
    QByteArray line = QByteArray::number(now / 1000) + '.' + QByteArray::number(now % 1000).rightJustified(3, '0')
        + "000 [" + QByteArray::number(client.database) + ' ' + sourceOf(client) + ']';
    for (const QByteArray &word : words)
        line += ' ' + quoted(word);
    const Reply message = Reply::status(line);
    for (const ClientContext *monitor : m_clients)
        monitor->onMessage(message);
}

} // namespace ym::embedded
