// A subscription to the embedded store's channels.
#pragma once

#include "core/store/store.h"

#include <QPointer>

#include "core/store/embedded/client_context.h"

namespace ym {

namespace embedded {
class Executor;
}

struct QueuedMessage {
    QPointer<Subscription> subscription;
    QByteArray channel;
    QByteArray payload;
};
using MessageQueue = std::vector<QueuedMessage>;

/// Queues what it hears; the store sends it out at the end of the turn, so that no receiver runs inside a command.
class EmbeddedSubscription final : public Subscription {
    Q_OBJECT
public:
    EmbeddedSubscription(Store *store, embedded::Executor *executor, MessageQueue *queue);
    ~EmbeddedSubscription() override;

    void listen(const QList<QByteArray> &channels, Store::Match match);

Q_SIGNALS:
    void queued();

private:
    void receive(const Reply &message);

    QPointer<Store> m_store; ///< gone first: executor and queue are gone, too
    embedded::Executor *m_executor;
    MessageQueue *m_queue;
    embedded::ClientContext m_client;
};

} // namespace ym
