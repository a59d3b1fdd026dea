#include "core/store/embedded/embedded_subscription.h"

#include "core/store/embedded/executor.h"

namespace ym {

EmbeddedSubscription::EmbeddedSubscription(Store *store, embedded::Executor *executor, MessageQueue *queue)
    : m_store(store)
    , m_executor(executor)
    , m_queue(queue)
{
    m_client.hearsEveryEvent = true;
    m_client.onMessage = [this](const Reply &message) { receive(message); };
    m_executor->introduce(m_client);
}

EmbeddedSubscription::~EmbeddedSubscription()
{
    if (m_store)
        m_executor->forget(m_client);
}

void EmbeddedSubscription::listen(const QList<QByteArray> &channels, Store::Match match)
{
    embedded::PubSub &pubSub = m_executor->pubSub();
    for (const QByteArray &channel : channels) {
        if (match == Store::Match::Channels)
            pubSub.subscribe(&m_client, channel);
        else
            pubSub.subscribePattern(&m_client, channel);
    }
}

/// The last two elements of a message are its channel and its payload, with a pattern or without.
void EmbeddedSubscription::receive(const Reply &message)
{
    const std::vector<Reply> &parts = message.elements;
    m_queue->push_back({this, parts[parts.size() - 2].string, parts.back().string});
    Q_EMIT queued();
}

} // namespace ym
