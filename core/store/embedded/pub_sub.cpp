#include "core/store/embedded/pub_sub.h"

#include "core/store/embedded/glob.h"

#include <algorithm>

namespace ym::embedded {

namespace {

using Listeners = QHash<QByteArray, std::vector<ClientContext *>>;

bool add(QSet<QByteArray> &own, Listeners &all, ClientContext *client, const QByteArray &name)
{
    if (own.contains(name))
        return false;
    own.insert(name);
    all[name].push_back(client);
    return true;
}

bool take(QSet<QByteArray> &own, Listeners &all, ClientContext *client, const QByteArray &name)
{
    if (!own.remove(name))
        return false;
    const auto listeners = all.find(name);
    std::erase(*listeners, client);
    if (listeners->empty())
        all.erase(listeners);
    return true;
}

} // namespace

bool PubSub::subscribe(ClientContext *client, const QByteArray &channel)
{
    return add(client->channels, m_channels, client, channel);
}

bool PubSub::unsubscribe(ClientContext *client, const QByteArray &channel)
{
    return take(client->channels, m_channels, client, channel);
}

bool PubSub::subscribePattern(ClientContext *client, const QByteArray &pattern)
{
    return add(client->patterns, m_patterns, client, pattern);
}

bool PubSub::unsubscribePattern(ClientContext *client, const QByteArray &pattern)
{
    return take(client->patterns, m_patterns, client, pattern);
}

void PubSub::forget(ClientContext *client)
{
    const auto channels = client->channels;
    for (const QByteArray &channel : channels)
        unsubscribe(client, channel);
    const auto patterns = client->patterns;
    for (const QByteArray &pattern : patterns)
        unsubscribePattern(client, pattern);
}

int PubSub::publish(const QByteArray &channel, const QByteArray &payload, Audience audience)
{
    int receivers = 0;
    const auto send = [&](const std::vector<ClientContext *> &clients, const Reply &message) {
        for (ClientContext *client : clients) {
            if (audience == Audience::EveryEventHearers && !client->hearsEveryEvent)
                continue;
            client->onMessage(message);
            ++receivers;
        }
    };
    const auto listeners = m_channels.constFind(channel);
    if (listeners != m_channels.constEnd())
        send(*listeners, Reply::array({Reply::bulk("message"), Reply::bulk(channel), Reply::bulk(payload)}));
    for (auto row = m_patterns.constBegin(); row != m_patterns.constEnd(); ++row) {
        if (matchesGlob(row.key(), channel))
            send(*row,
                 Reply::array(
                     {Reply::bulk("pmessage"), Reply::bulk(row.key()), Reply::bulk(channel), Reply::bulk(payload)}));
    }
    return receivers;
}

int PubSub::listenersOf(const QByteArray &channel) const
{
    return int(m_channels.value(channel).size());
}

} // namespace ym::embedded
