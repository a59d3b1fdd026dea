// MONITOR: clients that see every command.
#pragma once

#include "core/store/embedded/client_context.h"

#include <QList>

namespace ym::embedded {

/// The clients that watch, and what they are told. One thread.
class Monitors {
public:
    void add(ClientContext &client);
    void remove(ClientContext &client);
    bool isEmpty() const { return m_clients.isEmpty(); }

    /// Shows a command of `client` (a script's has no link) at `now`, ms since 1970.
    void show(const ClientContext &client, const QList<QByteArray> &words, qint64 now) const;

private:
    QList<ClientContext *> m_clients;
};

} // namespace ym::embedded
