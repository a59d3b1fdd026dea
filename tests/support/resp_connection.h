// A blocking client that shows a server's replies as they are.
#pragma once

#include "core/store/reply.h"

#include <QByteArray>
#include <QList>
#include <QLocalSocket>

#include <optional>
#include <vector>

namespace ym::test {

/// Sends commands over a unix socket and reads the replies; a nil array keeps apart from a nil string.
class RespConnection {
public:
    explicit RespConnection(const QString &socketPath);

    /// Sends all, then reads one reply for each. Aborts the test when the server does not answer in time.
    std::vector<Reply> ask(const QList<QList<QByteArray>> &commands);
    void send(const QList<QList<QByteArray>> &commands);
    Reply read();
    /// Nothing when no reply came in time.
    std::optional<Reply> readWithin(int ms);

private:
    QLocalSocket m_socket;
    QByteArray m_in;
};

} // namespace ym::test
