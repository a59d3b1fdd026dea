// Who listens to which channel.
#pragma once

#include "core/store/embedded/client_context.h"

#include <QHash>

#include <vector>

namespace ym::embedded {

/// Channels and patterns of all clients. A message is handed to ClientContext::onMessage at once; the receiver must
/// not run commands inside that call.
class PubSub {
public:
    /// True when the client did not listen to it yet.
    bool subscribe(ClientContext *client, const QByteArray &channel);
    bool unsubscribe(ClientContext *client, const QByteArray &channel);
    bool subscribePattern(ClientContext *client, const QByteArray &pattern);
    bool unsubscribePattern(ClientContext *client, const QByteArray &pattern);
    void forget(ClientContext *client);

    enum class Audience : quint8 { Everybody, EveryEventHearers };
    /// Returns how many got it.
    int publish(const QByteArray &channel, const QByteArray &payload, Audience audience = Audience::Everybody);
    bool isIdle() const { return m_channels.isEmpty() && m_patterns.isEmpty(); }

    QList<QByteArray> channels() const { return m_channels.keys(); }
    int listenersOf(const QByteArray &channel) const;
    int patternCount() const { return int(m_patterns.size()); }

private:
    using Clients = std::vector<ClientContext *>;
    QHash<QByteArray, Clients> m_channels;
    QHash<QByteArray, Clients> m_patterns;
};

} // namespace ym::embedded
